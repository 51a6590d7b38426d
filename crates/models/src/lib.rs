//! Memory models of one-sided communication.
//!
//! Promise: one file a rule set, to be read beside the paper that it comes from: [`core_rma`] (Dan et al. 2016) and
//! [`mpi3`] (Hoefler et al. 2014), each headed by its numbered deviations; and the model files with which users write
//! their own. [`fitting`] says which model is meant where nobody says it.
#![forbid(unsafe_code)]

pub mod core_rma;
pub mod file;
pub mod fitting;
pub mod mpi3;

pub use file::{ModelError, named, names, of_mpi, parse_model};

/// A memory model.
#[derive(Clone, Debug)]
pub enum Model {
    /// coreRMA, its variants, and models of users.
    CoreRma(core_rma::CoreModel),
    /// Models of races, as MPI-3 has them, and those of users.
    Mpi3(mpi3::RaceModel),
}

impl Model {
    /// The model's name, as `--model` takes it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::CoreRma(model) => &model.name,
            Self::Mpi3(model) => model.name(),
        }
    }
}
