//! The results of `litmus` as Markdown tables.

use super::sample::Sample;
use super::{PAPER, Random, Results};
use std::fmt::Write as _;

/// What the project aims at; a table shows whether it is met, no test asserts it.
mod aim {
    /// Mean of random programs of ten actions, in seconds.
    pub(super) const TEN: f64 = 20e-6;
    /// Mean of random programs of twelve actions.
    pub(super) const TWELVE: f64 = 200e-6;
    /// The slowest test of the papers.
    pub(super) const PAPERS: f64 = 5e-3;
    /// Start-up of the command.
    pub(super) const START: f64 = 5e-3;
}

/// All tables. Writing to a string cannot fail.
pub(super) fn markdown(results: &Results) -> String {
    let mut text = "The library, each test the median of its rounds:\n\n\
                    | part | tests | tests/s | mean | median | 99 % | worst | slowest test \
                    |\n|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for part in &results.library {
        let over = mark(part.part == PAPER && part.sample.worst > aim::PAPERS);
        let _ = writeln!(
            text,
            "| {} | {} | {}{over} | {} |",
            part.part,
            part.sample.count,
            cells(&part.sample),
            part.slowest
        );
    }
    text += "\nRandom programs of two processes, all accesses atomic, under coreRMA, each the median of three \
        runs:\n\n";
    random(&mut text, "actions", &results.by_actions, |row| {
        row.actions.to_string()
    });
    text += "\nRandom programs of ten actions:\n\n";
    random(&mut text, "processes", &results.by_processes, |row| {
        row.processes.to_string()
    });
    text += "\nThe same programs of two processes, shared by threads:\n\n| actions | threads | tests/s \
        |\n|---|---|---|\n";
    for row in &results.threads {
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} |",
            row.actions, row.threads, row.tests_a_second
        );
    }
    if let Some(start) = &results.start {
        let seconds = start.seconds;
        let _ = writeln!(
            text,
            "\n`farside litmus` on a program of four actions, from start to end: median {}{}, from {} to {}.",
            time(seconds.median),
            mark(seconds.median > aim::START),
            time(seconds.min),
            time(seconds.max)
        );
    }
    let _ = writeln!(
        text,
        "\nAims: mean at most {} at 10 actions and {} at 12, no test of the papers above {}, start-up below {}; `*` \
         marks a \
         figure above its aim.",
        time(aim::TEN),
        time(aim::TWELVE),
        time(aim::PAPERS),
        time(aim::START)
    );
    text
}

fn random(text: &mut String, by: &str, rows: &[Random], key: fn(&Random) -> String) {
    let _ = writeln!(
        text,
        "| {by} | programs | tests/s | mean | median | 99 % | worst | peak memory | given up \
         |\n|---|---|---|---|---|---|---|---|---|"
    );
    for row in rows {
        let over = match row.actions {
            10 => row.sample.mean > aim::TEN,
            12 => row.sample.mean > aim::TWELVE,
            _ => false,
        };
        let _ = writeln!(
            text,
            "| {}{} | {} | {} | {:.1} KiB | {} |",
            key(row),
            mark(over),
            row.sample.count,
            cells(&row.sample),
            row.peak_bytes as f64 / 1024.0,
            row.given_up
        );
    }
}

/// Tests a second, mean, median, 99 %, worst.
fn cells(sample: &Sample) -> String {
    let per_second = if sample.mean > 0.0 { 1.0 / sample.mean } else { 0.0 };
    format!(
        "{per_second:.0} | {} | {} | {} | {}",
        time(sample.mean),
        time(sample.median),
        time(sample.p99),
        time(sample.worst)
    )
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

fn mark(over: bool) -> &'static str {
    if over { " *" } else { "" }
}
