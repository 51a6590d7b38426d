//! Findings, each distinct pair of code places once with a count.

use crate::finding::{RawFinding, RawSuggestion, Site, Told, Turned};
use farside_findings::Rule;
use std::collections::HashMap;

/// Findings that get a picture; the others would only repeat it.
const TIMELINES: usize = 200;

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    findings: Vec<RawFinding>,
    known: HashMap<(Rule, Site, Site), usize>,
    /// Stop after the first.
    pub(crate) first_only: bool,
}

impl Tally {
    /// A finding of this rule at these places: the index to [`Tally::fill`] if it is new, else it is counted.
    pub(crate) fn enter(&mut self, rule: Rule, mut sites: [Site; 2]) -> Option<usize> {
        if self.first_only && !self.findings.is_empty() {
            return None;
        }
        sites.sort_by_key(|site| (site.rank, site.pc, site.stack));
        let next = self.findings.len();
        match self.known.entry((rule, sites[0], sites[1])) {
            std::collections::hash_map::Entry::Occupied(entry) => {
                if let Some(finding) = self.findings.get_mut(*entry.get()) {
                    finding.count += 1;
                }
                None
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(next);
                Some(next)
            }
        }
    }

    /// The finding for an index just given.
    pub(crate) fn fill(&mut self, index: usize, finding: RawFinding) {
        debug_assert_eq!(index, self.findings.len());
        self.findings.push(finding);
    }

    /// What to do about a finding.
    pub(crate) fn advise(&mut self, index: usize, suggestion: RawSuggestion) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.suggestion = Some(suggestion);
        }
    }

    /// The second party of a race should come first.
    pub(crate) fn turn(&mut self, index: usize, told: Told) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.turn(told);
        }
    }

    /// So it may be; the sources will tell.
    pub(crate) fn may_turn(&mut self, index: usize, turned: Turned) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.turned = Some(Box::new(turned));
        }
    }

    /// Whether pictures are still made.
    pub(crate) fn wants_timeline(&self) -> bool {
        self.findings.len() < TIMELINES
    }

    /// Whether the run need not be judged any further.
    pub(crate) fn is_done(&self) -> bool {
        self.first_only && !self.findings.is_empty()
    }

    pub(crate) fn all(&self) -> &[RawFinding] {
        &self.findings
    }

    pub(crate) fn into_all(self) -> Vec<RawFinding> {
        self.findings
    }
}
