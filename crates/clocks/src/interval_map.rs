//! A map from disjoint half-open ranges of addresses to values.

use smallvec::SmallVec;
use std::ops::Range;

/// Disjoint ranges `[start, end)` of `u64` with a value each, split where needed.
///
/// Every overlap is found, whatever the order and size of the ranges that were entered before: the ranges never
/// overlap each other, so the ones that meet a query are neighbours. (A tree of overlapping intervals searched by
/// lower bound alone would miss some.)
///
/// The ranges lie in rows of some dozens, which are searched and moved faster than the nodes of a tree.
#[derive(Clone, Debug)]
pub struct IntervalMap<V> {
    /// None is empty.
    rows: Vec<Vec<Piece<V>>>,
    /// Where each row begins.
    starts: Vec<u64>,
    len: usize,
    /// Rows and places where pieces were found, by their start; they may have gone elsewhere since.
    hints: Vec<(u32, u32)>,
}

/// What lies at a range.
#[derive(Debug, PartialEq, Eq)]
pub enum At<'a, V> {
    /// One piece, which is just the range.
    Piece(&'a mut V),
    /// Nothing.
    Nothing,
    /// Pieces that reach beyond it, or leave gaps in it.
    Parts,
}

/// A range and its value.
#[derive(Clone, Debug)]
struct Piece<V> {
    start: u64,
    end: u64,
    value: V,
}

/// What becomes of the pieces that an update touches: few, as a rule.
type Made<V> = SmallVec<[Piece<V>; 4]>;

/// Pieces in a row at the most; a longer one is divided into rows of half as many.
const ROW: usize = 96;

impl<V> Default for IntervalMap<V> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            starts: Vec::new(),
            len: 0,
            hints: Vec::new(),
        }
    }
}

impl<V: Clone + PartialEq + Default> IntervalMap<V> {
    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The pieces that overlap `range`, cut to it, in ascending order.
    pub fn overlapping(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, &V)> {
        let (row, place) = self.find(range.start.saturating_add(1));
        let first = self.rows.get(row).map_or(&[][..], |row| &row[place..]);
        let rest = self.rows.iter().skip(row + 1).flatten();
        first
            .iter()
            .chain(rest)
            .take_while(move |piece| piece.start < range.end)
            .map(move |piece| {
                (
                    piece.start.max(range.start)..piece.end.min(range.end),
                    &piece.value,
                )
            })
            .filter(|(cut, _)| cut.start < cut.end)
    }

