//! `farside-bench litmus`: what the outcomes of a litmus test cost.
//!
//! | part | what is measured |
//! |---|---|
//! | library | every test of `litmus-tests` under its model, the median of some rounds |
//! | random | programs of a deterministic generator by number of actions, and of processes, each the median of three |
//! | threads | the random programs again, shared by one and by two threads |
//! | start-up | the command `farside litmus` on a small test, from start to end |
//!
//! Memory is what the allocator handed out at the most, the programs themselves not counted. Programs that are given
//! up at the limit of steps are counted, and are in the times.

mod sample;
mod table;

use crate::folder::Folder;
use crate::statistics::Summary;
use crate::{ALLOCATOR, Common};
use farside_explore::core_rma::random::{Shape, program};
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::Program;
use farside_models::{Model, named};
use sample::Sample;
use serde::Serialize;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The arguments of `litmus`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Random programs of each shape.
    #[arg(long, default_value_t = 2000)]
    programs: usize,
    /// Numbers of actions of random programs with two processes.
    #[arg(long, value_delimiter = ',', default_value = "6,8,10,12,14")]
    actions: Vec<usize>,
    /// Numbers of processes of random programs with ten actions.
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4")]
    processes: Vec<u32>,
    /// Rounds over the library.
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// Starts of the command.
    #[arg(long, default_value_t = 41)]
    starts: usize,
    /// Give up a program after this many steps.
    #[arg(long, default_value_t = 200_000_000)]
    steps: u64,
    /// Folder of the library.
    #[arg(long, default_value = "litmus-tests")]
    library: PathBuf,
}

/// The part of the library that has an aim.
const PAPER: &str = "Dan et al. 2016";
/// Times that a random program runs; the median counts, so that a break of the machine is not taken for a slow program.
const REPETITIONS: usize = 3;

/// All that was measured.
#[derive(Debug, Serialize)]
struct Results {
    library: Vec<Library>,
    by_actions: Vec<Random>,
    by_processes: Vec<Random>,
    threads: Vec<Threads>,
    start: Option<Start>,
}

/// A part of the library.
#[derive(Debug, Serialize)]
struct Library {
    part: &'static str,
    sample: Sample,
    /// The slowest test.
    slowest: String,
}

/// Random programs of one shape.
#[derive(Debug, Serialize)]
struct Random {
    actions: usize,
    processes: u32,
    sample: Sample,
    peak_bytes: usize,
    given_up: usize,
}

/// Throughput.
#[derive(Debug, Serialize)]
struct Threads {
    actions: usize,
    threads: usize,
    tests_a_second: f64,
}

/// From the start of the command to its end.
#[derive(Debug, Serialize)]
struct Start {
    command: Vec<String>,
    seconds: Summary,
}

/// Measures, and writes into a results folder.
///
/// # Errors
/// The library cannot be read, or the results cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folder = Folder::create(&arguments.common)?;
    let quick = arguments.common.quick;
    let (count, rounds, starts) = match quick {
        true => (50, 3, 5),
        false => (arguments.programs, arguments.rounds, arguments.starts),
    };
    let limits = Limits {
        steps: arguments.steps,
    };
    let model = named("coreRMA").ok_or("there is no model coreRMA")?;
    let actions = if quick { &[6, 8][..] } else { &arguments.actions };

    eprintln!("farside-bench: the library, {rounds} rounds");
    let library = library(&arguments.library, rounds, &limits)?;
    let mut by_actions = Vec::new();
    let mut throughput = Vec::new();
    for &actions in actions {
        eprintln!("farside-bench: {count} random programs of {actions} actions");
        by_actions.push(random(Shape::two_processes(actions), count, &model, &limits));
        for threads in [1, 2] {
            throughput.push(shared(actions, count, threads, &model, &limits));
        }
    }
    let mut by_processes = Vec::new();
    for &processes in &arguments.processes {
        eprintln!("farside-bench: {count} random programs of {processes} processes");
        let shape = Shape {
            processes,
            variables: processes.max(2),
            ..Shape::two_processes(10)
        };
        by_processes.push(random(shape, count, &model, &limits));
    }
    let results = Results {
        library,
        by_actions,
        by_processes,
        threads: throughput,
        start: start(&arguments.library, starts),
    };
    folder.raw("litmus", &results)?;
    folder.table(
        "litmus-table",
        "Outcomes of litmus tests",
        &table::markdown(&results),
    )?;
    Ok(true)
}

