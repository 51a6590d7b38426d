// Litmus tests: the editor, outcomes as one types, executions, all models.

import { Asking } from "./asking.js";
import { Editor } from "./editor.js";
import { fill, found, make, shownTime } from "./elements.js";
import { Stopped } from "./engine.js";
import { Matrix } from "./matrix.js";
import { Stepper, inExecution } from "./stepper.js";

const TEST_FILE = "test.litmus";
const WORDS = {
  allowed: "allowed",
  asked: "allowed, and asked for",
  wrong: "allowed, and must not be",
  forbidden: "forbidden",
};

export class LitmusPanel {
  #page;
  #editor;
  #asking;
  #matrix;
  #models = [];
  #own = null;
  #chosen = "";

  /** `page` has the engine, the examples, and hears of changes and of what is going on. */
  constructor(page) {
    this.#page = page;
    this.#editor = new Editor(found("litmus-editor"), "Litmus test", () => this.#changed());
    this.#asking = new Asking(page.engine, (ask) => this.#ask(ask), page.told);
    this.#matrix = new Matrix(found("litmus-matrix"), (model) => this.#choose(model));
    const examples = found("litmus-example");
    fill(examples, { "": [{ value: "", words: "your own" }], ...page.examples.groups(".litmus") });
    examples.addEventListener("change", () => examples.value && this.open(page.examples.text(examples.value)));
    found("litmus-model").addEventListener("change", ({ target }) => this.#choose(target.value));
    found("litmus-models").addEventListener("toggle", () => this.ask());
  }

  get state() {
    return { text: this.#editor.text, model: this.#chosen, all: found("litmus-models").open };
  }

  set state({ text = "", model = "", all = false }) {
    this.#editor.text = String(text);
    this.#chosen = String(model);
    found("litmus-models").open = Boolean(all);
    this.#listModels();
    this.#named();
  }

  /** The models that there are. */
  set models(models) {
    this.#models = models;
    this.#listModels();
  }

  /** The model of the user: `{name, text}`, or null. */
  set own(own) {
    this.#own = own;
    this.#listModels();
  }

  /** Puts a text into the editor, and asks. */
  open(text, model = this.#chosen) {
    this.state = { ...this.state, text, model };
    this.#page.changed();
    this.ask();
  }

  ask() {
    this.#asking.now();
  }

  #changed() {
    this.#named();
    this.#page.changed();
    this.#asking.soon();
  }

  #choose(model) {
    this.#chosen = model;
    this.#listModels();
    this.#page.changed();
    this.ask();
  }

