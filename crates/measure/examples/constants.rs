//! On what the order of Fence-Imm-Opt and Fence-Imm-RI hangs (paper 002, Figs. 7 to 9): the network of the paper, with
//! one constant after the other that the paper does not give and the fit does not touch set to other values.
//!
//! `constants [RANKS [SAMPLES]]` prints a table: what RI takes, in hundredths of what Opt takes, by the row of the
//! figures; below 100, RI is the faster one.

use farside::sim::{Link, Network};
use farside_measure::Fence;
use farside_measure::epochs::Epochs;
use farside_measure::programs::median_epoch;
use std::time::Duration;

fn main() -> Result<(), farside::Error> {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u32>());
    let mut number = |default| arguments.next().and_then(Result::ok).unwrap_or(default).max(2);
    let (ranks, samples) = (number(64), number(20));
    let rows = Epochs::fences(ranks);
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    println!("| {ranks} ranks | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(rows.len()));
    for (name, network) in networks() {
        let shares: Result<Vec<String>, farside::Error> = rows
            .iter()
            .map(|(_, epochs)| {
                let opt = median_epoch(&network, ranks, samples, Fence::ImmOpt, epochs)?;
                let ri = median_epoch(&network, ranks, samples, Fence::ImmRi, epochs)?;
                Ok(format!("{:.1} ({ri:.1} to {opt:.1} us)", 100.0 * ri / opt))
            })
            .collect();
        println!("| {name} | {} |", shares?.join(" | "));
    }
    Ok(())
}

/// The paper's network, and others that differ in one constant.
fn networks() -> Vec<(&'static str, Network)> {
    let paper = Network::infiniband_2009();
    let nanoseconds = Duration::from_nanos;
    let link = |change: fn(&mut Link)| {
        let mut network = paper.clone();
        change(&mut network.link);
        network
    };
    // One way stays what Table 1 has for a barrier of 2 ranks.
    let overhead = |overhead: u64| Network {
        overhead: nanoseconds(overhead),
        link: Link {
            latency: paper.link.latency + paper.overhead - nanoseconds(overhead),
            ..paper.link
        },
        ..paper.clone()
    };
    let receive = |time: u64| Network {
        receive_overhead: nanoseconds(time),
        ..paper.clone()
    };
    vec![
        ("as it is", paper.clone()),
        ("overhead 0.25 us for 0.5", overhead(250)),
        ("overhead 1.5 us", overhead(1500)),
        ("receive overhead 0.1 us for 0.8", receive(100)),
        ("receive overhead 3 us", receive(3000)),
        (
            "gap 0.2 us for 1",
            link(|link| link.gap = Duration::from_nanos(200)),
        ),
        ("gap 3 us", link(|link| link.gap = Duration::from_micros(3))),
        ("4 GB/s for 1", link(|link| link.byte_picoseconds = 250)),
        (
            "copies take no time, for 2 GB/s",
            Network {
                copy_picoseconds: 0,
                ..paper.clone()
            },
        ),
        (
            "bytes take no time at all",
            Network {
                copy_picoseconds: 0,
                ..link(|link| link.byte_picoseconds = 0)
            },
        ),
        (
            "no change of connection, for 1.95 us",
            Network {
                connection: Duration::ZERO,
                ..paper.clone()
            },
        ),
    ]
}
