//! Which MPI library this process uses, and its constants, found at run time: one build of Farside serves them all.
//!
//! One file per binary interface ([`open_mpi`], [`mpich`], [`standard`]) fills one table, [`Constants`]. The program's
//! words are compared with these and never changed. [`symbol`] finds functions, [`pmpi`] holds those that we call.

mod constants;
mod detect;
pub(crate) mod handle;
mod mpich;
mod open_mpi;
pub(crate) mod pmpi;
mod standard;
pub(crate) mod symbol;

pub(crate) use constants::{Combiner, Constants, HandleKind, Topology};
pub(crate) use detect::{Detected, constants, detect};

/// A family of MPI libraries with one binary interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Abi {
    /// Open MPI 1.7 and later: handles are pointers to exported objects.
    OpenMpi,
    /// MPICH 3.1 and later, Intel MPI, MVAPICH, Cray MPI: handles are 32-bit integers.
    Mpich,
    /// The standard ABI of MPI-5.0 (chapter 20): handles are pointers, predefined ones small numbers.
    Standard,
}
