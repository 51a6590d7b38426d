//! Litmus tests, run on transports: does what happens stay within what a memory model allows?
//!
//! Promise: [`run`] executes a program of coreRMA's statements on a job of any transport again and again, each process on a rank of
//! its own, with random small delays between statements, and counts its outcomes. A local read or write is one atomic load or
//! store of the processor; a remote statement is one operation of the transport, started and not awaited; its local side
//! is the variable itself, so that a transport that reads a source late, or writes a result late, is seen to.
//! [`declared_model`] names the weakest model of coreRMA's family that a transport promises to keep to. [`ranks`] starts the
//! ranks of a job by the name of its transport, and [`library`] finds tests in folders.
//!
//! Not promised: that every allowed outcome comes. Real transports do far less than they may.
//!
//! Source: Dan et al. 2016, section 7 (tests with random delays, many runs), Table 3 (statements).

mod job;
pub mod library;
mod model;
pub mod ranks;
mod steps;

pub use job::{Histogram, Plan, run, run_on};
pub use model::declared_model;
pub use steps::{Steps, Unsupported};
