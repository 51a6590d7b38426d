//! What may overtake what, and that a seed decides it: the hazard of paper 002, Figure 2, seen where it can be and
//! nowhere else.

mod setting;

use farside_fabric::{AtomicKind, AtomicOperation, Exposed, Fabric, Fetch, Put, Signal};
use farside_fabric_sim::{Link, Network, Outcome, Rarely, Routing, Script, Simulation};
use setting::{barrier, put, rig, round_numbers, us};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

fn adaptive(seed: u64) -> Network {
    Network {
        seed,
        routing: Routing::Adaptive {
            paths: 4,
            spread: us(10),
        },
        ..round_numbers()
    }
}

/// Figure 2 of paper 002: every rank of four puts to the one that many ranks after it, waits for local completion only,
/// and calls a dissemination barrier. How many ranks miss their put after it.
fn missing(network: &Network, distance: u32) -> usize {
    let outcome = Simulation::new(network, 4)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(8).expect("memory");
            let target = (fabric.rank() + distance) % fabric.size();
            rig.put(&shared, target, 0, &[1; 8]).expect("in bounds");
            fabric.flush_local(shared.scope, None).expect("nobody dies");
            rig.barrier().expect("nobody dies");
            let missing = shared.load(0) == 0;
            rig.unshare(shared).expect("nobody dies");
            missing
        })
        .expect("the run ends");
    outcome
        .results
        .iter()
        .filter(|missing| **missing == Some(true))
        .count()
}

#[test]
fn a_barrier_overtakes_puts_where_packets_take_several_ways() {
    let hits = (0..200).filter(|seed| missing(&adaptive(*seed), 2) > 0).count();
    assert!((50..200).contains(&hits), "{hits} of 200 seeds");
}

fn delayed(seed: u64) -> Network {
    Network {
        seed,
        delay: Some(Rarely {
            one_in: 4,
            time: us(20),
        }),
        ..round_numbers()
    }
}

#[test]
fn a_barrier_overtakes_puts_by_way_of_a_third_rank_even_if_each_connection_is_ordered() {
    let hits = (0..200).filter(|seed| missing(&delayed(*seed), 3) > 0).count();
    assert!((20..200).contains(&hits), "{hits} of 200 seeds");
}

#[test]
fn a_barrier_that_sends_to_the_target_itself_does_not_overtake_on_ordered_connections() {
    // The rounds of a dissemination go to the next rank, and to the next but one: after the put, on its connection.
    for seed in 0..200 {
        assert_eq!(
            missing(&delayed(seed), 1) + missing(&delayed(seed), 2),
            0,
            "seed {seed}"
        );
    }
}

#[test]
fn a_barrier_overtakes_nothing_where_all_packets_take_the_same_time() {
    for seed in 0..200 {
        let network = Network {
            seed,
            ..round_numbers()
        };
        assert_eq!(missing(&network, 3), 0, "seed {seed}");
    }
}

/// Rank 1 puts to rank 0 and then sends it a message: whether rank 0 misses the put after the message. The descriptor
/// goes through memory, so that nothing else is on the network.
fn message_after_put(simulation: Simulation) -> bool {
    let exposed: RefCell<Option<Exposed>> = RefCell::default();
    let outcome = simulation
        .run(|fabric| {
            if fabric.rank() == 0 {
                let own = fabric.expose(8).expect("memory");
                let base = own.base;
                *exposed.borrow_mut() = Some(own);
                fabric
                    .wait(None, &mut || Ok(fabric.receive()?.is_some()))
                    .expect("it comes");
                // SAFETY: the region is 8 bytes long, aligned, and lives as long as the run.
                return unsafe { base.cast::<u64>().as_ptr().read_volatile() } == 0;
            }
            let descriptor = exposed
                .borrow()
                .as_ref()
                .expect("rank 0 ran first")
                .descriptor
                .clone();
            let remote = fabric.connect(0, &descriptor).expect("it is exposed");
            let scope = fabric.open_scope().expect("a number");
            let bytes = [1; 8];
            put(fabric, scope, remote, 0, &bytes, Signal::None);
            fabric.send(0, 0, &[]).expect("there is a rank 0");
            fabric.flush(scope, None).expect("nobody dies");
            false
        })
        .expect("the run ends");
    outcome.results[0].expect("rank 0 looks")
}

