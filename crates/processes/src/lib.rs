//! Other processes of this machine: what `/proc` says of them, the signals that they are sent, and the time that they
//! are given.
//!
//! Promise: nothing here blocks without a limit; a process that is gone is an answer, and no error. Process ids are used
//! again: whoever keeps one over time compares [`start_time`] too.
//! Not here: what a launcher of MPI jobs leaves in a process, see `farside_spool::processes`; how a job is started, see
//! `farside_launch`.
#![forbid(unsafe_code)]

pub mod limited;
pub mod signals;
mod stat;
mod tree;

pub use stat::{Stat, environment, start_time};
pub use tree::{all, descendants};
