//! Shipped models by their names, read.

use super::parser::parse_model;
use super::shipped::text;
use crate::Model;
use crate::mpi3::{MemoryModel, RaceModel};
use std::sync::LazyLock;

/// The shipped model of this name.
#[must_use]
pub fn named(name: &str) -> Option<Model> {
    parse_model(text(name)?, &|_| None).ok()
}

/// MPI's model of races for a memory model: `mpi3-unified`, `mpi3-separate`.
///
/// # Panics
/// Never: the files are part of the program, and a test reads them.
#[must_use]
pub fn of_mpi(memory: MemoryModel) -> &'static RaceModel {
    static MODELS: LazyLock<[RaceModel; 2]> = LazyLock::new(|| {
        MemoryModel::ALL.map(|memory| match named(&format!("mpi3-{}", memory.name())) {
            Some(Model::Mpi3(model)) => model,
            _ => unreachable!("a test reads every shipped model"),
        })
    });
    let [unified, separate] = &*MODELS;
    match memory {
        MemoryModel::Unified => unified,
        MemoryModel::Separate => separate,
    }
}
