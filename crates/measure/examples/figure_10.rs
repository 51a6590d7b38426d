//! Where Figure 10 of paper 002 holds: a halo exchange on the network of the paper, with lengths of messages and times
//! of computation that the paper does not give.
//!
//! `figure_10 [RANKS [SAMPLES]]` prints a table: what Fence-Imm-RI takes, in hundredths of what the fastest of the
//! other three designs takes, and which that is. Below 100 the claim holds. Times are virtual, and the same each time.

use farside::sim::Network;
use farside_measure::Fence;
use farside_measure::epochs::Epochs;
use farside_measure::programs::median_epoch;
use std::time::Duration;

const OTHERS: [Fence; 3] = [Fence::Deferred, Fence::ImmNaive, Fence::ImmOpt];

fn main() -> Result<(), farside::Error> {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u32>());
    let mut number = |default, least| {
        arguments
            .next()
            .and_then(Result::ok)
            .unwrap_or(default)
            .max(least)
    };
    let (ranks, samples) = (number(16, 9), number(5, 1));
    let times = [0, 30, 100, 300].map(Duration::from_micros);
    for neighbours in [4, 8] {
        let head = times.map(|time| format!("{} us", time.as_micros()));
        println!(
            "| {ranks} ranks, {neighbours} neighbours; computation | {} |",
            head.join(" | ")
        );
        println!("|---|{}", "---|".repeat(times.len()));
        for bytes in [16, 1 << 10, 4 << 10, 16 << 10, 64 << 10] {
            let cells: Result<Vec<String>, farside::Error> = times
                .iter()
                .map(|&time| {
                    let what = Epochs::halo(ranks, neighbours, bytes, time);
                    let ri = median_epoch(&Network::infiniband_2009(), ranks, samples, Fence::ImmRi, &what)?;
                    let mut best = (f64::INFINITY, Fence::Deferred);
                    for fence in OTHERS {
                        let other = median_epoch(&Network::infiniband_2009(), ranks, samples, fence, &what)?;
                        if other < best.0 {
                            best = (other, fence);
                        }
                    }
                    Ok(format!("{:.0} ({})", 100.0 * ri / best.0, best.1))
                })
                .collect();
            println!("| {bytes} bytes | {} |", cells?.join(" | "));
        }
        println!();
    }
    Ok(())
}
