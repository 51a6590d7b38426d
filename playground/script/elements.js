// Elements of the page, found and made.

/** The element of this id. */
export function found(id) {
  return document.getElementById(id);
}

/** An element with attributes, listeners (functions) and what is in it: elements and texts. */
export function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside.filter((part) => part !== null && part !== undefined));
  return element;
}

/** Fills a choice with groups of entries: `{group: [{value, words}]}`; a group without a name stands alone. */
export function fill(select, groups) {
  select.replaceChildren();
  for (const [group, entries] of Object.entries(groups)) {
    const options = entries.map(({ value, words }) => make("option", { value }, words));
    select.append(...(group === "" ? options : [make("optgroup", { label: group }, ...options)]));
  }
}

/** The bytes that base 64 stands for. A loop, for `Uint8Array.from` with a function is many times slower. */
export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** A time in milliseconds, with two digits that say something. */
export function shownTime(milliseconds) {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}
