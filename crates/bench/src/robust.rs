//! `farside-bench robust`: how large programs can be for `farside robust`, in five families that grow.
//!
//! Memory is what the allocator handed out at the most for a program. A family grows until a program is
//! not decided within the limits. Each is decided a second time without partial-order reduction, to show what it saves.

use crate::folder::Folder;
use crate::{ALLOCATOR, Common};
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
    /// Seconds a program.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Memory a program, in MiB.
    #[arg(long, default_value_t = 8192)]
    memory: u64,
}

/// A family: its name, what grows, its sizes, and its program at a size.
struct Family {
    name: &'static str,
    grows: &'static str,
    sizes: std::ops::RangeInclusive<u32>,
    program: fn(u32) -> String,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "ring",
        grows: "ranks",
        sizes: 2..=16,
        program: ring,
    },
    Family {
        name: "halo",
        grows: "ranks",
        sizes: 2..=16,
        program: halo,
    },
    Family {
        name: "queues",
        grows: "queues",
        sizes: 1..=32,
        program: queues,
    },
    Family {
        name: "progress",
        grows: "domain",
        sizes: 2..=64,
        program: progress,
    },
    Family {
        name: "ticket-lock",
        grows: "ranks",
        sizes: 2..=8,
        program: ticket_lock,
    },
];

/// What is switched off, to show what it saves: a name and the options.
fn ways() -> [(&'static str, Options); 4] {
    let all = Options::default();
    [
        ("all", all),
        ("no partial order", Options { reduce: false, ..all }),
        ("no pruning", Options { prune: false, ..all }),
        (
            "four parts",
            Options {
                procedure: Procedure::FourParts,
                ..all
            },
        ),
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
    peak_bytes: usize,
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
            for size in family.sizes.clone() {
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
    folder.raw("robust", &results)?;
    folder.table(
        "robust-table",
        "How large programs farside robust decides",
        &table(&results),
    )?;
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
    let begin = Instant::now();
    let options = Options {
        limits: Limits {
            bytes,
            ..Limits::default()
        },
        ..options
    };
    let Answer { verdict, states, .. } = decide(&program, &options, &mut || {
        begin.elapsed() > limit || ALLOCATOR.current_usage() as u64 > bytes
    });
    Ok(Measured {
        family: family.name,
        grows: family.grows,
        size,
        reductions,
        verdict: match verdict {
            Verdict::Robust => "robust",
            Verdict::NotRobust(_) => "not robust",
            Verdict::Inconclusive(_) => "undecided",
        },
        states,
        seconds: begin.elapsed().as_secs_f64(),
        peak_bytes: ALLOCATOR.peak_usage().saturating_sub(before),
    })
}

fn table(results: &[Measured]) -> String {
    let mut text = "| family | what grows | size | reductions | verdict | states | time | states a second | peak memory |\n\
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

/// The exchange of paper 003, Figure 1 (a), with a wait.
fn ring(ranks: u32) -> String {
    format!(
        "ranks {ranks}\ndomain 2\nshared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)\nwait q\nbarrier\nassert y == 1\n"
    )
}

/// The exchange of edges with both neighbours.
fn halo(ranks: u32) -> String {
    format!(
        "api shmem\nranks {ranks}\ndomain 2\nshared cell = me == 0, left, right\n\
         shmem_put(&left, &cell, 1, (me + 1) % n)\nshmem_put(&right, &cell, 1, (me + n - 1) % n)\nshmem_barrier_all()\n\
         cell = left || right\n"
    )
}

/// Data in each of many queues, each waited for before the flag.
fn queues(queues: u32) -> String {
    format!(
        "ranks 2\ndomain 2\nshared one = 1, data[{queues}], flag\nqueue q[{queues}]\nrank 0 {{\n{}wait q\nwrite(one, 1, flag, q[0])\n}} \
         else {{\nwhile flag == 0 {{ }}\nr = data[0]\n}}\n",
        (0..queues)
            .map(|queue| format!("write(one, 1, data[{queue}], q[{queue}])\n"))
            .collect::<String>()
    )
}

/// A counter that is published while it is read.
fn progress(domain: u32) -> String {
    format!(
        "ranks 2\ndomain {domain}\nshared step, seen\nqueue q\nrank 0 {{\nwhile step < {} {{\nstep = step + 1\nwrite(step, 1, seen, q)\n\
         wait_local q\n}}\n}} else {{\nloop {{ r = seen }}\n}}\n",
        domain - 1
    )
}

/// A lock at rank 0, the counter that it guards with it.
fn ticket_lock(ranks: u32) -> String {
    format!(
        "api shmem\nranks {ranks}\ndomain {}\nshared next, serving, count\nticket = shmem_atomic_fetch_inc(&next, 0)\n\
         now = shmem_atomic_fetch(&serving, 0)\nwhile now != ticket {{ now = shmem_atomic_fetch(&serving, 0) }}\nc = shmem_g(&count, 0)\n\
         shmem_p(&count, c + 1, 0)\nshmem_quiet()\nshmem_atomic_inc(&serving, 0)\n",
        ranks + 1
    )
}
