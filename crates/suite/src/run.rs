//! Compiles a program with the checker's wrapper and runs it under the checker.
//!
//! Binaries are kept in the work folder under a name that depends on the source text and the compile command, so that a
//! second run compiles only what changed.

use crate::Arguments;
use crate::language::Language;
use crate::library::Library;
use crate::process::{self, Ended};
use crate::program::Program;
use crate::verdict::{Verdict, judge, judge_optimised};
use farside_findings::Report;
use serde::Serialize;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Seconds for one run, if nobody says otherwise.
pub(crate) const LIMIT: u64 = 60;

/// What holds for all runs.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The checker.
    pub(crate) farside: PathBuf,
    /// Where binaries, logs and reports go.
    pub(crate) work: PathBuf,
    /// Optimisation option of the compiler.
    optimise: String,
    /// Time limit of one run.
    pub(crate) limit: Duration,
    /// Judges of each run, if that is said.
    judges: Option<u16>,
    /// Programs are compiled without the wrappers, and pages are guarded.
    guard: bool,
    /// The interpreter of Python.
    python: PathBuf,
    /// Compile even if there is a binary of the same content.
    rebuild: bool,
}

impl Settings {
    /// What the arguments say, with the checker and the folder found.
    pub(crate) fn new(arguments: &Arguments, farside: PathBuf, work: PathBuf) -> Self {
        Self {
            farside,
            work,
            optimise: arguments.optimise.clone(),
            limit: Duration::from_secs(arguments.limit),
            judges: arguments.judges,
            guard: arguments.guard,
            python: arguments.python.clone(),
            rebuild: arguments.rebuild,
        }
    }
}

/// One run of one program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outcome {
    /// Its topic.
    pub(crate) topic: String,
    /// Its source file.
    pub(crate) program: PathBuf,
    /// The MPI library.
    pub(crate) library: Library,
    /// Which repetition this was, from 1.
    pub(crate) repetition: u32,
    /// Time from start to report, in seconds.
    pub(crate) seconds: f64,
    /// Whether the first attempt timed out.
    pub(crate) retried: bool,
    /// The judgement.
    #[serde(flatten)]
    pub(crate) verdict: Verdict,
    /// The command to repeat it.
    pub(crate) command: String,
}

