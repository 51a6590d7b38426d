//! The suite that every transport passes, on networks of all kinds.

use farside_fabric::Progress;
use farside_fabric::conformance::{self, Check, Extent, Rig};
use farside_fabric_sim::{Link, Network, Nodes, Rarely, Routing, Simulation};
use std::time::Duration;

const SIZES: [u32; 5] = [1, 2, 3, 4, 16];

fn extent(ranks: u32) -> Extent {
    Extent {
        // Of virtual time.
        limit: Duration::from_secs(60),
        rounds: if ranks > 4 { 40 } else { 120 },
        large: 4 << 20,
    }
}

/// All checks at all sizes; of 16 ranks without the one that has ten thousand puts of each to each, which takes as long as all
/// others together and is made on one network.
fn conforms(network: &Network) {
    for ranks in SIZES {
        let checks: Vec<Check> = conformance::checks()
            .into_iter()
            .filter(|check| {
                check.ranks <= ranks && (ranks < 16 || check.name != "many puts and gets in flight")
            })
            .collect();
        assert!(checks.len() > 25);
        Simulation::new(network, ranks)
            .try_run(|fabric| {
                let rig = Rig::new(fabric, extent(ranks));
                checks.iter().try_for_each(|check| {
                    (check.run)(&rig).map_err(|failure| format!("{}: {failure}", check.name))?;
                    rig.barrier().map_err(|error| format!("{}: {error}", check.name))
                })
            })
            .unwrap_or_else(|error| panic!("{ranks} ranks: {error}"));
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
    conforms(&network);
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
