//! A finding as data, and one renderer a file: text, JSON, SARIF 2.1.0, HTML.
//!
//! Promise: rendering is a pure function of a [`Report`]; everything that the checked program controls is escaped for
//! the format at hand; ids depend on rules and places only, so that they stay the same from run to run.
#![forbid(unsafe_code)]

mod report;
mod rule;

pub use report::{
    Arrow, ByteRange, CheckedProgram, Count, Finding, Frame, Lane, LaneEvent, MissingOrder, Party, Place,
    Report, Shortfall, Suggestion, Timeline,
};
pub use rule::{Rule, Severity};
