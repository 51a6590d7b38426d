//! The suite that every transport passes, on networks of all kinds.

use farside_fabric::conformance::{self, Extent, Rig};
use farside_fabric::{Fabric, Progress};
use farside_fabric_sim::{
    Choice, Choices, Link, Network, Nodes, Random, Rarely, Routing, SimFabric, Simulation,
};
use std::time::Duration;

const SIZES: &[u32] = &[1, 2, 3, 4, 16];

fn extent(ranks: u32) -> Extent {
    Extent {
        // Of virtual time.
        limit: Duration::from_secs(60),
        rounds: if ranks > 4 { 40 } else { 120 },
        large: 4 << 20,
    }
}

/// All checks but the one that has ten thousand puts of each rank to each: it takes as long as all others together.
fn all_but_many(fabric: &SimFabric, extent: Extent) -> Result<usize, String> {
    let rig = Rig::new(fabric, extent);
    let checks = conformance::checks();
    let chosen = checks
        .iter()
        .filter(|check| check.ranks <= fabric.size() && check.name != "many puts and gets in flight");
    let mut number = 0;
    for check in chosen {
        let failed = |reason: String| format!("{}: {reason}", check.name);
        (check.run)(&rig).map_err(|failure| failed(failure.to_string()))?;
        rig.barrier().map_err(|error| failed(error.to_string()))?;
        number += 1;
    }
    Ok(number)
}

/// All checks at all sizes, by day at two of them.
fn conforms(network: &Network) {
    let sizes = match farside_built::is_night() {
        true => SIZES,
        false => &[3, 16],
    };
    conforms_at(sizes, network);
}

/// All checks; of 16 ranks without the long one, which is made on one network.
fn conforms_at(sizes: &[u32], network: &Network) {
    for &ranks in sizes {
        let outcome = Simulation::new(network, ranks)
            .try_run(|fabric| {
                if ranks < 16 {
                    conformance::run(fabric, extent(ranks), "", &mut |_| ())
                        .map_err(|failure| failure.to_string())
                } else {
                    all_but_many(fabric, extent(ranks))
                }
            })
            .unwrap_or_else(|error| panic!("{ranks} ranks: {error}"));
        assert!(outcome.results.iter().all(|number| *number > Some(25)));
    }
}

fn reordering() -> Network {
    Network {
        seed: 11,
        routing: Routing::Adaptive {
            paths: 8,
            spread: Duration::from_micros(20),
        },
        ..Network::ethernet_100g()
    }
}

#[test]
fn ordered() {
    let network = Network::ethernet_100g();
    conforms_at(SIZES, &network);
    let outcome = Simulation::new(&network, 16)
        .try_run(|fabric| conformance::run(fabric, extent(16), "", &mut |_| ()))
        .unwrap_or_else(|error| panic!("{error}"));
    let all = conformance::checks().len();
    assert!(outcome.results.iter().all(|number| *number == Some(all)));
}

#[test]
fn the_cluster_of_the_paper() {
    conforms(&Network::infiniband_2009());
}

#[test]
fn adaptive_routing() {
    conforms(&reordering());
}

#[test]
fn delays_and_losses_on_an_ordered_network() {
    conforms(&Network {
        seed: 5,
        delay: Some(Rarely {
            one_in: 4,
            time: Duration::from_micros(30),
        }),
        loss: Some(Rarely {
            one_in: 50,
            time: Duration::from_micros(100),
        }),
        ..Network::ethernet_100g()
    });
}

#[test]
fn delays_and_losses_with_adaptive_routing() {
    conforms(&Network {
        loss: Some(Rarely {
            one_in: 20,
            time: Duration::from_micros(100),
        }),
        ..reordering()
    });
}

#[test]
fn progress_by_calls() {
    conforms(&Network::tcp());
}

#[test]
fn progress_by_calls_with_adaptive_routing() {
    conforms(&Network {
        progress: Progress::Calls,
        ..reordering()
    });
}

#[test]
fn progress_by_a_thread() {
    conforms(&Network {
        progress: Progress::Thread,
        ..Network::tcp()
    });
}

#[test]
fn few_receive_descriptors_and_credits() {
    for network in [Network::ethernet_100g(), reordering(), Network::tcp()] {
        conforms(&Network {
            receive_descriptors: 2,
            message_credits: 1,
            ..network
        });
    }
}

#[test]
fn an_adapter_that_hesitates() {
    for network in [Network::ethernet_100g(), reordering()] {
        conforms(&Network {
            hesitation: Duration::from_micros(10),
            ..network
        });
    }
}

#[test]
fn few_operations_in_flight() {
    for network in [reordering(), Network::tcp()] {
        conforms(&Network {
            in_flight: 3,
            ..network
        });
    }
}

#[test]
fn no_signals_and_no_atomic_operations() {
    conforms(&Network {
        immediate_bits: 0,
        counts: false,
        atomics: false,
        ..Network::ethernet_100g()
    });
    conforms(&Network {
        immediate_bits: 16,
        ..Network::ethernet_100g()
    });
}

