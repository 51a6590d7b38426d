//! Runs the suites of small MPI and OpenSHMEM programs and scores the checker.
//!
//! `farside-suite` compiles every program of `suite/mpi` for both MPI libraries with the checker's own wrappers, runs
//! it under `farside check`, and compares the report with the label in the program's first comment. With `--suite
//! suite/shmem --library openshmem` it does so with those of OpenSHMEM, on Open MPI's library and on Farside's, with
//! `--suite suite/gaspi --library gaspi` with those of GASPI.
//! `farside-suite labels` checks the labels only, `farside-suite hosts` that clocks of several hosts change nothing,
//! `farside-suite judges` that several judges find what one finds, `farside-suite fix` how many programs `farside fix`
//! repairs, `farside-suite litmus` of how many races `farside lint` makes litmus tests, `farside-suite superfluous`
//! whether synchronisation is called unneeded that is needed, and `farside-suite prove` whether `farside lint --prove`
//! proves what is wrong. Exit status: 0 all right, 1 an answer or a label is
//! wrong, 2 the suite could not be run.
#![forbid(unsafe_code)]

mod analyse;
mod fix;
mod hosts;
mod judges;
mod label;
mod language;
mod library;
mod lint;
mod litmus;
mod process;
mod program;
mod prove;
mod run;
mod score;
mod superfluous;
mod verdict;

use clap::{Parser, Subcommand, ValueEnum};
use library::Library;
use program::Program;
use run::{Outcome, Settings};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the suite of small MPI programs and scores the checker.
#[derive(Debug, Parser)]
#[command(name = "farside-suite", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
    /// Folder of the suite: topics in it, programs in those.
    #[arg(long, global = true, default_value = "suite/mpi")]
    suite: PathBuf,
    /// Only this topic (may be repeated).
    #[arg(long, global = true)]
    topic: Vec<String>,
    /// Only programs whose `topic/name` contains this text.
    #[arg(long, global = true)]
    filter: Option<String>,
    /// Of the programs that are left, only every so many-th one with its twin.
    #[arg(long, global = true, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
    /// MPI library; `both` are Open MPI and MPICH, and programs with locks also run on Open MPI over TCP.
    #[arg(long, value_enum, default_value_t = Choice::Both)]
    library: Choice,
    /// Run each program on one of the implementations that run it, the next program on the other: half the runs.
    #[arg(long)]
    by_turns: bool,
    /// Run each program this often.
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// Optimisation option of the compiler.
    #[arg(long, default_value = "-O0", allow_hyphen_values = true)]
    optimise: String,
    /// Programs at a time (2 at most: more starve MPI libraries that spin).
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    jobs: u8,
    /// Seconds for one run; the limits of programs that hang by their error grow with it.
    #[arg(long, default_value_t = run::LIMIT)]
    limit: u64,
    /// Let so many judges split each run (`farside check --judges`).
    #[arg(long)]
    judges: Option<u16>,
    /// Compile the programs without the checker's wrappers, and see their loads and stores by guarded pages
    /// (`farside check --guard=all`).
    #[arg(long)]
    guard: bool,
    /// The interpreter for programs in Python; it has mpi4py, of the library that is asked for, and numpy.
    #[arg(long, default_value = "/usr/bin/python3")]
    python: PathBuf,
    /// Write raw results to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// The checker; without this option, the one that lies next to this program.
    #[arg(long)]
    farside: Option<PathBuf>,
    /// Folder for binaries, logs and reports.
    #[arg(long, default_value = "target/suite")]
    work: PathBuf,
    /// Compile all programs again.
    #[arg(long)]
    rebuild: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Check the labels only; needs no MPI.
    Labels,
    /// List the programs that would be run.
    List,
    /// Score `farside lint`: the programs are analysed, not run.
    Lint,
    /// Score `farside fix`: racy programs are analysed, repaired, and analysed again.
    Fix {
        /// Run what is clean then under the checker, too.
        #[arg(long)]
        check: bool,
    },
    /// Score `farside lint --litmus`: what share of the races of racy programs becomes a litmus test.
    Litmus,
    /// Ask `farside lint --superfluous` of the clean programs: what their racy twins lack must be needed.
    Superfluous,
    /// Ask `farside lint --prove` of all programs: nothing may be proved that is wrong.
    Prove {
        /// The most ranks that proved programs are simulated with.
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=16))]
        most: u32,
        /// So many clean programs must be proved.
        #[arg(long, default_value_t = 0)]
        least: usize,
    },
    /// Judge what one host recorded as if it came from several with other clocks: the findings must be the same.
    Hosts,
    /// Judge each recording by one judge and by several: all that is found must be the same.
    Judges,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Choice {
    Openmpi,
    Mpich,
    /// Open MPI's osc/pt2pt over TCP, which returns from MPI_Win_lock before the lock is granted.
    OpenmpiTcp,
    /// The OpenSHMEM of Open MPI, for `--suite suite/shmem`.
    Oshmem,
    /// Our library for GASPI, alone or beside Open MPI, for `--suite suite/gaspi`.
    Gaspi,
    /// The OpenSHMEM of Farside, likewise.
    Shmem,
    /// Both of these.
    Openshmem,
    Both,
}