#[test]
fn a_driver_enumerates_all_orders() {
    let two_ways = Network {
        routing: Routing::Adaptive {
            paths: 2,
            spread: us(10),
        },
        ..round_numbers()
    };
    let script = Rc::new(RefCell::new(Script::default()));
    let mut missed = BTreeSet::new();
    let mut runs = 0;
    loop {
        let missing = message_after_put(Simulation::new(&two_ways, 2).choices(Rc::clone(&script)));
        runs += 1;
        if missing {
            missed.insert(script.borrow().decisions().collect::<Vec<_>>());
        }
        if !script.borrow_mut().advance() {
            break;
        }
    }
    // When the buffer is read, the way of the put, the way of the message: the put is missed on the long way if the
    // message takes the short one.
    assert_eq!(runs, 8);
    assert_eq!(missed, BTreeSet::from([vec![0, 1, 0], vec![1, 1, 0]]));
}

#[test]
fn a_message_never_overtakes_a_put_on_an_ordered_connection() {
    for seed in 0..200 {
        let network = Network {
            seed,
            hesitation: us(seed % 4 * 3),
            delay: Some(Rarely {
                one_in: 2,
                time: us(20),
            }),
            loss: Some(Rarely {
                one_in: 4,
                time: us(50),
            }),
            ..round_numbers()
        };
        assert!(!message_after_put(Simulation::new(&network, 2)), "seed {seed}");
    }
}

/// Rule F2 of coreRMA (Dan et al. 2016), `litmus-tests/rules/coreRMA/F2-allowed.litmus`: rank 0 puts X to rank 1,
/// flushes rank 2, and writes X. What rank 1 gets.
fn flushed_elsewhere(network: &Network) -> u64 {
    let outcome = Simulation::new(network, 3)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(8).expect("memory");
            if fabric.rank() == 0 {
                let source = shared.own.base;
                // SAFETY: 8 bytes of the own region, aligned.
                unsafe { source.cast::<u64>().as_ptr().write_volatile(1) };
                let put = Put {
                    scope: shared.scope,
                    origin: source.as_ptr(),
                    bytes: 8,
                    remote: shared.remotes[1],
                    displacement: 0,
                    signal: Signal::None,
                };
                // SAFETY: the region outlives the put; that it is written before completion is what this test is about.
                unsafe { fabric.put(&put) }.expect("in bounds");
                fabric.flush(shared.scope, Some(2)).expect("nobody dies");
                fabric.compute(us(3));
                // SAFETY: 8 bytes of the own region, aligned; that they are written before completion is what this test
                // is about.
                unsafe { source.cast::<u64>().as_ptr().write_volatile(2) };
                fabric.flush(shared.scope, None).expect("nobody dies");
            }
            rig.barrier().expect("nobody dies");
            let found = shared.load(0);
            rig.unshare(shared).expect("nobody dies");
            found
        })
        .expect("the run ends");
    outcome.results[1].expect("rank 1 looks")
}

#[test]
fn an_adapter_that_hesitates_reads_late() {
    let seen = |hesitation| {
        let network = |seed| Network {
            seed,
            hesitation,
            ..round_numbers()
        };
        (0..40)
            .map(|seed| flushed_elsewhere(&network(seed)))
            .collect::<BTreeSet<u64>>()
    };
    assert_eq!(seen(Duration::ZERO), BTreeSet::from([1]));
    assert_eq!(seen(us(10)), BTreeSet::from([1, 2]));
}

