//! Collective calls that do not match are errors at all ranks, the same everywhere, which name both calls: over the
//! virtual network and over ranks that are threads. Over processes and every transport of theirs: the example
//! `mismatches`, which `crates/cli/tests/run/transports.rs` starts.

#[path = "support/mismatches.rs"]
mod mismatches;

use farside::sim::{Network, Simulation};
use farside::{Error, Operation, Window, World};
use mismatches::{CALLS, Case, pairs};

/// Every case on 2, 3 and at night 4 ranks, which alternate between its two calls.
fn everywhere(cases: &[Case]) {
    for ranks in 2..=if farside_built::is_night() { 4 } else { 3 } {
        for network in [Network::ethernet_100g(), Network::tcp()] {
            let simulation = Simulation::new(&network, ranks);
            farside::simulate_with(simulation, |world| mismatches::run(world, cases))
                .unwrap_or_else(|error| panic!("{ranks} ranks, simulated: {error}"));
        }
        farside::threads(ranks, |world| mismatches::run(world, cases))
            .unwrap_or_else(|error| panic!("{ranks} ranks, threads: {error}"));
    }
}

#[test]
fn every_two_functions() {
    assert!(CALLS.len() >= 12 && pairs().len() == CALLS.len() * (CALLS.len() - 1) / 2);
    everywhere(&pairs());
}

#[test]
fn every_function_that_moves_data() {
    everywhere(&mismatches::neighbours());
}

#[test]
fn every_argument_that_has_to_agree() {
    everywhere(mismatches::ARGUMENTS);
}

#[test]
fn two_groups_in_different_orders() {
    for ranks in 2..=4 {
        farside::simulate(ranks, mismatches::two_groups).expect("simulated");
        farside::threads(ranks, mismatches::two_groups).expect("threads");
    }
}

#[test]
fn one_rank_alone_is_enough() {
    farside::threads(4, |world| {
        for odd in 0..4 {
            let group = world.duplicate()?;
            let told = if world.rank() == odd {
                group.allreduce(Operation::Sum, &mut [1u64])
            } else {
                group.broadcast(1, &mut [world.rank()])
            };
            let told = told.and_then(|()| group.barrier());
            mismatches::is_mismatch(told, "allreduce(Sum) of 1 u64", "broadcast of 1 u32 with root 1");
        }
        Ok(())
    })
    .expect("the world goes on");
}

#[test]
fn the_end_of_the_world_is_a_call() {
    let one_stops = |world: &World| {
        if world.rank() == 0 {
            world.barrier()?;
        }
        Ok(())
    };
    for result in [farside::simulate(3, one_stops), farside::threads(3, one_stops)] {
        mismatches::is_mismatch(result.map(drop), "barrier,", "finish,");
    }
}

/// Each is the root of a broadcast, sends, and goes on: what they call next tells.
#[test]
fn calls_that_wait_for_nobody_are_found_by_the_next() {
    farside::threads(2, |world| {
        let group = world.duplicate()?;
        group.broadcast(world.rank(), &mut [1u8])?;
        let told = group.barrier();
        mismatches::is_mismatch(told, "with root 0", "with root 1");
        Ok(())
    })
    .expect("the world goes on");
}

/// The call that is waited for is an old one by then, and is told all the same.
#[test]
fn a_request_that_others_have_not_begun() {
    farside::threads(3, |world| {
        let group = world.duplicate()?;
        let told = match world.rank() {
            0 => {
                let request = group.iallreduce(Operation::Sum, vec![1u8])?;
                // Of many, which wait for nobody.
                (0..40).try_for_each(|_| group.broadcast(0, &mut [7u8]))?;
                request.wait().map(drop)
            }
            _ => group.barrier(),
        };
        mismatches::is_mismatch(told, "iallreduce(Sum) of 1 u8, collective call 1 of", "barrier,");
        Ok(())
    })
    .expect("the world goes on");
}

#[test]
fn who_asks_for_a_request_again_and_again_is_told() {
    farside::threads(2, |world| {
        let group = world.duplicate()?;
        let told = match world.rank() {
            0 => {
                let request = group.ibarrier()?;
                loop {
                    match request.test() {
                        Ok(false) => std::thread::yield_now(),
                        told => break told.map(drop),
                    }
                }
            }
            _ => group.barrier(),
        };
        mismatches::is_mismatch(told, "ibarrier,", "barrier,");
        Ok(())
    })
    .expect("the world goes on");
}

/// Ranks that come late, or are far ahead, are no mismatch.
#[test]
fn patience_finds_nothing_where_calls_match() {
    farside::threads(3, |world| {
        for late in 0..3 {
            if world.rank() == late {
                std::thread::sleep(std::time::Duration::from_millis(250));
            }
            let mut value = [world.rank()];
            world.broadcast(late, &mut value)?;
            assert_eq!(value, [late]);
            world.allreduce(Operation::Sum, &mut value)?;
            assert_eq!(value, [3 * late]);
        }
        // Rank 0 is some hundred calls ahead of the others.
        for round in 0..300u32 {
            if world.rank() != 0 && round == 0 {
                std::thread::sleep(std::time::Duration::from_millis(250));
            }
            let mut value = [if world.rank() == 0 { round } else { 0 }];
            world.broadcast(0, &mut value)?;
            assert_eq!(value, [round]);
        }
        let mut window = Window::<u8>::allocate(world, 1)?;
        window.fence(|_| {
            if world.rank() == 1 {
                std::thread::sleep(std::time::Duration::from_millis(250));
            }
            Ok(())
        })?;
        window.free()
    })
    .expect("all calls match");
}

/// A rank that leaves instead of calling is lost, as ever.
#[test]
fn a_rank_that_is_gone_is_a_loss() {
    let result = farside::threads(3, |world| {
        if world.rank() == 2 {
            return Err(Error::Layout("on purpose"));
        }
        let told = world.barrier();
        assert_eq!(told, Err(Error::PeerLost { rank: 2 }));
        told
    });
    assert_eq!(result, Err(Error::Layout("on purpose")));
}
