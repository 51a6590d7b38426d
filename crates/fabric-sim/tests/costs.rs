//! What things cost, against LogGP computed by hand. All times are exact.

mod setting;

use farside_fabric::conformance::{Rig, Shared};
use farside_fabric::{Fabric, Progress, Signal};
use farside_fabric_sim::{Choice, Choices, Link, Network, Nodes, Rarely, Simulation};
use setting::{START, barrier, compute_until, ns, put, rig, round_numbers, seen, us};
use std::time::Duration;

/// Rank 0 starts something at `START`, and flushes; how long that took. The other rank computes all the while.
fn takes(network: &Network, bytes: usize, start: impl Fn(&Rig<'_>, &Shared)) -> Duration {
    let outcome = Simulation::new(network, 2)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(bytes).expect("memory");
            compute_until(fabric, START);
            if fabric.rank() == 1 {
                fabric.compute(Duration::from_secs(1));
                return None;
            }
            start(&rig, &shared);
            Some(fabric.now() - START)
        })
        .expect("the run ends");
    outcome.results[0].flatten().expect("rank 0 measures")
}

#[test]
fn one_put() {
    let time = takes(&round_numbers(), 8, |rig, shared| {
        rig.put(shared, 1, 0, &[1; 8]).expect("in bounds");
        rig.flush(shared).expect("nobody dies");
    });
    // o + L + 8 G, and L for the acknowledgement.
    assert_eq!(time, ns(100 + 1000 + 8 + 1000));
}

#[test]
fn a_put_is_local_when_it_was_read() {
    let time = takes(&round_numbers(), 1000, |rig, shared| {
        let bytes = [1; 1000];
        rig.put(shared, 1, 0, &bytes).expect("in bounds");
        rig.fabric
            .flush_local(shared.scope, Some(1))
            .expect("nobody dies");
    });
    // o + 1000 G.
    assert_eq!(time, ns(100 + 1000));
}

#[test]
fn ten_puts_are_bound_by_the_gap() {
    let time = takes(&round_numbers(), 80, |rig, shared| {
        let bytes = [1; 80];
        for number in 0..10 {
            let at = 8 * number;
            rig.put(shared, 1, at, &bytes[at..at + 8]).expect("in bounds");
        }
        rig.flush(shared).expect("nobody dies");
    });
    // The first leaves after its overhead, each other g later.
    assert_eq!(time, ns(100 + 9 * 200 + 8 + 2 * 1000));
}

#[test]
fn ten_puts_are_bound_by_the_overhead_where_that_is_longer() {
    let network = Network {
        overhead: ns(300),
        ..round_numbers()
    };
    let time = takes(&network, 80, |rig, shared| {
        let bytes = [1; 80];
        for number in 0..10 {
            let at = 8 * number;
            rig.put(shared, 1, at, &bytes[at..at + 8]).expect("in bounds");
        }
        rig.flush(shared).expect("nobody dies");
    });
    assert_eq!(time, ns(10 * 300 + 8 + 2 * 1000));
}

#[test]
fn a_mebibyte_is_bound_by_the_bandwidth() {
    const BYTES: usize = 1 << 20;
    let time = takes(&round_numbers(), BYTES, |rig, shared| {
        let bytes = vec![1; BYTES];
        rig.put(shared, 1, 0, &bytes).expect("in bounds");
        rig.flush(shared).expect("nobody dies");
    });
    assert_eq!(time, ns(100 + BYTES as u64 + 2 * 1000));
}

#[test]
fn a_get_goes_there_and_back() {
    for bytes in [8, 1 << 20] {
        let time = takes(&round_numbers(), bytes, |rig, shared| {
            let mut found = vec![0; bytes];
            rig.get(shared, 1, 0, &mut found).expect("in bounds");
            rig.flush(shared).expect("nobody dies");
        });
        assert_eq!(time, ns(100 + 1000 + 1000 + bytes as u64));
    }
}

#[test]
fn a_put_waits_for_calls_of_its_target_only_without_an_adapter() {
    for (progress, expected) in [
        (Progress::Passive, ns(2108)),
        // 50 ns more for the thread.
        (Progress::Thread, ns(2158)),
        // The target computes for a second, then returns, and never calls: it is at its next call that it moves.
        (Progress::Calls, Duration::from_secs(1) + ns(50 + 1000)),
    ] {
        let network = Network {
            progress,
            ..round_numbers()
        };
        let outcome = Simulation::new(&network, 2)
            .run(|fabric| {
                let rig = rig(fabric);
                let shared = rig.share(8).expect("memory");
                compute_until(fabric, START);
                if fabric.rank() == 1 {
                    fabric.compute(Duration::from_secs(1));
                    let _ = fabric.lost();
                    return None;
                }
                rig.put(&shared, 1, 0, &[1; 8]).expect("in bounds");
                rig.flush(&shared).expect("nobody dies");
                Some(fabric.now() - START)
            })
            .expect("the run ends");
        assert_eq!(outcome.results[0], Some(Some(expected)), "{progress:?}");
    }
}

