// The texts that come with the page: litmus tests and programs by their paths in the repository.

export class Examples {
  #texts;

  constructor(texts) {
    this.#texts = texts;
  }

  /** The text of an example. */
  text(path) {
    return this.#texts[path];
  }

  /** The example of this text, or nothing. */
  name(suffix, text) {
    const same = ([path, known]) => path.endsWith(suffix) && known === text;
    return Object.entries(this.#texts).find(same)?.[0] ?? "";
  }

  /** Those of a kind, by their folders. */
  groups(suffix) {
    const groups = {};
    for (const path of Object.keys(this.#texts).filter((path) => path.endsWith(suffix))) {
      const [, ...parts] = path.split("/");
      const words = parts.pop().slice(0, -suffix.length);
      (groups[parts.join("/")] ??= []).push({ value: path, words });
    }
    return groups;
  }
}
