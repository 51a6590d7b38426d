//! What is remembered of an access: who, where, when, and since when it is complete.

mod batch;
mod lock_epoch;
mod operation;

pub(crate) use batch::{Batch, Batches};
pub(crate) use lock_epoch::{HeldLocks, LockEpoch, LockFace, Moment};
pub(crate) use operation::{AccessEpoch, Op};

use crate::finding::{Name, RawParty, Site, Spot};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::{Access, Effect, Role, accumulates_in_order};
use farside_events::{AccumulateOp, OperationKind, Rank, ThreadId};
use smallvec::SmallVec;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// Which instruction or call an access comes from.
#[derive(Clone, Debug)]
enum Source {
    /// A load or store, or a library call.
    Local(Name),
    /// A one-sided operation.
    Operation(Rc<Op>),
}

/// An access that later ones are compared with.
#[derive(Debug)]
pub(crate) struct Record {
    access: Access,
    /// Whether bytes are written: what is asked most of all.
    writes: bool,
    thread: ThreadId,
    issued: Cell<Epoch>,
    /// When the first access was issued that this one stands for, having taken its place.
    first: Cell<Epoch>,
    source: Source,
    site: Site,
    locks: HeldLocks,
    /// Its process may have waited for one of them when the record was made.
    waits: bool,
    /// For loads of one place: how often the same instruction came back to it, its thread having learned nothing of
    /// others in between.
    visits: Cell<u64>,
    /// How often its thread had learned something of others before it.
    acquisitions: u64,
    /// Its memory belongs to the thread that ran it, whichever strand that was at.
    of_the_thread: bool,
    /// Place in the sequence.
    mark: Cell<u64>,
    /// A younger record has taken its place on some of its bytes, or it is forgotten.
    displaced: Cell<bool>,
    /// It stands for a run that its thread may repeat (see `memory::revisit`).
    remembered: Cell<bool>,
}

/// What a thread is and knows when it makes an access itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    thread: ThreadId,
    issued: Epoch,
    acquisitions: u64,
    of_the_thread: bool,
}

impl Moved {
    pub(crate) fn new(thread: ThreadId, issued: Epoch, acquisitions: u64) -> Self {
        Self {
            thread,
            issued,
            acquisitions,
            of_the_thread: false,
        }
    }

    /// Whether its memory belongs to the thread: then the order counts in which the thread ran its strands.
    pub(crate) fn in_memory_of_the_thread(self, of_the_thread: bool) -> Self {
        Self {
            of_the_thread,
            ..self
        }
    }
}

/// An access that may take the place of an earlier one that differs from it in nothing but when it was made: then
/// there is no new record, but the old one is made younger.
///
/// It has no request, and its process waits for no lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renewal<'a> {
    access: Access,
    site: Site,
    by: Moved,
    mark: u64,
    locks: &'a HeldLocks,
    source: RenewalOf<'a>,
}

