//! What `farside robust` says of PGAS programs, as data, and one renderer a form: text, JSON, dot, SVG, HTML.
//!
//! Promise: rendering is a pure function of a [`Report`]; names and texts of the programs are escaped for the form at
//! hand. The words are those of paper 003: a computation is a sequence of events, a happens-before cycle goes over
//! program order, conflicts and identity.
//!
//! | file | what it holds |
//! |---|---|
//! | `report` | the data: verdicts, computations, cycles, insertions |
//! | `words` | a cycle edge by edge, in words |
//! | `text` | for people |
//! | `json` | for programs, with its schema |
//! | `picture` | where everything of a computation stands: a column a process, a row an event |
//! | `svg`, `dot`, `html` | pictures |
#![forbid(unsafe_code)]

pub mod dot;
pub mod html;
pub mod json;
mod picture;
mod report;
pub mod svg;
pub mod text;
mod words;

pub use report::{
    Address, Change, Edge, Event, EventKind, Failure, Judgement, Relation, Repair, Report, SCHEMA_VERSION,
    Search, Source, Superfluous, Verdict, Violation,
};
