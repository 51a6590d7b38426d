//! What the two engines say of a program, and whether it can both be true.

use crate::generate::Drawn;
use farside_pgas::calculus::Program;
use farside_robust::{
    Action, Event, Kind, Limits, Options, Procedure, Verdict, cycle, decide, direct, replay,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Both say robust.
    Robust,
    /// Robust, says the product; so says the direct explorer up to its bound.
    RobustUpToBound,
    /// Both say not robust. Whether the product's computation is a shortest one.
    NotRobust { shortest: bool },
    /// Not robust, says the product, by a computation beyond the bound, which Table 1 has.
    BeyondBound,
    /// One of them reached a limit.
    Unfinished,
}

/// How far each of them goes, in states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) direct: u64,
    pub(crate) product: u64,
}

/// The ways to search: all of them decide the same.
fn ways() -> [(&'static str, Options); 6] {
    let all = Options::default();
    let (reduce, prune) = (false, false);
    let procedure = Procedure::FourParts;
    [
        ("no reduction", Options { reduce, prune, ..all }),
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

/// What the direct explorer says, in terms of the comparison.
enum Direct {
    Robust,
    RobustUpToBound,
    /// By this computation, of this many events.
    NotRobust(Vec<Action>, usize),
}

/// Compares all ways to search with the direct explorer.
///
/// # Errors
/// A disagreement, in words.
pub(crate) fn compare(drawn: &Drawn, budget: Budget) -> Result<Outcome, String> {
    let program = &drawn.program;
    let options = direct::Options {
        queue_bound: drawn.bound,
        limits: Limits {
            states: budget.direct,
            bytes: 4 << 30,
        },
    };
    let found = match direct::explore(program, &options, &|| false).verdict {
        direct::Verdict::Inconclusive(_) => return Ok(Outcome::Unfinished),
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
    let mut outcome = None;
    for (name, mut way) in ways() {
        way.limits = Limits {
            states: budget.product,
            bytes: 2 << 30,
        };
        let this = against(drawn, &found, &way).map_err(|why| format!("{name}: {why}"))?;
        if this == Outcome::Unfinished {
            return Ok(this);
        }
        outcome = Some(outcome.map_or(this, |before| worse(before, this)));
    }
    Ok(outcome.unwrap_or(Outcome::Unfinished))
}

/// Of two that agree, the one that says less.
fn worse(one: Outcome, other: Outcome) -> Outcome {
    match one {
        Outcome::NotRobust { shortest: true } => other,
        _ => one,
    }
}

/// One way to search.
fn against(drawn: &Drawn, found: &Direct, way: &Options) -> Result<Outcome, String> {
    let program = &drawn.program;
    let decided = catch_unwind(AssertUnwindSafe(|| decide(program, way, &mut || false).verdict));
    let violation = match decided.map_err(|_| "it panics")? {
        Verdict::Inconclusive(_) => return Ok(Outcome::Unfinished),
        Verdict::Robust => {
            return match found {
                Direct::Robust => Ok(Outcome::Robust),
                Direct::RobustUpToBound => Ok(Outcome::RobustUpToBound),
                Direct::NotRobust(actions, _) => Err(format!(
                    "it says robust; the direct explorer has a computation:\n{}",
                    show(program, actions)
                )),
            };
        }
        Verdict::NotRobust(violation) => violation,
    };
    let shown = || show(program, &actions(&violation.events));
    if !same_accesses(program, &violation.events)? {
        return Err(format!("its computation is not violating:\n{}", shown()));
    }
    match found {
        Direct::Robust => Err(format!(
            "the direct explorer says robust, it has a computation:\n{}",
            shown()
        )),
        Direct::NotRobust(_, least) if violation.events.len() < *least && drawn.bound.is_none() => {
            Err(format!("shorter than the shortest:\n{}", shown()))
        }
        Direct::NotRobust(_, least) => Ok(Outcome::NotRobust {
            shortest: violation.events.len() <= *least,
        }),
        Direct::RobustUpToBound => Ok(Outcome::BeyondBound),
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
