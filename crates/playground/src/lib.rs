//! The engines for a page: a question as JSON in, an answer as JSON out.
//!
//! | what | module |
//! |---|---|
//! | questions and answers | `question` |
//! | a litmus test under models | `litmus` |
//! | whether a program is robust | `robust` |
//! | the models, and models of the user | `models` |
//! | the test of a cycle | `cycle` |
//! | why there is no answer, and where a text is wrong | `mistake` |
//! | what the page calls, in a browser only | `browser` |
//!
//! Promise: every answer is made by the engines and the renderers of the command line; nothing is decided here. Bad
//! input of any kind is an answer, never a panic. The page is `playground/`, `scripts/playground` builds it, and
//! `docs/design/playground.md` says why it is as it is.
//!
//! Limits: no clock, no threads, no files: the time is the caller's, and who wants to stop a question ends the worker
//! that asks it.

#[cfg(target_arch = "wasm32")]
pub mod browser;
mod cycle;
mod litmus;
mod mistake;
mod models;
mod question;
mod robust;

use question::{Answer, Question};
use std::time::Duration;

/// What reports say made them.
const TOOL: &str = concat!("farside ", env!("CARGO_PKG_VERSION"));

/// Answers a question. Both are JSON; `clock` is the time since some moment.
///
/// # Panics
/// Never but for a bug of ours.
#[must_use]
pub fn answer(question: &str, clock: &dyn Fn() -> Duration) -> String {
    let answer = match serde_json::from_str(question) {
        Ok(question) => answer_to(&question, clock),
        Err(error) => Answer::Fault(format!("this is no question: {error}")),
    };
    // All of it is strings, numbers and lists of them.
    serde_json::to_string(&answer).expect("an answer is JSON")
}

fn answer_to(question: &Question, clock: &dyn Fn() -> Duration) -> Answer {
    let answer = match question {
        Question::Models => Ok(Answer::Models(models::all())),
        Question::Model { text } => models::check(text).map(Answer::Model),
        Question::Litmus(test) => litmus::verdicts(test, clock).map(|found| Answer::Litmus(Box::new(found))),
        Question::Robust(program) => {
            robust::decide(program, clock).map(|found| Answer::Robust(Box::new(found)))
        }
        Question::Cycle { edges, apart } => cycle::test(edges, *apart).map(Answer::Cycle),
    };
    answer.unwrap_or_else(Answer::from)
}
