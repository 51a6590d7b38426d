//! `farside fix`: repairs the findings of a report in the sources.
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | sources read and written | `files` |
//! | what is changed | the crate `farside-fix` |
//! | changing, and checking again | `rounds` |
//! | reports of `farside robust` | `robustness` |
//! | what is shown, and the exit status | here |

pub(crate) mod arguments;
mod files;
mod robustness;
mod rounds;

use crate::fault::{Fault, report_text};
use crate::output::{complain, print, say};
use crate::sources;
use crate::status::Status;
use arguments::FixArguments;
use farside_findings::{Change, Finding, Report, SCHEMA_VERSION, Suggestion};
use farside_fix::{Plan, Refusal, Trust};
use similar::TextDiff;
use std::path::Path;

/// Runs the subcommand.
pub(crate) fn run(arguments: &FixArguments) -> Status {
    fix(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// What to do about each finding of a report, in their order, where the text refutes a suggestion that the events do
/// not, or has other expressions for its arguments; `None` where it does not, or where there is no other one.
pub(crate) fn revised(report: &Report) -> Vec<Option<Suggestion>> {
    let revised = |finding: &Finding| {
        let read = |file: &str| files::text(report, file);
        let own = finding.suggestion.as_ref()?;
        let kept = own.without(|suggestion| farside_fix::stops_threads(finding, suggestion, &read));
        farside_fix::as_written(finding, kept.as_ref().unwrap_or(own), &read).or(kept)
    };
    report.findings.iter().map(revised).collect()
}

/// The changes that repair a finding of a report; none if it is not repaired.
pub(crate) fn changes(report: &Report, finding: &Finding) -> Vec<Change> {
    farside_fix::changes(finding, &|file| files::text(report, file)).unwrap_or_default()
}

fn fix(arguments: &FixArguments) -> Result<Status, Fault> {
    if let Some(report) = robustness::read(arguments.report())? {
        return robustness::run(arguments, &report);
    }
    let report = read(arguments.report())?;
    if let Some(unknown) = arguments.wanted().iter().find(|id| !knows(&report, id)) {
        return Err(Fault::NoSuchFinding(unknown.clone()));
    }
    if report.findings.is_empty() {
        say!("farside: the report has no findings");
        return Ok(Status::Clean);
    }
    if arguments.command().is_some() {
        return rounds::run(arguments, report);
    }
    let plan = plan(&report, &|finding| is_wanted(finding, arguments.wanted()));
    tell_refused(&report, &plan);
    let changed: Vec<_> = plan.files().collect();
    if arguments.applies() {
        let texts: Vec<_> = changed
            .iter()
            .map(|(file, _, new)| (sources::path_of(&report, file), *new))
            .collect();
        files::write(&texts)?;
    }
    for (file, old, new) in &changed {
        print(&diff(&report, file, old, new))?;
    }
    say!("farside: {}", summary(&plan, arguments.applies()));
    Ok(match () {
        () if plan.refused().iter().any(|(_, refusal)| refusal.is_of_input()) => Status::Usage,
        () if plan.refused().is_empty() && plan.unverified().is_empty() => Status::Clean,
        () => Status::Findings,
    })
}

/// The sources as they would look if a finding is repaired, as a diff.
pub(crate) fn preview(report: &Report, finding: &Finding) -> Result<String, Refusal> {
    let plan = plan(report, &|other| other.id == finding.id);
    if let Some((_, refusal)) = plan.refused().first() {
        return Err(refusal.clone());
    }
    let diffs = plan.files().map(|(file, old, new)| diff(report, file, old, new));
    Ok(diffs.collect())
}

/// Reads a report.
pub(crate) fn read(path: &Path) -> Result<Report, Fault> {
    let text = report_text(path)?;
    let report: Report = serde_json::from_slice(&text).map_err(|error| {
        let other = serde_json::from_slice::<serde_json::Value>(&text).ok();
        let has = |key| other.as_ref().is_some_and(|value| value.get(key).is_some());
        let why = if other.is_some() && !has("schema_version") {
            "it is JSON of something else, without a `schema_version`".to_owned()
        } else if has("target") && has("rows") && !has("findings") {
            "it is a report of `farside conform`, which has no findings".to_owned()
        } else if other.is_some() && !has("findings") {
            "it is a report of another command, which has no findings".to_owned()
        } else {
            error.to_string()
        };
        Fault::NotReport(path.to_path_buf(), why)
    })?;
    if report.schema_version != SCHEMA_VERSION {
        let why = format!("it has version {} of the format", report.schema_version);
        return Err(Fault::NotReport(path.to_path_buf(), why));
    }
    Ok(report)
}

fn knows(report: &Report, id: &str) -> bool {
    let of_finding = |finding: &Finding| finding.id == id || finding.cause.as_deref() == Some(id);
    report.findings.iter().any(of_finding)
}

fn is_wanted(finding: &Finding, ids: &[String]) -> bool {
    ids.is_empty()
        || ids.contains(&finding.id)
        || finding.cause.as_ref().is_some_and(|cause| ids.contains(cause))
}

fn plan(report: &Report, wanted: &dyn Fn(&Finding) -> bool) -> Plan {
    Plan::of(report, wanted, &|file| files::text(report, file))
}

/// The ways to repair findings where the program is checked afterwards; at least one.
fn alternatives(report: &Report, wanted: &dyn Fn(&Finding) -> bool) -> Vec<Plan> {
    Plan::alternatives(report, wanted, &|file| files::text(report, file), Trust::Untried)
}

/// Says why findings are not repaired.
fn tell_refused(report: &Report, plan: &Plan) {
    for (id, refusal) in plan.refused() {
        let finding = report.findings.iter().find(|finding| finding.id == *id);
        let rule = finding.map_or("", |finding| finding.rule.id());
        say!("farside: not repaired: {rule} [{id}]: {refusal}");
    }
}

fn summary(plan: &Plan, applied: bool) -> String {
    let (edited, unverified) = (plan.repaired().len(), plan.unverified().len());
    let all = edited + plan.refused().len();
    let files = match (plan.files().count(), applied) {
        (1, true) => "1 file changed".to_owned(),
        (1, false) => "1 file would change".to_owned(),
        (many, true) => format!("{many} files changed"),
        (many, false) => format!("{many} files would change"),
    };
    let open = match unverified {
        0 => String::new(),
        1 => "; 1 more by a suggestion that was not tried: check the program again".to_owned(),
        many => format!("; {many} more by suggestions that were not tried: check the program again"),
    };
    format!(
        "{} of {all} findings repaired{open}; {files}",
        edited - unverified
    )
}

/// The change of a file as a unified diff, with names that `patch -p1` and `git apply` take here.
fn diff(report: &Report, file: &str, old: &str, new: &str) -> String {
    diff_of(&sources::path_of(report, file), old, new)
}

/// The change of a file, likewise.
fn diff_of(path: &Path, old: &str, new: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let names = match path.strip_prefix(&here) {
        Ok(below) => ["a", "b"].map(|side| format!("{side}/{}", below.display())),
        Err(_) => [path.display().to_string(), path.display().to_string()],
    };
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    unified.header(&names[0], &names[1]).to_string()
}
