//! Which memory is window memory, or the buffer of an RMA operation.
//!
//! Promise: what is tracked stays so, and is told in whole cache lines. A long range costs no more than a short one.

use super::page::{LINE, PAGE, Table, lines};
use std::ops::Range;

/// Ranges of so many pages are kept as ranges, and not page by page.
const LONG: u64 = 1 << 10;

/// What is tracked.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    /// The cache lines, a bit each.
    lines: Table<u64>,
    /// Pages all of whose lines are tracked, in ranges that are apart and ascend.
    long: Vec<Range<u64>>,
}

impl Tracked {
    /// Nothing yet, of memory whose first page has this number.
    pub(super) fn starting_at(first: u64) -> Self {
        Self {
            lines: Table::starting_at(first),
            long: Vec::new(),
        }
    }

    /// From now on, a range is tracked.
    pub(super) fn track(&mut self, address: u64, size: u64) {
        let end = address.saturating_add(size);
        let pages = address.div_ceil(PAGE)..end / PAGE;
        if pages.end.saturating_sub(pages.start) < LONG {
            return self.mark(address..end);
        }
        self.mark(address..pages.start * PAGE);
        self.mark(pages.end * PAGE..end);
        self.long.push(pages);
        self.long.sort_unstable_by_key(|pages| pages.start);
        self.long.dedup_by(|next, before| {
            let meet = next.start <= before.end;
            if meet {
                before.end = before.end.max(next.end);
            }
            meet
        });
    }

    fn mark(&mut self, range: Range<u64>) {
        if !range.is_empty() {
            self.lines.mark(range.start, range.end - range.start);
        }
    }

    /// Whether some of a range is tracked.
    #[inline]
    pub(super) fn touches(&self, address: u64, size: u64) -> bool {
        self.lines.touches(address, size) || !self.long.is_empty() && self.is_long(address, size)
    }

    fn is_long(&self, address: u64, size: u64) -> bool {
        let pages = address / PAGE..address.saturating_add(size.max(1) - 1) / PAGE + 1;
        self.long_within(&pages).next().is_some()
    }

    /// The long ranges that have some of these pages.
    fn long_within(&self, pages: &Range<u64>) -> impl Iterator<Item = &Range<u64>> {
        let first = self.long.partition_point(|long| long.end <= pages.start);
        let end = pages.end;
        self.long[first..].iter().take_while(move |long| long.start < end)
    }

    /// What is tracked of a range: ranges that are apart, ascending. They begin and end where cache lines do.
    pub(super) fn within(&self, range: Range<u64>) -> Vec<Range<u64>> {
        if range.is_empty() {
            return Vec::new();
        }
        let pages = range.start / PAGE..range.end.div_ceil(PAGE);
        let long = self.long_within(&pages);
        let whole = range.start / LINE * LINE..range.end.div_ceil(LINE).saturating_mul(LINE);
        let mut runs: Vec<Range<u64>> = long
            .map(|long| (long.start * PAGE).max(whole.start)..(long.end * PAGE).min(whole.end))
            .collect();
        for (page, mask) in self.lines.within(pages) {
            let mut left = mask & lines(page, range.start, range.end - range.start);
            while left != 0 {
                let first = left.trailing_zeros();
                let start = page * PAGE + LINE * u64::from(first);
                runs.push(start..start + LINE * u64::from((left >> first).trailing_ones()));
                // The lowest run of bits is carried away.
                left &= left.wrapping_add(1 << first);
            }
        }
        if !self.long.is_empty() {
            runs.sort_unstable_by_key(|run| run.start);
        }
        let mut found: Vec<Range<u64>> = Vec::new();
        for run in runs {
            match found.last_mut() {
                Some(last) if last.end >= run.start => last.end = last.end.max(run.end),
                _ => found.push(run),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_range_as_large_as_no_machine_has_costs_nothing() {
        let mut tracked = Tracked::starting_at(0);
        tracked.track(100, 1 << 60);
        assert!(tracked.touches(1 << 50, 8) && tracked.touches(100, 1) && !tracked.touches(0, 64));
        let end = (100 + (1_u64 << 60)).next_multiple_of(LINE);
        assert!(tracked.touches(end - 1, 1) && !tracked.touches(end, 8));

        let within = |range| tracked.within(range).into_iter().next();
        assert_eq!(within(0..u64::MAX), Some(LINE..end));
        let line = 3 * PAGE + 64..3 * PAGE + 128;
        assert_eq!(within(3 * PAGE + 70..3 * PAGE + 80), Some(line));
    }

    proptest! {
        /// Ranges that are kept as such are told as those that are kept page by page.
        #[test]
        fn long_ranges_are_told_as_short_ones(
            ranges in prop::collection::vec((0..6000 * PAGE, 1..3000 * PAGE), 1..5),
            asked in (0..9000 * PAGE, 1..9000 * PAGE),
        ) {
            let mut tracked = Tracked::starting_at(0);
            let mut by_page = Tracked::starting_at(0);
            for (address, size) in ranges {
                tracked.track(address, size);
                by_page.mark(address..address + size);
            }
            let (address, size) = asked;
            prop_assert_eq!(tracked.within(address..address + size), by_page.within(address..address + size));
            prop_assert_eq!(tracked.touches(address, size), by_page.touches(address, size));
            prop_assert_eq!(tracked.touches(address, 8), by_page.touches(address, 8));
        }
    }
}