#[test]
fn eight_to_one_wait_for_the_port_of_the_target() {
    let outcome = Simulation::new(&round_numbers(), 9)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(8000).expect("memory");
            compute_until(fabric, START);
            let bytes = [1; 1000];
            if fabric.rank() > 0 {
                rig.put(&shared, 0, 1000 * (fabric.rank() as usize - 1), &bytes)
                    .expect("in bounds");
                rig.flush(&shared).expect("nobody dies");
            }
            fabric.now() - START
        })
        .expect("the run ends");
    let mut times: Vec<Duration> = outcome.results[1..].iter().flatten().copied().collect();
    times.sort();
    // All arrive at once; the port takes 1000 G for each; then L for the acknowledgement.
    let expected: Vec<Duration> = (1..=8)
        .map(|number| ns(100 + 1000 + number * 1000 + 1000))
        .collect();
    assert_eq!(times, expected);
}

#[test]
fn a_message_costs_both_sides() {
    let network = Network {
        copy_picoseconds: 500,
        ..round_numbers()
    };
    let outcome = Simulation::new(&network, 2)
        .run(|fabric| {
            compute_until(fabric, START);
            if fabric.rank() == 0 {
                fabric.send(1, 0, &[0; 1000]).expect("there is a rank 1");
            } else {
                fabric
                    .wait(None, &mut || Ok(fabric.receive()?.is_some()))
                    .expect("it comes");
            }
            fabric.now() - START
        })
        .expect("the run ends");
    // The sender: o and a copy. The receiver: that, L, 1000 G, its own overhead and a copy.
    let sent = 100 + 500;
    assert_eq!(
        outcome.results,
        [Some(ns(sent)), Some(ns(sent + 1000 + 1000 + 50 + 500))]
    );
}

#[test]
fn a_dissemination_barrier_takes_a_message_a_round() {
    for (ranks, rounds) in [(2, 1), (3, 2), (4, 2), (16, 4), (64, 6)] {
        let outcome = Simulation::new(&round_numbers(), ranks)
            .run(|fabric| barrier(fabric, 0))
            .expect("the run ends");
        assert_eq!(outcome.duration, ns(rounds * (100 + 1000 + 50)), "{ranks} ranks");
        assert_eq!(outcome.total().messages, u64::from(ranks) * rounds);
    }
}

#[test]
fn a_receiver_that_is_not_ready_is_tried_again_at_intervals() {
    let network = Network {
        receive_descriptors: 1,
        ..round_numbers()
    };
    let outcome = Simulation::new(&network, 2)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(8).expect("memory");
            compute_until(fabric, START);
            if fabric.rank() == 0 {
                for immediate in [7, 8] {
                    put(
                        fabric,
                        shared.scope,
                        shared.remotes[1],
                        0,
                        &[],
                        Signal::Immediate(immediate),
                    );
                }
                // Ordered after them: it waits as well.
                put(fabric, shared.scope, shared.remotes[1], 0, &[1; 8], Signal::None);
                rig.flush(&shared).expect("nobody dies");
                return Vec::new();
            }
            fabric.compute(us(25));
            let first = fabric.notification().expect("nothing is lost");
            assert_eq!(shared.load(0), 0);
            let mut times = vec![first.map(|first| first.immediate)];
            times.push(
                fabric
                    .notification()
                    .expect("nothing is lost")
                    .map(|next| next.immediate),
            );
            let came = seen(&rig, &shared) - START;
            times.push(Some(came.as_nanos() as u32));
            times.push(
                fabric
                    .notification()
                    .expect("nothing is lost")
                    .map(|next| next.immediate),
            );
            times
        })
        .expect("the run ends");
    // The second arrives at o + g + L = 1300 ns and is refused; attempts follow at 11.3, 21.3 and 31.3 us.
    assert_eq!(
        outcome.results[1],
        Some(vec![Some(7), None, Some(31_300), Some(8)])
    );
    assert_eq!(outcome.total().receiver_not_ready, 3);
}

/// Loses one packet, the first of the put.
struct LoseOne {
    /// Packets left until then.
    before: u32,
}

