//! How to judge, and what is told besides findings.

use farside_events::{AccumulateOp, AccumulateOps, Operation, OperationKind};
use serde::{Deserialize, Serialize};

/// What to report about polling loops (loads of window memory that a remote put updates).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Polling {
    /// A finding of its own class.
    #[default]
    Report,
    /// Nothing: the program relies on the unified model.
    Allow,
}

/// What a program of GASPI may rely on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gaspi {
    /// The letter of GASPI 17.1: a write is done at its target when that one has seen a notification that was posted
    /// after it, or its own.
    #[default]
    Strict,
    /// As 16.1 had it: a write with a notification is a write and then a notification, which comes after all earlier
    /// writes of its queue.
    Old,
    /// What common networks do besides: a write for which its origin has waited is done at its target, and writes of
    /// one queue keep their order.
    Relaxed,
}

impl Gaspi {
    /// A write with a notification comes after earlier writes of its queue.
    pub(crate) fn every_flag_follows(self) -> bool {
        self != Self::Strict
    }
}

/// Whether the order of atomic operations that may meet is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Updates {
    /// No: they are atomic to each other.
    #[default]
    Atomic,
    /// Yes: two of them are a finding if nothing orders them and the values that a program reads, or that stay, tell
    /// their order. That is no error; it is for comparing two runs.
    Ordered,
}

impl Updates {
    /// Whether the order of an atomic operation among those that it meets is told by a value that it reads, or that
    /// stays. Operators that may differ do not commute.
    pub(crate) fn shows_order(self, call: &Operation, hint: AccumulateOps) -> bool {
        let commutes = call.kind == OperationKind::Accumulate
            && !matches!(
                call.operator,
                None | Some(AccumulateOp::Replace | AccumulateOp::Other)
            )
            && hint != AccumulateOps::Any;
        self == Self::Ordered && !commutes
    }
}

/// When accesses are forgotten that nobody can race with any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Forgetting {
    /// When much has come. Runs that came lately stay as long as they are few, for they may be repeated.
    #[default]
    WhenGrown,
    /// At every access, runs that came lately excepted: slow, for tests.
    OfAllButRuns,
    /// At every access: slow, for tests.
    OfAll,
}

/// How to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Stop judging after the first finding, as the thesis' tool does.
    pub first: bool,
    /// Polling loops.
    pub polling: Polling,
    /// When to forget what nobody can race with any more. The findings are the same.
    pub forgetting: Forgetting,
    /// What the program may rely on of GASPI's calls.
    pub gaspi: Gaspi,
    /// Whether the order of atomic operations is looked at.
    pub updates: Updates,
}

/// How the stream of a job ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// All processes ended by themselves.
    Complete,
    /// A process was lost or the job was aborted; epochs left open are no finding then.
    Broken,
    /// The processes were ended at the time limit, or when nothing happened any more: look for a cycle of waiting
    /// processes.
    Hanging,
}

/// What the detector did, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Events consumed.
    pub events: u64,
    /// RMA communication calls.
    pub operations: u64,
    /// Runs of loads and stores.
    pub access_runs: u64,
    /// Largest number of access records kept at one time.
    pub records_kept: u64,
    /// Races between processes of several clocks that were left out, for nothing tells which of two lock epochs came
    /// first.
    pub left_open: u64,
    /// Whether who came first decided what a thread was given ([`farside_events::EventKind::depends_on_order`]), or
    /// which message a receive took.
    pub is_one_order: bool,
}
