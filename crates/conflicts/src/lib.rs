//! The only place that says whether two accesses conflict, a function a rule.
//!
//! An access is what one call or instruction does to some bytes of one process ([`Access`]): who does it, in which
//! role, with which effect. Whether two conflicting accesses are *ordered* is not decided here.
//!
//! Sources: MPI-4.1 §12.7 and §12.7.1; Hoefler et al. 2014, §3.3.1 (unified model); Ait Kaci 2022, Table 3.1.
//!
//! Deviations:
//! 1. Table 3.1 leaves out accumulates. They are compatible with each other under MPI-4.1 §12.7.1 (see
//!    [`accumulates_agree`]) and conflict with everything else that meets them, except that a fetching call with
//!    `MPI_NO_OP` only reads, so that it does not conflict with other reads.
//! 2. Table 3.1 leaves load against store open ("-"). Within one process they are the business of a thread checker;
//!    between processes (shared windows, MPI-4.1 §12.2.3) they conflict unless both are atomic instructions.
//! 3. Two atomic instructions never conflict; an atomic instruction against an RMA operation does, even an
//!    accumulate: MPI promises no atomicity between the two.
#![forbid(unsafe_code)]

mod access;
mod rules;

pub use access::{Access, Effect, Role, Update};
pub use rules::{Conflict, accumulates_agree, accumulates_in_order, conflict, operators_agree};
