// The model of the user: a file of rules, begun with a shipped one.

import { Asking } from "./asking.js";
import { Editor } from "./editor.js";
import { fill, found, shownTime } from "./elements.js";

export class ModelPanel {
  #page;
  #editor;
  #asking;
  #shipped = [];
  #used;
  #name = null;

  /** `used` is called with `{name, text}` after a change, with null if there is no text; and whether to go to it. */
  constructor(page, used) {
    this.#page = page;
    this.#used = used;
    this.#editor = new Editor(found("model-editor"), "Model file", () => {
      page.changed();
      this.#asking.soon();
    });
    this.#asking = new Asking(page.engine, (ask) => this.#ask(ask), page.told);
    const examples = found("model-example");
    examples.addEventListener("change", () => examples.value && this.#begin(examples.value));
    found("model-use").addEventListener("click", () => used(this.#own, true));
  }

  get state() {
    return { text: this.#editor.text };
  }

  set state({ text = "" }) {
    this.#editor.text = String(text);
    found("model-example").value = "";
  }

  /** The models that there are. */
  set models(models) {
    this.#shipped = models.filter(({ text }) => text !== null);
    const entries = this.#shipped.map(({ name }) => ({ value: name, words: name }));
    fill(found("model-example"), { "": [{ value: "", words: "a shipped model" }, ...entries] });
  }

  /** Says whether the model is right; resolves when it is known. */
  ask() {
    return this.#asking.now();
  }

  get #own() {
    const { text } = this.state;
    return text.trim() === "" ? null : { name: this.#name ?? "(with mistakes)", text };
  }

  /** A copy of a shipped model, with a name of its own. */
  #begin(name) {
    const { text } = this.#shipped.find((model) => model.name === name);
    this.#editor.text = text.replace(`model "${name}"`, `model "my-${name}"`);
    this.#page.changed();
    this.ask();
  }

  #right(name) {
    this.#name = name;
    found("model-use").disabled = name === null;
    this.#used(this.#own, false);
  }

  async #ask(ask) {
    const verdict = found("model-verdict");
    if (this.#editor.text.trim() === "") {
      this.#right(null);
      verdict.textContent = "";
      return;
    }
    const { answer, milliseconds } = await ask({ ask: "model", text: this.#editor.text });
    const right = answer.kind === "model";
    this.#right(right ? answer.of.name : null);
    this.#editor.mistakes = answer.kind === "model-mistakes" ? answer.of : [];
    verdict.className = right ? "good" : "bad";
    verdict.textContent = right ? `The model ${answer.of.name} can be used.` : "The model has mistakes.";
    this.#page.told(`answered in ${shownTime(milliseconds)}`);
  }
}
