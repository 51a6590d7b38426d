// A text with numbers of lines, its mistakes marked in place and listed below it.
//
// The text is a plain `textarea`, which every screen reader and keyboard knows; marks lie under it. The key Tab leaves
// it, as everywhere; Ctrl+Enter asks at once.

import { make } from "./elements.js";

export class Editor {
  #text;
  #gutter = make("pre", { class: "gutter", "aria-hidden": "true" });
  #marks = make("pre", { class: "marks", "aria-hidden": "true" });
  #list;
  #mistakes = [];

  /** In an element; `label` says what it is, `changed` is called after each change by the user. */
  constructor(place, label, changed) {
    const id = `${place.id}-mistakes`;
    this.#list = make("ul", { class: "mistakes", id, role: "status", "aria-label": "Mistakes" });
    this.#text = make("textarea", {
      id: `${place.id}-text`,
      "aria-label": label,
      "aria-describedby": id,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      input: () => {
        this.#show([]);
        changed();
      },
      scroll: () => this.#follow(),
    });
    const paper = make("div", { class: "paper" }, this.#marks, this.#text);
    place.append(make("div", { class: "editor" }, this.#gutter, paper), this.#list);
    this.#show([]);
  }

  get text() {
    return this.#text.value;
  }

  set text(text) {
    this.#text.value = text;
    this.#text.scrollLeft = 0;
    this.#show([]);
  }

  /** Marks mistakes as the engines tell them. */
  set mistakes(mistakes) {
    this.#show(mistakes);
  }

  #show(mistakes) {
    this.#mistakes = mistakes;
    this.#text.setAttribute("aria-invalid", mistakes.length > 0);
    this.#number();
    this.#mark();
    this.#list.replaceChildren(...mistakes.map((mistake) => this.#item(mistake)));
  }

  #number() {
    const lines = this.text.split("\n").length;
    const wrong = new Set(this.#mistakes.map((mistake) => mistake.line));
    const parts = [];
    for (let line = 1; line <= lines; line++) {
      parts.push(wrong.has(line) ? make("span", { class: "wrong" }, String(line)) : String(line), "\n");
    }
    this.#gutter.replaceChildren(...parts.slice(0, -1));
    this.#text.rows = lines;
  }

  #mark() {
    const parts = [];
    let done = 0;
    for (const { start, end } of [...this.#mistakes].sort((a, b) => a.start - b.start)) {
      if (start < done) continue;
      const stop = Math.max(end, start + 1);
      // At the end of a line there is nothing to underline.
      const marked = this.text.slice(start, stop).replace(/^\n?$/, " ");
      parts.push(this.text.slice(done, start), make("mark", {}, marked.replace(/\n$/, "")));
      done = start + marked.replace(/\n$/, "").length;
    }
    this.#marks.replaceChildren(...parts, this.text.slice(done));
    this.#follow();
  }

  #follow() {
    this.#marks.scrollLeft = this.#text.scrollLeft;
  }

  #item({ line, column, start, end, message, hint }) {
    const go = () => {
      this.#text.focus();
      this.#text.setSelectionRange(start, end);
    };
    const words = `line ${line}, column ${column}: ${message}`;
    const shownHint = hint && make("span", { class: "hint" }, hint);
    return make("li", {}, make("button", { type: "button", click: go }, words, shownHint));
  }
}
