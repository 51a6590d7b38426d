//! A set of bytes of an address space: stretches where they are long, bitmaps of a page where they are many.

use std::ops::Range;

/// Bytes that one bitmap describes.
const PAGE: u64 = 4096;
const WORDS: usize = PAGE as usize / 64;
/// Stretches within a page from which on a bitmap is smaller.
const MANY: usize = 20;

/// A page as bits, a bit a byte.
pub type PageBits = [u64; WORDS];

/// Bytes, in rising order.
///
/// Promise: exactly the bytes that were given. Taking one set from another costs what they hold in pages, not in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteSet {
    /// Disjoint, in rising order. Nothing else lies within the page of a bitmap, and no bitmap is empty.
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Stretch(u64, u64),
    Page(u64, Box<PageBits>),
}

impl Part {
    fn start(&self) -> u64 {
        match self {
            Self::Stretch(start, _) | Self::Page(start, _) => *start,
        }
    }

    fn end(&self) -> u64 {
        match self {
            Self::Stretch(_, end) => *end,
            Self::Page(start, _) => start + PAGE,
        }
    }
}

impl ByteSet {
    /// The bytes of ranges in any order, which may overlap.
    #[must_use]
    pub fn of(mut ranges: Vec<Range<u64>>) -> Self {
        ranges.retain(|range| range.start < range.end);
        if !ranges.is_sorted_by_key(|range| range.start) {
            ranges.sort_unstable_by_key(|range| range.start);
        }
        ranges.dedup_by(|next, last| {
            let joins = next.start <= last.end;
            if joins {
                last.end = last.end.max(next.end);
            }
            joins
        });
        let mut set = Self::default();
        let mut at = 0;
        while let Some(first) = ranges.get(at) {
            let page = first.start / PAGE * PAGE;
            let within = ranges[at..].partition_point(|range| range.start < page.saturating_add(PAGE));
            if within < MANY {
                let stretches = ranges[at..at + within].iter();
                set.parts
                    .extend(stretches.map(|range| Part::Stretch(range.start, range.end)));
                at += within;
                // The last one may reach into pages that have many others, which are cut off there.
                if let Some(Part::Stretch(_, end)) = set.parts.last() {
                    let edge = end / PAGE * PAGE;
                    let beyond =
                        ranges[at..].partition_point(|range| range.start < edge.saturating_add(PAGE));
                    if edge > page && beyond >= MANY {
                        let end = *end;
                        set.cut_last(edge);
                        ranges[at - 1] = edge..end;
                        at -= usize::from(edge < end);
                    }
                }
                continue;
            }
            let mut bits = Box::new([0; WORDS]);
            for range in &ranges[at..at + within] {
                let end = range.end.min(page + PAGE);
                fill(&mut bits, range.start - page..end - page);
            }
            set.parts.push(Part::Page(page, bits));
            let last = at + within - 1;
            if ranges[last].end > page + PAGE {
                ranges[last].start = page + PAGE;
                at = last;
            } else {
                at = last + 1;
            }
        }
        set
    }

    /// Adds a page of bits beyond everything that is there. `start` is a multiple of 4096.
    pub fn push_page(&mut self, start: u64, bits: Box<PageBits>) {
        debug_assert!(start.is_multiple_of(PAGE) && self.parts.last().is_none_or(|last| last.end() <= start));
        if bits.iter().any(|&word| word != 0) {
            self.parts.push(Part::Page(start, bits));
        }
    }

    /// Whether there is no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What the set costs: stretches and bitmaps.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Whether the bytes are a few stretches, `most` of them.
    #[must_use]
    pub fn is_few(&self, most: usize) -> bool {
        self.parts.len() <= most && self.parts.iter().all(|part| matches!(part, Part::Stretch(..)))
    }

    /// The smallest range that holds all parts.
    #[must_use]
    pub fn bounds(&self) -> Range<u64> {
        match (self.parts.first(), self.parts.last()) {
            (Some(first), Some(last)) => first.start()..last.end(),
            _ => 0..0,
        }
    }

    /// Calls `visit` with the stretches of the bytes that lie in `range`, in rising order. A stretch may come in
    /// several pieces.
    pub fn overlap(&self, range: &Range<u64>, mut visit: impl FnMut(Range<u64>)) {
        for part in self.meeting(range) {
            match part {
                Part::Stretch(start, end) => visit((*start).max(range.start)..(*end).min(range.end)),
                Part::Page(page, bits) => {
                    let within = range.start.max(*page) - page..range.end.min(page + PAGE) - page;
                    stretches(bits, &within, |part| visit(page + part.start..page + part.end));
                }
            }
        }
    }

