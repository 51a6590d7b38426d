//! The programs of `examples/`, over threads and over virtual networks that keep order or do not. Each compares its
//! result with a serial one itself.

#[path = "../examples/counter/program.rs"]
mod counter;
#[path = "../examples/fourier/program.rs"]
mod fourier;
#[path = "../examples/halves/program.rs"]
mod halves;
#[path = "../examples/hash/program.rs"]
mod hash;
#[path = "../examples/heat/program.rs"]
mod heat;
#[path = "../examples/locks"]
mod locks {
    pub(crate) mod mcs;
    pub(crate) mod program;
}
#[path = "../examples/jobs/program.rs"]
mod jobs;
#[path = "../examples/stencil"]
mod stencil {
    pub(crate) mod exchange;
    pub(crate) mod grid;
    pub(crate) mod program;
}
#[path = "../examples/update/program.rs"]
mod update;

mod support;

use support::with;

#[test]
fn a_task_counter() {
    for ranks in [1, 3, 4] {
        with(ranks, |world| counter::run(world, 200).map(|_| ()));
    }
}

#[test]
fn a_queue_under_an_mcs_lock() {
    for ranks in [1, 2, 4] {
        with(ranks, |world| locks::program::run(world, 20).map(|_| ()));
    }
}

#[test]
fn an_mcs_lock_protects_a_counter() {
    for ranks in [1, 2, 5] {
        with(ranks, |world| {
            assert_eq!(locks::program::count(world, 15)?, 15 * u64::from(ranks));
            Ok(())
        });
    }
}

#[test]
fn a_hash_table() {
    for ranks in [1, 2, 4] {
        with(ranks, |world| hash::run(world, 60).map(|_| ()));
    }
}

#[test]
fn a_queue_of_jobs_at_a_handler() {
    for ranks in [1, 2, 4] {
        with(ranks, |world| jobs::run(world, 40).map(|_| ()));
    }
}

#[test]
fn random_updates() {
    for ranks in [1, 2, 3] {
        with(ranks, |world| update::run(world, 64).map(|_| ()));
    }
}

#[test]
fn a_transform_in_three_dimensions() {
    for ranks in [1, 2, 4] {
        with(ranks, |world| fourier::run(world, 8).map(|_| ()));
    }
}

#[test]
fn heat_in_one_and_two_dimensions_in_four_ways() {
    for ranks in [1, 2, 4, 6] {
        for way in ["fence", "pscw", "put", "get"].map(|way| way.parse().expect("a way")) {
            for two in [false, true] {
                with(ranks, |world| {
                    let answer = stencil::program::run(world, two, way, 24, 12)?;
                    assert_eq!(answer.is_some(), world.rank() == 0);
                    if let Some(answer) = answer {
                        assert!(answer.line.contains("as the serial run"));
                        let height = if two { 24 } else { 1 };
                        assert_eq!(
                            answer.picture.len(),
                            format!(
                                "P6 24 {height} 255
"
                            )
                            .len()
                                + 24 * height * 3
                        );
                    }
                    Ok(())
                });
            }
        }
    }
}

#[test]
fn heat_on_a_distributed_array() {
    for ranks in [1, 3, 4, 6] {
        with(ranks, |world| heat::run(world, 13, 20).map(|_| ()));
    }
}

#[test]
fn heat_with_a_halo_in_halves() {
    for ranks in [1, 2, 5] {
        with(ranks, |world| halves::run(world, 3, 20).map(|_| ()));
    }
}