/// Every test under the model that `farside litmus` takes.
fn library(folder: &Path, rounds: usize, limits: &Limits) -> Result<Vec<Library>, String> {
    let mut parts = Vec::new();
    for (part, path, begin) in [
        (PAPER, folder.join("papers"), "Fig"),
        ("Hoefler et al. 2014", folder.join("papers"), "Hoefler"),
        ("shapes", folder.join("shapes"), ""),
        ("rules of coreRMA", folder.join("rules/coreRMA"), ""),
        ("rules of MPI", folder.join("rules/mpi3"), ""),
    ] {
        let mut seconds: Vec<(f64, String)> = Vec::new();
        for (name, program) in read(&path)?
            .into_iter()
            .filter(|(name, _)| name.starts_with(begin))
        {
            seconds.push((median_time(&name, &program, rounds, limits)?, name));
        }
        seconds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let slowest = seconds.last().map(|(_, name)| name.clone()).unwrap_or_default();
        let times: Vec<f64> = seconds.iter().map(|(time, _)| *time).collect();
        let sample = Sample::of(&times).ok_or_else(|| format!("{}: no tests", path.display()))?;
        parts.push(Library {
            part,
            sample,
            slowest,
        });
    }
    Ok(parts)
}

/// The first of coreRMA and mpi3-unified that knows all statements.
fn median_time(name: &str, program: &Program, rounds: usize, limits: &Limits) -> Result<f64, String> {
    for model in ["coreRMA", "mpi3-unified"].into_iter().filter_map(named) {
        if outcomes(program, &model, Engine::Fast, limits).is_ok() {
            let times: Vec<f64> = (0..rounds.max(1))
                .map(|_| time(program, &model, limits).0)
                .collect();
            return Summary::of(&times)
                .map(|summary| summary.median)
                .ok_or_else(|| "no rounds".to_owned());
        }
    }
    Err(format!("{name}: no model has an answer"))
}

/// Seconds of one exploration, and whether it had an answer.
fn time(program: &Program, model: &Model, limits: &Limits) -> (f64, bool) {
    let begin = Instant::now();
    let answer = black_box(outcomes(black_box(program), model, Engine::Fast, limits));
    (begin.elapsed().as_secs_f64(), answer.is_ok())
}

fn random(shape: Shape, count: usize, model: &Model, limits: &Limits) -> Random {
    let programs = programs(shape, count);
    // The first ones pay for cold caches.
    for program in programs.iter().take(50) {
        time(program, model, limits);
    }
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let mut times = Vec::with_capacity(programs.len());
    let mut given_up = 0;
    for program in &programs {
        let runs: Vec<(f64, bool)> = (0..REPETITIONS).map(|_| time(program, model, limits)).collect();
        let seconds: Vec<f64> = runs.iter().map(|(seconds, _)| *seconds).collect();
        times.extend(Summary::of(&seconds).map(|summary| summary.median));
        given_up += usize::from(runs.iter().any(|(_, answered)| !answered));
    }
    let peak_bytes = ALLOCATOR.peak_usage().saturating_sub(before);
    Random {
        actions: shape.actions,
        processes: shape.processes,
        sample: Sample::of(&times).unwrap_or_default(),
        peak_bytes: peak_bytes.saturating_sub(size_of_val(times.as_slice())),
        given_up,
    }
}

fn programs(shape: Shape, count: usize) -> Vec<Program> {
    (0..count as u64).map(|seed| program(seed, shape)).collect()
}

/// All programs, taken by the threads one after the other.
fn shared(actions: usize, count: usize, threads: usize, model: &Model, limits: &Limits) -> Threads {
    let programs = programs(Shape::two_processes(actions), count);
    let next = AtomicUsize::new(0);
    let begin = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    time(program, model, limits);
                }
            });
        }
    });
    Threads {
        actions,
        threads,
        tests_a_second: count as f64 / begin.elapsed().as_secs_f64(),
    }
}

/// The command beside this one on the smallest program of the paper.
fn start(library: &Path, starts: usize) -> Option<Start> {
    let farside = std::env::current_exe().ok()?.with_file_name("farside");
    let command = [
        farside.display().to_string(),
        "litmus".to_owned(),
        "--quiet".to_owned(),
        library.join("papers/Fig3a.litmus").display().to_string(),
    ];
    let once = || -> Option<Duration> {
        let begin = Instant::now();
        let status = Command::new(&command[0])
            .args(&command[1..])
            .stdout(Stdio::null())
            .status();
        status.ok()?.success().then(|| begin.elapsed())
    };
    once()?;
    let times: Vec<f64> = (0..starts)
        .filter_map(|_| once())
        .map(|time| time.as_secs_f64())
        .collect();
    Some(Start {
        seconds: Summary::of(&times)?,
        command: command.to_vec(),
    })
}

/// The tests of a folder, by name.
fn read(folder: &Path) -> Result<Vec<(String, Program)>, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut tests = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.extension().is_some_and(|extension| extension == "litmus") {
            let text = std::fs::read_to_string(&path).map_err(wrong)?;
            let program =
                farside_litmus::parse(&text).map_err(|errors| format!("{}: {errors:?}", path.display()))?;
            tests.push((program.name.clone(), program));
        }
    }
    tests.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(tests)
}