    /// Whether a byte lies in `range`.
    #[must_use]
    pub fn meets(&self, range: &Range<u64>) -> bool {
        let mut found = false;
        for part in self.meeting(range) {
            match part {
                Part::Stretch(..) => return true,
                Part::Page(page, bits) => {
                    let within = range.start.max(*page) - page..range.end.min(page + PAGE) - page;
                    stretches(bits, &within, |_| found = true);
                }
            }
            if found {
                return true;
            }
        }
        false
    }

    /// All stretches, in rising order. One that crosses pages may come in several pieces.
    pub fn stretches(&self, visit: impl FnMut(Range<u64>)) {
        self.overlap(&(0..u64::MAX), visit);
    }

    /// Smallest ranges that hold a part each: a stretch, or a page.
    pub fn extents(&self) -> impl Iterator<Item = Range<u64>> {
        self.parts.iter().map(|part| part.start()..part.end())
    }

    /// What is left without the bytes of `other`; `None` if they have no byte in common.
    #[must_use]
    pub fn without(&self, other: &Self) -> Option<Self> {
        let (own, their) = (self.bounds(), other.bounds());
        if own.end <= their.start || their.end <= own.start {
            return None;
        }
        let mut rest = Self::default();
        let mut changed = false;
        let mut from = 0;
        for part in &self.parts {
            let (mut at, end) = (part.start(), part.end());
            from += other.parts[from..].partition_point(|other| other.end() <= at);
            let others = other.parts[from..].iter().take_while(|other| other.start() < end);
            match part {
                Part::Stretch(..) => {
                    for other in others {
                        if other.start() > at {
                            rest.parts.push(Part::Stretch(at, other.start()));
                        }
                        at = at.max(other.start());
                        let stop = other.end().min(end);
                        match other {
                            Part::Stretch(..) => changed = true,
                            Part::Page(page, bits) => {
                                let mut own = [0; WORDS];
                                fill(&mut own, at - page..stop - page);
                                changed |= take_away(&mut own, bits);
                                rest.add_to_page(*page, &own);
                            }
                        }
                        at = stop;
                    }
                    if at < end {
                        rest.parts.push(Part::Stretch(at, end));
                    }
                }
                Part::Page(page, bits) => {
                    let mut own = bits.clone();
                    for other in others {
                        match other {
                            Part::Stretch(start, end) => {
                                let mut their = [0; WORDS];
                                fill(
                                    &mut their,
                                    (*start).max(*page) - page..(*end).min(page + PAGE) - page,
                                );
                                changed |= take_away(&mut own, &their);
                            }
                            Part::Page(_, their) => changed |= take_away(&mut own, their),
                        }
                    }
                    rest.push_page(*page, own);
                }
            }
        }
        changed.then_some(rest)
    }

    /// The parts that meet `range`.
    fn meeting(&self, range: &Range<u64>) -> impl Iterator<Item = &Part> {
        let (start, end) = (range.start, range.end.max(range.start));
        let from = self.parts.partition_point(|part| part.end() <= start);
        self.parts[from..]
            .iter()
            .take_while(move |part| part.start() < end)
    }

    /// The last part, a stretch, ends here.
    fn cut_last(&mut self, edge: u64) {
        if let Some(Part::Stretch(start, end)) = self.parts.last_mut() {
            if *start < edge {
                *end = edge;
            } else {
                self.parts.pop();
            }
        }
    }

    /// Adds bits of the page of the last part, or of a page beyond.
    fn add_to_page(&mut self, page: u64, bits: &PageBits) {
        if let Some(Part::Page(last, there)) = self.parts.last_mut()
            && *last == page
        {
            there.iter_mut().zip(bits).for_each(|(word, more)| *word |= more);
        } else {
            self.push_page(page, Box::new(*bits));
        }
    }
}

/// Sets the bits of a range within a page.
fn fill(bits: &mut PageBits, range: Range<u64>) {
    let mut at = range.start;
    while at < range.end {
        let count = (64 - at % 64).min(range.end - at);
        bits[(at / 64) as usize] |= mask(count) << (at % 64);
        at += count;
    }
}

