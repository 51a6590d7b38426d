//! What goes wrong: deadlocks, ranks that die, panic, fail, poll for ever, or call from where they must not.

mod setting;

use farside_fabric::{Error as FabricError, Fabric, Progress, Signal};
use farside_fabric_sim::{Error, Network, Nodes, Simulation, Waiting, run};
use setting::{put, rig, round_numbers, us};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

fn network() -> Network {
    Network::ethernet_100g()
}

/// Counts those that were dropped.
struct Counted<'c>(&'c Cell<u32>);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

#[test]
fn a_deadlock_is_reported_with_what_each_rank_waits_for() {
    let dropped = Cell::new(0);
    let answer = run(&network(), 3, |fabric| {
        let _counted = Counted(&dropped);
        match fabric.rank() {
            0 => fabric.wait(None, &mut || Ok(fabric.receive()?.is_some())),
            1 => fabric.finish(),
            _ => Ok(()),
        }
    });
    let Err(Error::Deadlock { waiting, .. }) = &answer else {
        panic!("{answer:?}");
    };
    let wait = "wait: 0 messages and 0 notifications not taken, 0 operations under way";
    assert_eq!(
        *waiting,
        [
            Waiting {
                rank: 0,
                call: wait.to_owned()
            },
            Waiting {
                rank: 1,
                call: "finish: not there, among others: [0, 2]".to_owned()
            }
        ]
    );
    // Those who waited were unwound.
    assert_eq!(dropped.get(), 3);
    let text = answer.map(|_| ()).expect_err("a deadlock").to_string();
    assert!(
        text.contains("rank 0 in wait") && text.contains("rank 1 in finish"),
        "{text}"
    );
}

#[test]
fn a_deadlock_names_the_receiver_that_is_not_ready() {
    let network = Network {
        receive_descriptors: 1,
        ..network()
    };
    let answer = run(&network, 2, |fabric| {
        let rig = rig(fabric);
        let shared = rig.share(8).expect("memory");
        if fabric.rank() == 0 {
            for immediate in 0..3 {
                put(
                    fabric,
                    shared.scope,
                    shared.remotes[1],
                    0,
                    &[],
                    Signal::Immediate(immediate),
                );
            }
            fabric.flush(shared.scope, None).expect("nobody dies");
        }
    });
    let text = answer.map(|_| ()).expect_err("a deadlock").to_string();
    assert!(
        text.contains(
            "rank 0 in flush: 2 operations of scope 0 not complete, no receive descriptor left for 2 for \
            rank 1"
        ),
        "{text}"
    );
}

#[test]
fn a_target_that_has_returned_moves_nothing_without_an_adapter() {
    let network = Network {
        progress: Progress::Calls,
        ..network()
    };
    let answer = run(&network, 2, |fabric| {
        let rig = rig(fabric);
        let shared = rig.share(8).expect("memory");
        if fabric.rank() == 0 {
            put(fabric, shared.scope, shared.remotes[1], 0, &[1], Signal::None);
            fabric.flush(shared.scope, Some(1)).expect("nobody dies");
        }
    });
    let text = answer.map(|_| ()).expect_err("a deadlock").to_string();
    assert!(
        text.contains("1 operations of scope 0 to rank 1 not complete"),
        "{text}"
    );
}

#[test]
fn full_credits_are_no_deadlock_while_the_others_send_too() {
    let network = Network {
        message_credits: 1,
        ..network()
    };
    let outcome = run(&network, 3, |fabric| {
        for _ in 0..100 {
            fabric.send((fabric.rank() + 1) % 3, 0, &[])?;
        }
        let mut number = 0;
        fabric.wait(None, &mut || {
            while fabric.receive()?.is_some() {
                number += 1;
            }
            Ok(number == 100)
        })
    });
    assert!(
        outcome
            .expect("no deadlock")
            .results
            .iter()
            .all(|result| *result == Some(Ok(())))
    );
}

