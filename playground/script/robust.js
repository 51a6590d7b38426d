// Robustness: the editor, the answer with its cycle, and the repair.

import { Asking } from "./asking.js";
import { Editor } from "./editor.js";
import { fill, found, make, shownTime } from "./elements.js";
import { Stepper, inComputation } from "./stepper.js";

const PROGRAM_FILE = "program.pgas";
const TONES = { robust: "good", "not-robust": "bad", inconclusive: "unsure" };

export class RobustPanel {
  #page;
  #editor;
  #asking;
  #repaired = null;

  constructor(page) {
    this.#page = page;
    const again = () => {
      page.changed();
      this.#asking.soon();
    };
    this.#editor = new Editor(found("robust-editor"), "Program", () => {
      this.#named();
      again();
    });
    this.#asking = new Asking(page.engine, (ask) => this.#ask(ask), page.told);
    const examples = found("robust-example");
    fill(examples, { "": [{ value: "", words: "your own" }], ...page.examples.groups(".pgas") });
    examples.addEventListener("change", () => examples.value && this.open(page.examples.text(examples.value)));
    for (const option of ["ranks", "repair", "superfluous"]) {
      found(`robust-${option}`).addEventListener("input", again);
    }
    found("robust-take").addEventListener("click", () => this.open(this.#repaired));
  }

  get state() {
    return {
      text: this.#editor.text,
      ranks: found("robust-ranks").value,
      repair: found("robust-repair").checked,
      superfluous: found("robust-superfluous").checked,
    };
  }

  set state({ text = "", ranks = "", repair = true, superfluous = false }) {
    this.#editor.text = String(text);
    found("robust-ranks").value = ranks;
    found("robust-repair").checked = Boolean(repair);
    found("robust-superfluous").checked = Boolean(superfluous);
    this.#named();
  }

  /** Puts a text into the editor, and asks. */
  open(text) {
    this.state = { ...this.state, text };
    this.#page.changed();
    this.ask();
  }

  ask() {
    this.#asking.now();
  }

  #named() {
    found("robust-example").value = this.#page.examples.name(".pgas", this.#editor.text);
  }

  async #ask(ask) {
    const { text, ranks, repair, superfluous } = this.state;
    const number = /^[1-9]\d{0,3}$/.test(ranks) ? Number(ranks) : null;
    const program = { file: PROGRAM_FILE, text, ranks: number, repair, superfluous };
    const { answer, milliseconds } = await ask({ ask: "robust", ...program });
    this.#show(answer);
    this.#page.told(`answered in ${shownTime(milliseconds)}`);
  }

  #show(answer) {
    const verdict = found("robust-verdict");
    const place = found("robust-answer");
    const right = answer.kind === "robust";
    this.#editor.mistakes = answer.kind === "mistakes" ? answer.of : [];
    this.#repaired = right ? answer.of.repaired : null;
    found("robust-take").hidden = this.#repaired === null;
    found("robust-printed").textContent = right ? answer.of.printed : "";
    found("robust-stepper").replaceChildren();
    place.replaceChildren();
    if (!right) {
      verdict.className = "bad";
      verdict.textContent = answer.kind === "mistakes" ? "The program has mistakes." : String(answer.of);
      return;
    }
    const [judgement] = answer.of.report.programs;
    verdict.className = "";
    verdict.replaceChildren(make("strong", { class: TONES[judgement.verdict] }, judgement.verdict.replace("-", " ")));
    // Made by our own renderer, which escapes what comes from the program.
    place.innerHTML = answer.of.html;
    // The verdict stands above it.
    place.querySelector("h2")?.remove();
    const details = place.querySelector("details");
    if (!details) return;
    details.open = true;
    const steps = make("div");
    details.querySelector("figure").before(steps);
    const shown = answer.of.steps.map((words) => ({ words, more: [] }));
    new Stepper(steps).show(shown, inComputation(details.querySelector("figure")));
  }
}
