//! The programs of `examples/` are clean.
#![allow(
    dead_code,
    reason = "what the programs answer is looked at in tests/programs.rs"
)]

use super::expect::silent;

#[path = "../../examples/counter/program.rs"]
mod counter;
#[path = "../../examples/fourier/program.rs"]
mod fourier;
#[path = "../../examples/hash/program.rs"]
mod hash;
#[path = "../../examples/locks"]
mod locks {
    pub(crate) mod mcs;
    pub(crate) mod program;
}
#[path = "../../examples/jobs/program.rs"]
mod jobs;
#[path = "../../examples/stencil"]
mod stencil {
    pub(crate) mod exchange;
    pub(crate) mod grid;
    pub(crate) mod program;
}
#[path = "../../examples/update/program.rs"]
mod update;

#[test]
fn a_task_counter() {
    silent(3, |world| counter::run(world, 50).map(|_| ()));
}

#[test]
fn a_queue_and_a_counter_under_an_mcs_lock() {
    silent(3, |world| locks::program::run(world, 5).map(|_| ()));
    silent(3, |world| locks::program::count(world, 5).map(|_| ()));
}

#[test]
fn a_hash_table() {
    silent(3, |world| hash::run(world, 20).map(|_| ()));
}

#[test]
fn a_queue_of_jobs_at_a_handler() {
    silent(3, |world| jobs::run(world, 10).map(|_| ()));
}

#[test]
fn random_updates() {
    silent(3, |world| update::run(world, 32).map(|_| ()));
}

#[test]
fn a_transform_in_three_dimensions() {
    silent(2, |world| fourier::run(world, 4).map(|_| ()));
}

#[test]
fn heat_in_one_and_two_dimensions_in_four_ways() {
    for way in ["fence", "pscw", "put", "get"].map(|way| way.parse().expect("a way")) {
        for two in [false, true] {
            silent(4, |world| {
                stencil::program::run(world, two, way, 16, 5).map(|_| ())
            });
        }
    }
}
