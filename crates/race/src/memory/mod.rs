//! The memory of each process as the accesses that later ones must be compared with.
//!
//! | what lies there | where |
//! |---|---|
//! | operations, what other processes do, and direct accesses to a few places | a map of intervals |
//! | scattered direct accesses of the process itself | `sets` |
//! | what the process' own accesses may still have to be compared with | `news` |
//! | what its threads did in earlier segments | `revisit` |

mod forget;
mod local;
mod news;
mod revisit;
mod sets;

pub(crate) use forget::Floors;
pub(crate) use local::{local_access, local_party, local_record};
pub(crate) use revisit::{Done, Place, Visits, may_poll};

use crate::order::{Locks, Threads, kept_apart};
use crate::record::{LockEpoch, Record, Renewal};
use farside_clocks::{At, ByteSet, Component, Epoch, IntervalMap, VectorClock};
use farside_conflicts::{Access, Conflict, conflict};
use farside_events::{LockKind, Rank};
use news::News;
use sets::Sets;
use smallvec::SmallVec;
use std::ops::Range;
use std::rc::Rc;

/// The accesses to the memory of all processes, by owner and address.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By rank of the owner.
    spaces: Vec<Space>,
    /// Places in the sequence of the last clean-up, and of the last one of sets.
    swept_at: u64,
    sets_swept_at: u64,
    /// Pieces and records after the last clean-up; the next one is due at twice as many of either.
    swept: (usize, usize),
    pieces: usize,
    /// Sets after the last clean-up, and now.
    sets: (usize, usize),
    /// Records in all pieces; those that a piece got when another was split are counted at the next clean-up.
    records: usize,
}

/// The memory of a process.
#[derive(Debug, Default)]
struct Space {
    map: IntervalMap<Records>,
    sets: Sets,
    news: News,
    /// An access under an exclusive lock has been made.
    excludes: bool,
}

/// The records of one piece of memory; equal when they are the same records.
#[derive(Clone, Debug, Default)]
struct Records(SmallVec<[Rc<Record>; 2]>);

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| Rc::ptr_eq(a, b))
    }
}

/// So many records of a piece are looked through whenever one is added.
const FEW: usize = 8;

impl Records {
    /// Whether all of them are looked through before the next one comes: many only as often as they become twice as
    /// many, so that it costs no more than what was done to add them.
    fn is_time_to_look_through(&self) -> bool {
        self.0.len() < FEW || self.0.len().is_power_of_two()
    }

    /// Leaves out what one of those supersedes that came later and that `may` says it of.
    fn leave_out_superseded(&mut self, may: impl Fn(&Record) -> bool) {
        let mut able: SmallVec<[Rc<Record>; 2]> = SmallVec::new();
        let all = std::mem::take(&mut self.0);
        // The latest come last.
        for old in all.into_iter().rev() {
            let by_one = |later: &Rc<Record>| later.mark() > old.mark() && old.is_superseded_by(later);
            if able.iter().any(by_one) {
                continue;
            }
            if may(&old) {
                able.push(Rc::clone(&old));
            }
            self.0.push(old);
        }
        self.0.reverse();
    }
}

/// Earlier accesses that a new one races with, and what is known before the new one.
#[derive(Debug)]
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

    /// Without the earlier accesses that `harmless` names.
    pub(crate) fn leave_out(&mut self, harmless: impl Fn(&Record) -> bool) {
        self.against.retain(|(_, old, _)| !harmless(old));
    }
}

/// What became of an access that needs no record of its own, if an earlier one like it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Renewed {
    /// It is entered.
    Done,
    /// It needs a record; nothing that is there can race with it.
    Quiet,
    /// It needs a record, and must be compared.
    Unknown,
}

/// What is asked of one record after the other; neighbours often have the same, of which it is asked once.
struct Verdict<T, F> {
    ask: F,
    last: Option<(*const Record, T)>,
}

