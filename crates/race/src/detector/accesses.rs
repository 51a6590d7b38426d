//! A process' own accesses, and what is compared and entered of every access.

use super::Detector;
use crate::Forgetting;
use crate::finding::{CallKind, Name, Site};
use crate::interface::Rules;
use crate::job::Caller;
use crate::memory::{Done, Floors, Renewed, local_access, local_party, local_record, may_poll};
use crate::misuse;
use crate::record::{Record, Renewal};
use crate::report::Groups;
use farside_clocks::{ByteSet, Component, VectorClock};
use farside_conflicts::Role;
use farside_events::{AccessKind, AccessRun, AccessSet, AccessSource, Rank, WinId};
use smallvec::SmallVec;
use std::ops::Range;
use std::rc::Rc;

/// Steps of a loop of stores that may each be a signal: a loop that writes more at a time sends data.
const STORES_THAT_SIGNAL: u64 = 64;
/// Accesses to more stretches than these are judged as a set.
const SCATTERED: usize = 4;

impl Detector {
    /// Loads and stores of a thread between two synchronisations.
    pub(super) fn segment(&mut self, component: Component, rank: Rank, runs: &[AccessRun]) {
        self.counts.access_runs += runs.len() as u64;
        self.threads.end_publication(component);
        if self.windows.any(Rules::waits_for_words) {
            runs.iter().for_each(|run| self.signal(component, rank, run));
            self.forget_updates();
        }
        if self.windows.has_given_back(rank) {
            Done::of(runs)
                .iter()
                .for_each(|done| self.look_for_freed(component, rank, done));
        }
        if self.looks_at(rank) {
            match runs {
                [run] if self.is_renewed(component, rank, run) => {}
                _ => self.judge(component, rank, Done::of(runs)),
            }
        }
        self.agree_on_accesses(rank);
    }

    /// Handles a single access to a few bytes that differs from an earlier one in nothing but its time; says whether it
    /// is one.
    fn is_renewed(&mut self, component: Component, rank: Rank, run: &AccessRun) -> bool {
        let Some(end) = run.base.checked_add(run.size).filter(|_| may_poll(run)) else {
            return false;
        };
        let range = run.base..end;
        let (access, name) = local_access(rank, run.kind, &run.source);
        if self.windows.has_neighbours(rank)
            || access.effect.writes() && self.windows.touched(rank, range.clone()).next().is_some()
        {
            return false;
        }
        self.settle_news(component, rank);
        let site = Site {
            rank,
            pc: Some(run.pc),
            stack: run.stack,
        };
        if self.is_of_the_thread(component, rank, [range.clone()]) {
            return false;
        }
        let by = self.threads.moved(component).in_memory_of_the_thread(false);
        let mark = self.sequence.advance();
        let locks = self.locks.held(rank);
        let clock = self.threads.clock(component);
        match Renewal::local(access, (&name, site), by, locks, run.repeats, mark) {
            Some(new) if self.memory.renew(rank, &range, &new, clock) == Renewed::Done => {
                self.report.renewed(&new, clock);
                self.forget_at_once();
                true
            }
            _ => false,
        }
    }

    /// Loads and stores without a pattern of a thread between two synchronisations.
    pub(super) fn scattered(&mut self, component: Component, rank: Rank, sets: &[AccessSet]) {
        self.counts.access_runs += sets.len() as u64;
        self.threads.end_publication(component);
        if self.windows.has_given_back(rank) {
            sets.iter()
                .map(Done::Scattered)
                .for_each(|done| self.look_for_freed(component, rank, &done));
        }
        if self.looks_at(rank) {
            self.judge(component, rank, sets.iter().map(Done::Scattered).collect());
        }
        if !self.owns(rank) {
            sets.iter().for_each(|set| self.visits.keep(component, set));
        }
        self.agree_on_accesses(rank);
    }

