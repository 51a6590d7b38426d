// What runs in the worker: questions in, answers out, one after the other. The glue of wasm-bindgen stands before it.

self.onmessage = ({ data }) => {
  try {
    if (data.module) return wasm_bindgen.initSync({ module: data.module });
    const begin = performance.now();
    const answer = wasm_bindgen.answer(data.question);
    postMessage({ number: data.number, answer, milliseconds: performance.now() - begin });
  } catch (error) {
    // A panic, or no memory: the page ends this worker.
    postMessage({ failure: String(error) });
  }
};
