//! How the checker's traffic grows with the number of ranks, for a nearest-neighbour pattern.
//!
//! Each number of ranks is run for N and for 2 N iterations; half of the difference is what one more round of N costs,
//! free of set-up. Flat means: the same bytes, events and messages for a rank and an iteration at any number of ranks.

use super::launch::{Launcher, Run};
use super::ranks::WAYS;
use super::traffic;
use crate::programs::{PROGRAMS, Program};
use serde::Serialize;

/// One number of ranks.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Point {
    /// Processes, on however many cores the machine has.
    pub(crate) ranks: u32,
    /// Iterations that the figures are the difference of.
    iterations: u32,
    /// Spooled bytes a rank and an iteration.
    pub(crate) bytes: f64,
    /// Events a rank and an iteration.
    pub(crate) events: f64,
    /// MPI messages a rank and an iteration with the checker, less those without it; `None` if the MPI library does not
    /// count.
    pub(crate) added_messages: Option<f64>,
    /// MPI messages a rank and an iteration without the checker.
    pub(crate) messages: Option<f64>,
    /// Largest number of access records kept at one time, all ranks together.
    pub(crate) records_kept: u64,
    /// The runs.
    pub(crate) runs: Vec<Run>,
    /// Why the figures must not be used.
    pub(crate) fault: Option<String>,
}

/// Runs the mesh program on 2, 4, 8 and 16 ranks.
///
/// # Errors
/// A command cannot be started.
pub(crate) fn measure(launcher: &Launcher, quick: bool) -> Result<Vec<Point>, String> {
    let mesh = PROGRAMS
        .iter()
        .find(|program| program.name == "mesh-halo")
        .ok_or("no program mesh-halo")?;
    launcher.compile(mesh, &WAYS)?;
    let (ranks, iterations): (&[u32], u32) = if quick {
        (&[2, 4], 10)
    } else {
        (&[2, 4, 8, 16], 50)
    };
    ranks
        .iter()
        .map(|&ranks| point(launcher, mesh, ranks, iterations))
        .collect()
}

fn point(launcher: &Launcher, mesh: &Program, ranks: u32, iterations: u32) -> Result<Point, String> {
    let mut runs = Vec::new();
    let mut counted = Vec::new();
    for way in WAYS {
        for length in [iterations, 2 * iterations] {
            eprintln!(
                "farside-bench: growth {ranks} ranks, {length} iterations, {}",
                way.name()
            );
            let arguments = ["5000".to_owned(), "200".to_owned(), length.to_string()];
            let prefix = launcher.work.join("messages");
            let monitored = launcher.library == "openmpi";
            let further = if monitored {
                traffic::options(&prefix)
            } else {
                Vec::new()
            };
            runs.push(launcher.run_with(mesh, &arguments, way, ranks, &further)?);
            counted.push(traffic::messages(&prefix, ranks).filter(|_| monitored));
        }
    }
    let each = f64::from(ranks) * f64::from(iterations);
    let slope = |short: u64, long: u64| (long as f64 - short as f64) / each;
    let count = |run: &Run, name: &str| run.counts.get(name).copied().unwrap_or(0);
    let messages = counted[0].zip(counted[1]).map(|(short, long)| slope(short, long));
    let checked = counted[2].zip(counted[3]).map(|(short, long)| slope(short, long));
    Ok(Point {
        ranks,
        iterations,
        bytes: slope(count(&runs[2], "spooled_bytes"), count(&runs[3], "spooled_bytes")),
        events: slope(count(&runs[2], "events"), count(&runs[3], "events")),
        added_messages: checked.zip(messages).map(|(with, without)| with - without),
        messages,
        records_kept: count(&runs[3], "records_kept"),
        fault: runs.iter().find_map(|run| run.fault.clone()),
        runs,
    })
}
