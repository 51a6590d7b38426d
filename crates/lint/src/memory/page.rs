//! Pages, how they are found by their numbers, and which of their lines hold something.

use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// Bytes of a page.
pub(super) const PAGE: u64 = 4096;
/// So many pages from the first one on are found in a list.
const NEAR: u64 = 1 << 22;

/// Of a range of so many pages, those are looked at of which there is something.
const MANY: u64 = 64;

/// Bytes of a cache line.
pub(super) const LINE: u64 = PAGE / 64;

/// The lines of a page that a range touches, a bit each.
#[inline]
pub(super) fn lines(page: u64, address: u64, size: u64) -> u64 {
    let start = page * PAGE;
    let first = address.saturating_sub(start) / LINE;
    let last = (address.saturating_add(size.max(1) - 1).saturating_sub(start) / LINE).min(63);
    u64::MAX << first & u64::MAX >> (63 - last)
}

/// Something for some of all pages.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    first: u64,
    near: Vec<Option<T>>,
    far: HashMap<u64, T>,
}

impl<T> Table<T> {
    /// A table for memory whose first page has this number.
    pub(super) fn starting_at(first: u64) -> Self {
        Self {
            first,
            near: Vec::new(),
            far: HashMap::default(),
        }
    }

    #[inline]
    pub(super) fn get(&self, page: u64) -> Option<&T> {
        match self.number(page) {
            Some(number) => self.near.get(number)?.as_ref(),
            None => self.far.get(&page),
        }
    }

    /// What there is for some pages, in their order.
    pub(super) fn within(&self, pages: Range<u64>) -> impl Iterator<Item = (u64, &T)> {
        let end = self.first + self.near.len() as u64;
        let near = pages.start.max(self.first)..pages.end.min(end);
        let near = near.filter_map(|page| Some((page, self.get(page)?)));
        let far = self.far.iter().filter(move |(page, _)| pages.contains(page));
        let mut all: Vec<(u64, &T)> = near.chain(far.map(|(page, value)| (*page, value))).collect();
        all.sort_unstable_by_key(|(page, _)| *page);
        all.into_iter()
    }

    pub(super) fn entry(&mut self, page: u64, make: impl FnOnce() -> T) -> &mut T {
        match self.number(page) {
            Some(number) => {
                if self.near.len() <= number {
                    self.near.resize_with(number + 1, || None);
                }
                self.near[number].get_or_insert_with(make)
            }
            None => self.far.entry(page).or_insert_with(make),
        }
    }

    pub(super) fn remove(&mut self, pages: Range<u64>) {
        // A range may be far longer than what was written of it.
        let near = |page: u64| (page.saturating_sub(self.first) as usize).min(self.near.len());
        let (start, end) = (near(pages.start), near(pages.end));
        self.near[start..end.max(start)].fill_with(|| None);
        // What is looked up is looked through, or looked up, whichever is less.
        match pages.end.saturating_sub(pages.start) < self.far.len() as u64 {
            true => pages.for_each(|page| {
                self.far.remove(&page);
            }),
            false => self.far.retain(|page, _| !pages.contains(page)),
        }
    }

    /// Where a page is in the list; `None` if it is looked up in the table.
    #[inline]
    fn number(&self, page: u64) -> Option<usize> {
        let number = page.wrapping_sub(self.first);
        (number < NEAR).then_some(number as usize)
    }
}

/// The cache lines in which something is, a bit each.
impl Table<u64> {
    /// It is in a range.
    pub(super) fn mark(&mut self, address: u64, size: u64) {
        for page in address / PAGE..=address.saturating_add(size - 1) / PAGE {
            *self.entry(page, || 0) |= lines(page, address, size);
        }
    }

    /// It is not in the line of an address any more.
    pub(super) fn clear(&mut self, address: u64) {
        let page = address / PAGE;
        *self.entry(page, || 0) &= !lines(page, address, 1);
    }

    /// Whether it is in a line that a range touches.
    #[inline]
    pub(super) fn touches(&self, address: u64, size: u64) -> bool {
        let touched =
            |page: u64| matches!(self.get(page), Some(mask) if mask & lines(page, address, size) != 0);
        let (first, last) = (address / PAGE, address.saturating_add(size.max(1) - 1) / PAGE);
        touched(first)
            || last != first
                && match last - first < MANY {
                    true => (first + 1..=last).any(touched),
                    // What was written of it may be little.
                    false => self
                        .within(first + 1..last + 1)
                        .any(|(page, mask)| mask & lines(page, address, size) != 0),
                }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A range of 2^50 pages would take days, one after the other.
    #[test]
    fn ranges_far_longer_than_what_was_written_are_looked_through_at_once() {
        let mut table: Table<u64> = Table::starting_at(16);
        let far = 16 + NEAR + 5;
        for page in [17, 20, far, 1 << 49] {
            table.mark(page * PAGE, 8);
        }
        assert!(table.touches(21 * PAGE, (1 << 49) * PAGE));
        assert!(!table.touches((far + 1) * PAGE, (1 << 48) * PAGE));
        table.remove(18..1 << 50);
        let left: Vec<u64> = table.within(0..1 << 50).map(|(page, _)| page).collect();
        assert_eq!(left, [17]);
        table.remove(0..16);
        assert!(table.touches(17 * PAGE, 1));
    }
}
