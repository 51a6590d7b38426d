// The engines, in a worker of their own: a question that takes too long is ended with its worker, and the next one has
// a new worker. All workers share one compiled module, so that a new one costs little.

/** A question that was ended before it was answered. */
export class Stopped extends Error {}

/** A worker that failed, by a bug of Farside or because the browser has no more memory; as the worker told it. */
export class Failed extends Error {}

async function compiled(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

export class Engine {
  #module;
  #script;
  #worker = null;
  #open = new Map();
  #number = 0;
  #changed;

  /** `compressed` are the bytes of the engines, `script` is the worker's; `changed` is told whether something runs. */
  constructor(compressed, script, changed) {
    this.#module = compiled(compressed);
    this.#script = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#changed = changed;
  }

  get busy() {
    return this.#open.size > 0;
  }

  /** Asks a question; gives `{answer, milliseconds}`. */
  ask(question) {
    const number = this.#number++;
    const promise = new Promise((resolve, reject) => this.#open.set(number, { resolve, reject }));
    this.#changed(true);
    this.#module.then(
      (module) => {
        // It may have been stopped while the module was compiled.
        if (!this.#open.has(number)) return;
        this.#worker ??= this.#started(module);
        this.#worker.postMessage({ number, question: JSON.stringify(question) });
      },
      (error) => this.#end(number, ({ reject }) => reject(new Failed(`the engines cannot be loaded: ${error}`))),
    );
    return promise;
  }

  /** Ends everything that runs. */
  stop() {
    if (this.busy) this.#abandon(() => new Stopped("stopped"));
  }

  #started(module) {
    const worker = new Worker(this.#script);
    worker.postMessage({ module });
    worker.onmessage = ({ data }) => {
      if ("failure" in data) return this.#abandon(() => new Failed(data.failure));
      const { number, answer, milliseconds } = data;
      this.#end(number, ({ resolve }) => resolve({ answer: JSON.parse(answer), milliseconds }));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#abandon(() => new Failed(event.message));
    };
    return worker;
  }

  #end(number, act) {
    const waiting = this.#open.get(number);
    if (!this.#open.delete(number)) return;
    act(waiting);
    this.#changed(this.busy);
  }

  #abandon(reason) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const number of [...this.#open.keys()]) this.#end(number, ({ reject }) => reject(reason()));
  }
}
