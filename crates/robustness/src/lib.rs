//! What `farside robust` says of PGAS programs, as data: verdicts, computations, cycles, insertions.
//!
//! Promise: nothing here decides, and nothing knows how it is shown. The words are those of paper 003: a computation is a
//! sequence of events, a happens-before cycle goes over program order, conflicts and identity.
#![forbid(unsafe_code)]

mod report;

pub use report::{
    Address, Argument, Change, DecidedRanks, Doubt, Edge, Event, EventKind, EveryRanks, Failure, FileRepair,
    Judgement, LineEdit, OF_FILE, Overtaken, Relation, Repair, Report, SCHEMA_VERSION, Search, Source,
    SourceRepair, Superfluous, Verdict, Violation,
};