/// The lowest `count` bits, of 64 at most.
fn mask(count: u64) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Clears the bits that `other` has; says whether there was one.
fn take_away(bits: &mut PageBits, other: &PageBits) -> bool {
    let mut common = 0;
    for (word, other) in bits.iter_mut().zip(other) {
        common |= *word & other;
        *word &= !other;
    }
    common != 0
}

/// The stretches of set bits within a range, in rising order; one may come in several pieces.
fn stretches(bits: &PageBits, range: &Range<u64>, mut visit: impl FnMut(Range<u64>)) {
    let mut open = 0..0;
    let mut base = range.start / 64 * 64;
    while base < range.end {
        let mut word = bits[(base / 64) as usize];
        if base < range.start {
            word &= !mask(range.start - base);
        }
        if range.end - base < 64 {
            word &= mask(range.end - base);
        }
        let mut at = 0;
        while word != 0 {
            let skip = u64::from(word.trailing_zeros());
            word >>= skip;
            let length = u64::from(word.trailing_ones());
            word = if length == 64 { 0 } else { word >> length };
            at += skip;
            let found = base + at..base + at + length;
            at += length;
            if open.end == found.start && !open.is_empty() {
                open.end = found.end;
            } else if !open.is_empty() {
                visit(std::mem::replace(&mut open, found));
            } else {
                open = found;
            }
        }
        base += 64;
    }
    if !open.is_empty() {
        visit(open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const SPACE: u64 = 4 * PAGE;

    /// Ranges of all lengths: a few long ones, and many short ones close together.
    fn ranges() -> impl Strategy<Value = Vec<Range<u64>>> {
        let long = prop::collection::vec((0..SPACE, 1..2 * PAGE), 0..3);
        let short = (0..SPACE, prop::collection::vec((0u64..40, 1u64..12), 0..90));
        (long, short, short_steps()).prop_map(|(long, (mut at, short), steps)| {
            let mut all: Vec<Range<u64>> = long
                .into_iter()
                .map(|(start, length)| start..(start + length).min(SPACE))
                .collect();
            for (gap, length) in short {
                at += gap;
                all.push(at.min(SPACE)..(at + length).min(SPACE));
                at += length;
            }
            all.extend(steps);
            all
        })
    }

    fn short_steps() -> impl Strategy<Value = Vec<Range<u64>>> {
        (0..SPACE, 8u64..40, 0u64..200).prop_map(|(start, stride, count)| {
            (0..count)
                .map(|step| (start + step * stride).min(SPACE)..(start + step * stride + 8).min(SPACE))
                .collect()
        })
    }

    fn plain(ranges: &[Range<u64>]) -> BTreeSet<u64> {
        ranges.iter().cloned().flatten().collect()
    }

    fn bytes(set: &ByteSet, range: Range<u64>) -> Vec<u64> {
        let mut all = Vec::new();
        set.overlap(&range, |part| all.extend(part));
        all
    }

    proptest! {
        /// Against one entry a byte.
        #[test]
        fn agrees_with_a_set_of_bytes(a in ranges(), b in ranges(), from in 0..SPACE, length in 0..SPACE) {
            let (left, right) = (ByteSet::of(a.clone()), ByteSet::of(b.clone()));
            let (all, others) = (plain(&a), plain(&b));
            prop_assert_eq!(bytes(&left, 0..SPACE), all.iter().copied().collect::<Vec<_>>());
            let part = from..from + length;
            let wanted: Vec<u64> = all.iter().copied().filter(|byte| part.contains(byte)).collect();
            prop_assert_eq!(left.meets(&part), !wanted.is_empty());
            prop_assert_eq!(bytes(&left, part), wanted);
            let rest: Vec<u64> = all.difference(&others).copied().collect();
            match left.without(&right) {
                Some(set) => {
                    prop_assert_eq!(bytes(&set, 0..SPACE), rest.clone());
                    prop_assert_eq!(set.is_empty(), rest.is_empty());
                    prop_assert!(rest.len() < all.len());
                    // What is left obeys the same rules.
                    let again = set.without(&left);
                    prop_assert_eq!(again.is_none_or(|set| set.is_empty()), true);
                }
                None => prop_assert_eq!(rest.len(), all.len()),
            }
            for pair in left.parts.windows(2) {
                prop_assert!(pair[0].end() <= pair[1].start());
            }
        }
    }
}