#[test]
fn a_killed_rank_is_known_to_be_lost_after_a_while() {
    let network = Network {
        detection: us(70),
        ..network()
    };
    let dropped = Cell::new(0);
    let outcome = Simulation::new(&network, 4)
        .kill(2, us(30))
        .run(|fabric| {
            let _counted = (fabric.rank() == 2).then(|| Counted(&dropped));
            let ended = fabric.wait(None, &mut || Ok(false));
            (
                ended,
                fabric.now(),
                fabric.lost(),
                fabric.send(2, 0, &[]),
                fabric.finish().is_err(),
            )
        })
        .expect("the run ends");
    assert_eq!(dropped.get(), 1);
    let lost = FabricError::PeerLost { rank: 2 };
    for (rank, result) in outcome.results.iter().enumerate() {
        let expected = (rank != 2).then(|| (Err(lost.clone()), us(100), Some(2), Err(lost.clone()), true));
        assert_eq!(*result, expected, "rank {rank}");
    }
}

#[test]
fn a_rank_can_be_killed_at_any_time_of_a_busy_program() {
    for seed in 0..60 {
        let network = Network {
            seed,
            progress: [Progress::Passive, Progress::Calls, Progress::Thread][seed as usize % 3],
            ..network()
        };
        let outcome = Simulation::new(&network, 4)
            .kill(1, Duration::from_nanos(seed * 977))
            .run(|fabric| -> farside_fabric::Result<()> {
                let rig = rig(fabric);
                let shared = rig.share(1 << 16)?;
                let mut buffer = vec![0; 20_000];
                for round in 0..50 {
                    let target = (fabric.rank() + round) % 4;
                    rig.put(&shared, target, 0, &[7; 10_000])?;
                    rig.get(&shared, target, 0, &mut buffer)?;
                    rig.flush(&shared)?;
                    rig.barrier()?;
                }
                Ok(())
            })
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for (rank, result) in outcome.results.iter().enumerate() {
            let expected = (rank != 1).then_some(Err(FabricError::PeerLost { rank: 1 }));
            assert_eq!(*result, expected, "seed {seed}, rank {rank}");
        }
    }
}

#[test]
fn a_panic_ends_the_run_with_its_rank() {
    let dropped = Cell::new(0);
    let answer = run(&network(), 3, |fabric| {
        let _counted = Counted(&dropped);
        fabric.compute(us(5));
        assert!(fabric.rank() != 1, "rank {} had enough", fabric.rank());
        fabric.wait(None, &mut || Ok(false))
    });
    let expected = Error::Panicked {
        rank: 1,
        at: us(5),
        message: "rank 1 had enough".to_owned(),
    };
    assert_eq!(answer.map(|_| ()), Err(expected));
    assert_eq!(dropped.get(), 3);
}

#[test]
fn a_guard_that_flushes_while_its_rank_panics_cancels() {
    // The buffer is given back by the guard, and written, before the adapter reads it.
    let outcome = run(&network(), 2, |fabric| {
        let rig = rig(fabric);
        let shared = rig.share(8).expect("memory");
        if fabric.rank() == 0 {
            let buffer = RefCell::new(vec![1; 8]);
            let unwound = catch_unwind(AssertUnwindSafe(|| {
                struct Guard<'g>(&'g dyn Fabric, farside_fabric::Scope, &'g Cell<bool>);
                impl Drop for Guard<'_> {
                    fn drop(&mut self) {
                        self.2.set(self.0.flush(self.1, None).is_err());
                    }
                }
                let failed = Cell::new(false);
                let guard = Guard(fabric, shared.scope, &failed);
                put(
                    fabric,
                    shared.scope,
                    shared.remotes[1],
                    0,
                    &buffer.borrow(),
                    Signal::None,
                );
                std::panic::resume_unwind(Box::new(guard.0.rank()));
            }));
            assert!(unwound.is_err());
            drop(buffer);
            let ended = fabric.flush(shared.scope, None);
            assert!(ended.is_err(), "{ended:?}");
        }
        rig.barrier().expect("nobody dies");
        shared.load(0)
    })
    .expect("the run ends");
    let found = outcome.results[1].expect("rank 1 looks");
    // Read early, the put went through as a whole; read late, it was cancelled.
    assert!([0, 0x0101_0101_0101_0101].contains(&found), "{found:#x}");
}