    /// What lies at `range`, found fast where it was found before. Who changes the value of a piece leaves it unlike
    /// its neighbours, which are not joined.
    pub fn at(&mut self, range: &Range<u64>) -> At<'_, V> {
        if range.start >= range.end {
            return At::Nothing;
        }
        let slot = self.slot(range.start);
        let hint = self.hints.get(slot).copied().unwrap_or_default();
        let (mut row, mut place) = (hint.0 as usize, hint.1 as usize);
        let begins = |piece: &Piece<V>| piece.start == range.start;
        if !self
            .rows
            .get(row)
            .and_then(|row| row.get(place))
            .is_some_and(begins)
        {
            (row, place) = self.find(range.start + 1);
            self.hint(slot, row, place);
        }
        match self.rows.get_mut(row).and_then(|row| row.get_mut(place)) {
            Some(piece) if piece.start < range.end => {
                match (piece.start, piece.end) == (range.start, range.end) {
                    true => At::Piece(&mut piece.value),
                    false => At::Parts,
                }
            }
            _ => At::Nothing,
        }
    }

    /// Calls `change` on the value of every part of `range`; parts without a value begin with the default. Pieces
    /// that stick out are split; equal neighbours within and beside `range` are joined again, unless they lie in two
    /// rows that the range does not reach.
    pub fn update(&mut self, range: Range<u64>, mut change: impl FnMut(Range<u64>, &mut V)) {
        if range.start >= range.end {
            return;
        }
        if let Some((row, place)) = self.hinted(&range) {
            change(range, &mut self.rows[row][place].value);
            return self.join_neighbours(row, place);
        }
        // What touches the range takes part: it may be joined.
        let (row, place) = self.find(range.start);
        let Some(first) = self.rows.get_mut(row) else {
            let mut fresh = V::default();
            change(range.clone(), &mut fresh);
            return self.append(range, fresh);
        };
        let within = first[place..]
            .iter()
            .take_while(|piece| piece.start <= range.end)
            .count();
        let beyond =
            place + within == first.len() && self.starts.get(row + 1).is_some_and(|&start| start < range.end);
        if beyond {
            return self.update_rows(row, place, range, change);
        }
        let touched = &first[place..place + within];
        let same = |piece: &Piece<V>| (piece.start, piece.end) == (range.start, range.end);
        if let Some(index) = touched.iter().position(same) {
            change(range, &mut first[place + index].value);
            return self.join_neighbours(row, place + index);
        }
        if touched
            .iter()
            .all(|piece| piece.end == range.start || piece.start == range.end)
        {
            return self.fill(row, place, range, change);
        }
        let mut made = Made::new();
        rebuild(
            first[place..place + within].iter_mut().map(take),
            &range,
            change,
            &mut made,
        );
        self.len = self.len + made.len() - within;
        if made.len() == within {
            first[place..place + within]
                .iter_mut()
                .zip(made)
                .for_each(|(old, new)| *old = new);
        } else {
            first.splice(place..place + within, made);
        }
        self.settle(row);
    }

    /// Changes every value, and drops the pieces for which `change` returns false.
    pub fn retain(&mut self, mut change: impl FnMut(Range<u64>, &mut V) -> bool) {
        for row in &mut self.rows {
            row.retain_mut(|piece| change(piece.start..piece.end, &mut piece.value));
        }
        self.rows.retain(|row| !row.is_empty());
        self.starts.clear();
        self.starts.extend(self.rows.iter().map(|row| row[0].start));
        self.len = self.rows.iter().map(Vec::len).sum();
    }

    /// The first piece that ends at `position` or later: its row, and its place there. Rows that end before it are not
    /// looked at; the row after the last is none.
    fn find(&self, position: u64) -> (usize, usize) {
        let after = self.starts.partition_point(|&start| start < position);
        let row = after.saturating_sub(1);
        let Some(pieces) = self.rows.get(row) else {
            return (0, 0);
        };
        let place = pieces.partition_point(|piece| piece.end < position);
        if place == pieces.len() && row + 1 < self.rows.len() {
            return (row + 1, 0);
        }
        (row, place)
    }

    /// Where the hint for a piece that begins at `start` is.
    fn slot(&self, start: u64) -> usize {
        let mixed = start.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & self.hints.len().wrapping_sub(1)
    }

    /// Where the piece lies that is just the range, if it is found where one was before.
    #[inline]
    fn hinted(&self, range: &Range<u64>) -> Option<(usize, usize)> {
        let &(row, place) = self.hints.get(self.slot(range.start))?;
        let (row, place) = (row as usize, place as usize);
        let piece = self.rows.get(row)?.get(place)?;
        ((piece.start, piece.end) == (range.start, range.end)).then_some((row, place))
    }

    fn hint(&mut self, slot: usize, row: usize, place: usize) {
        if self.len > 2 * self.hints.len() {
            self.hints = vec![(0, 0); (2 * self.len).next_power_of_two().max(16)];
        } else if let (Ok(row), Ok(place)) = (u32::try_from(row), u32::try_from(place))
            && let Some(hint) = self.hints.get_mut(slot)
        {
            *hint = (row, place);
        }
    }

    /// [`Self::update`] where several rows take part, from a piece on.
    fn update_rows(
        &mut self,
        row: usize,
        place: usize,
        range: Range<u64>,
        change: impl FnMut(Range<u64>, &mut V),
    ) {
        let last = self.starts.partition_point(|&start| start <= range.end);
        let mut pieces: Vec<Piece<V>> = self.rows.drain(row..last).flatten().collect();
        self.len -= pieces.len();
        let within = pieces[place..]
            .iter()
            .take_while(|piece| piece.start <= range.end)
            .count();
        let rest = pieces.split_off(place + within);
        let touched = pieces.split_off(place);
        let mut made = Made::new();
        rebuild(touched.into_iter(), &range, change, &mut made);
        pieces.extend(made);
        pieces.extend(rest);
        self.len += pieces.len();
        let mut rows = Vec::with_capacity(pieces.len() / (ROW / 2) + 1);
        let mut pieces = pieces.into_iter().peekable();
        while pieces.peek().is_some() {
            rows.push(pieces.by_ref().take(ROW / 2).collect::<Vec<_>>());
        }
        self.starts.splice(row..last, rows.iter().map(|row| row[0].start));
        self.rows.splice(row..row, rows);
    }

    /// [`Self::update`] where nothing lies: the piece at `place`, or the one before it, may adjoin.
    fn fill(
        &mut self,
        row: usize,
        mut place: usize,
        range: Range<u64>,
        mut change: impl FnMut(Range<u64>, &mut V),
    ) {
        let pieces = &mut self.rows[row];
        if pieces.get(place).is_some_and(|piece| piece.end <= range.start) {
            place += 1;
        }
        let mut value = V::default();
        change(range.clone(), &mut value);
        let Range { start, end } = range;
        pieces.insert(place, Piece { start, end, value });
        self.len += 1;
        self.join_neighbours(row, place);
        self.settle(row);
    }

    /// After a change of a row: where it begins, and that it is not too long.
    fn settle(&mut self, row: usize) {
        let pieces = &mut self.rows[row];
        self.starts[row] = pieces[0].start;
        if pieces.len() > ROW {
            let rest = pieces.split_off(ROW / 2);
            self.starts.insert(row + 1, rest[0].start);
            self.rows.insert(row + 1, rest);
        }
    }

    /// A piece has a new value: it and its neighbours in the row that adjoin and are equal become one.
    fn join_neighbours(&mut self, row: usize, place: usize) {
        let pieces = &mut self.rows[row];
        for first in [place, place.wrapping_sub(1)] {
            if let Some([one, next]) = pieces.get_mut(first..).and_then(|rest| rest.first_chunk_mut())
                && one.end == next.start
                && one.value == next.value
            {
                one.end = next.end;
                pieces.remove(first + 1);
                self.len -= 1;
            }
        }
    }

    /// The first piece of all.
    fn append(&mut self, range: Range<u64>, value: V) {
        self.starts.push(range.start);
        self.rows.push(vec![Piece {
            start: range.start,
            end: range.end,
            value,
        }]);
        self.len += 1;
    }
}

