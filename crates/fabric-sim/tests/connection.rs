//! What a change of partner costs (`Network::connection`).

mod setting;

use farside_fabric_sim::{Network, run};
use setting::barrier;
use std::time::Duration;

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
