//! What is found out about a program.

use crate::computation::Event;
use crate::happens_before::Edge;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Too many states.
    States,
    /// Too much memory.
    Memory,
    /// `stop` said so.
    Time,
}

/// What is decided.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every computation has the happens-before relation of a sequentially consistent one.
    Robust,
    /// This one has not.
    NotRobust(Violation),
    /// The program is none: a sequentially consistent computation makes a value that the domain does not have.
    OutsideDomain(OutsideDomain),
    /// A limit was reached.
    Inconclusive(Limit),
}

/// A value that is stored or sent, and that the domain does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideDomain {
    /// The process.
    pub rank: usize,
    /// Index into the transitions of its code.
    pub transition: usize,
    /// The value.
    pub value: i64,
}

/// A computation with a happens-before cycle.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Its events.
    pub events: Vec<Event>,
    /// The cycle, over indices of events.
    pub cycle: Vec<Edge>,
    /// No violating computation has fewer events. If this is false, there may be one.
    pub shortest: bool,
}

/// What goes wrong under sequential consistency already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The process.
    pub rank: usize,
    /// Index into the transitions of its code.
    pub transition: usize,
    /// What.
    pub kind: FailureKind,
}

/// Kinds of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// An assertion does not hold.
    Assertion,
    /// A rank, an address or a queue that is not there.
    OutOfRange,
    /// A division by 0.
    DivisionByZero,
}

/// The answer for a program.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Robust or not.
    pub verdict: Verdict,
    /// As far as the search went; complete if the program is robust.
    pub failures: Vec<Failure>,
    /// States of the product that were met.
    pub states: u64,
    /// Memory that they took, as far as it is counted.
    pub bytes: u64,
}
