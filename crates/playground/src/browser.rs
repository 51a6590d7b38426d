//! What the page calls.
//!
//! A panic is a bug of ours. It ends the worker: the page says so and starts another one; nothing unwinds into it.

use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// Lets the browser's console have what a panic says.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|what| error(&what.to_string())));
}

/// Answers a question of the page.
#[wasm_bindgen]
#[must_use]
pub fn answer(question: &str) -> String {
    crate::answer(question, &|| Duration::from_secs_f64(now() / 1e3))
}
