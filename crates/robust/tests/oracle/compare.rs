//! What the engines say of a program, and whether it can all be true.

use crate::generate::Drawn;
use farside_pgas::calculus::Program;
use farside_robust::{
    Action, Event, Kind, Limits, Options, Procedure, Verdict, cycle, decide, direct, replay,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All say robust.
    Robust,
    /// Robust, say the others; so says the direct explorer up to its bound.
    RobustUpToBound,
    /// All say not robust.
    NotRobust,
    /// Not robust, say the others, by computations beyond the bound, which Table 1 has.
    BeyondBound,
    /// All say that a value is outside of the domain.
    OutsideDomain,
    /// The direct explorer reached its limit.
    Unfinished,
}

/// How far each of them goes, in states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) direct: u64,
    /// Of one delayed event.
    pub(crate) delay: u64,
    /// Of four parts, which grow fastest.
    pub(crate) four_parts: u64,
}

/// How many ways to search there are.
pub(crate) const WAYS: usize = 7;

/// The ways to search: all of them decide the same.
pub(crate) fn ways() -> [(&'static str, Options); WAYS] {
    let all = Options::default();
    let (reduce, prune, symmetry) = (false, false, false);
    let procedure = Procedure::FourParts;
    [
        (
            "no reduction",
            Options {
                reduce,
                prune,
                symmetry,
                ..all
            },
        ),
        ("no symmetry", Options { symmetry, ..all }),
        ("no partial order", Options { reduce, ..all }),
        ("no pruning", Options { prune, ..all }),
        ("all", all),
        ("four parts", Options { procedure, ..all }),
        (
            "four parts, no reduction",
            Options {
                procedure,
                reduce,
                ..all
            },
        ),
    ]
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) outcome: Outcome,
    /// Which of the [`ways`] said something.
    pub(crate) finished: [bool; WAYS],
    /// Which of them found a shortest computation.
    pub(crate) shortest: [bool; WAYS],
}

/// What the direct explorer says, in terms of the comparison.
enum Direct {
    Robust,
    RobustUpToBound,
    /// By this computation, of this many events.
    NotRobust(Vec<Action>, usize),
    OutsideDomain,
}

/// Compares all ways to search with the direct explorer.
///
/// # Errors
/// A disagreement, in words.
pub(crate) fn compare(drawn: &Drawn, budget: Budget) -> Result<Compared, String> {
    let program = &drawn.program;
    let options = direct::Options {
        queue_bound: drawn.bound,
        limits: Limits {
            states: budget.direct,
            bytes: 4 << 30,
        },
    };
    let mut compared = Compared {
        outcome: Outcome::Unfinished,
        finished: [false; WAYS],
        shortest: [false; WAYS],
    };
    let found = match direct::explore(program, &options, &|| false).verdict {
        direct::Verdict::Inconclusive(_) => return Ok(compared),
        direct::Verdict::OutsideDomain(_) => Direct::OutsideDomain,
        direct::Verdict::Robust => Direct::Robust,
        direct::Verdict::RobustUpTo(_) => Direct::RobustUpToBound,
        direct::Verdict::NotRobust(actions) => {
            let events = replay(program, &actions)
                .ok_or("the plain semantics does not have the direct computation")?;
            cycle(&events).ok_or("the plain relation of the direct computation has no cycle")?;
            same_accesses(program, &events)?;
            Direct::NotRobust(actions, events.len())
        }
    };
    compared.outcome = match found {
        Direct::Robust => Outcome::Robust,
        Direct::RobustUpToBound => Outcome::RobustUpToBound,
        Direct::NotRobust(..) => Outcome::NotRobust,
        Direct::OutsideDomain => Outcome::OutsideDomain,
    };
    let mut robust = false;
    for (index, (name, mut way)) in ways().into_iter().enumerate() {
        way.limits = Limits {
            states: match way.procedure {
                Procedure::Delay => budget.delay,
                Procedure::FourParts => budget.four_parts,
            },
            bytes: 2 << 30,
        };
        let this = against(drawn, &found, &way).map_err(|why| format!("{name}: {why}"))?;
        compared.finished[index] = this != Way::Unfinished;
        compared.shortest[index] = this == Way::NotRobust { shortest: true };
        robust |= this == Way::Robust;
        if this == Way::BeyondBound {
            compared.outcome = Outcome::BeyondBound;
        }
        if robust && compared.outcome == Outcome::BeyondBound {
            return Err(format!("{name}: {this:?}, unlike a way before it"));
        }
    }
    Ok(compared)
}

