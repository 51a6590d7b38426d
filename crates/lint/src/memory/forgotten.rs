//! Which bytes hold values that were not computed.

use farside_clocks::IntervalMap;
use std::ops::Range;

/// Ranges of bytes. Most programs have none, and pay nothing for the question.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    ranges: IntervalMap<bool>,
}

impl Forgotten {
    pub(super) fn insert(&mut self, address: u64, size: u64) {
        self.set(address, size, true);
    }

    pub(super) fn remove(&mut self, address: u64, size: u64) {
        if self.meets(address, size) {
            self.set(address, size, false);
        }
    }

    /// Whether a byte of the range is among them.
    pub(super) fn meets(&self, address: u64, size: u64) -> bool {
        !self.ranges.is_empty() && self.within(address, size).next().is_some()
    }

    /// Those of the range.
    pub(super) fn within(&self, address: u64, size: u64) -> impl Iterator<Item = Range<u64>> {
        let pieces = self.ranges.overlapping(address..address.saturating_add(size));
        pieces
            .filter(|(_, forgotten)| **forgotten)
            .map(|(range, _)| range)
    }

    fn set(&mut self, address: u64, size: u64, forgotten: bool) {
        self.ranges
            .update(address..address.saturating_add(size), |_, known| {
                *known = forgotten
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_in_between_is_known_again() {
        let mut forgotten = Forgotten::default();
        assert!(!forgotten.meets(0, 100));
        forgotten.insert(10, 30);
        forgotten.remove(20, 4);
        assert!(forgotten.meets(0, 11) && !forgotten.meets(0, 10) && !forgotten.meets(20, 4));
        assert_eq!(forgotten.within(15, 10).collect::<Vec<_>>(), [15..20, 24..25]);
    }
}
