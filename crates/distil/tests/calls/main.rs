//! Litmus tests of the races that the detector finds on random programs of OpenSHMEM and of GASPI.
//!
//! Programs, schedules and streams are those with which the detector is compared with the models
//! (`crates/explore/tests/calls`).

#[allow(dead_code)]
#[path = "../../../explore/tests/calls/case.rs"]
mod case;
#[allow(dead_code)]
mod gaspi;
#[allow(dead_code)]
mod openshmem;
mod races;
#[path = "../../../explore/tests/calls/schedule.rs"]
mod schedule;
#[path = "../random/score.rs"]
mod score;
#[allow(dead_code)]
#[path = "../../../explore/tests/calls/stream.rs"]
mod stream;
#[path = "../../../explore/tests/calls/writer.rs"]
mod writer;
