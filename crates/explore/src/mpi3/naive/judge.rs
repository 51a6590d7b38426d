//! The judgement of one execution.

use super::World;
use super::state::{Read, State};
use crate::mpi3::findings::{Findings, Spot, Why};
use farside_litmus::ast::{Rank, Value};
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::conflicts::races;
use farside_models::mpi3::execution::Orders;
use farside_models::mpi3::rules::RuleName;
use farside_models::mpi3::rules::reads::{rule_23, rule_24, rule_25, rule_26};
use farside_models::mpi3::validity::Breach;

/// What an execution is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mpi3) enum Judgement {
    /// A loop came to its bound.
    Cut,
    /// It is not valid (§3.1).
    Faulty(Vec<(Spot, Breach)>),
    /// It has races.
    Racy(Vec<([Spot; 2], Why)>),
    /// A read returned what it must not: this is no execution.
    Impossible,
    /// Well-defined.
    Fine,
}

/// Judges the last state of a schedule.
pub(in crate::mpi3) fn judge(world: &World<'_, '_>, state: &State) -> Judgement {
    if state.is_cut() {
        return Judgement::Cut;
    }
    let mut faults: Vec<(Spot, Breach)> = state.faults.iter().copied().collect();
    if faults.is_empty() {
        faults.extend(stuck(world, state));
    }
    if !faults.is_empty() {
        return Judgement::Faulty(faults);
    }
    let orders = state.execution.orders(world.rules);
    let spot = |action: usize| -> Spot {
        let origin = state.execution.actions[action].origin;
        (origin, state.numbers[action])
    };
    let found: Vec<([Spot; 2], Why)> = races(&state.execution, &orders)
        .into_iter()
        .map(|race| {
            let mut spots = race.actions.map(spot);
            spots.sort_unstable();
            let why = Why {
                no_happens_before: race.no_happens_before,
                no_consistency: race.no_consistency,
                conflict: race.conflict,
            };
            (spots, why)
        })
        .collect();
    if !found.is_empty() && world.rules.has(RuleName::R22) {
        return Judgement::Racy(found);
    }
    let plain = found.is_empty();
    if plain
        && !state
            .reads
            .iter()
            .all(|read| returns_well(world, state, &orders, read))
    {
        return Judgement::Impossible;
    }
    let in_order = rule_26(&state.execution, &orders, &state.took_effect);
    if world.rules.has(RuleName::R26) && !in_order {
        return Judgement::Impossible;
    }
    Judgement::Fine
}

/// (23) to (25).
fn returns_well(world: &World<'_, '_>, state: &State, orders: &Orders, read: &Read) -> bool {
    let written = |action: Option<usize>| {
        state.writes.iter().any(|write| {
            write.variable == read.variable && write.action == action && write.value == read.value
        })
    };
    let candidates: Vec<Option<usize>> = match read.from {
        Some(from) => vec![from],
        None => state
            .writes
            .iter()
            .filter(|write| write.variable == read.variable)
            .map(|write| write.action)
            .collect(),
    };
    candidates.into_iter().any(|from| {
        let others = state.writes.iter().filter_map(|write| write.action);
        written(from)
            && (!world.rules.has(RuleName::R23) || rule_23(&state.execution, orders, from, read.action))
            && (!world.rules.has(RuleName::R24)
                || others
                    .filter(|&between| Some(between) != from)
                    .all(|between| rule_24(&state.execution, orders, from, read.action, between)))
            && (!world.rules.has(RuleName::R25) || rule_25(orders, from, read.action))
    })
}

/// (3) and (7): a process that cannot go on.
fn stuck(world: &World<'_, '_>, state: &State) -> Option<(Spot, Breach)> {
    world.code.ranks().find_map(|rank: Rank| {
        let step = state.next(world, rank)?;
        let fence = matches!(step.does, crate::mpi3::code::Does::Synchronise(ActionKind::Sfe));
        let breach = if fence {
            Breach::FenceUnmatched
        } else {
            Breach::Deadlock
        };
        Some(((rank, step.number), breach))
    })
}

impl Judgement {
    /// Enters it into what is known of the program.
    pub(in crate::mpi3) fn add_to(self, findings: &mut Findings, world: &World<'_, '_>, state: &State) {
        match self {
            Self::Cut => findings.bounded = true,
            Self::Impossible => {}
            Self::Faulty(faults) => findings.faults.extend(faults),
            Self::Racy(races) => {
                for (spots, why) in races {
                    findings.race(spots, why);
                }
            }
            Self::Fine => {
                let question = super::super::question::observables(world.code.program);
                let values = question.iter().map(|observable| {
                    Value::Known(match observable {
                        farside_litmus::ast::Observable::Register(rank, register) => {
                            state.register(*rank, register.0 as usize)
                        }
                        farside_litmus::ast::Observable::Variable(variable) => state.value(*variable),
                    })
                });
                findings.states.insert(values.collect());
            }
        }
    }
}
