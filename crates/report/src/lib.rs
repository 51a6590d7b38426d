//! All reports of Farside in all their forms: a module a kind of report, a file a form, each called `render`.
//!
//! | what is said | data | text | JSON | HTML | SVG | dot | SARIF |
//! |---|---|---|---|---|---|---|---|
//! | what `check` and `lint` found | `farside-findings` | [`findings::text`] | [`findings::json`] | [`findings::html`] | | | [`findings::sarif`] |
//! | what `litmus` decided | `farside-verdicts` | [`verdicts::text`], [`verdicts::matrix`], [`verdicts::explanation`] | [`verdicts::json`] | [`verdicts::html`] | [`verdicts::svg`] | [`verdicts::dot`] | |
//! | what `robust` decided | `farside-robustness` | [`robustness::text`] | [`robustness::json`] | [`robustness::html`] | [`robustness::svg`] | [`robustness::dot`] | |
//! | what `conform` saw | `farside-conformance` | [`conformance::text`] | [`conformance::json`] | | | | |
//! | what `bench` measured | `farside-measurements` | [`measurements::text`] | [`measurements::json`] | [`measurements::html`] | | | |
//!
//! What they share is the kit: the page with its colours, SVG, dot, JSON, colours of a terminal, and characters that
//! act unseen made visible.
//!
//! Promise: rendering is a pure function of the data, and reads no file. Everything that a checked program, a test or
//! another file controls is escaped for the form at hand.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod findings;
mod kit;
pub mod measurements;
pub mod robustness;
pub mod verdicts;

pub use kit::color::Color;