#[derive(Clone, Copy, Debug)]
enum RenewalOf<'a> {
    /// A load or store, and how often it was repeated.
    Local(&'a Name, u64),
    /// A one-sided operation.
    Operation(&'a Rc<Op>),
}

impl<'a> Renewal<'a> {
    /// A load, a store or a library call, which was repeated so often.
    pub(crate) fn local(
        access: Access,
        (name, site): (&'a Name, Site),
        by: Moved,
        locks: &'a HeldLocks,
        repeats: u64,
        mark: u64,
    ) -> Option<Self> {
        let source = RenewalOf::Local(name, repeats);
        (!locks.may_wait(access.rank)).then_some(Self {
            access,
            site,
            by,
            mark,
            locks,
            source,
        })
    }

    /// One side of an operation without a request, whose process waits for no lock.
    #[inline]
    pub(crate) fn of(op: &'a Rc<Op>, role: Role, effect: Effect, locks: &'a HeldLocks) -> Self {
        let (rank, mark) = op.mark();
        Self {
            access: Access {
                rank,
                role,
                effect,
                channel: op.channel(),
            },
            site: op.site(),
            by: Moved::new(op.thread(), op.issued(), 0),
            mark,
            locks,
            source: RenewalOf::Operation(op),
        }
    }

    pub(crate) fn access(&self) -> &Access {
        &self.access
    }

    /// Thread and place.
    pub(crate) fn place(&self) -> (Component, Site) {
        (self.by.issued.component, self.site)
    }

    /// Place in the sequence.
    pub(crate) fn mark(&self) -> u64 {
        self.mark
    }

    /// Whether it is a load or a store of the process itself.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.source, RenewalOf::Local(..))
    }

    /// Lock epochs of its process that are open.
    pub(crate) fn locks(&self) -> &[Rc<LockEpoch>] {
        self.locks
    }
}

impl Record {
    /// A load, a store or a library call.
    pub(crate) fn local(
        access: Access,
        name: Name,
        site: Site,
        by: Moved,
        locks: HeldLocks,
        visits: u64,
        mark: u64,
    ) -> Self {
        Self {
            access,
            writes: access.effect.writes(),
            thread: by.thread,
            issued: Cell::new(by.issued),
            first: Cell::new(by.issued),
            source: Source::Local(name),
            site,
            waits: !locks.is_empty(),
            locks,
            visits: Cell::new(visits),
            acquisitions: by.acquisitions,
            of_the_thread: by.of_the_thread,
            mark: Cell::new(mark),
            displaced: Cell::new(false),
            remembered: Cell::new(false),
        }
    }

    /// One side of an operation; `waits` says whether its process may wait for a lock.
    pub(crate) fn of(
        op: &Rc<Op>,
        (role, effect): (Role, Effect),
        of_the_thread: bool,
        locks: HeldLocks,
        waits: bool,
    ) -> Self {
        let (rank, mark) = op.mark();
        let by = Moved::new(op.thread(), op.issued(), 0).in_memory_of_the_thread(of_the_thread);
        Self {
            waits,
            source: Source::Operation(Rc::clone(op)),
            ..Self::local(
                Access {
                    rank,
                    role,
                    effect,
                    channel: op.channel(),
                },
                op.name(),
                op.site(),
                by,
                locks,
                0,
                mark,
            )
        }
    }

    pub(crate) fn access(&self) -> &Access {
        &self.access
    }

    /// The process that makes it.
    pub(crate) fn rank(&self) -> Rank {
        self.access.rank
    }

    pub(crate) fn role(&self) -> Role {
        self.access.role
    }

    /// Whether it is a load or a store of the process itself.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.access.role, Role::Local | Role::LocalAtomic)
    }

    pub(crate) fn issued(&self) -> Epoch {
        self.issued.get()
    }

    /// When the first access was issued that this one stands for.
    pub(crate) fn first(&self) -> Epoch {
        self.first.get()
    }

    pub(crate) fn site(&self) -> Site {
        self.site
    }

    /// Lock epochs of its process that were open.
    pub(crate) fn locks(&self) -> &[Rc<LockEpoch>] {
        &self.locks
    }

    /// How often the same instruction came back to the same place.
    pub(crate) fn visits(&self) -> u64 {
        self.visits.get()
    }

    /// Place in the sequence.
    pub(crate) fn mark(&self) -> u64 {
        self.mark.get()
    }

    /// Whether a younger record has taken its place somewhere, or it is forgotten.
    pub(crate) fn is_displaced(&self) -> bool {
        self.displaced.get()
    }

    /// Whether it stands for a run that its thread may repeat, and came after this place in the sequence.
    pub(crate) fn is_young(&self, since: u64) -> bool {
        self.remembered.get() && self.mark.get() > since
    }

    /// Its thread may repeat the run that it stands for.
    pub(crate) fn remember(&self) {
        self.remembered.set(true);
    }

    /// It is forgotten somewhere.
    pub(crate) fn forget(&self) {
        self.displaced.set(true);
    }

    /// A younger record that supersedes it takes its place somewhere.
    pub(crate) fn give_way_to(&self, younger: &Record) {
        self.displaced.set(true);
        if self.first.get().time < younger.first.get().time {
            younger.first.set(self.first.get());
        }
    }

    /// Its thread does the same again.
    pub(crate) fn repeat(&self, issued: Epoch, mark: u64) {
        self.issued.set(issued);
        self.mark.set(mark);
    }

    /// Whether an older record is of the same instruction, its thread having learned nothing since.
    pub(crate) fn revisits(&self, old: &Record) -> bool {
        old.site == self.site && old.access == self.access && old.acquisitions == self.acquisitions
    }

    /// The same instruction came to one of its places so many times at least.
    pub(crate) fn note_visits(&self, visits: u64) {
        self.visits.set(self.visits.get().max(visits));
    }

    /// From when on the access is complete; `None` while it is open.
    pub(crate) fn completed(&self) -> Option<Epoch> {
        let Source::Operation(op) = &self.source else {
            return Some(self.issued.get());
        };
        match (self.access.role, self.writes) {
            (Role::Target, true) => op.remote(),
            // What a fetching call only reads at its target is read when its result is there.
            (Role::Target, false) => op.remote().or(op.local()),
            _ => op.local(),
        }
    }

    /// Whether the access is complete, and known to be so by `new` of a thread with this clock.
    #[inline]
    pub(crate) fn is_done_before(&self, new: &Renewal<'_>, clock: &VectorClock) -> bool {
        // What a thread completed itself, it knows.
        let own = |epoch: Epoch| epoch.component == new.by.issued.component;
        self.completed().is_some_and(own) || self.precedes(clock)
    }

    /// Whether the access is complete and known to be so by a thread with this clock. What has arrived at its target
    /// was read here before.
    ///
    /// In memory that belongs to a thread (a stack, a scratch buffer of the heap) strands of one thread meet one after
    /// the other, and others would have met elsewhere: there the order of the threads counts.
    pub(crate) fn precedes(&self, clock: &VectorClock) -> bool {
        let knows = |epoch| self.is_covered(epoch, clock);
        if self.completed().is_some_and(knows) {
            return true;
        }
        let Some(op) = self.operation() else { return false };
        let written_there = self.access.role == Role::Target && self.writes;
        if op.is_complete_again(written_there && !op.only_reads(), knows) {
            return true;
        }
        let is_told = self.access.role == Role::Target || !self.writes;
        // A strand may have been told that does not tell the others.
        let noticed = || op.is_noticed(knows) || self.of_the_thread && op.is_noticed(|_| true);
        is_told && noticed() || op.is_withdrawn()
    }

    /// Whether the access is known to have been made, complete or not, by a thread with this clock.
    #[inline]
    pub(crate) fn is_issued_before(&self, clock: &VectorClock) -> bool {
        self.is_covered(self.issued.get(), clock)
    }

    #[inline]
    fn is_covered(&self, epoch: Epoch, clock: &VectorClock) -> bool {
        clock.covers(epoch) || self.of_the_thread && clock.covers(epoch.of_host())
    }

    /// Whether both are of one origin and keep the order of their calls, and this one was called before: accumulates of
    /// a window that says so, and operations on one channel with an order between them. Neither needs to be complete
    /// for that.
    pub(crate) fn takes_effect_before(&self, later: &Access, clock: &VectorClock) -> bool {
        let by_target = |access: &Access| access.role == Role::Target && access.rank == self.access.rank;
        // What a process reads here to send it to itself, it has read when that is there.
        let at_its_target =
            |op: &Op| by_target(&self.access) || (!self.writes() && op.target() == self.access.rank);
        // A get that comes later is not ordered (OpenSHMEM 1.5 §9.11.1, the table).
        if by_target(later)
            && later.effect != Effect::Read
            && self.access.channel == later.channel
            && self.operation().is_some_and(|op| {
                let goes_before =
                    op.goes_before(clock) || later.effect == Effect::Write && op.goes_before_writes(clock);
                goes_before && at_its_target(op)
            })
        {
            return true;
        }
        let (Effect::Update(x), Effect::Update(y)) = (self.access.effect, later.effect) else {
            return false;
        };
        self.access.rank == later.rank && accumulates_in_order(&x, &y) && clock.covers(self.issued.get())
    }

    /// The call or instruction.
    pub(crate) fn name(&self) -> Name {
        match &self.source {
            Source::Local(name) => name.clone(),
            Source::Operation(op) => op.name(),
        }
    }

    /// Where it is.
    pub(crate) fn spot(&self) -> Spot {
        Spot {
            site: self.site,
            name: self.name(),
        }
    }

    /// As a party of a finding.
    pub(crate) fn party(&self) -> RawParty {
        RawParty {
            name: self.name(),
            access: Some((self.access.role, self.access.effect)),
            thread: self.thread,
            target: self.operation().map(|op| op.target()),
            site: self.site,
        }
    }

    /// The operation, if it is one.
    pub(crate) fn operation(&self) -> Option<&Rc<Op>> {
        match &self.source {
            Source::Operation(op) => Some(op),
            Source::Local(_) => None,
        }
    }

    /// Whether every later access that races with `self` also races with `newer`, so that `self` can be forgotten:
    /// the same thread does the same from the same place, and `newer` completes no earlier.
    #[inline]
    pub(crate) fn is_superseded_by(&self, newer: &Record) -> bool {
        // Places differ most often, in their stacks.
        self.site.stack == newer.site.stack && self.is_superseded_in_place_by(newer)
    }

    fn is_superseded_in_place_by(&self, newer: &Record) -> bool {
        if !self.is_of_the_place_of(newer.component(), newer.site, &newer.access) {
            return false;
        }
        // An epoch of another process may still come between the two.
        let waits = |epoch: &&Rc<LockEpoch>| epoch.may_wait(newer.target());
        if newer.may_wait_for_a_lock()
            && newer
                .locks
                .iter()
                .filter(waits)
                .any(|epoch| !self.locks.iter().any(|own| Rc::ptr_eq(own, epoch)))
        {
            return false;
        }
        match (&self.source, &newer.source) {
            (Source::Local(old), Source::Local(new)) => old == new,
            (Source::Operation(old), Source::Operation(new)) => {
                self.completes_no_later(old, new, || newer.is_completed_by_own_thread())
            }
            _ => false,
        }
    }

    /// As [`Self::is_superseded_by`], for a younger access that has no record yet.
    #[inline]
    pub(crate) fn is_renewed_by(&self, new: &Renewal<'_>) -> bool {
        self.is_of_the_place_of(new.by.issued.component, new.site, &new.access)
            && match (&self.source, &new.source) {
                (Source::Local(old), RenewalOf::Local(name, _)) => old == *name,
                (Source::Operation(old), RenewalOf::Operation(op)) => {
                    self.completes_no_later(old, op, || false)
                }
                _ => false,
            }
    }

    /// Whether it is of the same instruction in another thread.
    pub(crate) fn is_revisited_by_another_thread(&self, new: &Renewal<'_>) -> bool {
        new.is_local()
            && self.component() != new.by.issued.component
            && self.site == new.site
            && self.access == new.access
    }

    /// It stands for the younger access from now on, too.
    pub(crate) fn renew(&mut self, new: &Renewal<'_>) {
        match (&mut self.source, &new.source) {
            (Source::Local(_), RenewalOf::Local(_, repeats)) => {
                let revisited = self.acquisitions == new.by.acquisitions;
                let before = if revisited { self.visits.get() + 1 } else { 0 };
                self.visits.set(repeats + before);
            }
            (Source::Operation(old), RenewalOf::Operation(op)) => *old = Rc::clone(op),
            _ => {}
        }
        self.issued.set(new.by.issued);
        self.acquisitions = new.by.acquisitions;
        self.mark.set(new.mark);
        self.displaced.set(false);
        self.remembered.set(false);
        self.locks.clone_from(new.locks);
        self.waits = false;
    }

    /// Whether a thread does by the same instruction or call the same to its bytes.
    #[inline]
    fn is_of_the_place_of(&self, component: Component, site: Site, access: &Access) -> bool {
        // Places differ most often, in their stacks.
        self.site.stack == site.stack
            && self.component() == component
            && self.site == site
            && self.access == *access
    }

    /// Whether it, of operation `old`, is complete no later than one of operation `new`, of which `own` says whether
    /// its own thread completed it.
    fn completes_no_later(&self, old: &Op, new: &Op, own: impl FnOnce() -> bool) -> bool {
        // An accumulate is not there before those of its thread that it comes after, nor a sum before its parts; a
        // request says nothing of what is written at its target.
        let comes_after = || match self.access.effect {
            Effect::Update(update) => {
                let is_sum =
                    new.kind() == OperationKind::Accumulate && update.operator == Some(AccumulateOp::Sum);
                self.access.role == Role::Target
                    && self.writes
                    && (is_sum || accumulates_in_order(&update, &update))
            }
            _ => false,
        };
        let same_fate = || {
            (old.request().is_none() && new.request().is_none() || comes_after())
                && !old.is_flagged()
                && !new.is_flagged()
                && old.win() == new.win()
                && old.target() == new.target()
        };
        // It is written before: whoever knows that the later one is done knows as much of the earlier one.
        let is_ordered = || {
            self.access.role == Role::Target
                && self.writes
                && old.target() == new.target()
                && old.is_ordered_before(new)
        };
        // An operation with a request may be completed by a thread that does not know of `self`'s completion.
        let in_order = || self.is_completed_by_own_thread() && (new.request().is_none() || own());
        old.kind() == new.kind()
            && old.only_reads() == new.only_reads()
            && (same_fate() || is_ordered() || in_order())
    }

    /// Whether its own thread has completed it.
    pub(crate) fn is_completed_by_own_thread(&self) -> bool {
        self.completed()
            .is_some_and(|epoch| epoch.component == self.component())
    }

    /// Whether its process may know afterwards what was there.
    pub(crate) fn brings_a_value(&self) -> bool {
        match self.access.effect {
            Effect::Read => true,
            Effect::Write => false,
            Effect::Update(_) => self
                .operation()
                .is_some_and(|op| op.kind() != OperationKind::Accumulate),
        }
    }

    /// Whether it may not have taken effect for want of a lock that its process has asked for.
    pub(crate) fn may_wait_for_a_lock(&self) -> bool {
        self.waits && self.locks.may_wait(self.target())
    }

    /// Whether a lock protects this access to the memory of `owner`: an operation on the window, or a load or store to
    /// a locked part (MPI-4.1 §12.5.3).
    pub(crate) fn is_protected_by(&self, epoch: &LockEpoch, owner: Rank) -> bool {
        epoch.target().is_none_or(|target| target == owner)
            && match self.access.role {
                Role::Local | Role::LocalAtomic => true,
                Role::Target => self.operation().is_some_and(|op| op.win() == epoch.win()),
                Role::Origin => self.completed().is_some(),
            }
    }

    /// The process whose memory its lock is for.
    fn target(&self) -> Rank {
        self.operation().map_or(self.access.rank, |op| op.target())
    }

    /// Whether bytes are written.
    #[inline]
    pub(crate) fn writes(&self) -> bool {
        self.writes
    }

    /// The thread's component.
    pub(crate) fn component(&self) -> Component {
        self.issued.get().component
    }
}