#[test]
fn the_first_error_of_a_rank_ends_the_run() {
    let answer = Simulation::new(&network(), 3).try_run(|fabric| {
        fabric.compute(us(5 + u64::from(fabric.rank())));
        if fabric.rank() == 0 {
            return fabric.wait(None, &mut || Ok(false));
        }
        Err(FabricError::Stale("a thing"))
    });
    let Err(Error::Failed { rank: 1, at, reason }) = answer.map(|_| ()) else {
        panic!("rank 1 fails first");
    };
    assert_eq!((at, reason), (us(6), FabricError::Stale("a thing").to_string()));
}

#[test]
fn a_rank_that_polls_does_not_stop_the_world() {
    type Poll = fn(&dyn Fabric) -> bool;
    let polls: [(&str, Poll); 5] = [
        ("receive", |fabric| {
            fabric.receive().expect("nothing is lost").is_some()
        }),
        ("now", |fabric| fabric.now() >= us(50)),
        ("wait", |fabric| {
            fabric
                .wait(Some(Duration::ZERO), &mut || Ok(fabric.receive()?.is_some()))
                .is_ok()
        }),
        ("lost", |fabric| fabric.lost().is_some() || fabric.now() >= us(50)),
        ("notification", |fabric| {
            fabric.notification().expect("nothing is lost").is_some() || fabric.now() >= us(50)
        }),
    ];
    for (name, poll) in polls {
        let outcome = run(&network(), 2, |fabric| {
            if fabric.rank() == 0 {
                fabric.compute(us(50));
                fabric.send(1, 0, &[]).expect("there is a rank 1");
            } else {
                while !poll(fabric) {}
            }
            fabric.now()
        })
        .expect("the run ends");
        assert!(outcome.results[1] >= Some(us(50)), "{name}");
        assert!(outcome.results[1] < Some(us(60)), "{name}");
    }
}

#[test]
fn virtual_time_can_have_a_limit() {
    let answer = Simulation::new(&network(), 2).limit(us(500)).run(|fabric| {
        if fabric.rank() == 0 {
            let _ = fabric.wait(None, &mut || Ok(false));
        }
        while fabric.receive().expect("nothing is lost").is_none() {}
    });
    let Err(Error::TimeLimit { limit, waiting }) = answer.map(|_| ()) else {
        panic!("rank 1 polls for ever");
    };
    assert_eq!(limit, us(500));
    assert_eq!(
        waiting.iter().map(|waiting| waiting.rank).collect::<Vec<_>>(),
        [0]
    );
}

#[test]
fn a_call_from_elsewhere_is_refused() {
    let kept = RefCell::new(None);
    Simulation::new(&network(), 2)
        .run(|fabric| {
            let refused = std::thread::scope(|scope| {
                let call = || (fabric.send(0, 0, &[]), fabric.now(), fabric.lost());
                scope.spawn(call).join().expect("it does not panic")
            });
            assert!(
                matches!(refused.0, Err(FabricError::Unsupported { .. })),
                "{refused:?}"
            );
            assert_eq!((refused.1, refused.2), (Duration::ZERO, None));
            if fabric.rank() == 0 {
                *kept.borrow_mut() = Some(fabric.clone());
            } else if let Some(other) = &*kept.borrow() {
                let refused = other.send(1, 0, &[]);
                assert!(
                    matches!(refused, Err(FabricError::Unsupported { .. })),
                    "{refused:?}"
                );
            }
        })
        .expect("the run ends");
    let late = kept.borrow().as_ref().map(|fabric| fabric.send(1, 0, &[]));
    assert!(
        matches!(late, Some(Err(FabricError::Unsupported { .. }))),
        "{late:?}"
    );
}

#[test]
fn a_call_from_a_coroutine_of_a_rank_is_refused() {
    run(&network(), 2, |fabric| {
        // A run within the run has stacks of its own.
        let inner = run(&network(), 1, |_| fabric.send(0, 0, &[])).expect("the inner run ends");
        assert!(
            matches!(inner.results[0], Some(Err(FabricError::Unsupported { .. }))),
            "{inner:?}"
        );
    })
    .expect("the outer run ends");
}

