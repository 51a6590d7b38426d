//! Sources of programs: `farside lint` looks at them in the background.

use crate::places::{position, word};
use farside_findings::{Change, Finding, Place, Report, Rule, Severity};
use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Range, TextEdit, Url, WorkspaceEdit,
};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The changes that repair a finding of a report.
pub type Repairs = fn(&Report, &Finding) -> Vec<Change>;

/// Endings of sources.
const SOURCES: [&str; 14] = [
    "c", "cc", "cpp", "cxx", "C", "c++", "f", "for", "f90", "f95", "f03", "f08", "F90", "F",
];

/// Whether lint reads such a file.
pub(crate) fn is_source(path: &Path) -> bool {
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| SOURCES.contains(&ending))
}

/// What is looked at for a file: the compilation database of its build, if it has the file, else the file.
pub(crate) fn asked(file: &Path) -> PathBuf {
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let databases = file.ancestors().skip(1).flat_map(|folder| {
        [
            folder.join("compile_commands.json"),
            folder.join("build/compile_commands.json"),
        ]
    });
    let has = |database: &PathBuf| std::fs::read_to_string(database).is_ok_and(|text| text.contains(name));
    databases
        .into_iter()
        .find(has)
        .unwrap_or_else(|| file.to_path_buf())
}

/// Runs lint; its report, or why there is none.
pub(crate) fn report(mut lint: Command, asked: &Path) -> Result<Report, String> {
    let output = lint.arg(asked).output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// The findings of a report, by file.
pub(crate) fn diagnostics(report: &Report) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut texts = Texts::default();
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in &report.findings {
        let places: Vec<&Place> = finding.parties.iter().filter_map(|party| party.place()).collect();
        for (index, place) in places.iter().enumerate() {
            let file = path(report, &place.file);
            let others = places.iter().enumerate().filter(|(other, _)| *other != index);
            let related = others.filter_map(|(other, place)| {
                let file = path(report, &place.file);
                let location = Location::new(Url::from_file_path(&file).ok()?, texts.range(&file, place));
                let party = finding.parties.get(other)?;
                let message = format!("{} by rank {}", party.operation, party.rank);
                Some(DiagnosticRelatedInformation { location, message })
            });
            let related: Vec<_> = related.collect();
            found.entry(file.clone()).or_default().push(Diagnostic {
                range: texts.range(&file, place),
                severity: Some(match (finding.severity, finding.possible) {
                    (Severity::Error, false) => DiagnosticSeverity::ERROR,
                    _ => DiagnosticSeverity::WARNING,
                }),
                code: Some(NumberOrString::String(finding.rule.id().to_owned())),
                source: Some("farside".to_owned()),
                message: message(finding),
                related_information: Some(related),
                ..Diagnostic::default()
            });
        }
    }
    found
}

fn message(finding: &Finding) -> String {
    let title = finding.rule.title();
    format!("{title}: {} [{}]", finding.message, finding.id)
}

/// What is known of the rule of a finding.
pub(crate) fn explained(report: &Report, file: &Path, line: u32) -> Option<String> {
    let at = |finding: &&Finding| {
        let mut places = finding.parties.iter().filter_map(|party| party.place());
        places.any(|place| place.line == line + 1 && path(report, &place.file) == file)
    };
    let mut found: Vec<String> = Vec::new();
    for finding in report.findings.iter().filter(at) {
        let rule: Rule = finding.rule;
        let text = format!(
            "**{}**: {}\n\n{}\n\n{}",
            rule.id(),
            rule.title(),
            finding.message,
            finding.source()
        );
        if !found.contains(&text) {
            found.push(text);
        }
    }
    (!found.is_empty()).then(|| found.join("\n\n---\n\n"))
}

/// The repairs of the findings at some lines.
pub(crate) fn actions(report: &Report, repairs: Repairs, file: &Path, lines: Range) -> Vec<CodeAction> {
    let here = |finding: &&Finding| {
        let mut places = finding.parties.iter().filter_map(|party| party.place());
        places.any(|place| {
            let line = place.line.saturating_sub(1);
            (lines.start.line..=lines.end.line).contains(&line) && path(report, &place.file) == file
        })
    };
    let mut texts = Texts::default();
    let mut offered: Vec<CodeAction> = Vec::new();
    for finding in report.findings.iter().filter(here) {
        let Some(action) = action(report, (finding, repairs), &mut texts) else {
            continue;
        };
        if offered.iter().all(|known| known.edit != action.edit) {
            offered.push(action);
        }
    }
    offered
}

fn action(report: &Report, (finding, repairs): (&Finding, Repairs), texts: &mut Texts) -> Option<CodeAction> {
    let changes = repairs(report, finding);
    let mut edits: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for change in &changes {
        let file = path(report, &change.file);
        let text = texts.get(&file);
        let range = Range::new(position(text, change.from), position(text, change.to));
        let edit = TextEdit::new(range, change.text.clone());
        edits
            .entry(Url::from_file_path(&file).ok()?)
            .or_default()
            .push(edit);
    }
    // Braces may come with a call.
    let letters = |change: &&Change| {
        change
            .text
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .count()
    };
    let code = changes.iter().max_by_key(letters)?;
    Some(CodeAction {
        title: format!("farside: `{}` in line {}", code.text.trim(), code.from.0),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(WorkspaceEdit::new(edits)),
        ..CodeAction::default()
    })
}

/// A file that a report names.
fn path(report: &Report, name: &str) -> PathBuf {
    Path::new(&report.program.folder).join(name)
}

/// The texts of files, read once.
#[derive(Default)]
struct Texts(HashMap<PathBuf, String>);

impl Texts {
    fn get(&mut self, file: &Path) -> &str {
        let read = || std::fs::read_to_string(file).unwrap_or_default();
        self.0.entry(file.to_path_buf()).or_insert_with(read)
    }

    fn range(&mut self, file: &Path, place: &Place) -> Range {
        word(self.get(file), (place.line, place.column))
    }
}
