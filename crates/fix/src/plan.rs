//! What is done about each finding of a report: edits of its sources, or the reason why not.

use crate::edit::Edits;
use crate::refusal::Refusal;
use crate::repair::{Changes, Repair};
use crate::sources::{Read, Sources};
use farside_findings::{Cause, Change, Finding, Party, Report};
use std::collections::BTreeMap;

/// The repairs of a report's findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    files: BTreeMap<String, (String, String)>,
    repaired: Vec<String>,
    refused: Vec<(String, Refusal)>,
}

impl Plan {
    /// Repairs findings, those of one cause by one change where there is one for all.
    #[must_use]
    pub fn of(report: &Report, wanted: &dyn Fn(&Finding) -> bool, read: Read<'_>) -> Self {
        let sources = Sources::new(read);
        let mut plan = Self::default();
        let mut edits: BTreeMap<String, Edits> = BTreeMap::new();
        for (cause, group) in report.by_cause() {
            let group: Vec<&Finding> = group.iter().filter(|finding| wanted(finding)).collect();
            let common = cause
                .filter(|_| group.len() > 1)
                .and_then(|cause| of_cause(cause, &group, &sources));
            if let Some(changes) = common
                && take(&mut edits, &changes)
            {
                plan.repaired
                    .extend(group.iter().map(|finding| finding.id.clone()));
                continue;
            }
            for finding in group {
                match of_finding(finding, &sources) {
                    Ok(changes) if take(&mut edits, &changes) => plan.repaired.push(finding.id.clone()),
                    Ok(_) => plan.refused.push((finding.id.clone(), Refusal::Overlap)),
                    Err(refusal) => plan.refused.push((finding.id.clone(), refusal)),
                }
            }
        }
        for (file, edits) in edits {
            if let Ok(source) = sources.get(&file) {
                let new = edits.apply(source.text());
                plan.files.insert(file, (source.text().to_owned(), new));
            }
        }
        plan
    }

    /// The files that change: name, old text, new text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.files
            .iter()
            .map(|(name, (old, new))| (name.as_str(), old.as_str(), new.as_str()))
    }

    /// The ids of findings that the edits repair.
    #[must_use]
    pub fn repaired(&self) -> &[String] {
        &self.repaired
    }

    /// The ids of findings that they do not, with the reason.
    #[must_use]
    pub fn refused(&self) -> &[(String, Refusal)] {
        &self.refused
    }
}

/// The edits that repair one finding, as ranges of lines and columns: for reports.
///
/// # Errors
/// The finding is not repaired.
pub fn changes(finding: &Finding, read: Read<'_>) -> Result<Vec<Change>, Refusal> {
    let sources = Sources::new(read);
    let edits = of_finding(finding, &sources)?;
    let mut changes = Vec::new();
    for (file, edits) in edits {
        let source = sources.get(&file)?;
        changes.extend(edits.iter().map(|edit| Change {
            file: file.clone(),
            from: position(source.text(), edit.range().start),
            to: position(source.text(), edit.range().end),
            text: edit.text().to_owned(),
        }));
    }
    Ok(changes)
}

/// Line and column of a byte, from 1; columns count characters.
fn position(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    let cut = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (cut(line), cut(column))
}

/// Takes all edits, or none of them.
fn take(edits: &mut BTreeMap<String, Edits>, changes: &Changes) -> bool {
    let mut new = edits.clone();
    let all = changes
        .iter()
        .all(|(file, changes)| new.entry(file.clone()).or_default().add(changes));
    if all {
        *edits = new;
    }
    all
}

/// One change for all findings of a cause.
fn of_cause(cause: &Cause, group: &[&Finding], sources: &Sources<'_>) -> Option<Changes> {
    let suggestion = cause.suggestion.as_ref()?;
    let parties: Vec<&Party> = group.iter().flat_map(|finding| &finding.parties).collect();
    Repair::new(group[0], parties, suggestion, sources).changes().ok()
}

fn of_finding(finding: &Finding, sources: &Sources<'_>) -> Result<Changes, Refusal> {
    if finding.possible {
        return Err(Refusal::Possible);
    }
    let suggestion = finding.suggestion.as_ref().ok_or(Refusal::NoSuggestion)?;
    Repair::new(finding, finding.parties.iter().collect(), suggestion, sources).changes()
}
