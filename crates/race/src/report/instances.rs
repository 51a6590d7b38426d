//! Instances of races between processes whose clocks cannot be compared, to be looked at again when the order of lock
//! epochs is known as far as it will be.

use super::moment::Moment;
use crate::order::Known;
use rustc_hash::FxHashMap as HashMap;

/// Instances that are kept of a finding.
pub(super) const KEPT: usize = 8;

/// By the index of the finding.
#[derive(Debug, Default)]
pub(super) struct Instances(HashMap<usize, Vec<(Moment, [Known; 2])>>);

impl Instances {
    /// A finding is met once more.
    pub(super) fn add(&mut self, finding: usize, now: Moment, sides: [Known; 2]) {
        let known = self.0.entry(finding).or_default();
        if known.len() < KEPT {
            known.push((now, sides));
        }
    }

    /// When each instance of a finding that is kept was met, and whether it is of this kind.
    pub(super) fn each(&self, finding: usize, are: impl Fn(&[Known; 2]) -> bool) -> Vec<(Moment, bool)> {
        let known = self.0.get(&finding).into_iter().flatten();
        known.map(|(moment, sides)| (*moment, are(sides))).collect()
    }

    /// Whether all instances of a finding that are kept are of this kind; no, if none is.
    pub(super) fn all(&self, finding: usize, are: impl Fn(&[Known; 2]) -> bool) -> bool {
        self.0
            .get(&finding)
            .is_some_and(|known| known.iter().all(|(_, sides)| are(sides)))
    }
}
