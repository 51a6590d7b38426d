// A picture of an execution, which can be gone through step by step.

import { make } from "./elements.js";

export class Stepper {
  #place;
  #steps = [];
  #at = 0;
  #buttons;
  #words = make("div", { class: "step", "aria-live": "polite" });
  #mark;

  constructor(place) {
    this.#place = place;
    const button = (words, label, go) => make("button", { type: "button", "aria-label": label, click: go }, words);
    this.#buttons = [
      button("|◀", "To the begin", () => this.#go(0)),
      button("◀ Back", "One step back", () => this.#go(this.#at - 1)),
      button("Step ▶", "One step on", () => this.#go(this.#at + 1)),
      button("All", "Show all steps", () => this.#go(this.#steps.length + 1)),
    ];
  }

  /**
   * Shows steps: `{words, more}`. `mark(shown, now)` marks in the picture what has happened, as a number of steps, and
   * what happens now, by its number or null.
   */
  show(steps, mark) {
    this.#steps = steps;
    this.#mark = mark;
    this.#place.replaceChildren();
    if (steps.length === 0) return;
    const keys = (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (way === undefined) return;
      event.preventDefault();
      this.#go(this.#at + way);
    };
    const label = "Steps; arrow keys go on and back";
    const attributes = { class: "stepper", role: "group", "aria-label": label, keydown: keys };
    const group = make("div", attributes, ...this.#buttons);
    this.#place.append(group, this.#words);
    this.#go(steps.length + 1);
  }

  /** 0: nothing has happened; the number of steps and one more: everything is shown, and nothing happens now. */
  #go(at) {
    const last = this.#steps.length + 1;
    this.#at = Math.min(Math.max(at, 0), last);
    const all = this.#at === last;
    const now = all || this.#at === 0 ? null : this.#at - 1;
    this.#mark(all ? last : this.#at, now);
    const [, back, on] = this.#buttons;
    back.disabled = this.#at === 0;
    on.disabled = all;
    this.#words.replaceChildren(...this.#said(now, all));
  }

  #said(now, all) {
    if (all) return [`${this.#steps.length} steps, in the order of the picture.`];
    if (now === null) return ["Nothing has happened yet."];
    const { words, more } = this.#steps[now];
    const lines = more.map((line) => make("span", { class: "faint" }, line));
    return [`${now + 1} of ${this.#steps.length}: `, make("strong", {}, words), ...lines];
  }
}

/** Marks of an execution: actions by their index, edges by both of theirs. */
export function inExecution(svg, steps) {
  const step = new Map(steps.map((one, number) => [String(one.action), number]));
  return (shown, now) => {
    for (const action of svg.querySelectorAll("[data-action]")) {
      const number = step.get(action.dataset.action);
      action.classList.toggle("later", number >= shown);
      action.classList.toggle("now", number === now);
    }
    for (const edge of svg.querySelectorAll("[data-from]")) {
      const ends = [edge.dataset.from, edge.dataset.to].map((action) => step.get(action) ?? 0);
      edge.classList.toggle("later", ends.some((number) => number >= shown));
    }
  };
}

/** Marks of a computation: its events stand in their order; the cycle is seen when all have happened. */
export function inComputation(svg) {
  const events = [...svg.querySelectorAll(".event")];
  const edges = svg.querySelectorAll("g:has(> .edge), .tie, text.rule");
  return (shown, now) => {
    events.forEach((event, number) => {
      event.classList.toggle("later", number >= shown);
      event.classList.toggle("now", number === now);
    });
    edges.forEach((edge) => edge.classList.toggle("later", shown <= events.length));
  };
}
