// Tests of cycles: edges in, a litmus test out.

import { Asking } from "./asking.js";
import { fill, found, shownTime } from "./elements.js";

const EXAMPLES = [
  "PodPP Rfe PodRR Fre",
  "FlushdPP Rfe PodRR Fre",
  "FlushdPP Rfe PodGG Fre",
  "PodWG Fre PodWG Fre",
  "PodPR FreRP PodPR FreRP",
  "FlushdPR FreRP FlushdPR FreRP",
  "PodGP Rfe PodGP Rfe",
  "PodPP Coe PodPP Coe",
];

export class CyclePanel {
  #page;
  #asking;
  #test = null;

  /** `use` is called with the test when it is to be opened. */
  constructor(page, use) {
    this.#page = page;
    this.#asking = new Asking(page.engine, (ask) => this.#ask(ask), page.told);
    const examples = found("cycle-example");
    fill(examples, { "": ["", ...EXAMPLES].map((value) => ({ value, words: value || "your own" })) });
    const again = () => {
      examples.value = EXAMPLES.find((example) => example === found("cycle-edges").value) ?? "";
      page.changed();
      this.#asking.soon();
    };
    found("cycle-edges").addEventListener("input", again);
    found("cycle-apart").addEventListener("input", again);
    examples.addEventListener("change", () => {
      if (examples.value === "") return;
      found("cycle-edges").value = examples.value;
      page.changed();
      this.ask();
    });
    found("cycle-use").addEventListener("click", () => use(this.#test));
    this.state = {};
  }

  get state() {
    return { edges: found("cycle-edges").value, apart: found("cycle-apart").checked };
  }

  set state({ edges = EXAMPLES[0], apart = false }) {
    found("cycle-edges").value = edges;
    found("cycle-apart").checked = Boolean(apart);
    found("cycle-example").value = EXAMPLES.find((example) => example === edges) ?? "";
  }

  ask() {
    this.#asking.now();
  }

  async #ask(ask) {
    const { answer, milliseconds } = await ask({ ask: "cycle", ...this.state });
    this.#test = answer.kind === "cycle" ? answer.of : null;
    found("cycle-test").textContent = this.#test ?? "";
    found("cycle-use").disabled = this.#test === null;
    found("cycle-edges").setAttribute("aria-invalid", this.#test === null);
    const verdict = found("cycle-verdict");
    verdict.className = this.#test === null ? "bad" : "";
    verdict.textContent = this.#test === null ? String(answer.of) : "";
    this.#page.told(`answered in ${shownTime(milliseconds)}`);
  }
}
