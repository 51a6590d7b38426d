//! A map from disjoint half-open ranges of addresses to values.

use std::collections::BTreeMap;
use std::ops::Range;

/// Disjoint ranges `[start, end)` of `u64` with a value each, split where needed.
///
/// Every overlap is found, whatever the order and size of the ranges that were entered before: the ranges never
/// overlap each other, so the ones that meet a query are neighbours. (A tree of overlapping intervals searched by
/// lower bound alone would miss some.)
#[derive(Clone, Debug)]
pub struct IntervalMap<V> {
    pieces: BTreeMap<u64, (u64, V)>,
}

impl<V> Default for IntervalMap<V> {
    fn default() -> Self {
        Self {
            pieces: BTreeMap::new(),
        }
    }
}

impl<V: Clone + PartialEq + Default> IntervalMap<V> {
    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The pieces that overlap `range`, cut to it, in ascending order.
    pub fn overlapping(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, &V)> {
        let first = self
            .pieces
            .range(..=range.start)
            .next_back()
            .filter(|(_, (end, _))| *end > range.start);
        let from = first.map_or(range.start, |(&start, _)| start);
        let to = range.end.max(from);
        self.pieces
            .range(from..to)
            .map(move |(&start, (end, value))| (start.max(range.start)..(*end).min(range.end), value))
            .filter(|(cut, _)| cut.start < cut.end)
    }

    /// Calls `change` on the value of every part of `range`; parts without a value begin with the default. Pieces
    /// that stick out are split; equal neighbours within and beside `range` are joined again.
    pub fn update(&mut self, range: Range<u64>, mut change: impl FnMut(Range<u64>, &mut V)) {
        if range.start >= range.end || self.update_one_piece(&range, &mut change) {
            return;
        }
        self.split_at(range.start);
        self.split_at(range.end);
        let mut position = range.start;
        let mut gaps = Vec::new();
        for (&start, (end, value)) in self.pieces.range_mut(range.clone()) {
            if position < start {
                gaps.push(position..start);
            }
            change(start..*end, value);
            position = *end;
        }
        if position < range.end {
            gaps.push(position..range.end);
        }
        for gap in gaps {
            let mut value = V::default();
            change(gap.clone(), &mut value);
            self.pieces.insert(gap.start, (gap.end, value));
        }
        self.join_equal(range);
    }

    /// Changes every value, and drops the pieces for which `change` returns false.
    pub fn retain(&mut self, mut change: impl FnMut(Range<u64>, &mut V) -> bool) {
        self.pieces
            .retain(|&start, (end, value)| change(start..*end, value));
    }

    /// [`Self::update`] where `range` is exactly one piece, or touches none: one search instead of many. `false`:
    /// neither.
    fn update_one_piece(&mut self, range: &Range<u64>, change: &mut impl FnMut(Range<u64>, &mut V)) -> bool {
        let mut downwards = self.pieces.range_mut(..=range.end).rev().peekable();
        let after = downwards.next_if(|(start, _)| **start == range.end);
        let exact = downwards.next_if(|(start, (end, _))| (**start, *end) == (range.start, range.end));
        let before = downwards.next();
        if before.as_ref().is_some_and(|(_, (end, _))| *end > range.start) {
            return false;
        }
        let before = before.filter(|(_, (end, _))| *end == range.start);
        let mut fresh = None;
        let value = match exact {
            Some((_, (_, value))) => value,
            None => fresh.insert(V::default()),
        };
        change(range.clone(), value);
        let joins = before.is_some_and(|(_, (_, other))| other == value)
            || after.is_some_and(|(_, (_, other))| other == value);
        if let Some(value) = fresh {
            self.pieces.insert(range.start, (range.end, value));
        }
        if joins {
            self.join_equal(range.clone());
        }
        true
    }

    fn split_at(&mut self, position: u64) {
        if let Some((_, (end, value))) = self.pieces.range_mut(..position).next_back()
            && *end > position
        {
            let rest = (*end, value.clone());
            *end = position;
            self.pieces.insert(position, rest);
        }
    }

    /// Joins equal neighbours among the pieces within `range` and beside it.
    fn join_equal(&mut self, range: Range<u64>) {
        let before = self.pieces.range(..range.start).next_back();
        let from = before.map_or(range.start, |(&start, _)| start);
        let mut joined = Vec::new();
        let mut last: Option<&mut (u64, V)> = None;
        for (&start, piece) in self.pieces.range_mut(from..=range.end) {
            match &mut last {
                Some(last) if last.0 == start && last.1 == piece.1 => {
                    last.0 = piece.0;
                    joined.push(start);
                }
                _ => last = Some(piece),
            }
        }
        for start in joined {
            self.pieces.remove(&start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_write_inside_a_wide_read_entered_after_a_narrow_one_is_found() {
        // The case that a search by lower bound misses: [8,12), then [0,32), then a query of [16,20).
        let mut map: IntervalMap<Vec<u32>> = IntervalMap::default();
        map.update(8..12, |_, v| v.push(1));
        map.update(0..32, |_, v| v.push(2));
        let found: Vec<_> = map
            .overlapping(16..20)
            .map(|(range, v)| (range, v.clone()))
            .collect();
        assert_eq!(found, vec![(16..20, vec![2])]);
        assert_eq!(map.overlapping(32..40).count(), 0);
    }

    proptest! {
        /// Against one value a byte.
        #[test]
        fn agrees_with_one_value_a_byte(steps in prop::collection::vec((0u64..60, 1u64..20, 0u32..4), 1..60)) {
            let mut map: IntervalMap<Vec<u32>> = IntervalMap::default();
            let mut plain: Vec<Vec<u32>> = vec![Vec::new(); 80];
            for (start, length, mark) in steps {
                map.update(start..start + length, |_, v| if !v.contains(&mark) { v.push(mark); v.sort_unstable(); });
                for byte in start..start + length {
                    let v = &mut plain[byte as usize];
                    if !v.contains(&mark) { v.push(mark); v.sort_unstable(); }
                }
                let mut seen = vec![Vec::new(); 80];
                let mut last: Option<(u64, Vec<u32>)> = None;
                for (range, v) in map.overlapping(0..80) {
                    if let Some((end, value)) = &last {
                        prop_assert!(*end <= range.start);
                        prop_assert!(*end < range.start || value != v, "equal neighbours are joined");
                    }
                    for byte in range.clone() { seen[byte as usize] = v.clone(); }
                    last = Some((range.end, v.clone()));
                }
                prop_assert_eq!(&seen, &plain);
            }
        }
    }
}
