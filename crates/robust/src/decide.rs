//! From a program to an answer: a search, and the replay of what it finds.

use crate::answer::{Answer, Failure, FailureKind, OutsideDomain, Verdict, Violation};
use crate::computation::{self, replay};
use crate::delay::Delay;
use crate::domain;
use crate::happens_before::cycle;
use crate::moves::Move;
use crate::options::{Limits, MOST_STATES_FOR_SHORTEST, Options, Procedure};
use crate::product::Product;
use crate::search::{self, End};
use crate::shortest;
use crate::system::Wrong;
use farside_pgas::calculus::Program;

/// Decides whether a program is robust. `stop` is asked now and then whether to give up.
///
/// # Panics
/// If a violation cannot be replayed, which is a bug of this crate.
pub fn decide(program: &Program, options: &Options, stop: &mut dyn FnMut() -> bool) -> Answer {
    let limits = &options.limits;
    let nothing = |verdict| Answer {
        verdict,
        failures: Vec::new(),
        states: 0,
        bytes: 0,
    };
    match domain::left(program, limits, stop) {
        Ok(None) => {}
        Ok(Some(outside)) => return nothing(Verdict::OutsideDomain(outside)),
        Err(limit) => return nothing(Verdict::Inconclusive(limit)),
    }
    let searched = match options.procedure {
        Procedure::Delay => search::search(&Delay::new(program, options), limits, stop),
        Procedure::FourParts => search::search(&Product::new(program, options.reduce), limits, stop),
    };
    let verdict = match searched.end {
        End::Exhausted => Verdict::Robust,
        End::Stopped(limit) => Verdict::Inconclusive(limit),
        End::OutsideDomain(rank, transition, value) => Verdict::OutsideDomain(OutsideDomain {
            rank,
            transition,
            value,
        }),
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
                // Values outside of the domain end a search.
                Wrong::OutOfRange | Wrong::OutsideDomain(_) => FailureKind::OutOfRange,
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
    path: Vec<Move>,
    stop: &mut dyn FnMut() -> bool,
) -> (Vec<Move>, bool) {
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