/// The piece, without its value where it was.
fn take<V: Default>(piece: &mut Piece<V>) -> Piece<V> {
    Piece {
        start: piece.start,
        end: piece.end,
        value: std::mem::take(&mut piece.value),
    }
}

/// What becomes of the pieces that touch `range`: those that stick out are cut, gaps are filled, equal neighbours
/// joined.
fn rebuild<V: Clone + PartialEq + Default>(
    touched: impl Iterator<Item = Piece<V>>,
    range: &Range<u64>,
    mut change: impl FnMut(Range<u64>, &mut V),
    made: &mut Made<V>,
) {
    let mut position = range.start;
    let fill = |made: &mut Made<V>, change: &mut dyn FnMut(Range<u64>, &mut V), gap: Range<u64>| {
        if gap.start < gap.end {
            let mut value = V::default();
            change(gap.clone(), &mut value);
            join(made, gap, value);
        }
    };
    for mut piece in touched {
        let inside = piece.start.max(range.start)..piece.end.min(range.end);
        if piece.start < range.start {
            let value = if inside.start < inside.end {
                piece.value.clone()
            } else {
                std::mem::take(&mut piece.value)
            };
            join(made, piece.start..piece.end.min(range.start), value);
        }
        if inside.start < inside.end {
            fill(made, &mut change, position..inside.start);
            position = inside.end;
            let rest = (piece.end > range.end).then(|| piece.value.clone());
            change(inside.clone(), &mut piece.value);
            join(made, inside, piece.value);
            if let Some(rest) = rest {
                join(made, range.end..piece.end, rest);
            }
        } else if piece.start >= range.end {
            fill(made, &mut change, position..range.end);
            position = range.end;
            join(made, piece.start..piece.end, piece.value);
        }
    }
    fill(made, &mut change, position..range.end);
}

