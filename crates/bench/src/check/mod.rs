//! `farside-bench check`: real programs several ways in one run, then more and more ranks.

mod growth;
mod launch;
mod ranks;
mod table;
mod traffic;
mod ways;

use crate::Common;
use crate::folder::Folder;
use crate::programs::{PROGRAMS, Program};
use crate::statistics::Summary;
use launch::{Launcher, Run};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;
use ways::Way;

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Repetitions of every way of every program.
    #[arg(long, default_value_t = 5)]
    repeat: u32,
    /// Only this program (may be repeated).
    #[arg(long)]
    program: Vec<String>,
    /// MPI library to build and run with: the suffix of Debian's `mpicc` and `mpirun`.
    #[arg(long, default_value = "openmpi", value_parser = ["openmpi", "mpich"])]
    library: String,
    /// Compiler that `mpicc` calls, such as clang-19; with clang, the wrapper's plugin is also left out, to compare.
    #[arg(long)]
    compiler: Option<String>,
    /// Numbers of ranks, separated by commas. All ways are compared on 2; on others the plain way and the whole
    /// checker.
    #[arg(long, value_delimiter = ',', default_value = "2")]
    ranks: Vec<u32>,
    /// Optimisation options for the programs, separated by spaces.
    #[arg(long, default_value = "-O3", allow_hyphen_values = true)]
    optimise: String,
    /// Leave out the growth with ranks.
    #[arg(long)]
    no_growth: bool,
    /// Seconds for one run.
    #[arg(long, default_value_t = 180)]
    limit: u64,
    /// The checker; without this option, the one that lies next to this program.
    #[arg(long)]
    farside: Option<PathBuf>,
    /// Folder for binaries and reports; without this option, `bench` next to the folder of this program.
    #[arg(long)]
    work: Option<PathBuf>,
    /// Only this way, and no growth (may be repeated).
    #[arg(long, value_enum)]
    way: Vec<Way>,
    /// Compile and end, or run what was compiled into the same `--work`: for a machine without compilers.
    #[arg(long, value_enum)]
    only: Option<Step>,
}

/// A part of the work that can be done alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Step {
    /// Compile the programs.
    Build,
    /// Run programs that lie there.
    Run,
}

/// The number of ranks on which all ways are compared.
const COMPARED: u32 = 2;

/// Everything that was measured.
#[derive(Debug, Serialize)]
struct Results {
    repetitions: u32,
    library: String,
    compiler: Option<String>,
    optimise: String,
    /// Whether the compiler's own thread sanitizer can be linked here.
    sanitizer: bool,
    runs: Vec<Run>,
    growth: Vec<growth::Point>,
}

impl Results {
    /// The summary of one figure over the good repetitions of a program on so many ranks.
    fn figure(
        &self,
        program: &Program,
        way: Way,
        ranks: u32,
        value: impl Fn(&Run) -> f64,
    ) -> Option<Summary> {
        let good = self.runs.iter().filter(|run| {
            run.program == program.name && run.way == Some(way) && run.ranks == ranks && run.fault.is_none()
        });
        Summary::of(&good.map(value).collect::<Vec<f64>>())
    }
}

/// Measures, and writes a results folder; `false` if a program failed or was not clean.
///
/// # Errors
/// Something is missing that all measurements need.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let programs = chosen(&arguments.program)?;
    let launcher = launcher(arguments)?;
    let wanted = match arguments.way.as_slice() {
        [] => Way::ALL.to_vec(),
        some => some.to_vec(),
    };
    if arguments.only != Some(Step::Run) {
        for program in &programs {
            eprintln!("farside-bench: compiling {}", program.name);
            launcher.compile(program, &wanted)?;
        }
    }
    if arguments.only == Some(Step::Build) {
        return Ok(true);
    }
    let folder = Folder::create(&arguments.common)?;
    let repetitions = if arguments.common.quick {
        1
    } else {
        arguments.repeat
    };

    let mut runs = Vec::new();
    for repetition in 1..=repetitions {
        for program in &programs {
            let words = if arguments.common.quick {
                program.quick
            } else {
                program.arguments
            };
            for &ranks in &arguments.ranks {
                let mut ways = launcher.ways(program);
                ways.retain(|way| wanted.contains(way) && (ranks == COMPARED || ranks::WAYS.contains(way)));
                for way in ways {
                    eprintln!(
                        "farside-bench: {repetition}/{repetitions} {} on {ranks} ranks, {}",
                        program.name,
                        way.name()
                    );
                    runs.push(launcher.run(program, words, way, ranks, repetition)?);
                }
            }
        }
    }
    let growth = if arguments.no_growth || !arguments.way.is_empty() {
        Vec::new()
    } else {
        growth::measure(&launcher, arguments.common.quick)?
    };

    let good = runs.iter().all(|run| run.fault.is_none()) && growth.iter().all(|point| point.fault.is_none());
    let results = Results {
        repetitions,
        library: arguments.library.clone(),
        compiler: arguments.compiler.clone(),
        optimise: arguments.optimise.clone(),
        sanitizer: launcher.sanitizer,
        runs,
        growth,
    };
    folder.raw("raw", &results)?;
    folder.table(
        "table",
        "What checking costs",
        &table::markdown(&programs, &results),
    )?;
    Ok(good)
}

fn chosen(names: &[String]) -> Result<Vec<Program>, String> {
    if let Some(unknown) = names
        .iter()
        .find(|name| PROGRAMS.iter().all(|program| program.name != *name))
    {
        let known: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        return Err(format!("no program {unknown}; there are {}", known.join(", ")));
    }
    let all = PROGRAMS.iter().copied();
    Ok(all
        .filter(|program| names.is_empty() || names.iter().any(|name| name == program.name))
        .collect())
}

fn launcher(arguments: &Arguments) -> Result<Launcher, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let farside = arguments
        .farside
        .clone()
        .unwrap_or_else(|| here.with_file_name("farside"));
    if !farside.exists() {
        return Err(format!("{} is missing (make build)", farside.display()));
    }
    let beside = here.ancestors().nth(2).map(|target| target.join("bench"));
    let work = arguments
        .work
        .clone()
        .or(beside)
        .ok_or("no folder for binaries")?;
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut launcher = Launcher {
        farside,
        work,
        sources: PathBuf::from("bench/programs"),
        library: arguments.library.clone(),
        compiler: arguments.compiler.clone(),
        optimise: arguments.optimise.split_whitespace().map(str::to_owned).collect(),
        limit: Duration::from_secs(arguments.limit),
        sanitizer: false,
    };
    launcher.sanitizer = match arguments.only {
        Some(Step::Run) => launcher.built_with_sanitizer(),
        _ => launcher.links_sanitizer()?,
    };
    Ok(launcher)
}
