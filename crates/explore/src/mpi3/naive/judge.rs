//! The judgement of one execution.

use super::World;
use super::state::{Read, State};
use crate::mpi3::findings::{Findings, Spot, Why};
use farside_litmus::ast::Rank;
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::conflicts::{RacingPair, races};
use farside_models::mpi3::execution::Execution;
use farside_models::mpi3::orders::Orders;
use farside_models::mpi3::reads::{rule_23, rule_24, rule_25, rule_26};
use farside_models::mpi3::rules::RuleName;
use farside_models::mpi3::validity::Breach;
use std::collections::HashMap;
use std::rc::Rc;

/// What an execution is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mpi3) enum Judgement {
    /// A loop came to its bound, and nothing is wrong up to there.
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

/// Judgements of executions that came before. Equal executions have equal orders and races, whatever their schedules.
#[derive(Default)]
pub(in crate::mpi3) struct Judge {
    known: HashMap<Execution, Rc<(Orders, Vec<RacingPair>)>>,
}

impl Judge {
    /// Judges the last state of a schedule. What is wrong in one that was cut is wrong in every execution that begins
    /// so; but who waits there may wait for a process that is not followed further.
    pub(in crate::mpi3) fn judge(&mut self, world: &World<'_, '_>, state: &State) -> Judgement {
        let cut = state.is_cut();
        let mut faults: Vec<(Spot, Breach)> = state.faults.iter().copied().collect();
        if faults.is_empty() && !cut {
            faults.extend(stuck(world, state));
        }
        if !faults.is_empty() {
            return Judgement::Faulty(faults);
        }
        let (execution, place) = state.execution.normal();
        let known = self.known.get(&execution).cloned().unwrap_or_else(|| {
            let orders = execution.orders(world.model.rules());
            let races = races(&execution, &orders, world.model);
            let known = Rc::new((orders, races));
            self.known.insert(execution.clone(), Rc::clone(&known));
            known
        });
        let (orders, races) = &*known;
        // The accesses at targets that did not open the epoch for them: no execution that goes on so has them yet.
        let waiting = state.issued.iter().filter(|issued| !issued.effective);
        let never: Vec<usize> = waiting.map(|issued| place[issued.vac]).collect();
        let mut numbers = vec![0; place.len()];
        for (old, &new) in place.iter().enumerate() {
            numbers[new] = state.numbers[old];
        }
        let happens = |race: &&RacingPair| {
            let mut actions = race.actions.iter();
            actions.all(|&action| !never.contains(&action))
        };
        let mut races = races.iter().filter(happens).peekable();
        if races.peek().is_some() && world.model.rules().has(RuleName::R22) {
            let found = races.map(|race| {
                let mut spots = race
                    .actions
                    .map(|action| (execution.actions[action].origin, numbers[action]));
                spots.sort_unstable();
                let why = Why {
                    no_happens_before: race.no_happens_before,
                    no_consistency: race.no_consistency,
                    conflict: race.conflict,
                };
                (spots, why)
            });
            return Judgement::Racy(found.collect());
        }
        let view = Seen {
            world,
            state,
            execution: &execution,
            orders,
            place: &place,
        };
        if cut {
            return Judgement::Cut;
        }
        if races.peek().is_none() && !state.reads.iter().all(|read| view.returns_well(read)) {
            return Judgement::Impossible;
        }
        let took_effect: Vec<usize> = state.took_effect.iter().map(|&vac| place[vac]).collect();
        if world.model.rules().has(RuleName::R26) && !rule_26(&execution, orders, &took_effect) {
            return Judgement::Impossible;
        }
        Judgement::Fine
    }
}

/// An execution with its orders, beside the state that it comes from.
struct Seen<'a, 'c, 'p> {
    world: &'a World<'c, 'p>,
    state: &'a State,
    execution: &'a Execution,
    orders: &'a Orders,
    /// Indices of the state's actions in the execution.
    place: &'a [usize],
}

impl Seen<'_, '_, '_> {
    /// (23) to (25).
    fn returns_well(&self, read: &Read) -> bool {
        let rules = self.world.model.rules();
        let here = || {
            self.state
                .writes
                .iter()
                .filter(|write| write.variable == read.variable)
        };
        let candidates: Vec<Option<usize>> = match read.from {
            Some(from) => vec![from],
            None => here()
                .filter(|write| write.value == read.value)
                .map(|write| write.action)
                .collect(),
        };
        let index = self.place[read.action];
        candidates.into_iter().any(|candidate| {
            let from = candidate.map(|write| self.place[write]);
            let others = || {
                here()
                    .filter_map(|write| write.action)
                    .map(|write| self.place[write])
            };
            let passed = |between: usize| rule_24(self.execution, self.orders, from, index, between);
            (!rules.has(RuleName::R23) || rule_23(self.execution, self.orders, from, index))
                && (!rules.has(RuleName::R24) || others().filter(|&w| Some(w) != from).all(passed))
                && (!rules.has(RuleName::R25) || rule_25(self.execution, self.orders, from, index))
        })
    }
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
        findings.bounded |= state.is_cut();
        match self {
            Self::Cut | Self::Impossible => {}
            Self::Faulty(faults) => findings.faults.extend(faults),
            Self::Racy(races) => {
                for (spots, why) in races {
                    findings.race(spots, why);
                }
            }
            Self::Fine => {
                findings.states.insert(state.values(world.code.program));
            }
        }
    }
}