impl Choices for LoseOne {
    fn choose(&mut self, choice: Choice, _: u32) -> u32 {
        match choice {
            Choice::Loss => {
                self.before = self.before.wrapping_sub(1);
                u32::from(self.before != 0)
            }
            _ => 0,
        }
    }
}

#[test]
fn a_lost_packet_holds_up_what_is_ordered_after_it() {
    let network = Network {
        loss: Some(Rarely {
            one_in: 2,
            time: us(40),
        }),
        ..round_numbers()
    };
    let run = |before| {
        let outcome = Simulation::new(&network, 2)
            .choices(LoseOne { before })
            .run(|fabric| {
                let rig = rig(fabric);
                let shared = rig.share(16).expect("memory");
                let set_up = fabric.counters().expect("this is the rank").packets;
                compute_until(fabric, START);
                if fabric.rank() == 1 {
                    let came = seen(&rig, &shared) - START;
                    return (set_up, came);
                }
                rig.put(&shared, 1, 8, &[1; 8]).expect("in bounds");
                rig.put(&shared, 1, 0, &[1; 8]).expect("in bounds");
                rig.flush(&shared).expect("nobody dies");
                (set_up, Duration::ZERO)
            })
            .expect("the run ends");
        let came = outcome.results[1].expect("rank 1 sees it").1;
        let set_up: u64 = outcome.results.iter().flatten().map(|(packets, _)| packets).sum();
        (came, set_up as u32, outcome.total().retransmissions)
    };
    let (undisturbed, packets, lost) = run(0);
    assert_eq!((undisturbed, lost), (ns(100 + 200 + 1000 + 8), 0));
    // The first put is the packet after those of the set-up. It comes o + 40 us + L later; the second directly after
    // it: the port of the target is busy for g.
    let (late, _, lost) = run(packets + 1);
    assert_eq!((late, lost), (ns(100 + 40_000 + 1000 + 200 + 8), 1));
}

#[test]
fn ranks_of_a_node_may_share_an_adapter() {
    for shared_adapter in [false, true] {
        let nodes = Nodes {
            shared_adapter,
            ..Nodes::shared_memory(2)
        };
        let network = Network {
            nodes: Some(nodes),
            ..round_numbers()
        };
        let outcome = Simulation::new(&network, 4)
            .run(|fabric| {
                let rig = rig(fabric);
                let shared = rig.share(4096).expect("memory");
                compute_until(fabric, START);
                if fabric.rank() < 2 {
                    // Ranks 0 and 1 to ranks 2 and 3, at the same time.
                    rig.put(&shared, fabric.rank() + 2, 0, &[1; 4096])
                        .expect("in bounds");
                    rig.flush(&shared).expect("nobody dies");
                }
                fabric.now() - START
            })
            .expect("the run ends");
        let alone = ns(100 + 1000 + 4096 + 1000);
        // The second leaves when the first has left, and finds the reception port free.
        let second = if shared_adapter { alone + ns(4096) } else { alone };
        let mut times = outcome.results[..2].to_vec();
        times.sort();
        assert_eq!(times, [Some(alone), Some(second)]);
    }
}

#[test]
fn a_node_is_nearer_and_its_ports_are_its_own() {
    let network = Network {
        nodes: Some(Nodes {
            ranks: 2,
            link: Link {
                latency: ns(50),
                gap: ns(10),
                byte_picoseconds: 100,
            },
            overhead: ns(20),
            shared_adapter: false,
            mapped: true,
        }),
        ..round_numbers()
    };
    let outcome = Simulation::new(&network, 4)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(4096).expect("memory");
            compute_until(fabric, START);
            let mut times = Vec::new();
            if fabric.rank() == 0 {
                let bytes = [1; 4096];
                // What goes far does not hold up what goes near.
                rig.put(&shared, 2, 0, &bytes).expect("in bounds");
                rig.put(&shared, 1, 0, &bytes[..1000]).expect("in bounds");
                for target in [1, 2] {
                    fabric.flush(shared.scope, Some(target)).expect("nobody dies");
                    times.push(fabric.now() - START);
                }
            }
            let mapped: Vec<bool> = shared
                .remotes
                .iter()
                .map(|remote| fabric.mapped(remote).is_some())
                .collect();
            (times, mapped)
        })
        .expect("the run ends");
    let (times, mapped) = outcome.results[0].clone().expect("rank 0 measures");
    assert_eq!(
        times,
        [ns(100 + 20 + 50 + 100 + 50), ns(100 + 1000 + 4096 + 1000)]
    );
    assert_eq!(mapped, [true, true, false, false]);
}