impl Choice {
    /// What programs are compiled for, each with the libraries that run what was compiled.
    fn libraries(self) -> &'static [&'static [Library]] {
        match self {
            Choice::Openmpi => &[&[Library::OpenMpi]],
            Choice::Mpich => &[&[Library::Mpich]],
            Choice::OpenmpiTcp => &[&[Library::OpenMpiTcp]],
            Choice::Oshmem => &[&[Library::Oshmem]],
            Choice::Gaspi => &[&[Library::Gaspi], &[Library::GaspiBesideMpi]],
            Choice::Shmem => &[&[Library::Shmem]],
            Choice::Openshmem => &[&[Library::Oshmem], &[Library::Shmem]],
            Choice::Both => &[&[Library::OpenMpi, Library::OpenMpiTcp], &[Library::Mpich]],
        }
    }

    /// The libraries that differ for who does not run programs.
    fn implementations(self) -> impl Iterator<Item = Library> {
        self.libraries()
            .iter()
            .filter_map(|libraries| libraries.first().copied())
    }

    /// The libraries among these that are to run this program.
    fn runs(self, libraries: &[Library], program: &Program) -> Vec<Library> {
        let wanted = |library: &Library| {
            self == Choice::OpenmpiTcp || library.is_meant_for(&program.topic, &program.source)
        };
        let able = |library: &Library| library.lacks(&program.source, program.label.needs()).is_none();
        libraries.iter().copied().filter(wanted).filter(able).collect()
    }

    /// A line for each library and reason for which it leaves programs out that it should run.
    fn left_out(self, programs: &[Program]) -> Vec<String> {
        let mut names: BTreeMap<(Library, &str), Vec<String>> = BTreeMap::new();
        for library in self
            .libraries()
            .iter()
            .flat_map(|libraries| libraries.iter().copied())
        {
            let wanted = |program: &&Program| {
                self == Choice::OpenmpiTcp || library.is_meant_for(&program.topic, &program.source)
            };
            for program in programs.iter().filter(wanted) {
                if let Some(reason) = library.lacks(&program.source, program.label.needs()) {
                    let name = format!("{}/{}", program.topic, program.name);
                    names.entry((library, reason)).or_default().push(name);
                }
            }
        }
        let line = |((library, reason), names): ((Library, &str), Vec<String>)| {
            format!(
                "left out on {}, for {reason}: {}",
                library.name(),
                names.join(", ")
            )
        };
        names.into_iter().map(line).collect()
    }
}

fn main() -> ExitCode {
    match act(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("farside-suite: {message}");
            ExitCode::from(2)
        }
    }
}

fn act(arguments: &Arguments) -> Result<bool, String> {
    let (mut programs, invalid) = program::discover(&arguments.suite)?;
    let errors = lint::lint(&programs, &invalid);
    if let Some(Action::Labels) = arguments.command {
        errors.iter().for_each(|error| println!("{error}"));
        println!(
            "{} programs, {} wrong labels",
            programs.len() + invalid.len(),
            errors.len()
        );
        return Ok(errors.is_empty());
    }
    programs.retain(|program| chosen(arguments, program));
    let mut programs = one_in(arguments.one_in, programs);
    if let Some(Action::List) = arguments.command {
        programs
            .iter()
            .for_each(|program| println!("{}", program.path.display()));
        return Ok(true);
    }
    if !errors.is_empty() {
        return Err(format!(
            "wrong labels, see `farside-suite labels`; the first: {}",
            errors[0]
        ));
    }
    if programs.is_empty() {
        return Err("no program is chosen".to_owned());
    }
    let settings = settings(arguments)?;
    if let Some(Action::Lint) = arguments.command {
        return analyse::score(arguments, &settings, &programs);
    }
    if let Some(Action::Litmus) = arguments.command {
        return litmus::score(arguments, &settings, &programs);
    }
    if let Some(Action::Fix { check }) = arguments.command {
        return fix::score(arguments, &settings, &programs, check);
    }
    if let Some(Action::Superfluous) = arguments.command {
        return superfluous::score(arguments, &settings, &programs);
    }
    if let Some(Action::Prove { most, least }) = arguments.command {
        return prove::score(arguments, &settings, &programs, (most, least));
    }
    if let Some(Action::Hosts) = arguments.command {
        return hosts::score(arguments, &settings, &programs);
    }
    if let Some(Action::Judges) = arguments.command {
        return judges::score(arguments, &settings, &programs);
    }
    if arguments.guard {
        programs = without_unguarded(programs);
    }
    for line in arguments.library.left_out(&programs) {
        println!("{line}");
    }
    if arguments.by_turns {
        println!("by turns: each program runs on one implementation; `make suite` runs it on all");
    }
    let outcomes = run_all(arguments, &settings, &programs);
    report(arguments, &outcomes)
}

