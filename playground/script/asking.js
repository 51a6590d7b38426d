// When a panel asks: some time after a change, or at once; a new question ends the one before.

import { Failed, Stopped } from "./engine.js";

/** After a key, in milliseconds: who types on is not answered yet. */
const PAUSE = 120;

export class Asking {
  #engine;
  #work;
  #told;
  #timer = null;
  #round = 0;

  /** `work(ask)` asks and shows; `told` hears what became of it, in words. */
  constructor(engine, work, told) {
    this.#engine = engine;
    this.#work = work;
    this.#told = told;
  }

  soon() {
    this.#wait(setTimeout(() => this.now(), PAUSE));
  }

  async now() {
    this.#wait(null);
    this.#engine.stop();
    const round = ++this.#round;
    // What was asked for an older text is not shown.
    const ask = async (question) => {
      const answered = await this.#engine.ask(question);
      if (round !== this.#round) throw new Stopped("asked anew");
      return answered;
    };
    try {
      await this.#work(ask);
      // For who measures: the first one ends the wait for the first answer.
      performance.mark("answered");
    } catch (error) {
      if (round !== this.#round) return;
      if (error instanceof Stopped) this.#told("stopped; Run asks again");
      else if (error instanceof Failed) this.#told(`failed, by a bug of Farside or without memory: ${error.message}`);
      else throw error;
    } finally {
      // For who waits for the answer to all that was typed.
      if (round === this.#round && this.#timer === null) delete document.documentElement.dataset.asking;
    }
  }

  #wait(timer) {
    clearTimeout(this.#timer);
    this.#timer = timer;
    document.documentElement.dataset.asking = "";
  }
}
