//! The engines for core_rma.

use crate::answer::{Answer, Execution, Outcome, Refusal};
use crate::{Engine, ExploreError, Limits};
use farside_litmus::ast::Program;
use farside_models::core_rma::CoreModel;

pub(crate) fn outcomes(
    _program: &Program,
    _model: &CoreModel,
    _engine: Engine,
    _limits: &Limits,
) -> Result<Answer, ExploreError> {
    Err(ExploreError::OutOfBudget { steps: 0 })
}

pub(crate) fn witness(
    _program: &Program,
    _model: &CoreModel,
    _outcome: &Outcome,
    _limits: &Limits,
) -> Result<Option<Execution>, ExploreError> {
    Err(ExploreError::OutOfBudget { steps: 0 })
}

pub(crate) fn refusal(
    _program: &Program,
    _model: &CoreModel,
    _outcome: &Outcome,
    _limits: &Limits,
) -> Result<Option<Refusal>, ExploreError> {
    Err(ExploreError::OutOfBudget { steps: 0 })
}
