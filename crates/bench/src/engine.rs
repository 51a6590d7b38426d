//! `farside-bench engine`: the race engine alone, driven by generated events of more ranks than this machine can run.
//!
//! Time an event is that of the whole stream less that of making it. Memory is what the allocator handed out at the
//! most, after half of the iterations and at the end: what grows between the two grows with the length of the run.

use crate::folder::Folder;
use crate::streams::Pattern;
use crate::{ALLOCATOR, Common};
use clap::ValueEnum as _;
use farside_race::{Detector, Ending, Options};
use serde::Serialize;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The arguments of `engine`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Numbers of ranks.
    #[arg(long, value_delimiter = ',', default_value = "64,1024,16384")]
    ranks: Vec<u32>,
    /// Iterations of every pattern.
    #[arg(long, default_value_t = 64)]
    iterations: u32,
    /// Only this pattern (may be repeated).
    #[arg(long, value_enum)]
    pattern: Vec<Pattern>,
    /// Stop a stream after this many seconds, and say how far it came.
    #[arg(long, default_value_t = 300)]
    limit: u64,
}

/// One stream.
#[derive(Debug, Serialize)]
struct Measured {
    pattern: Pattern,
    ranks: u32,
    iterations: u32,
    events: u64,
    /// Events that were consumed before the limit.
    consumed: u64,
    nanoseconds_an_event: f64,
    bytes_a_rank_half: f64,
    bytes_a_rank: f64,
    records_kept: u64,
    findings: usize,
}

/// Measures, and writes into a results folder; `false` if a correct pattern was not clean. A stream that hit the
/// limit is no failure: the table says how far it came.
///
/// # Errors
/// The results cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folder = Folder::create(&arguments.common)?;
    let chosen = |pattern: &&Pattern| arguments.pattern.is_empty() || arguments.pattern.contains(pattern);
    let (ranks, iterations) = if arguments.common.quick {
        (&[16, 64][..], 8)
    } else {
        (&arguments.ranks[..], arguments.iterations)
    };
    let mut results = Vec::new();
    for &pattern in Pattern::value_variants().iter().filter(chosen) {
        for &ranks in ranks {
            eprintln!("farside-bench: {} on {ranks} ranks", name(pattern));
            results.push(measure(
                pattern,
                ranks,
                iterations,
                Duration::from_secs(arguments.limit),
            ));
        }
    }
    folder.raw("engine", &results)?;
    folder.table("engine-table", "The race engine alone", &table(&results))?;
    Ok(results.iter().all(|measured| measured.findings == 0))
}

fn measure(pattern: Pattern, ranks: u32, iterations: u32, limit: Duration) -> Measured {
    let mut events = 0;
    let begin = Instant::now();
    pattern.generate(ranks, iterations, &mut |rank, event| {
        black_box((rank, event));
        events += 1;
    });
    let making = begin.elapsed();

    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let mut detector = Detector::new(Options::default());
    let (mut consumed, mut half) = (0_u64, 0);
    let begin = Instant::now();
    pattern.generate(ranks, iterations, &mut |rank, event| {
        // Looked at rarely, since asking for the time costs as much as many an event.
        if consumed % 1024 == 0 && begin.elapsed() > limit {
            return;
        }
        detector.event(rank, event);
        consumed += 1;
        if consumed == events / 2 {
            half = ALLOCATOR.peak_usage();
        }
    });
    let taken = begin.elapsed().saturating_sub(making);
    let peak = ALLOCATOR.peak_usage();
    let each = |bytes: usize| bytes.saturating_sub(before) as f64 / f64::from(ranks);
    let (findings, counts) = detector.finish(if consumed == events {
        Ending::Complete
    } else {
        Ending::Broken
    });
    if let Some(finding) = findings.first() {
        eprintln!("farside-bench: {} is correct, but: {finding:?}", name(pattern));
    }
    Measured {
        pattern,
        ranks,
        iterations,
        events,
        consumed,
        nanoseconds_an_event: taken.as_nanos() as f64 / consumed as f64,
        bytes_a_rank_half: each(half),
        bytes_a_rank: each(peak),
        records_kept: counts.records_kept,
        findings: findings.len(),
    }
}

fn name(pattern: Pattern) -> String {
    pattern
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}

fn table(results: &[Measured]) -> String {
    let mut text =
        "| pattern | ranks | iterations | events | time an event | memory a rank, half-way | memory a rank, \
        end | records kept a rank | findings |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for m in results {
        let far = if m.consumed == m.events {
            String::new()
        } else {
            format!(" (of which {} within the limit)", m.consumed)
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}{far} | {:.0} ns | {:.1} KiB | {:.1} KiB | {:.1} | {} |",
            name(m.pattern),
            m.ranks,
            m.iterations,
            m.events,
            m.nanoseconds_an_event,
            m.bytes_a_rank_half / 1024.0,
            m.bytes_a_rank / 1024.0,
            m.records_kept as f64 / f64::from(m.ranks),
            m.findings,
        );
    }
    text
}