impl<T: Copy, F: FnMut(&Record) -> T> Verdict<T, F> {
    fn new(ask: F) -> Self {
        Self { ask, last: None }
    }

    #[inline]
    fn of(&mut self, record: &Record) -> T {
        match self.last {
            Some((last, verdict)) if std::ptr::eq(last, record) => verdict,
            _ => {
                let verdict = (self.ask)(record);
                self.last = Some((record, verdict));
                verdict
            }
        }
    }
}

/// Conflicting accesses while they are looked for, each once.
#[derive(Debug, Default)]
struct Against(Vec<(Range<u64>, Rc<Record>, Conflict)>);

impl Against {
    fn add(&mut self, part: Range<u64>, old: &Rc<Record>, kind: Conflict) {
        match self.0.iter_mut().find(|(_, known, _)| Rc::ptr_eq(known, old)) {
            Some((known, _, _)) if known.end == part.start => known.end = part.end,
            Some(_) => {}
            None => self.0.push((part, Rc::clone(old), kind)),
        }
    }
}

/// Records a process up to which runs are kept that could be forgotten, because they may be repeated.
const YOUNG: usize = 1 << 17;
/// Pieces, and records on a few pieces, up to which nothing is forgotten.
const MANY_PIECES: usize = 1 << 14;
const MANY_RECORDS: usize = 1 << 10;
/// Sets up to which none is forgotten.
const MANY_SETS: usize = 8;
/// Entries of `news` that are looked through as fast as one place is looked up in the map.
const AS_ONE_SEARCH: usize = 16;

impl Memory {
    /// Compares an access to `range` of `owner` with what is there. `clock` is what is known to have happened before
    /// the access takes effect at the earliest; locks that the access and earlier ones were made under may tell more.
    pub(crate) fn meet(
        &mut self,
        order: (&mut Threads, &mut Locks),
        owner: Rank,
        range: &Range<u64>,
        record: &Record,
        clock: &VectorClock,
    ) -> Option<Races> {
        let space = self.spaces.get_mut(owner.0 as usize)?;
        let mut races = Verdict::new(|old: &Record| may_race(old, record.access(), clock));
        let is_quiet = match space.map.at(range) {
            At::Piece(records) => !records.0.iter().any(|old| races.of(old)),
            At::Nothing => true,
            At::Parts => {
                let mut pieces = space.map.overlapping(range.clone());
                !pieces.any(|(_, records)| records.0.iter().any(|old| races.of(old)))
            }
        };
        if is_quiet && !space.sets.may_race(range, record.access(), clock) {
            return None;
        }
        self.meet_all(order, owner, std::slice::from_ref(range), record, clock)
    }

    /// As [`Self::meet`], for an access to several ranges.
    pub(crate) fn meet_all(
        &self,
        (threads, locks): (&mut Threads, &mut Locks),
        owner: Rank,
        ranges: &[Range<u64>],
        record: &Record,
        clock: &VectorClock,
    ) -> Option<Races> {
        let space = self.space(owner)?;
        let mut against = Against::default();
        let mut races = Verdict::new(|old: &Record| {
            conflict(old.access(), record.access()).filter(|_| is_unordered(old, record.access(), clock))
        });
        for range in ranges {
            for (part, old) in space.touching(range.clone()) {
                if let Some(kind) = races.of(old) {
                    against.add(part, old, kind);
                }
            }
            space.sets.meet(range, record, clock, |part, old| {
                if let Some(kind) = conflict(old.access(), record.access()) {
                    against.add(part, old, kind);
                }
            });
        }
        if against.0.is_empty() {
            return None;
        }
        let mut races = Races {
            against: against.0,
            clock: clock.clone(),
        };
        if locks.follow(threads, record, &races.against, &mut races.clock) {
            let clock = &races.clock;
            races.against.retain(|(_, old, _)| !old.precedes(clock));
        }
        races
            .against
            .retain(|(_, old, _)| !kept_apart(owner, old, record));
        Some(races)
    }

