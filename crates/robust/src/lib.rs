//! Robustness of PGAS programs: is every computation as one of sequential consistency?
//!
//! Promise: [`decide`] answers for the program as it is, for all its computations with queues of any length, or says that a
//! limit was reached. A violation is replayed through the plain semantics of Table 1, and its cycle found again in the
//! happens-before relation of the result, before it is given out.
//!
//! Source: Calin, Derevenetc, Majumdar, Meyer, *A Theory of Partitioned Global Address Spaces*, FSTTCS 2013 (paper
//! 003), whole. Where this differs: see [`farside_pgas::calculus`] for the language, `product` for the search.
#![forbid(unsafe_code)]

mod channels;
mod computation;
mod delay;
pub mod direct;
mod happens_before;
mod issue;
mod product;
pub mod repair;
mod search;
mod shortest;
mod states;
mod system;

pub use computation::{Action, Event, Kind, replay};
use delay::Delay;
use farside_pgas::calculus::Program;
pub use happens_before::{Edge, Relation, cycle};
use product::Product;
use search::End;
use system::Wrong;

/// What a search may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of the product.
    pub states: u64,
    /// Memory for them, as far as it is counted.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 1 << 31,
            bytes: 8 << 30,
        }
    }
}

/// What is searched. Both decide the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// Sequentially consistent computations with one delayed event, what must be behind it, and a last command.
    Delay,
    /// Normal-form computations in four parts with marked events, as in section 5 of the paper.
    FourParts,
}

/// How to search. No option but the limits changes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When to give up.
    pub limits: Limits,
    /// What is searched.
    pub procedure: Procedure,
    /// Partial-order reduction.
    pub reduce: bool,
    /// Give up states from which no cycle can be closed, by what each process can still access
    /// ([`Procedure::Delay`] only).
    pub prune: bool,
    /// Take states that differ in the names of processes for one, where the program does not tell them apart
    /// ([`Procedure::Delay`] only).
    pub symmetry: bool,
    /// Look on, when a violation is found, for one of fewest events, through at most [`MOST_STATES_FOR_SHORTEST`] states
    /// ([`Procedure::Delay`] only).
    pub shortest: bool,
}

/// How far a shortest violation is looked for.
pub const MOST_STATES_FOR_SHORTEST: u64 = 300_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            procedure: Procedure::Delay,
            reduce: true,
            prune: true,
            symmetry: true,
            shortest: true,
        }
    }
}

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
    /// A limit was reached.
    Inconclusive(Limit),
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

/// Decides whether a program is robust. `stop` is asked now and then whether to give up.
///
/// # Panics
/// If a violation cannot be replayed, which is a bug of this crate.
pub fn decide(program: &Program, options: &Options, stop: &mut dyn FnMut() -> bool) -> Answer {
    let limits = &options.limits;
    let searched = match options.procedure {
        Procedure::Delay => search::search(&Delay::new(program, options), limits, stop),
        Procedure::FourParts => search::search(&Product::new(program, options.reduce), limits, stop),
    };
    let verdict = match searched.end {
        End::Exhausted => Verdict::Robust,
        End::Stopped(limit) => Verdict::Inconclusive(limit),
        End::Found(path) => {
            let (path, shortest) = if options.shortest && options.procedure == Procedure::Delay {
                nearest(program, options, path, stop)
            } else {
                (path, false)
            };
            let events = replay(program, &computation::actions(program, &path))
                .expect("what is found is a computation");
            let cycle = cycle(&events).expect("what is found has a cycle");
            Verdict::NotRobust(Violation {
                events,
                cycle,
                shortest,
            })
        }
    };
    let failures = searched
        .wrong
        .into_iter()
        .map(|(rank, transition, wrong)| Failure {
            rank,
            transition,
            kind: match wrong {
                Wrong::Assertion => FailureKind::Assertion,
                Wrong::DivisionByZero => FailureKind::DivisionByZero,
                Wrong::OutOfRange => FailureKind::OutOfRange,
            },
        })
        .collect();
    Answer {
        verdict,
        failures,
        states: searched.states,
        bytes: searched.bytes,
    }
}

/// A path of fewest events, and whether that is known.
fn nearest(
    program: &Program,
    options: &Options,
    path: Vec<search::Move>,
    stop: &mut dyn FnMut() -> bool,
) -> (Vec<search::Move>, bool) {
    let path = shortest::trim(program, path);
    let bound = computation::actions(program, &path).len();
    let limits = Limits {
        states: options.limits.states.min(MOST_STATES_FOR_SHORTEST),
        ..options.limits
    };
    let full = Options {
        reduce: false,
        ..*options
    };
    let delay = Delay::new(program, &full);
    match shortest::shortest(&delay, |step| delay.events(step), bound, &limits, stop) {
        Ok(Some(nearer)) => (nearer, true),
        Ok(None) => (path, true),
        Err(_) => (path, false),
    }
}
