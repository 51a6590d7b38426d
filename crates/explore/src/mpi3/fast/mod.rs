//! The fast engine: one schedule of each set that differs in nothing that matters.
//!
//! What a valid, race-free execution does depends on two things only: which lock epoch comes first where two exclude each
//! other, and in which order accumulates of several processes to one location take effect. Everything else is done at
//! once, in a fixed order; at those two kinds of steps, and where posts meet locks (a window may not be locked and
//! exposed at the same time), the search branches. A state is what can still matter, so that schedules that come
//! together are followed once.
//!
//! Races are found as the detector of real programs finds them: every access is compared at its arrival with those
//! before it ([`accesses`]). Order goes forward in a schedule, so that an access can only be preceded by what is there.
//!
//! Limit: in a program with a race, values that depend on its outcome are those of one schedule; a statement that is
//! executed only for another value is not seen. The verdict is a race in any case, or an invalid statement.

mod accesses;
mod clock;
mod epochs;
mod operations;
mod state;
mod synchronisation;

use super::code::{Code, Does, Instruction};
use super::findings::Findings;
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Operation, StatementKind, VariableId};
use farside_models::mpi3::Mpi3Model;
use farside_models::mpi3::action::ActionKind;
use state::State;
use std::collections::{BTreeSet, HashSet};

/// What an exploration is about.
pub(super) struct World<'c, 'p> {
    pub(super) code: &'c Code<'p>,
    pub(super) model: Mpi3Model,
    /// Locations that accumulates of several processes meet at.
    contended: BTreeSet<VariableId>,
    /// Posts and locks are both there.
    mixed: bool,
}

impl<'c, 'p> World<'c, 'p> {
    pub(super) fn new(code: &'c Code<'p>, model: Mpi3Model) -> Self {
        let (mut locks, mut posts) = (false, false);
        let mut updates = Vec::new();
        for (process, instructions) in code.processes.iter().enumerate() {
            for instruction in instructions {
                let Instruction::Do(step) = instruction else {
                    continue;
                };
                match &step.does {
                    Does::Remote(remote) if remote.kind.is_accumulate() => {
                        let reads_only = remote.operation == Some(Operation::NoOp);
                        updates.push((process, remote.location, reads_only));
                    }
                    Does::Synchronise(kind) => {
                        locks |= kind.is_lock();
                        posts |= *kind == ActionKind::Spo;
                    }
                    _ => {}
                }
            }
        }
        let contended = updates.iter().filter(|(process, location, _)| {
            updates
                .iter()
                .any(|(other, there, reads_only)| other != process && there == location && !reads_only)
        });
        Self {
            code,
            model,
            contended: contended.map(|(_, location, _)| *location).collect(),
            mixed: locks && posts,
        }
    }

    /// Whether the order of this statement among those of other processes matters.
    fn branches(&self, statement: &StatementKind) -> bool {
        match statement {
            StatementKind::LockShared(_) | StatementKind::LockExclusive(_) | StatementKind::LockAll => true,
            StatementKind::Unlock(_)
            | StatementKind::UnlockAll
            | StatementKind::Post(_)
            | StatementKind::Wait => self.mixed,
            _ => false,
        }
    }
}

/// All that the program may do.
pub(super) fn explore(code: &Code<'_>, model: Mpi3Model, limits: &Limits) -> Result<Findings, ExploreError> {
    let world = World::new(code, model);
    let mut findings = Findings::default();
    let mut seen: HashSet<State> = HashSet::new();
    let mut steps = 0;
    let mut first = State::new(&world);
    first.run(&world, &mut steps)?;
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        if steps > limits.steps {
            return Err(ExploreError::OutOfBudget { steps: limits.steps });
        }
        let moves = state.moves(&world);
        if moves.is_empty() || state.cut {
            state.conclude(&world, &mut findings);
            continue;
        }
        if moves.len() > 1 && !seen.insert(state.clone()) {
            continue;
        }
        for chosen in moves.into_iter().rev() {
            let mut next = state.clone();
            next.take(&world, chosen, &mut steps)?;
            open.push(next);
        }
    }
    Ok(findings)
}
