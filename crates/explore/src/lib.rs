//! All outcomes of a litmus program under a memory model.
//!
//! Promise: every outcome that the model allows is found, and none besides; a bound that was hit is said in the result.
//! Two engines that share no code beyond the words answer the same questions: a fast one, and a naive one that follows
//! the definitions word by word and is the other's oracle.
#![forbid(unsafe_code)]

pub mod allowed;
pub mod answer;
pub mod core_rma;
pub mod fit;
pub mod mpi3;
pub mod verdict;

use answer::{Answer, Execution, Outcome, Refusal};
use farside_litmus::ast::{Place, Program};
use farside_models::Model;

/// Which of the two engines answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Bit rows, incremental closure, pruning.
    #[default]
    Fast,
    /// The definitions word by word.
    Naive,
}

/// Why a program could not be explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The model has no such statement.
    #[error("{model} has no statement `{statement}`")]
    NotInModel {
        /// Name of the model.
        model: String,
        /// As printed.
        statement: String,
        /// Where it stands.
        place: Place,
    },
    /// More actions than a bit row holds.
    #[error("the program has {actions} actions on one path; at most {limit} can be \
        explored", limit = farside_relations::MAX)]
    TooManyActions {
        /// How many.
        actions: usize,
    },
    /// The budget of steps is spent.
    #[error("no answer within {steps} steps")]
    OutOfBudget {
        /// How many were allowed.
        steps: u64,
    },
}

/// What an exploration may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of the search (a step takes well below a microsecond in the fast engine).
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 2_000_000_000 }
    }
}

/// All outcomes of `program` under `model`.
///
/// # Errors
/// A statement the model does not know, too many actions, a spent budget.
pub fn outcomes(
    program: &Program,
    model: &Model,
    engine: Engine,
    limits: &Limits,
) -> Result<Answer, ExploreError> {
    match model {
        Model::CoreRma(model) => core_rma::outcomes(program, model, engine, limits),
        Model::Mpi3(model) => mpi3::outcomes(program, model, engine, limits),
    }
}

/// An execution with this outcome, if the model allows it. For an MPI program with a race, an execution that has it.
///
/// # Errors
/// As [`outcomes`].
pub fn witness(
    program: &Program,
    model: &Model,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Execution>, ExploreError> {
    match model {
        Model::CoreRma(model) => core_rma::witness(program, model, outcome, limits),
        Model::Mpi3(model) => mpi3::witness(program, model, outcome, limits),
    }
}

/// Why the model does not allow this outcome; none if it does.
///
/// # Errors
/// As [`outcomes`].
pub fn refusal(
    program: &Program,
    model: &Model,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Refusal>, ExploreError> {
    match model {
        Model::CoreRma(model) => core_rma::refusal(program, model, outcome, limits),
        Model::Mpi3(model) => mpi3::refusal(program, model, outcome, limits),
    }
}
