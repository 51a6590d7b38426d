//! Which MPI library this process uses, and its constants, found at run time: one build of Farside serves them all.
//!
//! One file per binary interface ([`open_mpi`], [`mpich`], [`standard`]) fills one table, [`Constants`], which adds
//! addresses to the numbers of [`farside_calls::abi`]. The program's words are compared with these and never changed.
//! [`symbol`] finds functions, [`pmpi`] holds those that we call.

mod constants;
mod detect;
pub(crate) mod handle;
mod mpich;
mod open_mpi;
pub(crate) mod pmpi;
mod standard;
pub(crate) mod symbol;

pub(crate) use constants::Constants;
pub(crate) use detect::{Detected, constants, detect};
