//! What several judges of one job found, each in its part of the memory, as one judge would have told it.
//!
//! One judge tells findings in the order in which it meets them, each pair of code places once. Judges number events
//! alike, and within an event the process that it is of comes before others. So the order of all is known, and of a
//! pair that several met the first tells.

use super::instances::KEPT;
use super::moment::{Moment, sorted};
use super::tally::TIMELINES;
use crate::finding::{RawFinding, Site};
use farside_findings::Rule;
use rustc_hash::FxHashMap as HashMap;
use serde::{Deserialize, Serialize};

/// A finding of one judge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FoundAt {
    moment: Moment,
    finding: RawFinding,
    /// The first instances that may have to be left out, and whether they have to.
    open: Vec<(Moment, bool)>,
}

impl FoundAt {
    pub(super) fn new(moment: Moment, finding: RawFinding, open: Vec<(Moment, bool)>) -> Self {
        Self {
            moment,
            finding,
            open,
        }
    }

    /// What tells it from others; a finding has a party.
    fn key(&self) -> (Rule, Option<[Site; 2]>) {
        let mut sites = self.finding.parties.iter().map(|party| party.site);
        let first = sites.next();
        let both = first.map(|first| sorted([first, sites.next().unwrap_or(first)]));
        (self.finding.rule, both)
    }

    /// Another judge met the same later.
    fn take_in(&mut self, later: Self) {
        self.finding.count += later.finding.count;
        self.open.extend(later.open);
    }

    /// Whether it is not known of any instance that it is a race.
    fn is_left_open(&mut self) -> bool {
        self.open.sort_by_key(|(moment, _)| *moment);
        !self.open.is_empty() && self.open.iter().take(KEPT).all(|(_, open)| *open)
    }
}

/// The findings of all judges, in the order in which one would have told them; and how many were left out. `first`
/// says that only the first is wanted.
pub(crate) fn join(mut all: Vec<FoundAt>, first: bool) -> (Vec<RawFinding>, u64) {
    // Stable: what a judge found at one moment keeps its order.
    all.sort_by_key(|found| found.moment);
    if first {
        all.truncate(1);
    }
    let mut known: HashMap<(Rule, Option<[Site; 2]>), usize> = HashMap::default();
    let mut joined: Vec<FoundAt> = Vec::new();
    for found in all {
        let next = joined.len();
        let index = *known.entry(found.key()).or_insert(next);
        match joined.get_mut(index) {
            Some(same) => same.take_in(found),
            None => joined.push(found),
        }
    }
    for late in joined.iter_mut().skip(TIMELINES) {
        late.finding.timeline = None;
    }
    let before = joined.len();
    joined.retain_mut(|found| !found.is_left_open());
    let left_open = (before - joined.len()) as u64;
    (joined.into_iter().map(|found| found.finding).collect(), left_open)
}
