// One test under all models: a row a model, a column an outcome that some model allows.

import { make } from "./elements.js";

export class Matrix {
  #place;
  #chosen;
  #rows = [];

  /** `chosen` is called with the model of the row that is chosen. */
  constructor(place, chosen) {
    this.#place = place;
    this.#chosen = chosen;
  }

  begin() {
    this.#rows = [];
  }

  /** The answer of one more model, as it is shown and as the report has it. */
  add(value, shown, judgement, current) {
    const states = new Map(shown.outcomes.map(({ state, mark }) => [state, mark]));
    this.#rows.push({ value, shown, states, reason: judgement.cause?.reason ?? "", current });
    this.#draw();
  }

  #draw() {
    const states = [...new Set(this.#rows.flatMap(({ states }) => [...states.keys()]))].sort();
    const asked = (state) => this.#rows.some(({ states }) => ["asked", "wrong"].includes(states.get(state)));
    const bindings = (state) => state.split(" ").map((binding) => make("code", {}, binding));
    const heads = states.map((state) => make("th", { scope: "col" }, ...bindings(state), asked(state) ? "*" : null));
    const names = ["Model", "Verdict"].map((name) => make("th", { scope: "col" }, name));
    const head = make("thead", {}, make("tr", {}, ...names, ...heads));
    const star = states.some(asked) ? make("p", { class: "faint" }, "* what the condition names") : "";
    const body = make("tbody", {}, ...this.#rows.map((row) => this.#row(row, states)));
    this.#place.replaceChildren(make("table", {}, head, body), star);
  }

  #row({ value, shown, states, reason, current }, all) {
    const choose = () => this.#chosen(value);
    const name = make("button", { type: "button", click: choose, "aria-current": current && "true" }, shown.model);
    const cells = all.map((state) => {
      const mark = states.get(state);
      const tone = { asked: "yes good", wrong: "yes bad" }[mark] ?? "yes";
      return make("td", { class: mark ? tone : "faint" }, mark ? "yes" : "-");
    });
    const words = shown.cell === "-" ? "no answer" : shown.cell;
    const verdict = make("td", { class: shown.tone, title: reason }, words);
    return make("tr", {}, make("th", { scope: "row" }, name), verdict, ...cells);
  }
}