#[test]
fn nodes_with_mapped_memory() {
    for (ranks, network) in [
        (2, reordering()),
        (4, Network::ethernet_100g()),
        (16, reordering()),
    ] {
        conforms(&Network {
            nodes: Some(Nodes {
                ranks,
                link: Link {
                    latency: Duration::from_nanos(60),
                    gap: Duration::from_nanos(5),
                    byte_picoseconds: 100,
                },
                overhead: Duration::from_nanos(10),
                shared_adapter: ranks == 4,
                mapped: true,
            }),
            ..network
        });
    }
}

#[test]
fn everything_at_once_and_nothing_costs() {
    let nothing = Link {
        latency: Duration::ZERO,
        gap: Duration::ZERO,
        byte_picoseconds: 0,
    };
    conforms(&Network {
        link: nothing,
        overhead: Duration::ZERO,
        receive_overhead: Duration::ZERO,
        copy_picoseconds: 0,
        poll: Duration::from_nanos(1),
        packet: 64,
        ..Network::ethernet_100g()
    });
}

/// A network with parameters of all kinds, drawn from a seed.
fn any_network(seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut below = |limit: u32| random.choose(Choice::Amount, limit);
    let rarely = |wanted: u32, one_in: u32, time: u32| {
        (wanted == 0).then_some(Rarely {
            one_in: one_in + 2,
            time: Duration::from_nanos(time.into()),
        })
    };
    Network {
        seed,
        link: Link {
            latency: Duration::from_nanos(below(3000).into()),
            gap: Duration::from_nanos(below(500).into()),
            byte_picoseconds: below(2000).into(),
        },
        overhead: Duration::from_nanos(below(600).into()),
        receive_overhead: Duration::from_nanos(below(600).into()),
        connection: Duration::from_nanos(u64::from(below(4)) * 500),
        copy_picoseconds: below(1000).into(),
        poll: Duration::from_nanos(u64::from(below(100)) + 1),
        packet: 64 + 8 * below(1000) as usize,
        routing: match below(3) {
            0 => Routing::Ordered,
            paths => Routing::Adaptive {
                paths: 3 * paths - 2,
                spread: Duration::from_nanos(below(30_000).into()),
            },
        },
        delay: rarely(below(3), below(20), below(50_000)),
        hesitation: Duration::from_nanos(if below(3) == 0 { below(20_000).into() } else { 0 }),
        loss: rarely(below(3), below(20), below(50_000)),
        receive_descriptors: 1 + below(40) as usize,
        retry: Duration::from_nanos(u64::from(below(20_000)) + 1),
        in_flight: 10_000,
        message_credits: 1 + below(20),
        message_bytes: 1024 + below(5000) as usize,
        immediate_bits: below(33),
        counts: below(4) > 0,
        atomics: below(8) > 0,
        progress: [Progress::Passive, Progress::Thread, Progress::Calls][below(3) as usize],
        nodes: (below(3) == 0).then_some(Nodes {
            ranks: 1 + below(4),
            link: Link {
                latency: Duration::from_nanos(below(300).into()),
                gap: Duration::from_nanos(below(50).into()),
                byte_picoseconds: below(500).into(),
            },
            overhead: Duration::from_nanos(below(100).into()),
            shared_adapter: below(2) > 0,
            mapped: true,
        }),
        detection: Duration::from_micros(below(1000).into()),
    }
}

#[test]
fn any_network_conforms() {
    let extent = Extent {
        limit: Duration::from_secs(60),
        rounds: 14,
        large: 100_000,
    };
    for seed in 0..40 {
        let (network, ranks) = (any_network(seed), 1 + seed as u32 % 5);
        let run = || {
            let outcome = Simulation::new(&network, ranks)
                .try_run(|fabric| all_but_many(fabric, extent).map(|_| fabric.now()))
                .unwrap_or_else(|error| panic!("{network:?}, {ranks} ranks: {error}"));
            (outcome.duration, outcome.results, outcome.counters)
        };
        let first = run();
        // Some of them twice, and the same both times.
        if seed % 10 == 0 {
            assert_eq!(first, run());
        }
    }
}

#[test]
fn a_lost_rank_is_noticed() {
    for network in [Network::ethernet_100g(), reordering(), Network::tcp()] {
        for ranks in [2, 3, 16] {
            let outcome = Simulation::new(&network, ranks)
                .try_run(|fabric| {
                    conformance::lose(fabric, extent(ranks), &mut || {
                        let _ = fabric.die();
                    })
                })
                .unwrap_or_else(|error| panic!("{ranks} ranks: {error}"));
            let (last, others) = outcome.results.split_last().expect("there are ranks");
            assert_eq!(*last, None);
            assert!(others.iter().all(Option::is_some));
        }
    }
}
