//! What a memory model says of litmus tests, as data: tests, their verdict under each model, explanations.
//!
//! Promise: nothing here decides, and nothing knows how it is shown.
#![forbid(unsafe_code)]

mod report;

pub use report::{
    Action, Binding, Cause, Conclusion, Edge, Execution, Explanation, Judgement, Observation, Party,
    Quantifier, Report, SCHEMA_VERSION, State, Test, Value, Verdict, state_line,
};