#[test]
fn atomic_operations_of_many_packets_keep_their_order_where_nothing_takes_time() {
    let network = Network {
        link: Link {
            latency: Duration::ZERO,
            gap: Duration::ZERO,
            byte_picoseconds: 0,
        },
        overhead: Duration::ZERO,
        packet: 64,
        ..round_numbers()
    };
    let outcome = Simulation::new(&network, 2)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(4096).expect("memory");
            let (one, mut before, mut behind) = (vec![1_u8; 4096], vec![9_u8; 4096], vec![9_u8; 4096]);
            if fabric.rank() == 0 {
                let fetch = |operation, results: *mut u8| {
                    rig.fetch(&Fetch {
                        scope: shared.scope,
                        operation,
                        kind: AtomicKind::U8,
                        count: 4096,
                        operands: one.as_ptr(),
                        results,
                        remote: shared.remotes[1],
                        displacement: 0,
                    })
                    .expect("in bounds");
                };
                fetch(AtomicOperation::NoOp, before.as_mut_ptr());
                fetch(AtomicOperation::Sum, std::ptr::null_mut());
                fetch(AtomicOperation::NoOp, behind.as_mut_ptr());
                rig.flush(&shared).expect("nobody dies");
            }
            (before, behind)
        })
        .expect("the run ends");
    assert_eq!(outcome.results[0], Some((vec![0; 4096], vec![1; 4096])));
}

/// All sorts of things between 16 ranks, some of them random by the network's seed.
fn traced(network: &Network) -> Outcome<Duration> {
    Simulation::new(network, 16)
        .trace(100_000)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(1 << 16).expect("memory");
            let bytes = vec![3; 9000];
            for round in 0..20 {
                let target = (fabric.rank() * 7 + round) % fabric.size();
                rig.put(&shared, target, 0, &bytes[..round as usize * 400])
                    .expect("in bounds");
                fabric
                    .send(target, 1, &bytes[..round as usize])
                    .expect("there is room");
                while fabric.receive().expect("nothing is lost").is_some() {}
            }
            rig.flush(&shared).expect("nobody dies");
            fabric.now()
        })
        .expect("the run ends")
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (first, again, other) = (traced(&adaptive(1)), traced(&adaptive(1)), traced(&adaptive(2)));
    assert!(first.trace.events.len() > 1000 && first.trace.left_out == 0);
    assert_eq!(first.trace, again.trace);
    assert_eq!(first.results, again.results);
    assert_eq!(first.counters, again.counters);
    assert_ne!(first.trace, other.trace);
}

#[test]
fn a_trace_keeps_as_much_as_was_asked_for() {
    let outcome = Simulation::new(&round_numbers(), 4)
        .trace(5)
        .run(|fabric| barrier(fabric, 0))
        .expect("the run ends");
    assert_eq!(outcome.trace.events.len(), 5);
    // 8 messages, and a wait of each rank in each round, but those that found their message there.
    assert!(outcome.trace.left_out >= 3);
}

/// A buffer is written between a put and its completion.
fn reused_too_early(seed: u64, wait_first: bool) -> u8 {
    let network = Network {
        seed,
        ..round_numbers()
    };
    let outcome = Simulation::new(&network, 2)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(8).expect("memory");
            if fabric.rank() == 0 {
                let mut buffer = [1_u8; 8];
                let start = buffer.as_mut_ptr();
                let put = Put {
                    scope: shared.scope,
                    origin: start,
                    bytes: 8,
                    remote: shared.remotes[1],
                    displacement: 0,
                    signal: Signal::None,
                };
                // SAFETY: the buffer lives until the flush; that it is written before is what this test is about.
                unsafe { fabric.put(&put) }.expect("in bounds");
                if wait_first {
                    fabric.flush_local(shared.scope, None).expect("nobody dies");
                }
                // SAFETY: it is alive.
                unsafe { start.write_bytes(2, 8) };
                fabric.flush(shared.scope, None).expect("nobody dies");
            }
            rig.barrier().expect("nobody dies");
            let found = shared.copy(0, 1)[0];
            rig.unshare(shared).expect("nobody dies");
            found
        })
        .expect("the run ends");
    outcome.results[1].expect("rank 1 looks")
}

#[test]
fn an_origin_buffer_that_is_used_too_early_is_seen() {
    let seen = |wait_first| {
        (0..40)
            .map(|seed| reused_too_early(seed, wait_first))
            .collect::<BTreeSet<u8>>()
    };
    assert_eq!(seen(false), BTreeSet::from([1, 2]));
    assert_eq!(seen(true), BTreeSet::from([1]));
}
