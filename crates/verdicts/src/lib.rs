//! What a memory model says of litmus tests, as data, and one renderer a form: text, JSON, dot, SVG, HTML.
//!
//! Promise: rendering is a pure function of a [`Report`]; names and texts of the tests are escaped for the form at
//! hand; labels of a picture do not overlap one another or a box.
//!
//! | file | what it holds |
//! |---|---|
//! | `report` | the data: tests, their verdict under each model, explanations |
//! | `text` | the states of a test in the form of the field's simulator |
//! | `explanation` | executions and cycles as text |
//! | `matrix` | tests by models as a table |
//! | `json` | for programs, with its schema |
//! | `picture` | where everything of an execution stands: a column a process |
//! | `dot`, `svg`, `html` | pictures |
#![forbid(unsafe_code)]

pub mod dot;
pub mod explanation;
pub mod html;
pub mod json;
pub mod matrix;
mod picture;
mod report;
pub mod svg;
pub mod text;

pub use report::{
    Action, Binding, Cause, Conclusion, Edge, Execution, Explanation, Judgement, Observation, Party,
    Quantifier, Report, SCHEMA_VERSION, State, Test, Value, Verdict,
};
