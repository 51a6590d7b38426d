//! Findings, each distinct pair of code places once with a count.

use super::moment::{Moment, sorted};
use crate::finding::{RawFinding, RawScene, RawSuggestion, Site, Told, Turned};
use farside_findings::Rule;
use rustc_hash::FxHashMap as HashMap;
use std::collections::hash_map::Entry;

/// Findings that get a picture; the others would only repeat it.
pub(super) const TIMELINES: usize = 200;

/// The findings so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    findings: Vec<RawFinding>,
    /// When each was found.
    moments: Vec<Moment>,
    now: Moment,
    known: HashMap<(Rule, Site, Site), usize>,
    /// Stop after the first.
    first_only: bool,
}

impl Tally {
    /// A tally that stops after the first finding, or does not.
    pub(super) fn new(first_only: bool) -> Self {
        Self {
            first_only,
            ..Self::default()
        }
    }

    /// What is found from now on belongs to this moment.
    pub(super) fn begin(&mut self, now: Moment) {
        self.now = now;
    }

    /// What is found now belongs to this moment.
    pub(super) fn now(&self) -> Moment {
        self.now
    }

    /// A finding of this rule at these places: the index to [`Tally::fill`] if it is new, else it is counted.
    pub(super) fn enter(&mut self, rule: Rule, sites: [Site; 2]) -> Option<usize> {
        if self.first_only && !self.findings.is_empty() {
            return None;
        }
        let sites = sorted(sites);
        let next = self.findings.len();
        match self.known.entry((rule, sites[0], sites[1])) {
            Entry::Occupied(entry) => {
                if let Some(finding) = self.findings.get_mut(*entry.get()) {
                    finding.count += 1;
                }
                None
            }
            Entry::Vacant(entry) => {
                entry.insert(next);
                Some(next)
            }
        }
    }

    /// The index of a finding of this rule at these places.
    pub(super) fn index(&self, rule: Rule, sites: [Site; 2]) -> Option<usize> {
        let sites = sorted(sites);
        self.known.get(&(rule, sites[0], sites[1])).copied()
    }

    /// Takes findings back, by their index, at the end; gives how many.
    pub(super) fn leave_out(&mut self, wanted: impl Fn(usize) -> bool) -> u64 {
        let before = self.findings.len();
        let mut index = 0;
        self.findings.retain(|_| {
            index += 1;
            !wanted(index - 1)
        });
        (before - self.findings.len()) as u64
    }

    /// The finding for an index just given.
    pub(super) fn fill(&mut self, index: usize, finding: RawFinding) {
        debug_assert_eq!(index, self.findings.len());
        self.findings.push(finding);
        self.moments.push(self.now);
    }

    /// What to do about a finding.
    pub(super) fn advise(&mut self, index: usize, suggestion: RawSuggestion) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.suggestion = Some(suggestion);
        }
    }

    /// What took part in a race; before it is turned.
    pub(super) fn show(&mut self, index: usize, scene: RawScene) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.scene = Some(Box::new(scene));
        }
    }

    /// The second party of a race should come first.
    pub(super) fn turn(&mut self, index: usize, told: Told) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.turn(told);
        }
    }

    /// So it may be; the sources will tell.
    pub(super) fn may_turn(&mut self, index: usize, turned: Turned) {
        if let Some(finding) = self.findings.get_mut(index) {
            finding.turned = Some(Box::new(turned));
        }
    }

    /// Whether pictures are still made.
    pub(super) fn wants_timeline(&self) -> bool {
        self.findings.len() < TIMELINES
    }

    /// Whether the run need not be judged any further.
    pub(super) fn is_done(&self) -> bool {
        self.first_only && !self.findings.is_empty()
    }

    /// The findings so far.
    pub(super) fn all(&self) -> &[RawFinding] {
        &self.findings
    }

    /// All findings, at the end.
    pub(super) fn into_all(self) -> Vec<RawFinding> {
        self.findings
    }

    /// The findings so far, each with the moment in which it was found.
    pub(super) fn moments(&self) -> impl Iterator<Item = (Moment, &RawFinding)> {
        self.moments.iter().copied().zip(&self.findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Misuse;
    use farside_events::{Rank, StackId};

    #[test]
    fn a_pair_of_places_is_one_finding_in_either_order() {
        let [one, other] = [1, 2].map(|line| Site::of_call(Rank(0), StackId(line)));
        let mut tally = Tally::new(false);
        let index = tally
            .enter(Rule::DoubleLock, [one, other])
            .expect("a new finding");
        tally.fill(index, RawFinding::misuse(Misuse::DoubleLock, None, Vec::new()));
        assert_eq!(tally.enter(Rule::DoubleLock, [other, one]), None);
        assert_eq!(tally.all()[0].count, 2);
        assert_eq!(tally.enter(Rule::DoubleLock, [one, one]), Some(1));
    }
}
