//! Shipped models by their names, read.

use super::parser::parse_model;
use super::shipped::text;
use crate::Model;
use crate::mpi3::Mpi3Model;

/// The shipped model of this name.
#[must_use]
pub fn named(name: &str) -> Option<Model> {
    for model in [Mpi3Model::Unified, Mpi3Model::Separate] {
        if model.name() == name {
            return Some(Model::Mpi3(model));
        }
    }
    parse_model(text(name)?, &|_| None).ok()
}