/// Makes the binary, if it is not there yet.
pub(crate) fn compile(settings: &Settings, program: &Program, library: Library) -> Result<PathBuf, String> {
    let source = fs::canonicalize(&program.path).map_err(|error| error.to_string())?;
    if program.language == Language::Python {
        return script(settings, program, library, &source);
    }
    let compiler = library.compiler(program.language);
    // With guarded pages, programs are as their users build them.
    let (started, mut arguments) = match settings.guard {
        true => (PathBuf::from(compiler), Vec::new()),
        false => {
            let wrapper = program.language.wrapper().to_owned();
            (settings.farside.clone(), vec![wrapper, compiler])
        }
    };
    arguments.push("-g".to_owned());
    arguments.push(settings.optimise.clone());
    arguments.extend(program.label.compile.0.iter().cloned());
    let options = library.compiler_options(&settings.farside);

    let mut hasher = DefaultHasher::new();
    (&started, &arguments, &options, &source, &program.source).hash(&mut hasher);
    let folder = settings
        .work
        .join(library.commands())
        .join(&program.topic)
        .join(format!("{:016x}", hasher.finish()));
    let binary = folder.join(&program.name);
    if binary.exists() && !settings.rebuild {
        return Ok(binary);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let log = folder.join("compile.log");
    let mut command = Command::new(&started);
    // Fortran module files land in the current folder.
    command
        .args(&arguments)
        .arg(&source)
        .args(&options)
        .arg("-o")
        .arg(&binary)
        .current_dir(&folder);
    let shown = shown(&command);
    match process::run(&mut command, &log, Duration::from_secs(120))? {
        Ended::Exited(status) if status.success() => Ok(binary),
        Ended::Exited(status) => Err(format!("compiling gave {status}: {shown}\n{}", tail(&log))),
        Ended::TimedOut => Err(format!("compiling took too long: {shown}")),
    }
}

/// A script beside its reports.
fn script(
    settings: &Settings,
    program: &Program,
    library: Library,
    source: &Path,
) -> Result<PathBuf, String> {
    let folder = settings.work.join(library.commands()).join(&program.topic);
    let folder = folder.join(&program.name);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let script = folder.join(format!("{}.py", program.name));
    fs::copy(source, &script).map_err(failed)?;
    Ok(script)
}

/// Runs the program under the checker and judges the report; a time-out is tried once more.
pub(crate) fn check(
    settings: &Settings,
    program: &Program,
    library: Library,
    binary: Result<&Path, &str>,
    repetition: u32,
) -> Outcome {
    let start = Instant::now();
    let mut outcome = Outcome {
        topic: program.topic.clone(),
        program: program.path.clone(),
        library,
        repetition,
        seconds: 0.0,
        retried: false,
        verdict: Verdict::TrueNegative,
        command: String::new(),
    };
    outcome.verdict = match binary {
        Err(reason) => Verdict::Broken {
            reason: reason.to_owned(),
        },
        Ok(binary) => {
            let (command, first) = attempt(settings, program, library, binary, repetition);
            outcome.command = command;
            first.unwrap_or_else(|| {
                outcome.retried = true;
                let (_, second) = attempt(settings, program, library, binary, repetition);
                second.unwrap_or_else(|| Verdict::Broken {
                    reason: "timed out twice".to_owned(),
                })
            })
        }
    };
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome
}

/// One attempt: the command and its verdict, or nothing if it timed out.
fn attempt(
    settings: &Settings,
    program: &Program,
    library: Library,
    binary: &Path,
    repetition: u32,
) -> (String, Option<Verdict>) {
    let folder = binary.parent().unwrap_or(Path::new("."));
    let (report, log) = (
        folder.join(format!("report-{}-{repetition}.json", library.name())),
        folder.join(format!("run-{}-{repetition}.log", library.name())),
    );
    let _ = fs::remove_file(&report);
    let mut command = Command::new(&settings.farside);
    command
        .args(["check", "--format", "json", "--output"])
        .arg(&report);
    if settings.guard || program.language == Language::Python {
        command.arg("--guard=all");
    }
    if let Some(judges) = settings.judges {
        command.arg("--judges").arg(judges.to_string());
    }
    let limit = launch(&mut command, settings, program, library, binary);
    let shown = shown(&command);
    let verdict = match process::run(&mut command, &log, limit) {
        Err(reason) => Some(Verdict::Broken { reason }),
        Ok(Ended::TimedOut) => None,
        Ok(Ended::Exited(status)) => Some(read_verdict(settings, program, &report, status.code(), &log)),
    };
    (shown, verdict)
}

/// Completes the command of a check by what starts the program; gives the time that it may take.
fn launch(
    command: &mut Command,
    settings: &Settings,
    program: &Program,
    library: Library,
    binary: &Path,
) -> Duration {
    let mut limit = settings.limit;
    if let Some(seconds) = program.label.time_limit {
        let seconds = own_limit(seconds, settings.limit.as_secs());
        command.arg("--time-limit").arg(seconds.to_string());
        limit += Duration::from_secs(seconds);
    }
    command
        .arg("--")
        .args(library.launcher(
            &settings.farside,
            program.label.nprocs,
            program.label.options.of(library),
        ))
        .args((program.language == Language::Python).then_some(&settings.python))
        .arg(binary);
    limit
}

/// The limit in seconds of a program that hangs by its error, where a run may take `limit`: a machine that needs more
/// time for others needs more to come to where this one hangs.
fn own_limit(seconds: u64, limit: u64) -> u64 {
    seconds.max(seconds * limit / LIMIT)
}

/// Runs a program under the checker, which keeps what its processes record; gives the folder.
pub(crate) fn record(
    settings: &Settings,
    program: &Program,
    library: Library,
    binary: &Path,
    folder: &Path,
) -> Result<PathBuf, String> {
    let mut command = Command::new(&settings.farside);
    command.args(["check", "--keep-spool", "--spool"]).arg(folder);
    let limit = launch(&mut command, settings, program, library, binary);
    let log = folder.join("log");
    if let Ended::TimedOut = process::run(&mut command, &log, limit)? {
        return Err("timed out".into());
    }
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?.flatten();
    let mut folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
    folders.next().ok_or_else(|| "nothing was recorded".into())
}

/// Exit statuses 0 and 1 are answers. A misuse may well make the program fail (3): then its report counts all the same.
fn read_verdict(
    settings: &Settings,
    program: &Program,
    report: &Path,
    status: Option<i32>,
    log: &Path,
) -> Verdict {
    let broken = |why: String| Verdict::Broken {
        reason: format!("{why}\n{}", tail(log)),
    };
    let text = match fs::read_to_string(report) {
        Ok(text) => text,
        Err(error) => return broken(format!("no report ({error}), exit status {status:?}")),
    };
    let parsed: Report = match serde_json::from_str(&text) {
        Ok(parsed) => parsed,
        Err(error) => return broken(format!("{}: {error}", report.display())),
    };
    let file = program.path.file_name().unwrap_or_default().to_string_lossy();
    let is_rewritten = settings.guard && settings.optimise != "-O0";
    let judge = if is_rewritten { judge_optimised } else { judge };
    let verdict = judge(&program.label, &file, &parsed);
    match (status, &verdict) {
        (Some(0 | 1), _) | (Some(3), Verdict::TruePositive { .. } | Verdict::Moved { .. }) => verdict,
        _ => broken(format!("exit status {status:?} ({})", parsed.program.ended)),
    }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.len().saturating_sub(12);
    lines[from..]
        .iter()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slower_machine_has_more_time_to_come_to_a_hang() {
        assert_eq!(own_limit(10, LIMIT), 10);
        assert_eq!(own_limit(10, 5 * LIMIT), 50);
        assert_eq!(own_limit(10, 20), 10);
    }
}
