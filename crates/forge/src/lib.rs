//! All litmus tests up to a size that exercise a rule of coreRMA; and tests by the edges of a cycle ([`cycle`]).
//!
//! Source: Dan, Lam, Hoefler, Vechev: *Modeling and Analysis of Remote Memory Access Programming* (OOPSLA 2016),
//! section 6.1 and Table 6. There a solver enumerates instances of the model; here [`walk`](Walk) builds statement
//! sequences in a fixed order, and [`pivot`] decides for each whether a rule is needed to forbid one of its executions.
//!
//! Promise: of the tests that a [`Definition`] admits, every one is visited once, up to symmetry: renamed processes,
//! variables, registers and values are the same test, and the form visited is [`canonical`](canonical::is_canonical).
//! The order is always the same, nothing that was visited is kept, and a walk can go on at any of its [`units`]. What
//! the paper leaves open is a choice in [`definition`], each with its reason there.
//!
//! Limits: all accesses are atomic; at most [`MOST_ACTIONS`] actions besides first values; at most [`MOST_PROCESSES`]
//! processes. No I/O; expected outcomes are the business of `farside-explore`.
#![forbid(unsafe_code)]

pub mod canonical;
pub mod cycle;
pub mod definition;
pub mod pivot;
pub mod table;
mod test;
mod walk;

pub use definition::{
    Bounds, Definition, PivotRule, PivotRules, Reads, Removal, SelfDependence, Sequentiality,
};
pub use test::{Kind, NotATest, Step, Test, VariableName};
pub use walk::{Unit, Visit, Walk, units};

/// Actions of a test, first values not counted.
pub const MOST_ACTIONS: usize = 16;

/// Processes of a test.
pub const MOST_PROCESSES: usize = 4;

/// Variables of one process in a test.
pub const MOST_VARIABLES: usize = 8;
