//! What was measured, as data: figures with the samples that they come from, the machine, and what paper 002 prints beside
//! them.
//!
//! Promise: nothing here measures, and nothing knows how it is shown.
#![forbid(unsafe_code)]

pub mod paper;
mod report;
mod verdict;

pub use report::{Fact, Report, Row};
pub use verdict::Verdict;