/// Bytes with what is done to them.
type Parts = SmallVec<[(Range<u64>, Rc<Record>); 1]>;

/// The target side of an operation: the bytes that it touches there, and what is known to have happened before.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    op: Rc<Op>,
    /// Lock epochs of its process that were open.
    locks: HeldLocks,
    parts: Parts,
    clock: VectorClock,
}

impl Arrival {
    /// An operation arrives whose process knows `clock` and has these locks.
    pub(crate) fn new(op: &Rc<Op>, locks: &HeldLocks, parts: Parts, clock: VectorClock) -> Self {
        Self {
            op: Rc::clone(op),
            locks: locks.clone(),
            parts,
            clock,
        }
    }

    pub(crate) fn op(&self) -> &Rc<Op> {
        &self.op
    }

    /// Lock epochs of its process that were open when it was called.
    pub(crate) fn locks(&self) -> &HeldLocks {
        &self.locks
    }

    /// The bytes that it touches.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Range<u64>> {
        self.parts.iter().map(|(piece, _)| piece)
    }

    /// What is known before.
    pub(crate) fn clock(&self) -> &VectorClock {
        &self.clock
    }

    /// It comes after what `clock` knows, too.
    pub(crate) fn wait_for(&mut self, clock: &VectorClock) {
        self.clock.join(clock);
    }

    /// The operation, if it updates its target.
    pub(crate) fn updating(&self) -> Option<&Rc<Op>> {
        let (_, first) = self.parts.first()?;
        let writes = self.parts.iter().any(|(_, record)| record.writes());
        first.operation().filter(|_| writes)
    }

    /// What it touches, and what is known before.
    pub(crate) fn into_parts(self) -> (Parts, VectorClock) {
        (self.parts, self.clock)
    }
}
