//! The naive engine: every schedule, every moment at which an operation takes effect, each execution judged by the
//! definitions of [`farside_models::mpi3`].
//!
//! A schedule is a sequence of moves: a process takes its next step, or an operation takes effect at its target.
//! [`moves`] says which moves there are and carries them out, writing down the execution; [`judge`] closes its orders,
//! looks for races, and checks what reads returned. Nothing is pruned.

mod collective;
mod judge;
mod moves;
mod operations;
mod state;

pub(super) use state::State;

use super::code::Code;
use super::findings::Findings;
use crate::{ExploreError, Limits};
use farside_litmus::ast::VariableId;
use farside_models::mpi3::Mpi3Model;
use farside_models::mpi3::rules::{RuleName, RuleSet};
use std::collections::{BTreeMap, BTreeSet};

/// What an exploration is about.
pub(super) struct World<'c, 'p> {
    pub(super) code: &'c Code<'p>,
    pub(super) model: Mpi3Model,
    pub(super) rules: RuleSet,
    /// Values that are written to each variable in any execution; needed where a read may return a later write, which
    /// only happens with rules switched off.
    pub(super) domain: BTreeMap<VariableId, BTreeSet<i64>>,
}

/// All that the program may do.
pub(super) fn explore(
    code: &Code<'_>,
    model: Mpi3Model,
    rules: RuleSet,
    limits: &Limits,
) -> Result<Findings, ExploreError> {
    let mut world = World {
        code,
        model,
        rules,
        domain: BTreeMap::new(),
    };
    if !rules.has(RuleName::R23) && !rules.has(RuleName::R25) {
        let mut domain: BTreeMap<VariableId, BTreeSet<i64>> = BTreeMap::new();
        let plain = World {
            code,
            model,
            rules: RuleSet::ALL,
            domain: BTreeMap::new(),
        };
        walk(&plain, limits, &mut |state| {
            for (variable, value) in state.written_values() {
                domain.entry(variable).or_default().insert(value);
            }
        })?;
        world.domain = domain;
    }
    let mut findings = Findings::default();
    let mut judge = judge::Judge::default();
    walk(&world, limits, &mut |state| {
        judge.judge(&world, state).add_to(&mut findings, &world, state);
    })?;
    Ok(findings)
}

/// Visits the last state of every schedule.
pub(super) fn walk(
    world: &World<'_, '_>,
    limits: &Limits,
    visit: &mut dyn FnMut(&State),
) -> Result<(), ExploreError> {
    let mut steps = 0;
    let mut open = vec![State::new(world)?];
    while let Some(state) = open.pop() {
        steps += 1;
        if steps > limits.steps {
            return Err(ExploreError::OutOfBudget { steps: limits.steps });
        }
        let moves = state.moves(world);
        if moves.is_empty() || state.is_cut() {
            visit(&state);
            continue;
        }
        for chosen in moves.into_iter().rev() {
            let mut next = state.clone();
            next.take(world, chosen)?;
            open.push(next);
        }
    }
    Ok(())
}
