//! The fast engine: one schedule of each set that differs in nothing that matters.
//!
//! What a valid, race-free execution does depends on two things only: which lock epoch comes first where two exclude
//! each other, and in which order accumulates of several processes to one location take effect. Everything else is done
//! at once, in a fixed order; at those two kinds of steps, and where posts meet locks (a window may not be locked and
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
mod state;

use super::code::{Code, Does, Instruction};
use super::findings::Findings;
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Operation, Rank, StatementKind, VariableId};
use farside_models::mpi3::RaceModel;
use farside_models::mpi3::action::ActionKind;
use state::State;
use std::collections::{BTreeSet, HashSet};

/// What an exploration is about.
pub(super) struct World<'c, 'p> {
    pub(super) code: &'c Code<'p>,
    model: &'c RaceModel,
    /// Locations that accumulates of several processes meet at.
    contended: BTreeSet<VariableId>,
    /// Posts and locks are both there.
    mixed: bool,
}

impl<'c, 'p> World<'c, 'p> {
    pub(super) fn new(code: &'c Code<'p>, model: &'c RaceModel) -> Self {
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

/// A step of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logged {
    /// The process executes its next statement, or leaves the call that it is in.
    Step(Rank),
    /// The operation takes effect: its origin, and its place among the statements executed there.
    Effect(Rank, usize),
}

/// All that the program may do.
pub(super) fn explore(code: &Code<'_>, model: &RaceModel, limits: &Limits) -> Result<Findings, ExploreError> {
    let mut findings = Findings::default();
    search(code, model, limits, &mut |world, state, _| {
        state.conclude(world, &mut findings);
        false
    })?;
    Ok(findings)
}

/// A schedule whose findings are as wanted.
pub(super) fn find(
    code: &Code<'_>,
    model: &RaceModel,
    limits: &Limits,
    wanted: &dyn Fn(&Findings) -> bool,
) -> Result<Option<Vec<Logged>>, ExploreError> {
    let mut found = None;
    search(code, model, limits, &mut |world, state, log| {
        let mut findings = Findings::default();
        state.conclude(world, &mut findings);
        let stop = wanted(&findings);
        if stop {
            found = Some(log.to_vec());
        }
        stop
    })?;
    Ok(found)
}

/// Visits the last state of one schedule of each set, until told to stop.
fn search(
    code: &Code<'_>,
    model: &RaceModel,
    limits: &Limits,
    visit: &mut dyn FnMut(&World<'_, '_>, &State, &[Logged]) -> bool,
) -> Result<(), ExploreError> {
    let world = World::new(code, model);
    let mut seen: HashSet<State> = HashSet::new();
    let mut steps = 0;
    let mut first = State::new(&world);
    let mut log = Vec::new();
    first.run(&world, &mut log)?;
    let mut open = vec![(first, log)];
    while let Some((state, log)) = open.pop() {
        steps += 1;
        if steps > limits.steps {
            return Err(ExploreError::OutOfBudget { steps: limits.steps });
        }
        let moves = state.moves(&world);
        if moves.is_empty() {
            if visit(&world, &state, &log) {
                return Ok(());
            }
            continue;
        }
        if moves.len() > 1 && !seen.insert(state.clone()) {
            continue;
        }
        for chosen in moves.into_iter().rev() {
            let (mut next, mut log) = (state.clone(), log.clone());
            next.take(&world, chosen, &mut log)?;
            open.push((next, log));
        }
    }
    Ok(())
}
