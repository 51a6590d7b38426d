//! The tables: shared memory, TCP, and crowds of ranks.

use super::Run;
use super::contestant::CROWDS;
use crate::statistics::Summary;
use std::fmt::Write as _;

/// The rows in the order in which they are shown, and as they are called.
const ROWS: &[(&str, &str)] = &[
    ("floor-line", "floor: cache line there and back"),
    ("floor-copy-64K", "floor: copy 64 KiB to mapped pages"),
    ("floor-copy-1M", "floor: copy 1 MiB to mapped pages"),
    ("barrier", "barrier"),
    ("fence", "fence, empty"),
    ("fence-put-16", "fence, put 16 B"),
    ("fence-8-puts-8", "fence, 8 puts of 8 B"),
    ("fence-put-64K", "fence, put 64 KiB"),
    ("fence-put-1M", "fence, put 1 MiB"),
    ("pscw-put-16", "post-start-complete-wait, put 16 B"),
    ("put-8-flush", "put 8 B, flush"),
    ("get-8-flush", "get 8 B, flush"),
    ("64-puts-8-flush", "64 puts of 8 B, flush"),
    ("accumulate-flush", "accumulate, flush"),
    ("fetch-and-op-flush", "fetch_and_op, flush"),
    ("compare-and-swap-flush", "compare_and_swap, flush"),
    ("put-64K-flush", "put 64 KiB, flush"),
    ("put-1M-flush", "put 1 MiB, flush"),
    ("lock-put-8-unlock", "lock, put 8 B, unlock"),
    ("attach-detach", "attach 4 KiB, detach"),
    (
        "busy-target-put-8-flush",
        "put 8 B, flush; target computes for 50 ms",
    ),
];

/// A table for each network, contestants beside one another; then what failed.
pub(super) fn table(contestants: &[&str], runs: &[Run], failures: &[String]) -> String {
    let mut text = String::new();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let pairs = [("shm", "Shared memory"), ("tcp", "TCP over loopback")]
        .map(|(network, title)| (network.to_owned(), format!("{title}, two ranks")));
    let crowds = CROWDS.map(|ranks| {
        (
            format!("{ranks} ranks"),
            format!(
                "{ranks} ranks on {processors} processors, on shared memory if nothing else is said, each puts to the next"
            ),
        )
    });
    for (section, title) in pairs.into_iter().chain(crowds) {
        let mark = format!(", {section}");
        let names: Vec<&str> = contestants
            .iter()
            .copied()
            .filter(|name| name.contains(&mark))
            .collect();
        if names.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "{title}. Median of all samples of all rounds, in ns an operation, and in brackets the medians of the \
             fastest and of the slowest round; last, the best of farside in parts of the best MPI.\n"
        );
        let _ = writeln!(text, "| row | {} | ratio |", names.join(" | "));
        let _ = writeln!(text, "|---|{}", "---|".repeat(names.len() + 1));
        for (row, title) in ROWS {
            let cells: Vec<Option<Summary>> = names.iter().map(|name| summary(runs, name, row)).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let best = |own: bool| {
                let medians = names
                    .iter()
                    .zip(&cells)
                    .filter(|(name, _)| name.starts_with("farside") == own);
                medians
                    .filter_map(|(_, cell)| cell.map(|cell| cell.median))
                    .min_by(f64::total_cmp)
            };
            let ratio = best(true).zip(best(false));
            let ratio = ratio.map_or_else(|| "-".into(), |(ours, theirs)| format!("{:.2}", ours / theirs));
            let shown: Vec<String> = cells.iter().map(show).collect();
            let _ = writeln!(text, "| {title} | {} | {ratio} |", shown.join(" | "));
        }
        text.push('\n');
    }
    for failure in failures {
        let _ = writeln!(text, "Failed: {failure}");
    }
    text
}

/// The median of all samples; the extremes are medians of rounds.
fn summary(runs: &[Run], contestant: &str, row: &str) -> Option<Summary> {
    let rounds: Vec<&Vec<f64>> = runs
        .iter()
        .filter(|run| run.contestant == contestant)
        .filter_map(|run| run.rows.get(row))
        .collect();
    let all: Vec<f64> = rounds.iter().copied().flatten().copied().collect();
    let medians: Vec<f64> = rounds
        .iter()
        .filter_map(|round| Summary::of(round))
        .map(|round| round.median)
        .collect();
    let spread = Summary::of(&medians)?;
    Some(Summary {
        median: Summary::of(&all)?.median,
        min: spread.min,
        max: spread.max,
    })
}

fn show(cell: &Option<Summary>) -> String {
    cell.map_or_else(
        || "-".into(),
        |cell| {
            format!(
                "{} ({} to {})",
                digits(cell.median),
                digits(cell.min),
                digits(cell.max)
            )
        },
    )
}

/// Three digits, more before the point.
fn digits(value: f64) -> String {
    let decimals = if value < 10.0 {
        2
    } else {
        usize::from(value < 100.0)
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn run(contestant: &str, round: u32, samples: &[f64]) -> Run {
        Run {
            contestant: contestant.into(),
            round,
            command: String::new(),
            rows: BTreeMap::from([("barrier".to_owned(), samples.to_vec())]),
        }
    }

    #[test]
    fn the_best_of_ours_is_compared_with_the_best_of_theirs() {
        let runs = [
            run("farside, shm", 1, &[90.0, 100.0, 110.0]),
            run("farside, shm", 2, &[100.0, 100.0, 130.0]),
            run("Open MPI, shm", 1, &[200.0]),
            run("MPICH, shm", 1, &[400.0]),
        ];
        let text = table(&["farside, shm", "Open MPI, shm", "MPICH, shm"], &runs, &[]);
        assert!(
            text.contains("| barrier | 100 (100 to 100) | 200 (200 to 200) | 400 (400 to 400) | 0.50 |"),
            "{text}"
        );
        assert!(!text.contains("TCP"), "{text}");
    }
}
