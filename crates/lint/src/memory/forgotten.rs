//! Which bytes hold values that were not computed.

use super::page::{LINE, Table};
use farside_clocks::IntervalMap;
use std::ops::Range;

/// Of longer ranges, lines are not marked.
const LONG: u64 = 1 << 30;

/// Ranges of bytes. Most programs have none, and pay nothing for the question.
#[derive(Debug)]
pub(super) struct Forgotten {
    ranges: IntervalMap<bool>,
    /// The cache lines in which some may be.
    lines: Table<u64>,
    /// Some may be anywhere.
    has_long: bool,
}

impl Forgotten {
    /// None yet, of memory whose first page has this number.
    pub(super) fn starting_at(first: u64) -> Self {
        Self {
            ranges: IntervalMap::default(),
            lines: Table::starting_at(first),
            has_long: false,
        }
    }

    pub(super) fn insert(&mut self, address: u64, size: u64) {
        match size {
            0 => return,
            1..LONG => self.lines.mark(address, size),
            _ => self.has_long = true,
        }
        self.set(address, size, true);
    }

    pub(super) fn remove(&mut self, address: u64, size: u64) {
        if !self.meets(address, size) {
            return;
        }
        self.set(address, size, false);
        if size >= LONG {
            // Marks that stay cost a look each.
            return;
        }
        let first = address / LINE * LINE;
        for line in (first..address.saturating_add(size)).step_by(LINE as usize) {
            if self.within(line, LINE).next().is_none() {
                self.lines.clear(line);
            }
        }
    }

    /// Whether a byte of the range may be among them; this is known at once.
    #[inline]
    pub(super) fn may_meet(&self, address: u64, size: u64) -> bool {
        !self.ranges.is_empty() && (self.has_long || self.lines.touches(address, size))
    }

    /// Whether a byte of the range is among them.
    pub(super) fn meets(&self, address: u64, size: u64) -> bool {
        self.may_meet(address, size) && self.within(address, size).next().is_some()
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
    use proptest::prelude::*;

    #[test]
    fn what_is_written_in_between_is_known_again() {
        let mut forgotten = Forgotten::starting_at(0);
        assert!(!forgotten.meets(0, 100));
        forgotten.insert(10, 30);
        forgotten.remove(20, 4);
        assert!(forgotten.meets(0, 11) && !forgotten.meets(0, 10) && !forgotten.meets(20, 4));
        assert_eq!(forgotten.within(15, 10).collect::<Vec<_>>(), [15..20, 24..25]);
    }

    proptest! {
        /// The marks of lines keep nothing from being found, and a line without such a byte is not marked for long.
        #[test]
        fn each_byte_is_found_as_in_a_set(
            changes in prop::collection::vec((any::<bool>(), 0..9000u64, 1..300u64), 1..40),
            asked in prop::collection::vec((0..9000u64, 1..200u64), 20),
        ) {
            let mut forgotten = Forgotten::starting_at(0);
            let mut bytes = std::collections::BTreeSet::new();
            for (insert, address, size) in changes {
                match insert {
                    true => {
                        forgotten.insert(address, size);
                        bytes.extend(address..address + size);
                    }
                    false => {
                        forgotten.remove(address, size);
                        bytes.retain(|byte| !(address..address + size).contains(byte));
                    }
                }
            }
            for (address, size) in asked {
                let is_there = bytes.range(address..address + size).next().is_some();
                prop_assert_eq!(forgotten.meets(address, size), is_there);
                let line = address / LINE * LINE;
                let in_line = bytes.range(line..line + LINE).next().is_some();
                prop_assert_eq!(forgotten.may_meet(address, 1), in_line);
            }
        }
    }
}