    /// Where scattered accesses of a process to its own memory must be compared with what others did, since the entry
    /// `since` of its news if that is given: the bytes in common with accesses that are not known to be complete.
    pub(crate) fn unsettled(
        &self,
        owner: Rank,
        bytes: &ByteSet,
        record: &Record,
        clock: &VectorClock,
        since: Option<u64>,
    ) -> Vec<Range<u64>> {
        let mut found = Vec::new();
        let Some(space) = self.space(owner) else {
            return found;
        };
        let mut open = Verdict::new(|old: &Record| {
            !(old.is_local() && old.rank() == owner)
                && conflict(old.access(), record.access()).is_some()
                && !old.precedes(clock)
        });
        // Most of what lies there reads, as most of what comes does.
        let writes = record.writes();
        let bounds = bytes.bounds();
        let since = since.unwrap_or(0);
        let many = since == 0 && space.news.len() > AS_ONE_SEARCH * bytes.parts();
        if many || !space.news.are_all_since(since) {
            for extent in bytes.extents() {
                for (range, records) in space.map.overlapping(extent) {
                    if records
                        .0
                        .iter()
                        .any(|old| (writes || old.writes()) && open.of(old))
                    {
                        bytes.overlap(&range, |part| found.push(part));
                    }
                }
            }
        } else {
            for (range, old) in space.news.since(since) {
                if range.start < bounds.end
                    && bounds.start < range.end
                    && (writes || old.writes())
                    && open.of(old)
                {
                    bytes.overlap(range, |part| found.push(part));
                }
            }
            found.sort_unstable_by_key(|range| range.start);
            found.dedup_by(|next, last| {
                let joins = next.start < last.end;
                if joins {
                    last.end = last.end.max(next.end);
                }
                joins
            });
        }
        found
    }

    /// Before the accesses of a segment are judged one by one: their thread learns from all locks that they touch.
    pub(crate) fn follow_locks(
        &self,
        (threads, locks): (&mut Threads, &mut Locks),
        component: Component,
        owner: Rank,
        ranges: impl Iterator<Item = Range<u64>>,
        record: &Record,
    ) {
        if record.locks().is_empty() {
            return;
        }
        let Some(space) = self.space(owner) else {
            return;
        };
        // Shared locks exclude none but exclusive ones.
        if !space.excludes && record.locks().iter().all(|lock| lock.kind() == LockKind::Shared) {
            return;
        }
        let locked = ranges
            .flat_map(|range| space.touching(range))
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
        let here = self.space(owner).map(|space| space.touching(range.clone()));
        here.and_then(|mut here| here.find(|(part, old)| part == range && record.revisits(old)))
            .map_or(0, |(_, old)| old.visits() + 1)
    }

    /// Enters an access without a new record, where one like it came to just these bytes before, nothing there can race
    /// with it, and nobody else has the record of the earlier one.
    pub(crate) fn renew(
        &mut self,
        owner: Rank,
        range: &Range<u64>,
        new: &Renewal<'_>,
        clock: &VectorClock,
    ) -> Renewed {
        let space = self.space_mut(owner);
        let is_news = new.access().rank != owner || !new.is_local();
        let follows_locks = new.is_local() && !new.locks().is_empty();
        if follows_locks && (space.excludes || excludes(new.locks()))
            || is_news && space.sets.may_race(range, new.access(), clock)
        {
            return Renewed::Unknown;
        }
        let records = match space.map.at(range) {
            At::Piece(Records(records)) => records,
            At::Nothing => return Renewed::Quiet,
            At::Parts => return Renewed::Unknown,
        };
        let mut found = 0;
        let mut place = 0;
        for (index, old) in records.iter().enumerate() {
            if old.is_renewed_by(new) {
                (found, place) = (found + 1, index);
            } else if old.is_revisited_by_another_thread(new) {
                return Renewed::Unknown;
            }
            if !old.is_done_before(new, clock) && may_race(old, new.access(), clock) {
                return Renewed::Unknown;
            }
        }
        if found != 1 || is_news && space.news.is_kept() {
            return Renewed::Quiet;
        }
        let Some(record) = Rc::get_mut(&mut records[place]) else {
            return Renewed::Quiet;
        };
        record.renew(new);
        // The latest is the last.
        (place + 1..records.len()).for_each(|next| records.swap(next - 1, next));
        if is_news {
            space.news.miss();
        }
        space.excludes |= excludes(new.locks());
        Renewed::Done
    }

