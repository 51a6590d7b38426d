//! Robustness of PGAS programs: is every computation as one of sequential consistency?
//!
//! Promise: [`decide()`] answers for the program as it is, for all its computations with queues of any length, or says
//! that a limit was reached. A violation is replayed through the plain semantics of Table 1, and its cycle found again
//! in the happens-before relation of the result, before it is given out.
//!
//! There are two procedures: `delay`, and `product`, which is that of the paper; and [`direct`], an independent
//! explorer that tests compare both with.
//!
//! Source: Calin, Derevenetc, Majumdar, Meyer, *A Theory of Partitioned Global Address Spaces*, FSTTCS 2013 (paper
//! 003), whole. Where this differs: see [`farside_pgas::calculus`] for the language, `delay` and `product` for the
//! search.
#![forbid(unsafe_code)]

mod answer;
mod channels;
mod computation;
mod decide;
mod delay;
pub mod direct;
mod domain;
pub mod every;
mod happens_before;
mod issue;
pub mod judgement;
mod moves;
mod options;
mod product;
mod quiet;
mod range;
pub mod repair;
mod search;
mod sequential;
mod shortest;
mod states;
mod system;

pub use answer::{Answer, Failure, FailureKind, Limit, OutsideDomain, Verdict, Violation};
pub use computation::{Action, Event, Kind, replay};
pub use decide::decide;
pub use happens_before::{Edge, Relation, cycle};
pub use options::{Limits, MOST_STATES_FOR_SHORTEST, Options, Procedure};
