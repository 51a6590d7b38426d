//! Direct accesses of a process to its own memory that lie scattered: a set of bytes for each record.
//!
//! A loop that goes through memory by a list of indices touches thousands of places. They are one record here, and one
//! set of bytes. A younger record that supersedes it takes its own bytes away from it, set by set.

use crate::finding::Site;
use crate::record::Record;
use farside_clocks::{ByteSet, Component, Epoch, VectorClock};
use farside_conflicts::{Access, conflict};
use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;
use std::ops::Range;
use std::rc::Rc;

/// A record and where it lies.
#[derive(Debug)]
struct Held {
    record: Rc<Record>,
    set: Rc<ByteSet>,
    bounds: Range<u64>,
    /// Whether it writes.
    writes: bool,
}

/// The scattered accesses of a process to its own memory.
#[derive(Debug, Default)]
pub(super) struct Sets {
    held: Vec<Held>,
    /// Those of one place in the code.
    places: HashMap<(Component, Site), SmallVec<[usize; 4]>>,
    /// None of a thread was issued later than this.
    latest: SmallVec<[Epoch; 1]>,
}

/// Records of one place in the code; of more, the oldest goes elsewhere.
const OF_ONE_PLACE: usize = 16;

impl Held {
    fn new(record: &Rc<Record>, set: Rc<ByteSet>) -> Self {
        Self {
            record: Rc::clone(record),
            bounds: set.bounds(),
            set,
            writes: record.writes(),
        }
    }

    /// Whether it may have bytes in `range`, and races with `new`, of which `clock` is known, if it has.
    #[inline]
    fn may_race(&self, range: &Range<u64>, new: &Access, clock: &VectorClock) -> bool {
        // Most sets are loads, and most of what meets them reads.
        (self.writes || new.effect.writes())
            && self.bounds.start < range.end
            && range.start < self.bounds.end
            // A direct access is complete when it is made.
            && !self.record.is_issued_before(clock)
            && conflict(self.record.access(), new).is_some()
    }

    fn place(&self) -> (Component, Site) {
        (self.record.component(), self.record.site())
    }
}

impl Sets {
    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.held.len()
    }

    /// What they cost, in stretches and pages.
    pub(super) fn parts(&self) -> usize {
        self.held.iter().map(|held| held.set.parts()).sum()
    }

    /// Enters a record, which lies nowhere yet. Gives back an old one, if its place in the code has too many.
    pub(super) fn insert(
        &mut self,
        record: &Rc<Record>,
        set: Rc<ByteSet>,
    ) -> Option<(Rc<Record>, Rc<ByteSet>)> {
        self.note(record.issued());
        let place = (record.component(), record.site());
        let mut known = self.places.remove(&place).unwrap_or_default();
        // An older one may be superseded by one that could not yet do so when it came.
        let waited = record.may_wait_for_a_lock();
        let mut gone: SmallVec<[usize; 4]> = SmallVec::new();
        for (nth, &old) in known.iter().enumerate() {
            let mut later: SmallVec<[(Rc<Record>, Rc<ByteSet>); 4]> = SmallVec::new();
            if waited {
                let others = known[nth + 1..].iter().map(|&other| &self.held[other]);
                later.extend(others.map(|held| (Rc::clone(&held.record), Rc::clone(&held.set))));
            }
            later.push((Rc::clone(record), Rc::clone(&set)));
            for (younger, bytes) in later {
                let held = &mut self.held[old];
                if !held.record.is_superseded_by(&younger) {
                    continue;
                }
                if let Some(rest) = held.set.without(&bytes) {
                    held.record.give_way_to(&younger);
                    held.bounds = rest.bounds();
                    held.set = Rc::new(rest);
                }
            }
            if self.held[old].set.is_empty() {
                gone.push(old);
            }
        }
        known.retain(|old| !gone.contains(old));
        let spilled = (known.len() >= OF_ONE_PLACE).then(|| known.remove(0));
        known.push(self.held.len());
        self.held.push(Held::new(record, set));
        self.places.insert(place, known);
        let spilled = spilled.map(|old| {
            let held = &self.held[old];
            gone.push(old);
            (Rc::clone(&held.record), Rc::clone(&held.set))
        });
        gone.sort_unstable_by(|a, b| b.cmp(a));
        for old in gone {
            self.remove(old);
        }
        spilled
    }

    /// A record is made at this moment, or made younger.
    pub(super) fn note(&mut self, at: Epoch) {
        match self
            .latest
            .iter_mut()
            .find(|known| known.component == at.component)
        {
            Some(known) => known.time = known.time.max(at.time),
            None => self.latest.push(at),
        }
    }

    /// Whether all of them are known to be made.
    #[inline]
    fn are_all_known(&self, clock: &VectorClock) -> bool {
        self.latest.iter().all(|latest| clock.covers(*latest))
    }

    /// Calls `visit` with the bytes of `range` and the record of each access to them that conflicts with `new` and that
    /// `clock` does not know to be complete.
    pub(super) fn meet(
        &self,
        range: &Range<u64>,
        new: &Record,
        clock: &VectorClock,
        mut visit: impl FnMut(Range<u64>, &Rc<Record>),
    ) {
        if self.are_all_known(clock) {
            return;
        }
        for held in &self.held {
            if held.may_race(range, new.access(), clock) {
                held.set.overlap(range, |part| visit(part, &held.record));
            }
        }
    }

    /// Whether an access to some of these bytes may race with `new`, of which `clock` is known.
    #[inline]
    pub(super) fn may_race(&self, range: &Range<u64>, new: &Access, clock: &VectorClock) -> bool {
        !self.are_all_known(clock) && self.held.iter().any(|held| held.may_race(range, new, clock))
    }

    /// Keeps the records for which `stays` holds.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(&Record) -> bool) {
        self.held.retain(|held| stays(&held.record));
        self.places.clear();
        for (index, held) in self.held.iter().enumerate() {
            self.places.entry(held.place()).or_default().push(index);
        }
    }

    /// Takes one out, of which no place knows any more; the last one comes to where it was.
    fn remove(&mut self, index: usize) {
        self.held.swap_remove(index);
        if let Some(moved) = self.held.get(index) {
            let from = self.held.len();
            if let Some(known) = self.places.get_mut(&moved.place()) {
                known
                    .iter_mut()
                    .filter(|old| **old == from)
                    .for_each(|old| *old = index);
            }
        }
    }
}
