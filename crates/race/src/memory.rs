//! The memory of each process as the accesses that later ones must be compared with.

use crate::detector::{Detector, Forgetting};
use crate::locks::kept_apart;
use crate::record::{Record, Records};
use crate::revisit::News;
use farside_clocks::{IntervalMap, VectorClock};
use farside_conflicts::{Conflict, conflict};
use farside_events::Rank;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The accesses to the memory of all processes, by owner and address.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    owners: HashMap<Rank, IntervalMap<Records>>,
    news: HashMap<Rank, News>,
    /// Place in the timeline of the last clean-up.
    swept_at: u64,
    /// Pieces and records after the last clean-up; the next one is due at twice as many of either.
    swept: (usize, usize),
    pieces: usize,
    /// Records in all pieces; those that a piece got when another was split are counted at the next clean-up.
    records: usize,
}

/// Records a process up to which runs are kept that could be forgotten, because they may be repeated.
const YOUNG: usize = 1 << 17;

impl Memory {
    /// Records of `owner` that touch `range`.
    pub(crate) fn touching(
        &self,
        owner: Rank,
        range: Range<u64>,
    ) -> impl Iterator<Item = (Range<u64>, &Rc<Record>)> {
        let map = self.owners.get(&owner);
        map.into_iter()
            .flat_map(move |map| map.overlapping(range.clone()))
            .flat_map(|(range, records)| records.0.iter().map(move |record| (range.clone(), record)))
    }

    /// What the direct accesses of a process must be compared with.
    pub(crate) fn news(&mut self, owner: Rank) -> &mut News {
        self.news.entry(owner).or_default()
    }

    fn insert(&mut self, owner: Rank, range: Range<u64>, record: &Rc<Record>) {
        if record.access.rank != owner || record.operation().is_some() {
            self.news(owner).enter(range.clone());
        }
        let map = self.owners.entry(owner).or_default();
        let before = map.len();
        let (mut entered, mut left) = (0, 0);
        map.update(range, |_, records| {
            left += records.0.len();
            if !records.0.iter().any(|old| Rc::ptr_eq(old, record)) {
                records.0.retain(|old| {
                    let superseded = old.is_superseded_by(record);
                    if superseded {
                        old.displaced.set(true);
                        if old.first.get().time < record.first.get().time {
                            record.first.set(old.first.get());
                        }
                    }
                    !superseded
                });
                // An older one may be superseded by one that could not yet do so when it came.
                if record.operation().is_some_and(|op| op.request.is_some()) || record.may_wait_for_a_lock() {
                    let all = records.0.clone();
                    records.0.retain(|old| {
                        !all.iter()
                            .any(|later| later.mark.get() > old.mark.get() && old.is_superseded_by(later))
                    });
                }
                records.0.push(Rc::clone(record));
            }
            entered += records.0.len();
        });
        self.pieces = (self.pieces + map.len()).saturating_sub(before);
        self.records = (self.records + entered).saturating_sub(left);
    }

    /// Whether so much has come that forgetting is worth its while. Many records on one piece slow it down as many pieces do.
    fn has_grown(&self) -> bool {
        self.pieces > 2 * self.swept.0 + 4096 || self.records > 2 * self.swept.1 + 1024
    }

    /// Forgets what nobody can race with any more: what all threads that can reach the memory of a process know to be
    /// complete. `floor` gives what they all know, `now` is a place in the timeline.
    ///
    /// Unless `all` of that is wanted, runs that came since the last clean-up stay as long as they are few: threads that
    /// repeat them in every step find their records, however many there are in a step.
    pub(crate) fn sweep(&mut self, now: u64, all: bool, floor: impl Fn(Rank) -> Rc<VectorClock>) {
        let since = std::mem::replace(&mut self.swept_at, now);
        let few = !all && self.records <= YOUNG * self.owners.len();
        (self.pieces, self.records) = (0, 0);
        self.owners.retain(|&owner, map| {
            let floor = floor(owner);
            map.retain(|_, records| {
                records.0.retain(|record| {
                    let young = few && record.remembered.get() && record.mark.get() > since;
                    let stays = young || !record.precedes(&floor);
                    if !stays {
                        record.displaced.set(true);
                    }
                    stays
                });
                self.records += records.0.len();
                !records.0.is_empty()
            });
            self.pieces += map.len();
            !map.is_empty()
        });
        self.swept = (self.pieces, self.records);
    }
}

impl Detector {
    /// Compares an access to `range` of `owner` with what is there, reports races, and enters it. `clock` is what is
    /// known to have happened before the access takes effect at the earliest.
    pub(crate) fn access(
        &mut self,
        owner: Rank,
        range: Range<u64>,
        record: &Rc<Record>,
        clock: &VectorClock,
    ) {
        self.races.repeat(record, clock);
        let mut against: Vec<(Range<u64>, Rc<Record>, Conflict)> = Vec::new();
        let mut judged: Option<(*const Record, Option<Conflict>)> = None;
        for (part, old) in self.memory.touching(owner, range.clone()) {
            let verdict = match judged {
                Some((last, verdict)) if last == Rc::as_ptr(old) => verdict,
                _ => conflict(&old.access, &record.access)
                    .filter(|_| !old.precedes(clock) && !old.takes_effect_before(record, clock)),
            };
            judged = Some((Rc::as_ptr(old), verdict));
            if let Some(kind) = verdict {
                match against.iter_mut().find(|(_, known, _)| Rc::ptr_eq(known, old)) {
                    Some((known, _, _)) if known.end == part.start => known.end = part.end,
                    Some(_) => {}
                    None => against.push((part, Rc::clone(old), kind)),
                }
            }
        }
        if !against.is_empty() {
            let mut clock = clock.clone();
            if self.follow_locks(record, &against, &mut clock) {
                against.retain(|(_, old, _)| !old.precedes(&clock));
            }
            against.retain(|(_, old, _)| !kept_apart(owner, old, record));
            for (part, old, kind) in &against {
                self.race(owner, part.clone(), old, record, *kind, &clock);
            }
        }
        self.memory.insert(owner, range, record);
        if self.options.forgetting != Forgetting::WhenGrown || self.memory.has_grown() {
            self.forget();
        }
        self.counts.records_kept = self.counts.records_kept.max(self.memory.records as u64);
    }
}
