//! `farside-bench rma`: what one-sided calls cost between two ranks, with the crate `farside` and with the MPIs; and
//! what collective ones cost where 4, 8 and 16 ranks share the processors.
//!
//! Contestants run the same rows: `bench/rma/mpi.c` for an MPI, `crates/rma/examples/rows.rs` for farside, which also
//! measures the floor: a cache line that goes to another process and back, a copy between mapped pages. They take
//! turns; every sample of every round is in the raw data. A program that finds a wrong result is left out, and is a
//! failure.

mod contestant;
mod table;

use crate::Common;
use crate::folder::Folder;
use contestant::Contestant;
use farside_measure::job;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of `rma`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Samples a row and round.
    #[arg(long, default_value_t = 200)]
    samples: u32,
    /// Rounds: all contestants take turns this often.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Seconds a run may take.
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// Contestants of which the name contains this only, such as `shm` or `tcp`.
    #[arg(long, default_value = "")]
    only: String,
    /// Folder of the sources.
    #[arg(long, default_value = "bench/rma")]
    sources: PathBuf,
    /// Folder for binaries.
    #[arg(long, default_value = "target/bench-rma")]
    work: PathBuf,
}

/// A run of a contestant.
#[derive(Debug, Serialize)]
struct Run {
    contestant: String,
    round: u32,
    command: String,
    /// Nanoseconds an operation, of each sample, by row.
    rows: BTreeMap<String, Vec<f64>>,
}

/// Measures, writes `rma.json` and `rma-table.md`. Gives whether all went well.
///
/// # Errors
/// A program cannot be built or started, or a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folder = Folder::create(&arguments.common)?;
    let (samples, rounds) = if arguments.common.quick {
        (10, 1)
    } else {
        (arguments.samples, arguments.rounds)
    };
    let contestants: Vec<Contestant> = contestant::all(&arguments.sources, &arguments.work, &arguments.only)?;
    let mut runs = Vec::new();
    let mut failures = Vec::new();
    for round in 1..=rounds {
        for contestant in &contestants {
            eprintln!("farside-bench: round {round} of {rounds}: {}", contestant.name);
            let words = contestant.command(samples);
            let environment: Vec<_> = contestant
                .environment
                .iter()
                .map(|(k, v)| (*k, v.as_str()))
                .collect();
            let ended = job::run(&words, &environment, Duration::from_secs(arguments.limit))?;
            match read(&ended.output) {
                Some(rows) if ended.status == Some(0) => runs.push(Run {
                    contestant: contestant.name.clone(),
                    round,
                    command: words.join(" "),
                    rows,
                }),
                _ => failures.push(format!(
                    "{}, round {round}: status {:?}: {}",
                    contestant.name,
                    ended.status,
                    ended.errors.trim().lines().last().unwrap_or("no message")
                )),
            }
        }
    }
    folder.raw("rma", &runs)?;
    let names: Vec<&str> = contestants
        .iter()
        .map(|contestant| contestant.name.as_str())
        .collect();
    folder.table(
        "rma-table",
        "What one-sided calls cost",
        &table::table(&names, &runs, &failures),
    )?;
    Ok(failures.is_empty())
}

/// Rows of a program's output; `None` if it did not verify its results.
fn read(output: &str) -> Option<BTreeMap<String, Vec<f64>>> {
    let mut rows = BTreeMap::new();
    let mut verified = false;
    for line in output.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        if name == "verified" {
            verified = true;
            continue;
        }
        let samples: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        rows.insert(name.to_owned(), samples);
    }
    verified.then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_only_if_they_were_verified() {
        let rows = read("fence 1.5 2\nbarrier 3\nverified\n").expect("verified");
        assert_eq!(rows["fence"], [1.5, 2.0]);
        assert_eq!(read("fence 1.5 2\n"), None);
        assert_eq!(read("fence x\nverified\n"), None);
    }
}
