//! The engines for coreRMA and its variants.
//!
//! Promise: all outcomes of a program, by either engine; they share the words of the model (actions, rules, values) and
//! nothing else. `naive` tries every reads-from and every order of atomic writes; `fast` builds happens-before on bit
//! rows and decides no more than an outcome needs. Limits: a path has at most 64 actions.

mod conflicting;
mod explain;
mod fast;
mod naive;
mod question;
pub mod random;

pub use conflicting::conflicting;

use crate::answer::{Answer, Execution, Outcome, Refusal, Verdict};
use crate::{Engine, ExploreError, Limits};
use farside_litmus::ast::{Program, Value};
use farside_litmus::print_statement;
use farside_models::core_rma::CoreModel;
use farside_models::core_rma::control::Unfit;
use question::Question;
use std::collections::BTreeSet;

/// What is left of the steps that an exploration may take.
#[derive(Debug)]
struct Budget {
    left: u64,
    limit: u64,
}

impl Budget {
    fn new(limits: &Limits) -> Self {
        Self {
            left: limits.steps,
            limit: limits.steps,
        }
    }

    /// Takes a step.
    fn step(&mut self) -> Result<(), ExploreError> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(ExploreError::OutOfBudget { steps: self.limit }),
        }
    }
}

/// Values of all observables of a question, of every execution.
type States = BTreeSet<Vec<Value>>;

pub(crate) fn outcomes(
    program: &Program,
    model: &CoreModel,
    engine: Engine,
    limits: &Limits,
) -> Result<Answer, ExploreError> {
    let question = Question::new(program);
    let mut budget = Budget::new(limits);
    let mut states = States::new();
    let paths = question.paths(program, model, limits)?;
    let bounded = paths.bounded();
    for path in paths {
        let path = path.map_err(|unfit| refuse(program, model, unfit, limits))?;
        match engine {
            Engine::Naive => naive::explore(&path, model, &question.observables, &mut budget, &mut states)?,
            Engine::Fast => fast::search(&path, model, &question.observables, &mut budget, &mut states)?,
        }
    }
    let outcomes: BTreeSet<Outcome> = states
        .into_iter()
        .filter(|state| question.admits(state))
        .map(|state| question.show(state))
        .collect();
    Ok(Answer {
        observables: question.shown(),
        outcomes: outcomes.into_iter().collect(),
        verdict: Verdict::Defined,
        bounded,
    })
}

pub(crate) fn witness(
    program: &Program,
    model: &CoreModel,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Execution>, ExploreError> {
    explain::witness(program, model, outcome, limits)
}

pub(crate) fn refusal(
    program: &Program,
    model: &CoreModel,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Refusal>, ExploreError> {
    explain::refusal(program, model, outcome, limits)
}

/// A program that does not fit, in the words of the engines.
fn refuse(program: &Program, model: &CoreModel, unfit: Unfit, limits: &Limits) -> ExploreError {
    match unfit {
        Unfit::NoSuchStatement { rank, statement } => ExploreError::NotInModel {
            model: model.name.clone(),
            statement: print_statement(program, rank, &statement.kind),
            place: statement.place.clone(),
        },
        Unfit::TooManyActions { actions } => ExploreError::TooManyActions { actions },
        Unfit::TooManyWays => ExploreError::OutOfBudget { steps: limits.steps },
    }
}
