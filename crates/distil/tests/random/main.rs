//! Litmus tests of the races that the detector finds on random programs: each has a race by the naive engine of the
//! model, and none with the repair; the detector, asked about the tests themselves, says the same.
//!
//! Programs, schedules and streams are those with which the detector is compared with the models
//! (`crates/explore/tests`).

#[allow(dead_code, unreachable_pub)]
#[path = "../../../explore/tests/mpi3/build.rs"]
mod build;
#[allow(dead_code, unreachable_pub)]
#[path = "../../../explore/tests/mpi3/generate.rs"]
mod generate;
mod mpi;
mod score;
#[allow(dead_code, unreachable_pub)]
#[path = "../../../explore/tests/mpi3/stream.rs"]
mod stream;
