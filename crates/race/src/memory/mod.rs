//! The memory of each process as the accesses that later ones must be compared with.

mod forget;
mod local;
mod revisit;

pub(crate) use forget::Floors;
pub(crate) use local::local_record;
pub(crate) use revisit::Visits;

use crate::order::{Locks, Threads, kept_apart};
use crate::record::Record;
use farside_clocks::{Component, IntervalMap, VectorClock};
use farside_conflicts::{Conflict, conflict};
use farside_events::Rank;
use revisit::News;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The accesses to the memory of all processes, by owner and address.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    owners: HashMap<Rank, IntervalMap<Records>>,
    news: HashMap<Rank, News>,
    /// Place in the sequence of the last clean-up.
    swept_at: u64,
    /// Pieces and records after the last clean-up; the next one is due at twice as many of either.
    swept: (usize, usize),
    pieces: usize,
    /// Records in all pieces; those that a piece got when another was split are counted at the next clean-up.
    records: usize,
}

/// The records of one piece of memory; equal when they are the same records.
#[derive(Clone, Debug, Default)]
struct Records(SmallVec<[Rc<Record>; 2]>);

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| Rc::ptr_eq(a, b))
    }
}

/// Earlier accesses that a new one races with, and what is known before the new one.
#[derive(Debug, Default)]
pub(crate) struct Races {
    against: Vec<(Range<u64>, Rc<Record>, Conflict)>,
    clock: VectorClock,
}

impl Races {
    /// What is known before the new access.
    pub(crate) fn clock(&self) -> &VectorClock {
        &self.clock
    }

    /// The bytes in common, the earlier access, and how the two conflict.
    pub(crate) fn against(&self) -> &[(Range<u64>, Rc<Record>, Conflict)] {
        &self.against
    }
}

/// Records a process up to which runs are kept that could be forgotten, because they may be repeated.
const YOUNG: usize = 1 << 17;

impl Memory {
    /// Compares an access to `range` of `owner` with what is there. `clock` is what is known to have happened before
    /// the access takes effect at the earliest; locks that the access and earlier ones were made under may tell more.
    pub(crate) fn meet(
        &self,
        (threads, locks): (&mut Threads, &mut Locks),
        owner: Rank,
        range: &Range<u64>,
        record: &Record,
        clock: &VectorClock,
    ) -> Option<Races> {
        let mut against: Vec<(Range<u64>, Rc<Record>, Conflict)> = Vec::new();
        let mut judged: Option<(*const Record, Option<Conflict>)> = None;
        for (part, old) in self.touching(owner, range.clone()) {
            let verdict = match judged {
                Some((last, verdict)) if last == Rc::as_ptr(old) => verdict,
                _ => conflict(old.access(), record.access())
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
        if against.is_empty() {
            return None;
        }
        let mut clock = clock.clone();
        if locks.follow(threads, record, &against, &mut clock) {
            against.retain(|(_, old, _)| !old.precedes(&clock));
        }
        against.retain(|(_, old, _)| !kept_apart(owner, old, record));
        Some(Races { against, clock })
    }

    /// Before the accesses of a segment are judged one by one: their thread learns from all locks that they touch.
    pub(crate) fn follow_locks(
        &self,
        (threads, locks): (&mut Threads, &mut Locks),
        component: Component,
        owner: Rank,
        range: Range<u64>,
        record: &Record,
    ) {
        if record.locks().is_empty() {
            return;
        }
        let locked = self
            .touching(owner, range)
            .filter(|(_, old)| !old.locks().is_empty());
        let found: Vec<_> = locked
            .filter_map(|(part, old)| {
                conflict(old.access(), record.access()).map(|kind| (part, Rc::clone(old), kind))
            })
            .collect();
        let mut clock = threads.clock(component).clone();
        locks.follow(threads, record, &found, &mut clock);
    }

    /// How often the same instruction came to these few bytes before, segment after segment: it polls, unless messages or
    /// barriers lie between, for those make it a step of a loop.
    pub(crate) fn visits_before(&self, owner: Rank, range: &Range<u64>, record: &Record) -> u64 {
        let mut here = self.touching(owner, range.clone());
        here.find(|(part, old)| part == range && record.revisits(old))
            .map_or(0, |(_, old)| old.visits() + 1)
    }

    /// Enters an access.
    pub(crate) fn insert(&mut self, owner: Rank, range: Range<u64>, record: &Rc<Record>) {
        if record.rank() != owner || record.operation().is_some() {
            self.news.entry(owner).or_default().enter(range.clone());
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
                        old.give_way_to(record);
                    }
                    !superseded
                });
                // An older one may be superseded by one that could not yet do so when it came.
                let waited = record.operation().is_some_and(|op| op.request().is_some());
                if waited || record.may_wait_for_a_lock() {
                    let all = records.0.clone();
                    records.0.retain(|old| {
                        !all.iter()
                            .any(|later| later.mark() > old.mark() && old.is_superseded_by(later))
                    });
                }
                records.0.push(Rc::clone(record));
            }
            entered += records.0.len();
        });
        self.pieces = (self.pieces + map.len()).saturating_sub(before);
        self.records = (self.records + entered).saturating_sub(left);
    }

    /// The number of records that are kept.
    pub(crate) fn records(&self) -> usize {
        self.records
    }

    /// Whether so much has come that forgetting is worth its while. Many records on one piece slow it down as many
    /// pieces do.
    pub(crate) fn has_grown(&self) -> bool {
        self.pieces > 2 * self.swept.0 + 4096 || self.records > 2 * self.swept.1 + 1024
    }

    /// Forgets what nobody can race with any more: what all threads that can reach the memory of a process know to be
    /// complete. `now` is a place in the sequence.
    ///
    /// Unless `all` of that is wanted, runs that came since the last clean-up stay as long as they are few: threads
    /// that repeat them in every step find their records, however many there are in a step.
    pub(crate) fn sweep(&mut self, now: u64, all: bool, floors: &Floors) {
        let since = std::mem::replace(&mut self.swept_at, now);
        let few = !all && self.records <= YOUNG * self.owners.len();
        (self.pieces, self.records) = (0, 0);
        self.owners.retain(|&owner, map| {
            let floor = floors.of(owner);
            map.retain(|_, records| {
                records.0.retain(|record| {
                    let young = few && record.is_remembered() && record.mark() > since;
                    let stays = young || !record.precedes(floor);
                    if !stays {
                        record.forget();
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

    /// Records of `owner` that touch `range`.
    fn touching(&self, owner: Rank, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, &Rc<Record>)> {
        let map = self.owners.get(&owner);
        map.into_iter()
            .flat_map(move |map| map.overlapping(range.clone()))
            .flat_map(|(range, records)| records.0.iter().map(move |record| (range.clone(), record)))
    }

    /// What the direct accesses of a process must be compared with.
    fn news(&self, owner: Rank) -> Option<&News> {
        self.news.get(&owner)
    }
}
