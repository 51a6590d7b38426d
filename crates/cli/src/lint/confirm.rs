//! `farside lint --confirm`: what was found is looked for in runs of the program, under `farside check`, with the
//! inputs that each finding names.

use super::arguments::LintArguments;
use crate::fault::Fault;
use crate::output::say;
use farside_findings::{Finding, GivenInputs, Report, ShortfallKind};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs, at most; each is for all findings with the same inputs.
const RUNS: usize = 8;

/// What a run says of the findings with its inputs.
enum Outcome {
    /// The ids of those that it shows, and what may be why it does not show the others.
    Shown(Vec<String>, Option<String>),
    /// It came to nothing, and why.
    Failed(String),
}

/// Runs the program for the certain findings of a report, and says on stderr which of them the runs confirm.
///
/// # Errors
/// A file cannot be written.
pub(super) fn confirm(report: &Report, arguments: &LintArguments) -> Result<(), Fault> {
    let mut groups: BTreeMap<Option<GivenInputs>, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| !finding.possible) {
        groups.entry(finding.inputs.clone()).or_default().push(finding);
    }
    for (nth, (given, findings)) in groups.iter().enumerate() {
        let outcome = match nth < RUNS {
            true => run(report, findings, given.as_ref(), arguments)?,
            false => Outcome::Failed(format!("{RUNS} runs were made")),
        };
        let with = given
            .as_ref()
            .map_or(String::new(), |given| format!(", with {given}"));
        for finding in findings {
            let said = match &outcome {
                Outcome::Shown(ids, _) if ids.contains(&finding.id) => "confirmed".to_owned(),
                Outcome::Shown(_, Some(why)) => format!("not confirmed ({why})"),
                Outcome::Shown(_, None) => "not confirmed".to_owned(),
                Outcome::Failed(why) => format!("not run ({why})"),
            };
            let places = finding.parties.iter().filter_map(|party| party.place());
            let places: Vec<String> = places
                .map(|place| format!("{}:{}", place.file, place.line))
                .collect();
            say!(
                "farside: {said}: {} at {} [{}]{with}",
                finding.rule.id(),
                places.join(", "),
                finding.id
            );
        }
    }
    Ok(())
}

/// One run, with these inputs.
fn run(
    report: &Report,
    findings: &[&Finding],
    given: Option<&GivenInputs>,
    arguments: &LintArguments,
) -> Result<Outcome, Fault> {
    let folder = tempfile::tempdir().map_err(Fault::no_temporary)?;
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).map_err(|error| Fault::Unwritable(path, error))
    };
    let expected = Report {
        findings: findings.iter().map(|finding| (*finding).clone()).collect(),
        ..report.clone()
    };
    put("lint.json", &serde_json::to_string(&expected).unwrap_or_default())?;
    let farside = std::env::current_exe().unwrap_or_else(|_| "farside".into());
    let mut command = Command::new(farside);
    command.args(["check", "--quiet", "--format", "json", "-o"]);
    command.arg(folder.path().join("run.json"));
    command
        .arg("--lint")
        .arg(folder.path().join("lint.json"))
        .arg("--");
    let files = given.map_or(&[][..], |given| &given.files);
    let words = arguments.command().iter();
    command.args(words.map(|word| match files.is_empty() {
        true => word.clone(),
        false => absolute(word),
    }));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if let Some(path) = arguments.given.stdin() {
        command.stdin(open(path)?);
    }
    command.args(match given {
        Some(given) => given.arguments.clone(),
        None => arguments.given.arguments().unwrap_or_default(),
    });
    if let Some(given) = given {
        command.envs(
            given
                .variables
                .iter()
                .map(|variable| (&variable.name, &variable.text)),
        );
        if let Some(text) = &given.standard_input {
            put("stdin", text)?;
            command.stdin(open(&folder.path().join("stdin"))?);
        }
    }
    if !files.is_empty() {
        let own = folder.path().join("files");
        for file in files {
            let relative = Path::new(&file.name);
            if relative
                .components()
                .any(|part| !matches!(part, std::path::Component::Normal(_)))
            {
                return Ok(Outcome::Failed(format!("it reads {}", file.name)));
            }
            let path = own.join(relative);
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::write(&path, &file.text))
                .map_err(|error| Fault::Unwritable(path.clone(), error))?;
        }
        command.current_dir(own);
    }
    let ended = match command.output() {
        Ok(ended) => ended,
        Err(error) => return Ok(Outcome::Failed(error.to_string())),
    };
    let text = fs::read_to_string(folder.path().join("run.json")).unwrap_or_default();
    let shown = serde_json::from_str::<Report>(&text).ok().and_then(|mut run| {
        let predictions = run.predictions.take()?;
        Some((predictions, shortcoming(&run)))
    });
    Ok(match shown {
        Some((shown, why)) => Outcome::Shown(
            shown
                .findings
                .into_iter()
                .filter(|finding| finding.confirmed_by.is_some())
                .map(|finding| finding.id)
                .collect(),
            why,
        ),
        None => {
            let said = String::from_utf8_lossy(&ended.stderr);
            let last = said.lines().last().unwrap_or("farside check says nothing");
            Outcome::Failed(last.to_owned())
        }
    })
}

/// What of a run may be why a finding does not show in it: nothing was checked, or the command failed.
fn shortcoming(run: &Report) -> Option<String> {
    let is_unseen = run
        .shortfalls
        .iter()
        .any(|shortfall| shortfall.id == ShortfallKind::NoMpiProcess);
    let has_failed = run.program.status.is_none_or(|status| status != 0);
    let ended = format!("the command ended with {}", run.program.ended);
    match (is_unseen, has_failed) {
        (true, _) => Some(format!(
            "no process was seen to initialise MPI, OpenSHMEM or GASPI; {ended}"
        )),
        (false, true) => Some(ended),
        (false, false) => None,
    }
}

/// A word of the command that names a file from here, so that it does from another folder.
fn absolute(word: &OsString) -> OsString {
    let path = Path::new(word);
    let names = path.is_relative() && path.components().count() > 1 && path.exists();
    match names.then(|| std::path::absolute(path)) {
        Some(Ok(path)) => path.into(),
        _ => word.clone(),
    }
}

fn open(path: &Path) -> Result<File, Fault> {
    File::open(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))
}