#[test]
fn a_rank_can_be_killed_before_anything_else() {
    let outcome = Simulation::new(&network(), 2)
        .kill(0, Duration::ZERO)
        .run(|fabric| {
            fabric.compute(us(1));
            fabric.rank()
        });
    assert_eq!(outcome.expect("the run ends").results, [None, Some(1)]);
}

#[test]
fn a_full_queue_of_operations_holds_up_the_next_one() {
    let network = Network {
        in_flight: 3,
        ..network()
    };
    let outcome = run(&network, 2, |fabric| {
        let rig = rig(fabric);
        let shared = rig.share(80).expect("memory");
        let bytes = [1; 80];
        for number in 0..10 {
            let at = number * 8;
            rig.put(&shared, 1 - fabric.rank(), at, &bytes[at..at + 8])
                .expect("in bounds");
        }
        rig.flush(&shared).expect("nobody dies");
        rig.barrier().expect("nobody dies");
        shared.copy(0, 80) == bytes
    })
    .expect("no deadlock");
    assert_eq!(outcome.results, [Some(true), Some(true)]);
    // Each put but the last three waits for an acknowledgement of one three before it: four times there and back.
    assert!(outcome.duration > 4 * 2 * network.link.latency);
}

#[test]
fn a_run_within_a_run() {
    let outcome = run(&network(), 2, |outer| {
        let inner = run(&network(), 2, |inner| {
            inner.finish().expect("nobody dies");
            inner.rank()
        });
        outer.finish().expect("nobody dies");
        inner.expect("the inner run ends").results
    });
    let expected = vec![Some(0), Some(1)];
    assert_eq!(
        outcome.expect("the outer run ends").results,
        [Some(expected.clone()), Some(expected)]
    );
}

#[test]
fn stores_into_mapped_memory_wake_a_neighbour_at_the_next_call() {
    let network = Network {
        nodes: Some(Nodes {
            ranks: 2,
            link: round_numbers().link,
            overhead: network().overhead,
            shared_adapter: false,
            mapped: true,
        }),
        ..network()
    };
    for ranks in [2, 4] {
        let outcome = run(&network, ranks, |fabric| {
            let rig = rig(fabric);
            let shared = rig.share(8).expect("memory");
            if fabric.rank() == 0 {
                let there = fabric.mapped(&shared.remotes[1]).expect("a neighbour");
                fabric.compute(us(9));
                // SAFETY: 8 bytes of a region that lives as long as the run.
                unsafe { there.as_ptr().cast::<u64>().write_volatile(5) };
            } else if fabric.rank() == 1 {
                fabric
                    .wait(None, &mut || Ok(shared.load(0) == 5))
                    .expect("it is stored");
            }
        });
        assert!(outcome.is_ok(), "{outcome:?}");
    }
}

#[test]
fn senseless_networks_are_refused_by_name() {
    let refused = |network: Network| match run(&network, 1, |_| ()) {
        Err(Error::Parameter { parameter, .. }) => parameter,
        other => panic!("{other:?}"),
    };
    let base = network();
    assert_eq!(
        refused(Network {
            poll: Duration::ZERO,
            ..base.clone()
        }),
        "poll"
    );
    assert_eq!(
        refused(Network {
            packet: 100,
            ..base.clone()
        }),
        "packet"
    );
    assert_eq!(
        refused(Network {
            message_credits: 0,
            ..base.clone()
        }),
        "message_credits"
    );
    assert_eq!(
        refused(Network {
            receive_descriptors: 0,
            ..base
        }),
        "receive_descriptors"
    );
    assert!(matches!(
        run(&network(), 0, |_| ()),
        Err(Error::RankOutOfRange { .. })
    ));
    let killed = Simulation::new(&network(), 2).kill(2, us(1)).run(|_| ());
    assert!(matches!(killed, Err(Error::RankOutOfRange { rank: 2, ranks: 2 })));
}
