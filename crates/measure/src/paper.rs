//! What paper 002 prints: Table 1, and in words the order of the designs in its figures.

use farside::Fence;

/// Table 1, column Barrier: ranks, microseconds. The only figures to which constants of the simulation are fitted.
pub const BARRIER: [(u32, f64); 6] = [
    (2, 3.66),
    (4, 10.79),
    (8, 18.65),
    (16, 27.21),
    (32, 37.89),
    (64, 44.13),
];

/// Table 1, column Allreduce, 256 bytes.
pub const ALLREDUCE: [(u32, f64); 6] = [
    (2, 7.75),
    (4, 13.78),
    (8, 20.9),
    (16, 30.34),
    (32, 43.15),
    (64, 51.9),
];

/// Table 1, column Reduce_Scatter, 256 bytes.
pub const REDUCE_SCATTER: [(u32, f64); 6] = [
    (2, 6.84),
    (4, 11.27),
    (8, 16.26),
    (16, 21.99),
    (32, 29.19),
    (64, 33.18),
];

/// Whether a run was on the network of the paper, one rank a node: only beside such a run stands what the paper prints.
#[must_use]
pub fn is_of(place: &str) -> bool {
    place == "sim:infiniband_2009"
}

/// Microseconds that Table 1 has for a collective call.
#[must_use]
pub fn table_1(collective: &str, ranks: u32) -> Option<f64> {
    let column = match collective {
        "barrier" => &BARRIER,
        "allreduce" => &ALLREDUCE,
        "reduce-scatter" => &REDUCE_SCATTER,
        _ => return None,
    };
    column
        .iter()
        .find(|(row, _)| *row == ranks)
        .map(|(_, time)| *time)
}

/// The order of the paper's designs in a figure, the fastest first, and where the paper says so. Designs that the text does not
/// compare stand in no order here.
#[must_use]
pub fn order(study: &str) -> Option<(&'static str, &'static [Fence])> {
    use Fence::{Deferred, ImmNaive, ImmOpt, ImmRi};
    Some(match study {
        "fence, no put" => ("Fig. 7, §4.2.3", &[Deferred, ImmOpt, ImmRi, ImmNaive]),
        "fence, one put of 16 bytes" => ("Fig. 8, §4.2.4", &[Deferred, ImmRi, ImmOpt, ImmNaive]),
        "fence, puts of 16 bytes to 8 neighbours" => ("Fig. 9, §4.2.4", &[Deferred, ImmRi, ImmOpt]),
        "halo, 4 neighbours" => ("Fig. 10 (a), §4.2.5", &[ImmRi, Deferred]),
        "halo, 8 neighbours" => ("Fig. 10 (b), §4.2.5", &[ImmRi, Deferred]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside::sim::Network;
    use std::time::Duration;

    /// `Network::infiniband_2009` is fitted to the column Barrier, and to nothing else.
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
}
