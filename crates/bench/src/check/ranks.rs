//! What checking costs with more and more ranks: all programs, each with the same input on any number of ranks.
//!
//! Ranks share the processors as soon as there are more of them, in both ways alike, and the checker takes part. So two
//! ratios are formed on the same number of ranks: of the time of the main loop, which is what a user waits for, and of
//! the processor time of everything, ranks and checker from start to end, which the number of processors does not
//! change.

use super::ways::Way;
use super::{COMPARED, Results, Run};
use crate::programs::Program;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The ways that run on any number of ranks.
pub(super) const WAYS: [Way; 2] = [Way::Plain, Way::Accesses];

/// Nothing where only the usual number of ranks was run.
pub(super) fn table(text: &mut String, programs: &[Program], results: &Results) {
    let ranks: BTreeSet<u32> = results.runs.iter().map(|run| run.ranks).collect();
    if ranks.iter().all(|&ranks| ranks == COMPARED) {
        return;
    }
    *text += "\nLoads and stores / plain with more ranks, the same input: time of the main loop on the slowest rank, \
        and in \
              brackets processor\ntime of all ranks and the checker from start to end.\n\n| program |";
    for ranks in &ranks {
        let _ = write!(text, " {ranks} ranks |");
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(ranks.len()));
    for program in programs {
        let _ = write!(text, "| {} |", program.name);
        for &ranks in &ranks {
            let ratio = |value: fn(&Run) -> f64| {
                let [plain, checked] = WAYS.map(|way| results.figure(program, way, ranks, value));
                let pair = plain.zip(checked);
                pair.map_or("-".to_owned(), |(plain, checked)| {
                    format!("{:.2}", checked.median / plain.median)
                })
            };
            let time = ratio(|run| run.loop_seconds);
            let processor = ratio(|run| run.cpu_seconds + run.checker_cpu_seconds);
            let _ = write!(text, " {time} ({processor}) |");
        }
        *text += "\n";
    }
}
