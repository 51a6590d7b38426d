//! Lets `farside fix` repair one program, a copy of it, by the findings of `farside lint`.

use crate::language::Language;
use crate::library::Library;
use crate::program::Program;
use crate::run::Settings;
use farside_findings::{Finding, Report, Suggestion};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Became {
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
    /// Clean, and it prints what neither the racy program nor its clean twin prints.
    PrintsOther,
    /// Something else happened.
    Broken,
}

impl Became {
    /// In a table.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::NotFound => "without a finding",
            Self::Clean => "repaired to clean",
            Self::Inconclusive => "repaired, some calls not reached",
            Self::AsBefore => "left as they were",
            Self::Fewer => "repaired in part",
            Self::NotInARun => "clean for lint, not for check",
            Self::PrintsOther => "clean, but prints something else",
            Self::Broken => "broken",
        }
    }

    /// Whether nothing is left to be found.
    pub(super) fn is_clean(self) -> bool {
        matches!(self, Self::Clean | Self::Inconclusive)
    }

    /// Whether it must not be.
    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Self::NotInARun | Self::PrintsOther | Self::Broken)
    }
}

/// A program after `farside fix`.
pub(super) struct Repaired {
    file: PathBuf,
    became: Became,
    said: String,
    /// Findings that are told without a suggestion, or left, and nothing says why.
    without_reason: Vec<String>,
}

impl Repaired {
    /// What became of it.
    pub(super) fn became(&self) -> Became {
        self.became
    }

    /// Findings of which the report suggests nothing and says nothing, or that are left and nobody has said why.
    pub(super) fn without_reason(&self) -> &[String] {
        &self.without_reason
    }

    /// What the commands said, line by line.
    pub(super) fn said(&self) -> impl Iterator<Item = &str> {
        self.said.lines().filter(|line| line.starts_with("farside: "))
    }

    /// The repaired copy of a program; it has a binary of its own.
    pub(super) fn copy(&self, racy: &Program) -> Result<Program, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.file.display());
        Ok(Program {
            path: self.file.clone(),
            name: format!("{}-repaired", racy.name),
            source: fs::read_to_string(&self.file).map_err(failed)?,
            ..racy.clone()
        })
    }
}

/// Copies a program to the working folder, analyses it, and repairs it.
pub(super) fn repair(library: Library, settings: &Settings, program: &Program) -> Result<Repaired, String> {
    let folder = settings.work.join("fix").join(&program.topic).join(&program.name);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = folder.join(program.path.file_name().unwrap_or_default());
    fs::write(&file, &program.source).map_err(failed)?;
    let report = folder.join("report.json");
    let _ = fs::remove_file(&report);
    let lint = lint(settings, program, library, &file, &report);
    let first = output(settings, &lint)?;
    let Some(first_report) = read(&report) else {
        let said = String::from_utf8_lossy(&first.stderr).into_owned();
        return Ok(Repaired {
            file,
            became: Became::Broken,
            said,
            without_reason: Vec::new(),
        });
    };
    let before = first_report.findings.len();
    // What was found stays to be looked at.
    let _ = fs::copy(&report, folder.join("before.json"));
    let mut fix = vec![settings.farside.display().to_string(), "fix".to_owned()];
    fix.extend([report.display().to_string(), "--".to_owned()]);
    fix.extend(lint);
    let fixed = output(settings, &fix)?;
    let last_report = read(&report);
    let after = last_report
        .as_ref()
        .map_or(usize::MAX, |report| report.findings.len());
    let became = match (before, after) {
        (0, _) => Became::NotFound,
        (_, 0) if fixed.status.success() => Became::Clean,
        (_, 0) => Became::Inconclusive,
        _ if !ended_well(fixed.status) => Became::Broken,
        (before, after) if after < before => Became::Fewer,
        _ => Became::AsBefore,
    };
    let said = String::from_utf8_lossy(&fixed.stderr).into_owned();
    let left = last_report.iter().flat_map(|report| &report.findings);
    let unsaid = first_report
        .findings
        .iter()
        .filter(|finding| says_nothing(finding));
    let unsaid = unsaid.chain(left.filter(|finding| says_nothing(finding) || !is_told(finding, &said)));
    let without_reason = unsaid.map(|finding| format!("{} [{}]", finding.rule.id(), finding.id));
    Ok(Repaired {
        file,
        became,
        without_reason: without_reason.collect(),
        said,
    })
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

/// Runs a command, which gets five times as long as a run.
pub(super) fn output(settings: &Settings, words: &[String]) -> Result<Output, String> {
    let limit = (settings.limit.as_secs() * 5).to_string();
    let mut command = Command::new("timeout");
    command.args(["-k", "5", &limit]).args(words);
    command.output().map_err(|error| format!("{command:?}: {error}"))
}

fn read(report: &Path) -> Option<Report> {
    let text = fs::read(report).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Whether a finding has neither a suggestion nor a sentence that says why.
fn says_nothing(finding: &Finding) -> bool {
    let says = |suggestion: &Suggestion| !(suggestion.call.is_empty() && suggestion.position.is_empty());
    !finding.suggestion.as_ref().is_some_and(says)
}

/// Whether it is said why a finding that is left was not repaired.
fn is_told(finding: &Finding, said: &str) -> bool {
    let (rule, id) = (finding.rule.id(), &finding.id);
    said.contains(&format!("not repaired: {rule} [{id}]: "))
}
