//! Scores `farside fix` on the suite: each racy program is analysed, repaired and analysed again, by `farside fix`
//! itself; with `--check` each one that is clean then runs under `farside check`, too, on each library.
//!
//! The programs are copied to the working folder first. A program may be refused; one that is changed must be clean.

use crate::language::Language;
use crate::library::Library;
use crate::program::Program;
use crate::run::{self, Settings};
use crate::verdict::Verdict;
use crate::{Arguments, Choice};
use farside_findings::Report;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    /// Nothing was found, so there is nothing to repair.
    NotFound,
    /// Clean after the repair.
    Clean,
    /// Clean, but not all calls were reached.
    Inconclusive,
    /// No repair was made, or it did not help and was taken back.
    AsBefore,
    /// Some findings are left.
    Fewer,
    /// Clean for lint, and not for check.
    NotInARun,
    /// Something else happened.
    Broken,
}

impl Result {
    fn words(self) -> &'static str {
        match self {
            Self::NotFound => "without a finding",
            Self::Clean => "repaired to clean",
            Self::Inconclusive => "repaired, some calls not reached",
            Self::AsBefore => "left as they were",
            Self::Fewer => "repaired in part",
            Self::NotInARun => "clean for lint, not for check",
            Self::Broken => "broken",
        }
    }
}

/// Repairs all racy programs, and says whether none got worse.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
    check: bool,
) -> std::result::Result<bool, String> {
    let mut rows: BTreeMap<Result, usize> = BTreeMap::new();
    let racy = programs
        .iter()
        .filter(|program| program.twin().is_some_and(|(_, racy)| racy));
    for program in racy.filter(|program| program.label.not_in_lint().is_none()) {
        let repaired = repair(arguments.library, settings, program)?;
        let mut result = repaired.result;
        if check && matches!(result, Result::Clean | Result::Inconclusive) {
            let copy = Program {
                path: repaired.file.clone(),
                // It has a binary of its own.
                name: format!("{}-repaired", program.name),
                ..program.clone()
            };
            if let Some(why) = in_runs(arguments.library, settings, &copy) {
                result = Result::NotInARun;
                println!("{}: {why}", program.path.display());
            }
        }
        if !matches!(result, Result::Clean | Result::NotFound) {
            let why: Vec<&str> = repaired
                .said
                .lines()
                .filter(|line| line.starts_with("farside: "))
                .collect();
            println!("{}: {}", program.path.display(), result.words());
            why.iter().for_each(|line| println!("    {line}"));
        }
        *rows.entry(result).or_default() += 1;
    }
    for (result, count) in &rows {
        println!("{:<36} {count:>5}", result.words());
    }
    Ok(!rows.contains_key(&Result::Broken) && !rows.contains_key(&Result::NotInARun))
}

/// A program after `farside fix`.
struct Repaired {
    file: PathBuf,
    result: Result,
    said: String,
}

fn repair(choice: Choice, settings: &Settings, program: &Program) -> std::result::Result<Repaired, String> {
    let folder = settings.work.join("fix").join(&program.topic).join(&program.name);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = folder.join(program.path.file_name().unwrap_or_default());
    fs::write(&file, &program.source).map_err(failed)?;
    let report = folder.join("report.json");
    let _ = fs::remove_file(&report);
    let library = choice.implementations().next().unwrap_or(Library::OpenMpi);
    let lint = lint(settings, program, library, &file, &report);
    let first = output(settings, &lint)?;
    let Some(before) = findings(&report) else {
        let said = String::from_utf8_lossy(&first.stderr).into_owned();
        return Ok(Repaired {
            file,
            result: Result::Broken,
            said,
        });
    };
    let mut fix = vec![settings.farside.display().to_string(), "fix".to_owned()];
    fix.extend([report.display().to_string(), "--".to_owned()]);
    fix.extend(lint);
    let fixed = output(settings, &fix)?;
    let after = findings(&report).unwrap_or(usize::MAX);
    let result = match (before, after) {
        (0, _) => Result::NotFound,
        (_, 0) if fixed.status.success() => Result::Clean,
        (_, 0) => Result::Inconclusive,
        _ if !ended_well(fixed.status) => Result::Broken,
        (before, after) if after < before => Result::Fewer,
        _ => Result::AsBefore,
    };
    let said = String::from_utf8_lossy(&fixed.stderr).into_owned();
    Ok(Repaired { file, result, said })
}

/// Whether `farside fix` ended as it may: what it was given is right, and what it writes compiles.
fn ended_well(status: ExitStatus) -> bool {
    matches!(status.code(), Some(0 | 1 | 4))
}

fn lint(settings: &Settings, program: &Program, library: Library, file: &Path, report: &Path) -> Vec<String> {
    let mut words = vec![settings.farside.display().to_string()];
    words.extend(["lint", "--format", "json", "--mpicc"].map(str::to_owned));
    words.extend([library.compiler(Language::C), "-o".to_owned()]);
    words.extend([report, file].map(|path| path.display().to_string()));
    words.push("--".to_owned());
    let told = library.compiler_options(&settings.farside);
    words.extend(told.into_iter().filter(|option| option.starts_with("-I")));
    words.extend(program.label.compile.0.iter().cloned());
    words
}

fn output(settings: &Settings, words: &[String]) -> std::result::Result<Output, String> {
    let limit = (settings.limit.as_secs() * 5).to_string();
    let mut command = Command::new("timeout");
    command.arg(limit).args(words);
    command.output().map_err(|error| format!("{command:?}: {error}"))
}

fn findings(report: &Path) -> Option<usize> {
    let text = fs::read(report).ok()?;
    serde_json::from_slice::<Report>(&text)
        .ok()
        .map(|report| report.findings.len())
}

/// Why a repaired program is not clean in a run of some library.
fn in_runs(choice: Choice, settings: &Settings, program: &Program) -> Option<String> {
    choice.implementations().find_map(|library| {
        let is_meant = library.is_meant_for(&program.topic, &program.source);
        if !is_meant || library.lacks(&program.source, program.label.needs()).is_some() {
            return None;
        }
        let binary = run::compile(settings, program, library);
        let binary = binary.as_deref().map_err(String::as_str);
        let outcome = run::check(settings, program, library, binary, 1);
        // The label still says what was wrong before.
        match outcome.verdict {
            Verdict::FalseNegative { findings } if findings.is_empty() => None,
            Verdict::TrueNegative => None,
            other => Some(format!("{}: {other:?}", library.name())),
        }
    })
}
