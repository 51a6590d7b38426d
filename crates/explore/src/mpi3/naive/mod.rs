//! The naive engine: every schedule, every moment at which an operation takes effect, each execution judged by the
//! definitions of [`farside_models::mpi3`].
//!
//! A schedule is a sequence of moves: a process takes its next step, or an operation takes effect at its target.
//! [`state`] says which moves there are and carries them out, writing down the execution; [`judge`] closes its orders,
//! looks for races, and checks what reads returned. Nothing is pruned.

mod judge;
mod state;

pub(super) use judge::{Judge, Judgement};
pub(super) use state::{Choice, Move, State, Told};

use super::code::Code;
use super::fast::Logged;
use super::findings::Findings;
use crate::{ExploreError, Limits};
use farside_litmus::ast::VariableId;
use farside_models::mpi3::RaceModel;
use farside_models::mpi3::rules::RuleName;
use std::collections::{BTreeMap, BTreeSet};

/// What an exploration is about.
pub(super) struct World<'c, 'p> {
    pub(super) code: &'c Code<'p>,
    pub(super) model: &'c RaceModel,
    /// Values that are written to each variable in any execution; needed where a read may return a later write, which
    /// only happens with rules switched off.
    domain: BTreeMap<VariableId, BTreeSet<i64>>,
}

/// All that the program may do.
pub(super) fn explore(code: &Code<'_>, model: &RaceModel, limits: &Limits) -> Result<Findings, ExploreError> {
    let world = world(code, model, limits)?;
    let mut findings = Findings::default();
    let mut judge = judge::Judge::default();
    walk(&world, limits, &mut |state| {
        judge.judge(&world, state).add_to(&mut findings, &world, state);
        false
    })?;
    Ok(findings)
}

/// What an exploration under this model is about.
pub(super) fn world<'c, 'p>(
    code: &'c Code<'p>,
    model: &'c RaceModel,
    limits: &Limits,
) -> Result<World<'c, 'p>, ExploreError> {
    let mut world = World {
        code,
        model,
        domain: BTreeMap::new(),
    };
    let rules = model.rules();
    if !rules.has(RuleName::R23) && !rules.has(RuleName::R25) {
        let mut domain: BTreeMap<VariableId, BTreeSet<i64>> = BTreeMap::new();
        let all = rules.with(RuleName::R23).with(RuleName::R25);
        let plain = model.clone().with_rules(all);
        let plain = World {
            code,
            model: &plain,
            domain: BTreeMap::new(),
        };
        walk(&plain, limits, &mut |state| {
            for (variable, value) in state.written_values() {
                domain.entry(variable).or_default().insert(value);
            }
            false
        })?;
        world.domain = domain;
    }
    Ok(world)
}

/// Visits the last state of every schedule, until told to stop.
pub(super) fn walk(
    world: &World<'_, '_>,
    limits: &Limits,
    visit: &mut dyn FnMut(&State) -> bool,
) -> Result<(), ExploreError> {
    let mut steps = 0;
    let mut open = vec![State::new(world)?];
    while let Some(mut state) = open.pop() {
        steps += 1;
        if steps > limits.steps {
            return Err(ExploreError::OutOfBudget { steps: limits.steps });
        }
        let moves = state.moves(world);
        if moves.is_empty() {
            if visit(&state) {
                return Ok(());
            }
            continue;
        }
        let Some((&first, others)) = moves.split_first() else {
            continue;
        };
        for &chosen in others.iter().rev() {
            let mut next = state.clone();
            next.take(world, chosen)?;
            open.push(next);
        }
        state.take(world, first)?;
        open.push(state);
    }
    Ok(())
}

/// The state at the end of a schedule that the fast engine found.
pub(super) fn follow(world: &World<'_, '_>, log: &[Logged]) -> Result<State, ExploreError> {
    let mut state = State::new(world)?;
    for &logged in log {
        let chosen = match logged {
            Logged::Step(rank) => Some(Move::Step(rank, Choice::Latest)),
            Logged::Effect(rank, executed) => state.operation(rank, executed),
        };
        if let Some(chosen) = chosen {
            state.take(world, chosen)?;
        }
    }
    Ok(state)
}

/// The state at the end of a schedule whose findings are as wanted.
pub(super) fn find(
    world: &World<'_, '_>,
    limits: &Limits,
    wanted: &dyn Fn(&Findings) -> bool,
) -> Result<Option<State>, ExploreError> {
    let mut judge = Judge::default();
    let mut found = None;
    walk(world, limits, &mut |state| {
        let mut findings = Findings::default();
        judge.judge(world, state).add_to(&mut findings, world, state);
        let stop = wanted(&findings);
        if stop {
            found = Some(state.clone());
        }
        stop
    })?;
    Ok(found)
}