/// What one way to search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Robust,
    OutsideDomain,
    NotRobust {
        shortest: bool,
    },
    /// Not robust, by a computation beyond the bound of the direct explorer.
    BeyondBound,
    /// It reached its limit.
    Unfinished,
}

/// One way to search.
fn against(drawn: &Drawn, found: &Direct, way: &Options) -> Result<Way, String> {
    let program = &drawn.program;
    let decided = catch_unwind(AssertUnwindSafe(|| decide(program, way, &mut || false).verdict));
    let violation = match decided.map_err(|_| "it panics")? {
        Verdict::Inconclusive(_) => return Ok(Way::Unfinished),
        Verdict::OutsideDomain(outside) => {
            return match found {
                Direct::OutsideDomain => Ok(Way::OutsideDomain),
                _ => Err(format!("it says {outside:?}; the direct explorer does not")),
            };
        }
        Verdict::Robust => {
            return match found {
                Direct::OutsideDomain => Err("it says robust; a value is outside of the domain".to_owned()),
                Direct::Robust | Direct::RobustUpToBound => Ok(Way::Robust),
                Direct::NotRobust(actions, _) => Err(format!(
                    "it says robust; the direct explorer has a computation:\n{}",
                    show(program, actions)
                )),
            };
        }
        Verdict::NotRobust(violation) => violation,
    };
    let shown = || show(program, &actions(&violation.events));
    let count = violation.events.len();
    if !same_accesses(program, &violation.events)? {
        return Err(format!("its computation is not violating:\n{}", shown()));
    }
    match found {
        Direct::OutsideDomain => Err(format!(
            "a value is outside of the domain, it has a computation:\n{}",
            shown()
        )),
        Direct::Robust => Err(format!(
            "the direct explorer says robust, it has a computation:\n{}",
            shown()
        )),
        Direct::NotRobust(_, least) if count < *least && drawn.bound.is_none() => {
            Err(format!("shorter than the shortest:\n{}", shown()))
        }
        Direct::NotRobust(actions, least) if count > *least && violation.shortest => Err(format!(
            "it says that there is none shorter than\n{}but there is\n{}",
            shown(),
            show(program, actions)
        )),
        Direct::NotRobust(_, least) => Ok(Way::NotRobust {
            shortest: count <= *least,
        }),
        Direct::RobustUpToBound => Ok(Way::BeyondBound),
    }
}

/// The computation of events, as actions.
pub(crate) fn actions(events: &[Event]) -> Vec<Action> {
    events
        .iter()
        .map(|event| match event.kind {
            Kind::Popa => Action::Popa {
                command: event.command,
            },
            Kind::Popb => Action::Popb {
                command: event.command,
            },
            _ => Action::Command {
                rank: event.rank,
                transition: event.transition,
                command: event.command,
            },
        })
        .collect()
}

/// Takes a computation through the direct machine, and compares what each event accesses. Whether it is violating.
///
/// # Errors
/// What is different.
pub(crate) fn same_accesses(program: &Program, events: &[Event]) -> Result<bool, String> {
    let actions = actions(events);
    let shown = || show(program, &actions);
    let replayed = direct::replay(program, &actions)
        .ok_or_else(|| format!("the direct machine does not have the computation:\n{}", shown()))?;
    for (event, access) in events.iter().zip(&replayed.accesses) {
        let direct = access.map(|access| ((access.rank, access.cell), access.writes));
        let plain = event.address.map(|address| (address, event.writes));
        if direct != plain {
            return Err(format!("{event:?} accesses {access:?} in\n{}", shown()));
        }
        let value = access.map(|access| access.value);
        if plain.is_some() && event.kind != Kind::Popa && event.value != value {
            return Err(format!("{event:?} is of the value {value:?} in\n{}", shown()));
        }
    }
    if replayed.violating != cycle(events).is_some() {
        return Err(format!(
            "violating: {}, unlike its cycle, in\n{}",
            replayed.violating,
            shown()
        ));
    }
    Ok(replayed.violating)
}

/// A computation, a line an action.
pub(crate) fn show(program: &Program, actions: &[Action]) -> String {
    let mut lines = String::new();
    for action in actions {
        match *action {
            Action::Command {
                rank,
                transition,
                command,
            } => {
                let code = &program.codes[program.code_of_rank[rank]];
                let transition = &code.transitions[transition];
                lines.push_str(&format!(
                    "    {command}: rank {rank} {} -> {}\n",
                    crate::text::command(program, &transition.command),
                    transition.to
                ));
            }
            Action::Popa { command } => lines.push_str(&format!("    popa of {command}\n")),
            Action::Popb { command } => lines.push_str(&format!("    popb of {command}\n")),
        }
    }
    lines
}
