// The tour: figures of the papers, one after the other, each opened in its panel.

import { found } from "./elements.js";

export class Tour {
  #stops;
  #at = 0;
  #open;

  /** `open` is called with a stop, `closed` when the tour ends. */
  constructor(stops, open, closed) {
    this.#stops = stops;
    this.#open = open;
    found("open-tour").addEventListener("click", () => this.begin(true));
    found("tour-back").addEventListener("click", () => this.#go(this.#at - 1));
    found("tour-next").addEventListener("click", () => this.#go(this.#at + 1));
    found("tour-close").addEventListener("click", () => {
      found("tour").hidden = true;
      closed();
      found("open-tour").focus();
    });
  }

  /** Shows the first stop; `focus` says whether the reader asked for it. */
  begin(focus) {
    found("tour").hidden = false;
    this.#go(0, focus);
  }

  #go(at, focus = true) {
    this.#at = at;
    const { title, source, text } = this.#stops[at];
    found("tour-place").textContent = `Tour, ${at + 1} of ${this.#stops.length}: ${source}`;
    found("tour-title").textContent = title;
    found("tour-text").textContent = text;
    found("tour-back").disabled = at === 0;
    found("tour-next").disabled = at === this.#stops.length - 1;
    this.#open(this.#stops[at]);
    // Who reads by ear hears the new stop.
    if (focus) found("tour-title").focus({ preventScroll: true });
  }
}