    /// Enters an access.
    pub(crate) fn insert(&mut self, owner: Rank, range: Range<u64>, record: &Rc<Record>) {
        let space = self.space_mut(owner);
        if record.rank() != owner || record.operation().is_some() {
            space.news.enter(range.clone(), record);
        }
        space.excludes |= excludes(record.locks());
        let map = &mut space.map;
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
                let locked = record.may_wait_for_a_lock();
                if (waited || locked) && records.is_time_to_look_through() {
                    records.leave_out_superseded(|later| locked || later.is_completed_by_own_thread());
                }
                records.0.push(Rc::clone(record));
            }
            entered += records.0.len();
        });
        let now = map.len();
        self.pieces = (self.pieces + now).saturating_sub(before);
        self.records = (self.records + entered).saturating_sub(left);
    }

    /// What other processes did to this memory is forgotten: it is reached by none of them any more, and may come to be
    /// other memory.
    pub(crate) fn clear(&mut self, owner: Rank, range: Range<u64>) {
        let space = self.space_mut(owner);
        space.map.update(range, |_, records| {
            records.0.retain(|old| {
                let stays = old.is_local() && old.rank() == owner;
                if !stays {
                    old.forget();
                }
                stays
            });
        });
    }

    /// Enters scattered accesses of a process to its own memory.
    pub(crate) fn insert_set(&mut self, record: &Rc<Record>, bytes: &Rc<ByteSet>) {
        let space = self.space_mut(record.rank());
        space.excludes |= excludes(record.locks());
        let before = space.sets.len();
        let spilled = space.sets.insert(record, Rc::clone(bytes));
        let now = space.sets.len();
        self.records = (self.records + now).saturating_sub(before);
        self.pieces += bytes.parts();
        self.sets.1 = (self.sets.1 + now).saturating_sub(before);
        if let Some((old, bytes)) = spilled {
            bytes.stretches(|range| self.insert(old.rank(), range, &old));
        }
    }

    /// The number of records that are kept.
    pub(crate) fn records(&self) -> usize {
        self.records
    }

    /// Whether so much has come that forgetting is worth its while. Many records on one piece slow it down as many
    /// pieces do.
    ///
    /// Too early is dear, too: what is forgotten where it comes again needs new records.
    pub(crate) fn has_grown(&self) -> bool {
        self.pieces > 2 * self.swept.0 + MANY_PIECES
            || self.records > 2 * (self.swept.1 + self.pieces) + MANY_RECORDS
    }

    /// Whether so many sets have come that [`Self::sweep_sets`] is worth its while.
    pub(crate) fn has_many_sets(&self) -> bool {
        self.sets.1 > 2 * self.sets.0 + MANY_SETS
    }

    /// As [`Self::sweep`], for scattered accesses alone, with which each new access is compared.
    pub(crate) fn sweep_sets(&mut self, now: u64, floors: &Floors) {
        let since = std::mem::replace(&mut self.sets_swept_at, now);
        self.sets = (0, 0);
        for (space, owner) in self.spaces.iter_mut().zip((0..).map(Rank)) {
            let floor = floors.of(owner);
            let before = space.sets.len();
            space.sets.retain(|record| {
                let stays = record.is_young(since) || !record.precedes(floor);
                if !stays {
                    record.forget();
                }
                stays
            });
            let left = space.sets.len();
            self.records = self.records.saturating_sub(before - left);
            self.sets = (self.sets.0 + left, self.sets.1 + left);
        }
    }

    /// Forgets what nobody can race with any more: what all threads that can reach the memory of a process know to be
    /// complete. `now` is a place in the sequence.
    ///
    /// Unless `all` of that is wanted, news stay, and runs that came since the last clean-up do as long as they are
    /// few: threads that repeat them in every step find their records, however many there are in a step.
    pub(crate) fn sweep(&mut self, now: u64, all: bool, floors: &Floors) {
        let since = std::mem::replace(&mut self.swept_at, now);
        let used = self.spaces.iter().filter(|space| !space.is_empty());
        let few = !all && self.records <= YOUNG * used.count();
        (self.pieces, self.records) = (0, 0);
        for (space, owner) in self.spaces.iter_mut().zip((0..).map(Rank)) {
            if space.is_empty() {
                continue;
            }
            let floor = floors.of(owner);
            let stays = |record: &Record| {
                let stays = few && record.is_young(since) || !record.precedes(floor);
                if !stays {
                    record.forget();
                }
                stays
            };
            space.sets.retain(stays);
            if all {
                space.news.give_up();
            }
            space.map.retain(|_, records| {
                records.0.retain(|record| stays(record));
                self.records += records.0.len();
                !records.0.is_empty()
            });
            self.records += space.sets.len();
            self.pieces += space.map.len() + space.sets.parts();
        }
        self.swept = (self.pieces, self.records);
        let sets = self.spaces.iter().map(|space| space.sets.len()).sum();
        self.sets = (sets, sets);
    }

    /// A record of accesses of a process to its own memory was made younger.
    pub(crate) fn repeated(&mut self, owner: Rank, at: Epoch) {
        self.space_mut(owner).sets.note(at);
    }

    /// The number of the latest news of a process, which will look at those that follow.
    pub(crate) fn latest_news(&mut self, owner: Rank) -> u64 {
        self.space_mut(owner).news.latest()
    }

    /// Whether so many news have come to a process that [`Self::settle`] is worth its while.
    pub(crate) fn has_many_news(&self, owner: Rank) -> bool {
        self.space(owner).is_some_and(|space| space.news.has_grown())
    }

    /// All threads of a process know this: news that are complete before it concern none of its accesses any more.
    pub(crate) fn settle(&mut self, owner: Rank, known: &VectorClock) {
        let Space { news, map, .. } = self.space_mut(owner);
        news.settle(known, map);
    }

    fn space(&self, owner: Rank) -> Option<&Space> {
        self.spaces.get(owner.0 as usize)
    }

    fn space_mut(&mut self, owner: Rank) -> &mut Space {
        let index = owner.0 as usize;
        if index >= self.spaces.len() {
            self.spaces.resize_with(index + 1, Space::default);
        }
        &mut self.spaces[index]
    }
}

impl Space {
    fn is_empty(&self) -> bool {
        self.map.is_empty() && self.sets.len() == 0
    }

    /// Records in the map that touch `range`.
    fn touching(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, &Rc<Record>)> {
        self.map
            .overlapping(range)
            .flat_map(|(range, records)| records.0.iter().map(move |record| (range.clone(), record)))
    }
}

/// Whether a new access conflicts with an earlier one, of which `clock` does not know it to be done.
#[inline]
fn may_race(old: &Record, new: &Access, clock: &VectorClock) -> bool {
    (old.writes() || new.effect.writes())
        && conflict(old.access(), new).is_some()
        && is_unordered(old, new, clock)
}

fn is_unordered(old: &Record, new: &Access, clock: &VectorClock) -> bool {
    !old.precedes(clock) && !old.takes_effect_before(new, clock)
}

/// Whether the access is made under an exclusive lock.
fn excludes(locks: &[Rc<LockEpoch>]) -> bool {
    locks.iter().any(|lock| lock.kind() == LockKind::Exclusive)
}
