//! What paper 002 prints, beside what the crate `farside` calls things and takes for constants.

use farside::Fence;
use farside::sim::Network;
use farside_measurements::paper::{BARRIER, Order};
use std::time::Duration;

/// `Network::infiniband_2009` is fitted to the column Barrier, and to nothing else.
#[test]
fn constants_are_the_first_row_and_the_slope_of_the_others() {
    let network = Network::infiniband_2009();
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    // A round between two ranks: a put, and a look at the memory.
    let round = microseconds(network.overhead + network.link.latency + network.poll);
    assert!((round - BARRIER[0].1).abs() < 0.005, "{round}");
    // In each round a rank turns to the next partner to send, and to another one to receive; in the last one both are
    // the same.
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
fn the_designs_in_the_papers_figures_are_fences_of_ours() {
    let designs = [Fence::Deferred, Fence::ImmNaive, Fence::ImmOpt, Fence::ImmRi];
    let known = designs.map(Fence::name);
    for study in [
        "fence, no put",
        "fence, one put of 16 bytes",
        "halo, 4 neighbours",
    ] {
        let order = Order::of(study).expect("the paper has this figure");
        let all = order.levels.concat();
        assert_eq!(all.len(), known.len(), "{study}");
        assert!(all.iter().all(|name| known.contains(name)), "{study}: {all:?}");
    }
}
