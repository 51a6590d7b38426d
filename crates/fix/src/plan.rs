//! What is done about each finding of a report: edits of its sources, or the reason why not.

use crate::edit::{Edits, with_line_ends_of};
use crate::refusal::Refusal;
use crate::repair::Changes;
use crate::sources::{Read, Sources};
use crate::ways::{Trust, Way, of_cause, of_finding};
use farside_findings::{Change, Finding, Report};
use std::collections::BTreeMap;

/// The ways to repair the findings of a cause.
struct Ways<'r> {
    /// One change for all of them.
    common: Option<Way>,
    /// By finding, with its id: changes for it alone.
    single: Vec<(&'r str, Result<Vec<Way>, Refusal>)>,
}

impl Ways<'_> {
    fn number(&self) -> usize {
        let single = self
            .single
            .iter()
            .map(|(_, ways)| ways.as_ref().map_or(0, Vec::len));
        single.max().unwrap_or(0) + usize::from(self.common.is_some())
    }
}

/// The repairs of a report's findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    files: BTreeMap<String, (String, String)>,
    repaired: Vec<String>,
    unverified: Vec<String>,
    refused: Vec<(String, Refusal)>,
}

impl Plan {
    /// Repairs findings, those of one cause by one change where there is one for all.
    #[must_use]
    pub fn of(report: &Report, wanted: &dyn Fn(&Finding) -> bool, read: Read<'_>) -> Self {
        let mut all = Self::alternatives(report, wanted, read, Trust::Tried);
        all.swap_remove(0)
    }

    /// The ways to repair findings, the surest first; at least one. Each takes the next way for every cause that has
    /// another one, and changes nothing for those that have none.
    #[must_use]
    pub fn alternatives(
        report: &Report,
        wanted: &dyn Fn(&Finding) -> bool,
        read: Read<'_>,
        trust: Trust,
    ) -> Vec<Self> {
        let sources = Sources::new(read);
        let mut causes = Vec::new();
        for (cause, group) in report.by_cause() {
            let group: Vec<&Finding> = group.iter().filter(|finding| wanted(finding)).collect();
            let common = cause.and_then(|cause| of_cause(cause, &group, &sources, trust));
            let single = group
                .into_iter()
                .map(|finding| (&*finding.id, of_finding(finding, &sources, trust)));
            causes.push(Ways {
                common,
                single: single.collect(),
            });
        }
        let most = causes.iter().map(Ways::number).max().unwrap_or(1).max(1);
        let mut plans: Vec<Self> = Vec::new();
        for number in 0..most {
            let plan = Self::with(&causes, number, &sources);
            if number == 0 || !(plan.is_empty() || plans.iter().any(|known| known.changes_like(&plan))) {
                plans.push(plan);
            }
        }
        plans
    }

    /// Takes the way of this number for each cause.
    fn with(causes: &[Ways<'_>], number: usize, sources: &Sources<'_>) -> Self {
        let mut plan = Self::default();
        let mut edits: BTreeMap<String, Edits> = BTreeMap::new();
        let mut single: Vec<Choice<'_>> = Vec::new();
        for ways in causes {
            let (common, number) = match (&ways.common, number.checked_sub(1)) {
                (Some(common), None) => (Some(common), 0),
                (Some(_), Some(number)) => (None, number),
                (None, _) => (None, number),
            };
            if let Some(way) = common
                && take(&mut edits, way.changes())
            {
                for (id, _) in &ways.single {
                    plan.note(id, way);
                }
                continue;
            }
            for (id, ways) in &ways.single {
                match ways {
                    Err(refusal) => plan.refused.push(((*id).to_owned(), refusal.clone())),
                    Ok(ways) => single.push((id, (number == 0).then_some(ways), ways.get(number))),
                }
            }
        }
        share(&mut single);
        for (id, _, way) in single {
            match way {
                Some(way) if take(&mut edits, way.changes()) => plan.note(id, way),
                Some(_) => plan.refused.push((id.to_owned(), Refusal::Overlap)),
                None => {}
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

    /// A finding is repaired in some way.
    fn note(&mut self, id: &str, way: &Way) {
        self.repaired.push(id.to_owned());
        if !way.is_verified() {
            self.unverified.push(id.to_owned());
        }
    }

    /// The files that change: name, old text, new text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.files
            .iter()
            .map(|(name, (old, new))| (name.as_str(), old.as_str(), new.as_str()))
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether another one makes the same texts.
    #[must_use]
    pub fn changes_like(&self, other: &Self) -> bool {
        self.files == other.files
    }

    /// The ids of findings that the edits are for.
    #[must_use]
    pub fn repaired(&self) -> &[String] {
        &self.repaired
    }

    /// Those among them for which the edits do what is suggested and was not tried: whether they repair them is not
    /// known before the program is checked again.
    #[must_use]
    pub fn unverified(&self) -> &[String] {
        &self.unverified
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
    let ways = of_finding(finding, &sources, Trust::Tried)?;
    let mut changes = Vec::new();
    for (file, edits) in ways.iter().take(1).flat_map(Way::changes) {
        let source = sources.get(file)?;
        changes.extend(edits.iter().map(|edit| Change {
            file: file.clone(),
            from: source.position(edit.range().start),
            to: source.position(edit.range().end),
            text: with_line_ends_of(source.text(), edit.text()).into_owned(),
        }));
    }
    Ok(changes)
}

/// A finding with its ways, as far as it may choose among them, and the one that it takes.
type Choice<'w> = (&'w str, Option<&'w [Way]>, Option<&'w Way>);

/// Lets findings take verified ways that others take anyway, where none of those that share a way needs it then.
fn share(single: &mut [Choice<'_>]) {
    for one in 0..single.len() {
        let Some(taken) = single[one].2 else { continue };
        let takes = |other: usize, way: &Way| {
            single[other]
                .2
                .is_some_and(|other| other.changes() == way.changes())
        };
        let (group, others): (Vec<usize>, Vec<usize>) =
            (0..single.len()).partition(|other| takes(*other, taken));
        let shared = |member: &usize| {
            let mut ways = single[*member].1?.iter().filter(|way| way.is_verified());
            ways.find(|way| others.iter().any(|other| takes(*other, way)))
        };
        let new: Option<Vec<&Way>> = group.iter().map(shared).collect();
        for (member, way) in group.into_iter().zip(new.into_iter().flatten()) {
            single[member].2 = Some(way);
        }
    }
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