/// Adds a piece at the end; an equal neighbour becomes longer.
fn join<V: PartialEq>(made: &mut Made<V>, range: Range<u64>, value: V) {
    match made.last_mut() {
        Some(last) if last.end == range.start && last.value == value => last.end = range.end,
        _ => made.push(Piece {
            start: range.start,
            end: range.end,
            value,
        }),
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
        /// Many pieces, in several rows, and updates across them.
        #[test]
        fn agrees_over_many_rows(steps in prop::collection::vec((0u64..4000, 1u64..60, 0u32..4), 1..20)) {
            let mut map: IntervalMap<u32> = IntervalMap::default();
            let mut plain = vec![0; 5000];
            for start in (0..4000).step_by(5) {
                map.update(start..start + 3, |_, v| *v = 1 + start as u32 % 7);
                (start..start + 3).for_each(|byte| plain[byte as usize] = 1 + start as u32 % 7);
            }
            for (start, length, mark) in steps {
                let length = if mark == 3 { length * 30 } else { length };
                map.update(start..start + length, |_, v| *v = 10 + mark);
                (start..(start + length)).for_each(|byte| if byte < 5000 { plain[byte as usize] = 10 + mark });
                let mut seen = vec![0; 5000];
                let mut pieces = 0;
                for (range, v) in map.overlapping(0..5000) {
                    range.for_each(|byte| seen[byte as usize] = *v);
                    pieces += 1;
                }
                prop_assert_eq!(&seen, &plain);
                prop_assert_eq!(map.len(), map.overlapping(0..u64::MAX).count());
                prop_assert!(pieces <= map.len());
                for range in [start..start + length, start..start + 3, start / 5 * 5..start / 5 * 5 + 3] {
                    let parts: Vec<_> = map.overlapping(range.clone()).map(|(_, v)| *v).collect();
                    // The whole piece, however often it was found.
                    let whole: Vec<_> = map.overlapping(range.start.saturating_sub(1)..range.end + 1).collect();
                    let is_piece = whole.iter().any(|(part, _)| *part == range);
                    for _ in 0..2 {
                        match map.at(&range) {
                            At::Piece(value) => prop_assert!(is_piece && parts == [*value]),
                            At::Nothing => prop_assert!(parts.is_empty()),
                            At::Parts => prop_assert!(!is_piece && !parts.is_empty()),
                        }
                    }
                    // It is changed where it was found.
                    if is_piece {
                        map.update(range.clone(), |_, v| *v = 20 + mark);
                        range.for_each(|byte| if byte < 5000 { plain[byte as usize] = 20 + mark });
                    }
                }
                let part: Vec<u64> = map.overlapping(start..start + 100).flat_map(|(range, _)| range).collect();
                let wanted: Vec<u64> = (start..(start + 100).min(5000)).filter(|&b| plain[b as usize] != 0).collect();
                prop_assert_eq!(part.into_iter().filter(|&b| b < 5000).collect::<Vec<_>>(), wanted);
            }
            let before = map.len();
            map.retain(|range, _| range.start % 2 == 0);
            prop_assert_eq!(map.len(), map.overlapping(0..u64::MAX).count());
            prop_assert!(map.len() <= before);
        }

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
