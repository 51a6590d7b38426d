//! `farside-bench robust`: how large programs can be for `farside robust`, in five families that grow; and how long the
//! library takes.
//!
//! Time, also of the limit, is that of the processor, so that others who use the machine change it little; the time on
//! the clock stands beside it in the raw data. Memory is what the allocator handed out at the most for a program. A
//! family grows until a program is not decided within the limits. It does so again with each reduction off, and by the
//! procedure of the paper, to show what each saves.

mod families;
mod library;

use crate::folder::Folder;
use crate::{ALLOCATOR, Common};
use families::{FAMILIES, Family};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Answer, Limits, Options, Procedure, Verdict, decide};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The arguments of `robust`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Seconds a program, of processor time.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Memory a program, in MiB.
    #[arg(long, default_value_t = 8192)]
    memory: u64,
}

/// What is switched off, to show what it saves: a name and the options.
fn ways() -> [(&'static str, Options); 5] {
    let all = Options::default();
    let (reduce, prune, symmetry) = (false, false, false);
    let procedure = Procedure::FourParts;
    [
        ("all", all),
        ("no partial order", Options { reduce, ..all }),
        ("no pruning", Options { prune, ..all }),
        ("no symmetry", Options { symmetry, ..all }),
        ("four parts", Options { procedure, ..all }),
    ]
}

/// One program.
#[derive(Debug, Serialize)]
struct Measured {
    family: &'static str,
    grows: &'static str,
    size: u32,
    reductions: &'static str,
    verdict: &'static str,
    states: u64,
    seconds: f64,
    clock_seconds: f64,
    peak_bytes: usize,
}

/// The processor time of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    // Neither number is negative.
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Measures, and writes into a results folder; `false` if a program that is robust was found not to be.
///
/// # Errors
/// The results cannot be written, or a generated program is not in the language.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folder = Folder::create(&arguments.common)?;
    let limit = Duration::from_secs(if arguments.common.quick {
        1
    } else {
        arguments.limit
    });
    let mut results = Vec::new();
    for family in FAMILIES {
        for (reductions, options) in ways() {
            for &size in family.sizes {
                let measured = measure(family, size, (reductions, options), limit, arguments.memory << 20)?;
                eprintln!(
                    "farside-bench: {} {size}, reductions {reductions}: {}, {} states, {:.3} s",
                    family.name, measured.verdict, measured.states, measured.seconds
                );
                let decided = measured.verdict != "undecided";
                results.push(measured);
                if !decided {
                    break;
                }
            }
        }
    }
    let library = library::measure(limit, arguments.memory << 20)?;
    folder.raw("robust", &(&results, &library))?;
    let text = format!(
        "## Largest sizes decided\n\n{}\n## Growth\n\n{}\n## The library\n\n{}",
        largest(&results),
        table(&results),
        library::table(&library)
    );
    folder.table("robust-table", "How large programs farside robust decides", &text)?;
    Ok(results.iter().all(|measured| measured.verdict != "not robust"))
}

fn measure(
    family: &Family,
    size: u32,
    (reductions, options): (&'static str, Options),
    limit: Duration,
    bytes: u64,
) -> Result<Measured, String> {
    let text = (family.program)(size);
    let shown = |errors: Vec<farside_pgas::diagnostic::Diagnostic>| {
        errors
            .iter()
            .map(|error| error.render(family.name, &text))
            .collect::<String>()
    };
    let program = lower(&parse(&text).map_err(shown)?, Settings::default()).map_err(shown)?;
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let (begin, clock) = (processor_time(), Instant::now());
    let options = Options {
        limits: Limits {
            bytes,
            ..Limits::default()
        },
        ..options
    };
    let Answer { verdict, states, .. } = decide(&program, &options, &mut || {
        processor_time() - begin > limit || ALLOCATOR.current_usage() as u64 > bytes
    });
    Ok(Measured {
        family: family.name,
        grows: family.grows,
        size,
        reductions,
        verdict: match verdict {
            Verdict::Robust => "robust",
            Verdict::NotRobust(_) => "not robust",
            Verdict::OutsideDomain(_) => "outside of its domain",
            Verdict::Inconclusive(_) => "undecided",
        },
        states,
        seconds: (processor_time() - begin).as_secs_f64(),
        clock_seconds: clock.elapsed().as_secs_f64(),
        peak_bytes: ALLOCATOR.peak_usage().saturating_sub(before),
    })
}

/// Of each family, in each way, the largest size that was decided.
fn largest(results: &[Measured]) -> String {
    let mut text =
        "| family | what grows | reductions | largest size decided | states | time | peak memory | next \
        size |\n\
                    |---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for family in FAMILIES {
        for (reductions, _) in ways() {
            let of = |m: &&Measured| (m.family, m.reductions) == (family.name, reductions);
            let (decided, open): (Vec<&Measured>, Vec<&Measured>) =
                results.iter().filter(of).partition(|m| m.verdict != "undecided");
            let next = open.first().map_or("the family ends".to_owned(), |m| {
                format!("{}: undecided at {} states", m.size, m.states)
            });
            if let Some(m) = decided.last() {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "| {} | {} | {reductions} | {} | {} | {:.3} s | {:.1} MiB | {next} |",
                    m.family,
                    m.grows,
                    m.size,
                    m.states,
                    m.seconds,
                    m.peak_bytes as f64 / f64::from(1 << 20),
                );
            }
        }
    }
    text
}

fn table(results: &[Measured]) -> String {
    let mut text =
        "| family | what grows | size | reductions | verdict | states | time | states a second | peak \
        memory |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for m in results {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.3} s | {:.0} | {:.1} MiB |",
            m.family,
            m.grows,
            m.size,
            m.reductions,
            m.verdict,
            m.states,
            m.seconds,
            m.states as f64 / m.seconds.max(1e-6),
            m.peak_bytes as f64 / f64::from(1 << 20),
        );
    }
    text
}