  /** The choice of examples names the text if it is one. */
  #named() {
    found("litmus-example").value = this.#page.examples.name(".litmus", this.#editor.text);
  }

  #listModels() {
    const entry = ({ name }) => ({ value: name, words: name });
    const own = this.#own ? [{ value: "own:", words: `your model ${this.#own.name}` }] : [];
    const select = found("litmus-model");
    fill(select, { "": [{ value: "", words: "what fits the test" }, ...own, ...this.#models.map(entry)] });
    select.value = this.#chosen;
    if (select.selectedIndex < 0) select.value = this.#chosen = "";
    found("litmus-about-model").textContent = this.#about;
  }

  /** What the chosen model is, in one line. */
  get #about() {
    return this.#models.find(({ name }) => name === this.#chosen)?.about ?? "";
  }

  /** A model as a question has it. */
  #model(value) {
    return value === "own:" ? { own: this.#own.text } : { named: value };
  }

  async #ask(ask) {
    const test = { ask: "litmus", file: TEST_FILE, text: this.#editor.text };
    const models = this.#chosen === "" ? [] : [this.#model(this.#chosen)];
    const { answer, milliseconds } = await ask({ ...test, models, explain: "condition" });
    this.#show(answer, { ...test, models });
    this.#page.told(`answered in ${shownTime(milliseconds)}`);
    if (answer.kind === "litmus" && found("litmus-models").open) await this.#compare(ask, test);
  }

  async #compare(ask, test) {
    const values = [...this.#models.map(({ name }) => name), ...(this.#own ? ["own:"] : [])];
    this.#matrix.begin();
    for (const value of values) {
      const { answer } = await ask({ ...test, models: [this.#model(value)], compared: true });
      if (answer.kind !== "litmus") return;
      const [test_] = answer.of.report.tests;
      this.#matrix.add(value, answer.of.judgements[0], test_.judgements[0], value === this.#chosen);
    }
  }

  #show(answer, question) {
    const verdict = found("litmus-verdict");
    const right = answer.kind === "litmus";
    for (const part of ["condition", "cause", "outcomes", "printed", "picture"]) {
      found(`litmus-${part}`).replaceChildren();
    }
    this.#editor.mistakes = answer.kind === "mistakes" ? answer.of : [];
    if (!right) {
      const words = { mistakes: "The test has mistakes.", "model-mistakes": "Your model has mistakes." };
      verdict.className = "bad";
      verdict.textContent = words[answer.kind] ?? String(answer.of);
      return;
    }
    const { judgements, printed, remark, report } = answer.of;
    const [judgement] = judgements;
    const strong = make("strong", { class: judgement.tone }, judgement.headline);
    verdict.className = "";
    verdict.replaceChildren(strong, make("span", { class: "faint" }, ` under ${judgement.model}`));
    // Which model was taken, and why, if none was chosen.
    found("litmus-about-model").textContent = remark ?? this.#about;
    found("litmus-condition").textContent = report.tests[0].condition;
    // Made by our own renderer, which escapes what comes from the test.
    found("litmus-cause").innerHTML = judgement.cause ?? "";
    if (report.tests[0].judgements[0].bounded) {
      const words = "A loop ended at its bound: states after it are missing.";
      found("litmus-cause").append(make("p", { class: "unsure" }, words));
    }
    found("litmus-printed").textContent = printed;
    this.#list(judgement, question);
    if (judgement.pictures.length > 0) this.#picture(judgement.pictures[0]);
  }

  #list(judgement, question) {
    const items = judgement.outcomes.map(({ state, mark }) => {
      const show = () => this.#explain(judgement, question, state, button);
      const button = make(
        "button",
        { type: "button", class: mark, "aria-pressed": "false", click: show, "data-state": state },
        make("code", {}, state || "(nothing is shown)"),
        make("span", { class: "word" }, WORDS[mark]),
      );
      return make("li", {}, button);
    });
    found("litmus-outcomes").replaceChildren(...items);
  }

  /** Shows the execution of an outcome; asks for it if it did not come with the answer. */
  async #explain(judgement, question, state, button) {
    const known = judgement.pictures.find((picture) => picture.state === state);
    if (known) return this.#picture(known);
    try {
      const { answer } = await this.#page.engine.ask({ ...question, explain: { outcome: state } });
      // The text may have changed since.
      if (!button.isConnected) return;
      if (answer.kind === "litmus") this.#picture(answer.of.judgements[0].pictures[0]);
      else this.#page.told(String(answer.of));
    } catch (error) {
      if (!(error instanceof Stopped)) this.#page.told(error.message);
    }
  }

  #picture(picture) {
    if (!picture) return;
    for (const button of found("litmus-outcomes").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", button.dataset.state === picture.state);
    }
    const figure = make("figure");
    figure.innerHTML = picture.svg;
    const steps = make("div");
    const place = found("litmus-picture");
    place.replaceChildren(make("h2", {}, make("code", {}, picture.words)));
    if (picture.reason) place.append(make("p", {}, picture.reason));
    place.append(steps, figure);
    const shown = picture.steps.map(({ words, statement, edges }) => ({
      words,
      more: [...(statement ? [statement] : []), ...edges],
    }));
    new Stepper(steps).show(shown, inExecution(figure, picture.steps));
  }
}
