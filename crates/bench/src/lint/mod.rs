//! `farside-bench lint`: what `farside lint` takes, against the time of the compiler on the same source.
//!
//! Generated programs of 1,000, 10,000 and 100,000 lines, and the programs of `bench/programs`. Four ways in turns:
//! clang without and with optimisation, the lint of the bitcode that clang made, and the lint of the source, which
//! starts clang itself. The aim of the project is that the lint of the bitcode takes less than compiling.

mod generate;
mod measure;

use crate::Common;
use crate::folder::Folder;
use crate::statistics::Summary;
use measure::Taken;
use serde::Serialize;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The arguments of `lint`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Run each way this often.
    #[arg(long, default_value_t = 3)]
    repeat: u32,
    /// Seconds for one run.
    #[arg(long, default_value_t = 300)]
    limit: u64,
    /// The compiler of MPI programs that says where mpi.h is.
    #[arg(long, default_value = "mpicc")]
    mpicc: String,
    /// Folder with the C programs that are measured besides the generated ones.
    #[arg(long, default_value = "bench/programs")]
    sources: PathBuf,
}

const WAYS: [&str; 4] = [
    "clang -O0 -g",
    "clang -O2 -g",
    "lint of bitcode",
    "lint of source",
];

/// One run.
#[derive(Debug, Serialize)]
struct Run {
    program: String,
    lines: usize,
    way: &'static str,
    taken: Taken,
}

/// Measures, and writes into a results folder; false if a program was not clean.
///
/// # Errors
/// A program cannot be compiled or analysed, or the results cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folder = Folder::create(&arguments.common)?;
    let work = PathBuf::from("target/bench-lint");
    fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let quick = arguments.common.quick;
    let repeat = if quick { 1 } else { arguments.repeat };
    let sizes: &[usize] = if quick { &[1000] } else { &[1000, 10_000, 100_000] };
    let mut programs = Vec::new();
    for lines in sizes {
        let path = work.join(format!("generated-{lines}.c"));
        fs::write(&path, generate::program(*lines))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        programs.push(path);
    }
    programs.extend(sources(&arguments.sources)?);
    let includes = includes(&arguments.mpicc)?;
    let mut runs = Vec::new();
    for program in &programs {
        let text = fs::read_to_string(program).map_err(|error| format!("{}: {error}", program.display()))?;
        for _ in 0..repeat {
            for way in WAYS {
                let taken = measure::run(
                    &mut command(way, program, &work, &includes, arguments)?,
                    Duration::from_secs(arguments.limit),
                )?;
                if taken
                    .status
                    .is_none_or(|status| status > 1 || way.starts_with("clang") && status != 0)
                {
                    return Err(format!("{way} of {}: {}", program.display(), taken.stderr.trim()));
                }
                runs.push(Run {
                    program: program
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned(),
                    lines: text.lines().count(),
                    way,
                    taken,
                });
            }
        }
    }
    folder.raw("lint", &runs)?;
    folder.table("lint-table", "What farside lint takes", &table(&runs))?;
    // All of them are correct.
    Ok(runs.iter().all(|run| run.taken.status == Some(0)))
}

/// The C programs of a folder.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn command(
    way: &str,
    program: &Path,
    work: &Path,
    includes: &[String],
    arguments: &Arguments,
) -> Result<Command, String> {
    let bitcode = work.join("program.bc");
    let farside = std::env::current_exe()
        .map_err(|error| error.to_string())?
        .with_file_name("farside");
    let compile = |options: &[&str], output: &Path| {
        let mut command = Command::new("clang-19");
        command.args(options).args(["-g", "-c", "-w"]).args(includes);
        command.arg("-o").arg(output).arg(program);
        command
    };
    let lint = |file: &Path| {
        let mut command = Command::new(&farside);
        command.args(["lint", "--mpicc", &arguments.mpicc]).arg(file);
        command
    };
    Ok(match way {
        "clang -O0 -g" => compile(&["-O0", "-emit-llvm"], &bitcode),
        "clang -O2 -g" => compile(&["-O2"], &work.join("program.o")),
        // What the first way has left.
        "lint of bitcode" => lint(&bitcode),
        _ => lint(program),
    })
}

fn includes(mpicc: &str) -> Result<Vec<String>, String> {
    for question in ["--showme:compile", "-show"] {
        let output = Command::new(mpicc)
            .arg(question)
            .output()
            .map_err(|error| format!("{mpicc}: {error}"))?;
        if output.status.success() {
            let words = String::from_utf8_lossy(&output.stdout).into_owned();
            let kept = words.split_whitespace().filter(|word| word.starts_with("-I"));
            return Ok(kept.map(str::to_owned).collect());
        }
    }
    Err(format!("{mpicc} does not say where mpi.h is"))
}

fn table(runs: &[Run]) -> String {
    let mut programs: Vec<(&str, usize)> = runs.iter().map(|run| (run.program.as_str(), run.lines)).collect();
    programs.dedup();
    let mut text = "Seconds of processor time, medians; memory is the largest resident set of a process.\n\n\
                    | program | lines | clang -O0 | clang -O2 | lint of bitcode | lint of source | memory of clang -O2 \
                    | memory of lint | lint of bitcode / clang -O2 |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for (program, lines) in programs {
        let of = |way: &str, value: &dyn Fn(&Taken) -> f64| {
            let chosen = runs.iter().filter(|run| run.program == program && run.way == way);
            Summary::of(&chosen.map(|run| value(&run.taken)).collect::<Vec<_>>())
                .map_or(0.0, |summary| summary.median)
        };
        let time = |way: &str| of(way, &|taken| taken.processor_seconds);
        let memory = |way: &str| of(way, &|taken| taken.peak_bytes as f64 / f64::from(1 << 20));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {program} | {lines} | {:.2} s | {:.2} s | {:.2} s | {:.2} s | {:.0} MiB | {:.0} MiB | {:.2} |",
            time(WAYS[0]),
            time(WAYS[1]),
            time(WAYS[2]),
            time(WAYS[3]),
            memory(WAYS[1]),
            memory(WAYS[2]),
            time(WAYS[2]) / time(WAYS[1]).max(0.01),
        );
    }
    text
}