fn chosen(arguments: &Arguments, program: &Program) -> bool {
    let path = format!("{}/{}", program.topic, program.name);
    (arguments.topic.is_empty() || arguments.topic.contains(&program.topic))
        && arguments.filter.as_ref().is_none_or(|text| path.contains(text))
}

/// Those that guarded pages can judge; the others are named.
fn without_unguarded(programs: Vec<Program>) -> Vec<Program> {
    let (left, judged): (Vec<_>, Vec<_>) = programs
        .into_iter()
        .partition(|program| program.label.not_in_guard().is_some());
    for program in left {
        let why = program.label.not_in_guard().unwrap_or_default();
        println!(
            "left out with guarded pages: {}/{}: {why}",
            program.topic, program.name
        );
    }
    judged
}

/// Every so many-th program with its twin, which stands beside it.
fn one_in(many: u32, programs: Vec<Program>) -> Vec<Program> {
    let stem = |program: &Program| {
        let stem = program.twin().map_or(&*program.name, |(stem, _)| stem);
        (program.topic.clone(), stem.to_owned())
    };
    let (mut last, mut number) = (None, 0);
    let wanted = |program: &Program| {
        let stem = Some(stem(program));
        if last != stem {
            last = stem;
            number = (number + 1) % many;
        }
        number == 1 % many
    };
    programs.into_iter().filter(wanted).collect()
}

fn settings(arguments: &Arguments) -> Result<Settings, String> {
    let farside = match &arguments.farside {
        Some(path) => path.clone(),
        None => std::env::current_exe()
            .map_err(|error| error.to_string())?
            .with_file_name("farside"),
    };
    let absolute = |path: &Path| {
        fs::canonicalize(path)
            .map_err(|error| format!("{}: {error} (build it, or see --help)", path.display()))
    };
    fs::create_dir_all(&arguments.work).map_err(|error| format!("{}: {error}", arguments.work.display()))?;
    let (farside, work) = (absolute(&farside)?, absolute(&arguments.work)?);
    Ok(Settings::new(arguments, farside, work))
}

/// Runs everything, a few programs at a time; the outcomes come in the order of the programs.
fn run_all(arguments: &Arguments, settings: &Settings, programs: &[Program]) -> Vec<Outcome> {
    let work = work(arguments.library, arguments.by_turns, programs);
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Vec<Outcome>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(|| {
                while let Some((index, (program, libraries))) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    work.get(index).map(|item| (index, item))
                } {
                    let outcomes = run_one(arguments.repeat, settings, program, libraries);
                    for text in outcomes.iter().filter_map(score::explain) {
                        eprintln!("[{}/{}] {text}", index + 1, work.len());
                    }
                    // A panic of another worker cannot leave the vector half-written.
                    results
                        .lock()
                        .unwrap_or_else(|poison| poison.into_inner())
                        .push((index, outcomes));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|poison| poison.into_inner());
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().flat_map(|(_, outcomes)| outcomes).collect()
}

/// Each program with the libraries of one implementation that are to run it. By turns, one implementation a program:
/// twins, which stand beside each other, get different ones, and the racy one of the next twins the other one.
fn work(choice: Choice, by_turns: bool, programs: &[Program]) -> Vec<(&Program, Vec<Library>)> {
    let mut work = Vec::new();
    for (turn, program) in programs.iter().enumerate() {
        let implementations = choice.libraries().iter();
        let mut able: Vec<_> = implementations
            .map(|libraries| choice.runs(libraries, program))
            .filter(|libraries| !libraries.is_empty())
            .collect();
        if by_turns && !able.is_empty() {
            able = vec![able.swap_remove((turn + turn / 2) % able.len())];
        }
        work.extend(able.into_iter().map(|libraries| (program, libraries)));
    }
    work
}

/// Compiles the program once and runs it on each of the libraries, which are of one implementation.
fn run_one(repeat: u32, settings: &Settings, program: &Program, libraries: &[Library]) -> Vec<Outcome> {
    let Some(first) = libraries.first() else {
        return Vec::new();
    };
    let binary = run::compile(settings, program, *first);
    let binary = binary.as_deref().map_err(String::as_str);
    let runs = libraries
        .iter()
        .flat_map(|library| (1..=repeat).map(move |repetition| (*library, repetition)));
    runs.map(|(library, repetition)| run::check(settings, program, library, binary, repetition))
        .collect()
}

fn report(arguments: &Arguments, outcomes: &[Outcome]) -> Result<bool, String> {
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(outcomes).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    score::extras(outcomes).iter().for_each(|line| println!("{line}"));
    print!("{}", score::table(outcomes));
    let errors: Vec<String> = outcomes.iter().filter_map(score::explain).collect();
    errors.iter().for_each(|error| println!("{error}"));
    println!(
        "{} passed, {} failed",
        outcomes.len() - errors.len(),
        errors.len()
    );
    Ok(errors.is_empty())
}
