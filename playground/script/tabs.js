// Panels, one of them shown: the pattern of tabs that screen readers know, with arrow keys.

export class Tabs {
  #tabs;
  #chosen;

  /** `chosen` is called with the name of the panel that is shown. */
  constructor(chosen) {
    this.#tabs = [...document.querySelectorAll("[role=tab]")];
    this.#chosen = chosen;
    for (const tab of this.#tabs) {
      tab.addEventListener("click", () => this.show(nameOf(tab)));
      tab.addEventListener("keydown", (event) => this.#key(event, tab));
    }
  }

  get shown() {
    return nameOf(this.#tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? this.#tabs[0]);
  }

  /** Shows a panel; the first one if there is none of this name. */
  show(name) {
    const chosen = this.#tabs.find((tab) => nameOf(tab) === name) ?? this.#tabs[0];
    for (const tab of this.#tabs) {
      tab.setAttribute("aria-selected", tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
    this.#chosen(nameOf(chosen));
  }

  #key(event, tab) {
    const at = this.#tabs.indexOf(tab);
    const last = this.#tabs.length - 1;
    const [before, after] = [at === 0 ? last : at - 1, at === last ? 0 : at + 1];
    const to = { ArrowLeft: before, ArrowRight: after, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#tabs[to].focus();
    this.show(nameOf(this.#tabs[to]));
  }
}

function nameOf(tab) {
  return tab.id.slice("tab-".length);
}
