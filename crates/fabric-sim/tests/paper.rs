//! `Network::infiniband_2009` beside Table 1 of paper 002: its constants are fitted to the column Barrier, and to nothing else.

mod setting;

use farside_fabric_sim::{Network, run};
use setting::barrier;
use std::time::Duration;

/// Table 1, column Barrier: ranks, microseconds.
const BARRIER: [(u32, f64); 6] = [
    (2, 3.66),
    (4, 10.79),
    (8, 18.65),
    (16, 27.21),
    (32, 37.89),
    (64, 44.13),
];

#[test]
fn constants_are_the_first_row_and_the_slope_of_the_others() {
    let network = Network::infiniband_2009();
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    // A round between two ranks: a put, and a look at the memory.
    let round = microseconds(network.overhead + network.link.latency + network.poll);
    assert!((round - BARRIER[0].1).abs() < 0.005, "{round}");
    // In each round a rank turns to the next partner to send, and to another one to receive; in the last one both are the same.
    let changes = |rounds: f64| 2.0 * rounds - 1.0;
    let (mut products, mut squares) = (0.0, 0.0);
    for (ranks, time) in &BARRIER[1..] {
        let rounds = f64::from(ranks.trailing_zeros());
        products += changes(rounds) * (time - rounds * BARRIER[0].1);
        squares += changes(rounds).powi(2);
    }
    let slope: f64 = products / squares;
    assert!((slope - microseconds(network.connection)).abs() < 0.01, "{slope}");
}

#[test]
fn a_change_of_partner_costs_both_adapters() {
    let duration = |ranks: u32, connection: u64| {
        let network = Network {
            connection: Duration::from_nanos(connection),
            ..Network::infiniband_2009()
        };
        run(&network, ranks, |fabric| barrier(fabric, 0))
            .expect("no deadlock")
            .duration
    };
    // The first contact, at both ends; then never again.
    assert_eq!(duration(2, 1000), duration(2, 0) + Duration::from_nanos(1000));
    // Round 1: to one, from another; round 2: to the rank opposite, from there.
    let four = duration(4, 1000) - duration(4, 0);
    assert!(four >= Duration::from_nanos(3000), "{four:?}");
}
