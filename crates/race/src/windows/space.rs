//! The address space of one process, as far as windows lie in it.

use crate::finding::Site;
use farside_clocks::ByteSet;
use farside_events::{Rank, ThreadId, WinId};
use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;

/// Parts of a range, each with the process whose memory it is.
pub(crate) type Owned = SmallVec<[(Rank, Range<u64>); 1]>;

/// Own window memory, and parts of shared windows of other processes.
#[derive(Debug, Default)]
pub(super) struct Space {
    own: Vec<(Range<u64>, WinId)>,
    /// By start: end, owner, address at the owner.
    neighbours: BTreeMap<u64, (u64, Rank, u64)>,
    /// Where neighbours' parts of a window begin.
    mapped: HashMap<WinId, Vec<u64>>,
    /// Memory that was given back to its library, with the call that did so, and was not handed out again.
    given_back: Vec<(Range<u64>, GivenBack)>,
}

/// The call by which memory was given back: its window, its place and its thread.
pub(crate) type GivenBack = (WinId, Site, ThreadId);

impl Space {
    /// Own memory belongs to a window.
    pub(super) fn expose(&mut self, range: Range<u64>, win: WinId) {
        self.given_back
            .retain(|(other, _)| other.end <= range.start || range.end <= other.start);
        self.own.push((range, win));
    }

    /// Own memory is the library's again.
    pub(super) fn give_back(&mut self, range: Range<u64>, by: GivenBack) {
        self.given_back.push((range, by));
    }

    /// The library ends: whose its memory is, is not known.
    pub(super) fn forget_given_back(&mut self) {
        self.given_back.clear();
    }

    /// Whether some memory was given back.
    pub(super) fn has_given_back(&self) -> bool {
        !self.given_back.is_empty()
    }

    /// The call that gave back some of these bytes.
    pub(super) fn given_back(&self, bytes: &ByteSet) -> Option<GivenBack> {
        let mut found = self.given_back.iter().rev();
        found.find(|(range, _)| bytes.meets(range)).map(|(_, by)| *by)
    }

    /// Own memory at an address belongs to a window no more.
    pub(super) fn withdraw(&mut self, address: u64, win: WinId) {
        self.own
            .retain(|(range, of)| *of != win || range.start != address);
    }

    /// A neighbour's part of a window lies here; at its owner it begins at `base`.
    pub(super) fn map(&mut self, range: Range<u64>, owner: Rank, base: u64, win: WinId) {
        self.neighbours.insert(range.start, (range.end, owner, base));
        self.mapped.entry(win).or_default().push(range.start);
    }

    /// The window is freed.
    pub(super) fn leave(&mut self, win: WinId) {
        self.own.retain(|(_, of)| *of != win);
        for start in self.mapped.remove(&win).unwrap_or_default() {
            self.neighbours.remove(&start);
        }
    }

    /// Whether neighbours' parts lie here.
    pub(super) fn has_neighbours(&self) -> bool {
        !self.neighbours.is_empty()
    }

    /// The windows that a range of own memory lies in.
    pub(super) fn windows(&self, range: Range<u64>) -> impl Iterator<Item = WinId> {
        let meets = move |own: &Range<u64>| own.start < range.end && range.start < own.end;
        self.own
            .iter()
            .filter(move |(own, _)| meets(own))
            .map(|(_, win)| *win)
    }

    /// Whether all of a range lies in a window.
    pub(super) fn holds(&self, range: &Range<u64>) -> bool {
        let holds = |start, end| start <= range.start && range.end <= end;
        let neighbour = self.neighbours.range(..=range.start).next_back();
        self.own.iter().any(|(own, _)| holds(own.start, own.end))
            || neighbour.is_some_and(|(&start, &(end, ..))| holds(start, end))
    }

    /// The windows that some of these bytes of own memory lie in.
    pub(super) fn windows_of(&self, bytes: &ByteSet) -> impl Iterator<Item = WinId> {
        let meeting = self.own.iter().filter(|(own, _)| bytes.meets(own));
        meeting.map(|(_, win)| *win)
    }

    /// Where a range really lies: window memory of a neighbour belongs to the neighbour.
    pub(super) fn owners(&self, rank: Rank, range: Range<u64>) -> Owned {
        let mut parts = Owned::new();
        let mut position = range.start;
        while position < range.end {
            let inside = self
                .neighbours
                .range(..=position)
                .next_back()
                .filter(|(_, part)| part.0 > position);
            match inside {
                Some((&start, &(end, owner, address))) => {
                    let stop = end.min(range.end);
                    let shift = |place: u64| address.wrapping_add(place - start);
                    parts.push((owner, shift(position)..shift(stop)));
                    position = stop;
                }
                None => {
                    let next = self.neighbours.range(position..range.end).next();
                    let stop = next.map_or(range.end, |(&start, _)| start);
                    parts.push((rank, position..stop));
                    position = stop;
                }
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_across_a_neighbours_part_has_three_owners() {
        let mut space = Space::default();
        space.map(100..200, Rank(1), 5100, WinId(7));
        let parts = space.owners(Rank(0), 50..250);
        assert_eq!(
            parts.as_slice(),
            [(Rank(0), 50..100), (Rank(1), 5100..5200), (Rank(0), 200..250)]
        );
        space.leave(WinId(7));
        assert!(!space.has_neighbours());
    }

    #[test]
    fn memory_can_lie_in_two_windows() {
        let mut space = Space::default();
        space.expose(0..8, WinId(1));
        space.expose(4..12, WinId(2));
        assert_eq!(space.windows(6..7).collect::<Vec<_>>(), [WinId(1), WinId(2)]);
        space.withdraw(4, WinId(2));
        assert_eq!(space.windows(0..20).collect::<Vec<_>>(), [WinId(1)]);
    }
}
