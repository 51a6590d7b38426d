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

/// How far each of them goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) direct: u64,
    pub(crate) product: u64,
}

/// The ways to search: all of them decide the same.
fn ways() -> [(&'static str, Options); 5] {
    let all = Options::default();
    let (reduce, prune) = (false, false);
    [
        ("no reduction", Options { reduce, prune, ..all }),
        ("no partial order", Options { reduce, ..all }),
        ("no pruning", Options { prune, ..all }),
        ("all", all),
        (
            "four parts",
            Options {
                procedure: Procedure::FourParts,
                ..all
            },
        ),
    ]
}

/// Compares both forms of the product with the direct explorer.
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
    let found = direct::explore(program, &options, &|| false).verdict;
    let least = match &found {
        direct::Verdict::Inconclusive(_) => return Ok(Outcome::Unfinished),
        direct::Verdict::NotRobust(actions) => {
            let events =
                replay(program, actions).ok_or("the plain semantics does not have the direct computation")?;
            cycle(&events).ok_or("the plain relation of the direct computation has no cycle")?;
            same_accesses(program, &events)?;
            Some(events.len())
        }
        _ => None,
    };
    let mut outcome = None;
    for (name, way) in ways() {
        let options = Options {
            limits: Limits {
                states: budget.product,
                bytes: 2 << 30,
            },
            ..way
        };
        let decided = catch_unwind(AssertUnwindSafe(|| {
            decide(program, &options, &mut || false).verdict
        }));
        let decided = decided.map_err(|_| format!("the product panics, {name}"))?;
        let this = match (&found, decided) {
            (_, Verdict::Inconclusive(_)) => Outcome::Unfinished,
            (direct::Verdict::Robust, Verdict::Robust) => Outcome::Robust,
            (direct::Verdict::RobustUpTo(_), Verdict::Robust) => Outcome::RobustUpToBound,
            (direct::Verdict::NotRobust(actions), Verdict::Robust) => {
                return Err(format!(
                    "the product says robust, {name}; the direct explorer has a computation:\n{}",
                    show(program, actions)
                ));
            }
            (_, Verdict::NotRobust(violation)) => {
                let actions = actions(&violation.events);
                let judged = same_accesses(program, &violation.events)?;
                let shown = || format!("{name}, its computation:\n{}", show(program, &actions));
                if !judged {
                    return Err(format!("the product's computation is not violating: {}", shown()));
                }
                match (&found, least) {
                    (direct::Verdict::Robust, _) => {
                        return Err(format!(
                            "the direct explorer says robust, the product not: {}",
                            shown()
                        ));
                    }
                    (_, Some(least)) if violation.events.len() < least && drawn.bound.is_none() => {
                        return Err(format!("shorter than the shortest: {}", shown()));
                    }
                    (_, Some(least)) => Outcome::NotRobust {
                        shortest: violation.events.len() <= least,
                    },
                    (_, None) => Outcome::BeyondBound,
                }
            }
            (direct::Verdict::Inconclusive(_), _) => Outcome::Unfinished,
        };
        let kind = |outcome: &Outcome| std::mem::discriminant(outcome);
        if let Some(before) = outcome
            && kind(&before) != kind(&this)
            && this != Outcome::Unfinished
            && before != Outcome::Unfinished
        {
            return Err(format!("with and without reduction: {before:?}, {this:?}"));
        }
        outcome = match outcome {
            Some(Outcome::Unfinished) => outcome,
            _ => Some(this),
        };
    }
    Ok(outcome.unwrap_or(Outcome::Unfinished))
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
