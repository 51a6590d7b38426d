//! Programs of calls, and what their words stand for.

use farside_litmus::ast::{Program, Queue, StatementKind};

/// The default context, or the first queue.
pub(crate) const DEFAULT: Queue = Queue(0);

/// A random program, and what its words stand for.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) program: Program,
    /// By variable: what it is.
    pub(crate) roles: Vec<Role>,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Symmetric memory that all may access.
    Data,
    /// A flag that is set once, and awaited.
    Flag,
    /// What a call takes with it or brings in registers: no memory of the program.
    Value,
    /// Says to the model that a blocking get has returned.
    Returned,
}

/// The context or queue of a statement, and what it does.
pub(crate) fn call(kind: &StatementKind) -> (Queue, &StatementKind) {
    match kind {
        StatementKind::On { queue, operation } => (*queue, operation),
        kind => (DEFAULT, kind),
    }
}

/// Number of programs, as `FARSIDE_RANDOM_PROGRAMS` says.
pub(crate) fn programs(usually: u64) -> u64 {
    std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .map_or(usually, |word| word.parse().expect("a number of programs"))
}