    /// Tells accesses of a process to memory that it has freed.
    fn look_for_freed(&mut self, component: Component, rank: Rank, done: &Done<'_>) {
        let bytes = self.visits.bytes(component, done);
        if let Some(by) = self.windows.given_back(rank, &bytes) {
            let party = local_party(rank, &done.place(), self.threads.id(component));
            self.tell([misuse::used_after_free(party, by)]);
        }
    }

    /// Loads and stores of a thread between two synchronisations, which another judge has.
    pub(super) fn withheld(&mut self, component: Component, rank: Rank, runs: u64) {
        self.counts.access_runs += runs;
        self.threads.end_publication(component);
        // As often as who has them agrees: see `judge`.
        if self.windows.has_neighbours(rank) && !self.locks.held(rank).is_empty() {
            self.agree_on_accesses(rank);
        }
        self.agree_on_accesses(rank);
    }

    /// Tells an operation that may still reach memory which a process is about to detach.
    pub(super) fn look_for_detached(&mut self, caller: &Caller, win: WinId, address: u64) {
        let (rank, component) = (caller.rank(), caller.component());
        let Some(bytes) = self
            .windows
            .attached_at(rank, win, address)
            .filter(|_| self.owns(rank))
        else {
            return;
        };
        let (access, _) = local_access(rank, AccessKind::Store, &AccessSource::Instruction);
        let record = Record::local(
            access,
            Name::Call(CallKind::Detach),
            caller.site(),
            self.threads.moved(component),
            self.locks.held(rank).clone(),
            0,
            self.sequence.advance(),
        );
        let clock = self.threads.clock(component).clone();
        let order = (&mut self.threads, &mut self.locks);
        let ranges = std::slice::from_ref(&bytes);
        let reaching = self.memory.meet_all(order, rank, ranges, &record, &clock);
        let of_window =
            |old: &Record| old.role() == Role::Target && old.operation().is_some_and(|op| op.win() == win);
        let found = reaching.and_then(|races| {
            let mut operations = races.against().iter().filter(|(_, old, _)| of_window(old));
            operations
                .next()
                .map(|(part, old, _)| (part.clone(), old.party()))
        });
        let detaches = || caller.party(CallKind::Detach, None);
        self.tell(found.map(|(part, party)| misuse::detached_early(win, party, detaches(), &part)));
    }

    fn judge(&mut self, component: Component, rank: Rank, mut all: SmallVec<[Done<'_>; 1]>) {
        self.settle_news(component, rank);
        let clock = self.threads.clock(component).clone();
        all.retain(|done| !self.again(component, rank, done, &clock));
        if all.is_empty() {
            return;
        }
        let bytes: SmallVec<[Rc<ByteSet>; 1]> = all
            .iter()
            .map(|done| self.visits.bytes(component, done))
            .collect();
        let by = self.threads.moved(component);
        let mut record = |(done, bytes): (&Done<'_>, &Rc<ByteSet>)| {
            let by = by.in_memory_of_the_thread(self.is_of_the_thread(component, rank, bytes.extents()));
            let mark = self.sequence.advance();
            let locks = self.locks.held(rank).clone();
            Rc::new(local_record(rank, &done.place(), done.repeats(), by, locks, mark))
        };
        let records: SmallVec<[Rc<Record>; 1]> = all.iter().zip(&bytes).map(&mut record).collect();
        let apart = self.windows.has_neighbours(rank);
        let is_scattered = |bytes: &ByteSet| !apart && !bytes.is_few(SCATTERED);
        // Within this segment; a record counts once what came before it, however many parts it has.
        let visits: SmallVec<[u64; 1]> = records.iter().map(|record| record.visits()).collect();
        let mut placed: SmallVec<[(Rank, Range<u64>, usize); 1]> = SmallVec::new();
        for (index, bytes) in bytes.iter().enumerate().filter(|(_, bytes)| !is_scattered(bytes)) {
            bytes.stretches(|range| {
                if apart {
                    let owners = self.windows.owners(rank, range).into_iter();
                    placed.extend(owners.map(|(owner, range)| (owner, range, index)));
                } else {
                    placed.push((rank, range, index));
                }
            });
        }
        if !self.locks.held(rank).is_empty() {
            for (owner, range, index) in &placed {
                let order = (&mut self.threads, &mut self.locks);
                let range = std::iter::once(range.clone());
                self.memory
                    .follow_locks(order, component, *owner, range, &records[*index]);
            }
            for (bytes, record) in bytes
                .iter()
                .zip(&records)
                .filter(|(bytes, _)| is_scattered(bytes))
            {
                let order = (&mut self.threads, &mut self.locks);
                let mut ranges = Vec::new();
                bytes.stretches(|range| ranges.push(range));
                self.memory
                    .follow_locks(order, component, rank, ranges.into_iter(), record);
            }
            if apart {
                self.agree_on_accesses(rank);
            }
        }
        let clock = self.threads.clock(component).clone();
        for (owner, range, index) in placed {
            let record = &records[index];
            if record.writes() {
                self.stored(owner, &range, record);
            }
            if range.end - range.start <= 16 {
                let before = self.memory.visits_before(owner, &range, record);
                record.note_visits(visits[index] + before);
            }
            self.access(owner, range, record, &clock);
        }
        for (bytes, record) in bytes
            .iter()
            .zip(&records)
            .filter(|(bytes, _)| is_scattered(bytes))
        {
            self.stored_in(rank, bytes, record);
            self.report.access(record, &clock);
            self.compare(rank, bytes, record, &clock, None);
            self.memory.insert_set(record, bytes);
            self.keep_bounds();
        }
        if !self.owns(rank) {
            return;
        }
        for ((done, record), bytes) in all.iter().zip(&records).zip(&bytes) {
            self.visits.remember(&mut self.memory, rank, done, record, bytes);
        }
    }

    /// Whether these bytes of a process belong to the thread that ran them, and not to all of its strands.
    pub(super) fn is_of_the_thread(
        &self,
        component: Component,
        rank: Rank,
        ranges: impl IntoIterator<Item = Range<u64>>,
    ) -> bool {
        let is_common =
            |range: &Range<u64>| self.windows.hold(rank, range) || self.strand_memory.has(rank, range);
        self.threads.is_strand(component) && !ranges.into_iter().all(|range| is_common(&range))
    }

    /// Handles what a thread does again; says whether it does.
    fn again(&mut self, component: Component, rank: Rank, done: &Done<'_>, clock: &VectorClock) -> bool {
        if self.windows.has_neighbours(rank) {
            return false;
        }
        let now = (rank, self.threads.now(component));
        let held = self.locks.held(rank);
        let Some(again) = self
            .visits
            .again(&mut self.memory, now, done, held, &mut self.sequence)
        else {
            return false;
        };
        self.stored_in(rank, again.bytes(), again.record());
        self.compare(rank, again.bytes(), again.record(), clock, Some(again.since()));
        true
    }

    /// Compares a process' own accesses with what others did to its memory, since an entry of the news if that is
    /// given.
    fn compare(
        &mut self,
        rank: Rank,
        bytes: &ByteSet,
        record: &Rc<Record>,
        clock: &VectorClock,
        since: Option<u64>,
    ) {
        let parts = self.memory.unsettled(rank, bytes, record, clock, since);
        if parts.is_empty() {
            return;
        }
        if since.is_some() {
            self.report.access(record, clock);
        }
        let order = (&mut self.threads, &mut self.locks);
        if let Some(races) = self.memory.meet_all(order, rank, &parts, record, clock) {
            let groups = Groups::new(&self.job, &self.windows);
            self.report.races(rank, record, &races, (&self.threads, groups));
        }
    }

    /// Drops news of a process that none of its threads needs to look at.
    fn settle_news(&mut self, component: Component, rank: Rank) {
        if !self.memory.has_many_news(rank) {
            return;
        }
        let known = match self.threads.is_alone(component) {
            true => self.threads.clock(component).clone(),
            false => self.threads.known_to_all(|other| other == rank),
        };
        self.memory.settle(rank, &known);
    }

    /// Atomic stores to the memory of other processes: their owners may wait for them.
    fn signal(&mut self, component: Component, rank: Rank, run: &AccessRun) {
        let is_one = run.source == AccessSource::Atomic && run.kind == AccessKind::Store && run.size <= 8;
        if !is_one {
            return;
        }
        let mark = self.report.latest(rank);
        let steps = |count: u64| 0..count.min(STORES_THAT_SIGNAL) as i64;
        for outer in steps(run.outer_count) {
            for inner in steps(run.inner_count) {
                let address = run
                    .base
                    .wrapping_add_signed(outer * run.outer_stride + inner * run.inner_stride);
                let owners = self.windows.owners(rank, address..address.wrapping_add(run.size));
                for (owner, range) in owners.into_iter().filter(|(owner, _)| *owner != rank) {
                    self.updates
                        .store(&mut self.threads, component, (owner, range.start), mark);
                }
            }
        }
    }

    /// Remembers a store to window memory, for assertions that there is none.
    pub(super) fn stored(&mut self, owner: Rank, range: &Range<u64>, record: &Rc<Record>) {
        let touched = self.windows.touched(owner, range.clone());
        touched.for_each(|win: WinId| self.epochs.stored(win, owner, record));
    }

    /// As [`Self::stored`], for all stores of a record to the memory of its process.
    fn stored_in(&mut self, owner: Rank, bytes: &ByteSet, record: &Rc<Record>) {
        if record.writes() {
            let touched = self.windows.touched_by(owner, bytes);
            touched.for_each(|win: WinId| self.epochs.stored(win, owner, record));
        }
    }

    /// Compares an access to `range` of `owner` with what is there, reports races, and enters it. `clock` is what is
    /// known to have happened before the access takes effect at the earliest.
    pub(super) fn access(
        &mut self,
        owner: Rank,
        range: Range<u64>,
        record: &Rc<Record>,
        clock: &VectorClock,
    ) {
        self.report.access(record, clock);
        if !self.owns(owner) {
            return;
        }
        let order = (&mut self.threads, &mut self.locks);
        if let Some(races) = self.memory.meet(order, owner, &range, record, clock) {
            let groups = Groups::new(&self.job, &self.windows);
            self.report.races(owner, record, &races, (&self.threads, groups));
        }
        self.enter_access(owner, range, record);
    }

    /// Enters an access that was compared with what is there.
    pub(super) fn enter_access(&mut self, owner: Rank, range: Range<u64>, record: &Rc<Record>) {
        self.memory.insert(owner, range, record);
        self.keep_bounds();
        if self.memory.has_many_news(owner) {
            let known = self.threads.known_to_all(|rank| rank == owner);
            self.memory.settle(owner, &known);
        }
    }

    /// After each entry to the memory.
    fn keep_bounds(&mut self) {
        if self.options.forgetting != Forgetting::WhenGrown || self.memory.has_grown() {
            self.forget();
        } else if self.memory.has_many_sets() {
            let floors = Floors::now(&self.threads, &self.job, &self.windows);
            self.memory.sweep_sets(self.sequence.advance(), &floors);
        }
        self.counts.records_kept = self.counts.records_kept.max(self.memory.records() as u64);
    }

    /// After an access without an entry, for those who want all forgotten at once.
    pub(super) fn forget_at_once(&mut self) {
        if self.options.forgetting != Forgetting::WhenGrown {
            self.forget();
        }
    }

    /// Forgets accesses that nobody can race with any more.
    fn forget(&mut self) {
        let floors = Floors::now(&self.threads, &self.job, &self.windows);
        let all = self.options.forgetting == Forgetting::OfAll;
        self.memory.sweep(self.sequence.advance(), all, &floors);
        if self.options.forgetting != Forgetting::WhenGrown {
            self.updates.forget(floors.everybody());
        }
    }

    /// Forgets updates when many have come: at the same events whatever memory a judge has, for order follows from
    /// them.
    pub(super) fn forget_updates(&mut self) {
        if self.updates.have_grown() {
            self.updates.forget(&self.threads.known_to_all(|_| true));
        }
    }
}
