//! What is remembered of an access: who, where, when, and since when it is complete.

mod lock_epoch;
mod operation;

pub(crate) use lock_epoch::{LockEpoch, Moment};
pub(crate) use operation::{AccessEpoch, Op};

use crate::finding::{Name, RawParty, Site, Spot};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::{Access, Effect, Role, accumulates_in_order};
use farside_events::{OperationKind, Rank, ThreadId};
use smallvec::SmallVec;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// The lock epochs of a process that were open at some moment.
pub(crate) type HeldLocks = SmallVec<[Rc<LockEpoch>; 1]>;

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
    thread: ThreadId,
    issued: Cell<Epoch>,
    /// When the first access was issued that this one stands for, having taken its place.
    first: Cell<Epoch>,
    source: Source,
    site: Site,
    locks: HeldLocks,
    /// For loads of one place: how often the same instruction came back to it, its thread having learned nothing of
    /// others in between.
    visits: Cell<u64>,
    /// How often its thread had learned something of others before it.
    acquisitions: u64,
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
}

impl Moved {
    pub(crate) fn new(thread: ThreadId, issued: Epoch, acquisitions: u64) -> Self {
        Self {
            thread,
            issued,
            acquisitions,
        }
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
            thread: by.thread,
            issued: Cell::new(by.issued),
            first: Cell::new(by.issued),
            source: Source::Local(name),
            site,
            locks,
            visits: Cell::new(visits),
            acquisitions: by.acquisitions,
            mark: Cell::new(mark),
            displaced: Cell::new(false),
            remembered: Cell::new(false),
        }
    }

    /// One side of an operation.
    pub(crate) fn of(op: &Rc<Op>, role: Role, effect: Effect, locks: HeldLocks) -> Self {
        let (rank, mark) = op.mark();
        let by = Moved::new(op.thread(), op.issued(), 0);
        Self {
            source: Source::Operation(Rc::clone(op)),
            ..Self::local(
                Access { rank, role, effect },
                Name::Call(op.call()),
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

    /// Whether it stands for a run that its thread may repeat.
    pub(crate) fn is_remembered(&self) -> bool {
        self.remembered.get()
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
        match (self.access.role, self.access.effect.writes()) {
            (Role::Target, true) => op.remote(),
            // What a fetching call only reads at its target is read when its result is there.
            (Role::Target, false) => op.remote().or(op.local()),
            _ => op.local(),
        }
    }

    /// Whether the access is complete and known to be so by a thread with this clock.
    pub(crate) fn precedes(&self, clock: &VectorClock) -> bool {
        self.completed().is_some_and(|epoch| clock.covers(epoch))
            || (self.access.role == Role::Target
                && self
                    .operation()
                    .and_then(|op| op.noticed())
                    .is_some_and(|epoch| clock.covers(epoch)))
    }

    /// Whether both are accumulates of one origin that the window keeps in the order of their calls, and this one was
    /// called before. Neither needs to be complete for that.
    pub(crate) fn takes_effect_before(&self, later: &Record, clock: &VectorClock) -> bool {
        let (Effect::Update(x), Effect::Update(y)) = (self.access.effect, later.access.effect) else {
            return false;
        };
        self.access.rank == later.access.rank
            && accumulates_in_order(&x, &y)
            && clock.covers(self.issued.get())
    }

    /// The call or instruction.
    pub(crate) fn name(&self) -> Name {
        match &self.source {
            Source::Local(name) => name.clone(),
            Source::Operation(op) => Name::Call(op.call()),
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
    pub(crate) fn is_superseded_by(&self, newer: &Record) -> bool {
        if self.issued.get().component != newer.issued.get().component
            || self.site != newer.site
            || self.access != newer.access
        {
            return false;
        }
        // An epoch of another process may still come between the two.
        let waits = |epoch: &&Rc<LockEpoch>| epoch.may_wait(newer.target());
        if newer
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
                let same_fate = old.request().is_none()
                    && new.request().is_none()
                    && old.win() == new.win()
                    && old.target() == new.target();
                // An operation with a request may be completed by a thread that does not know of `self`'s completion.
                let by_own_thread = |record: &Record| {
                    record
                        .completed()
                        .is_some_and(|epoch| epoch.component == record.issued.get().component)
                };
                let in_order = by_own_thread(self) && (new.request().is_none() || by_own_thread(newer));
                old.kind() == new.kind() && old.only_reads() == new.only_reads() && (same_fate || in_order)
            }
            _ => false,
        }
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
        self.locks.iter().any(|epoch| epoch.may_wait(self.target()))
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
    pub(crate) fn writes(&self) -> bool {
        self.access.effect.writes()
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
    parts: Parts,
    clock: VectorClock,
}

impl Arrival {
    /// An operation arrives whose process knows `clock`.
    pub(crate) fn new(parts: Parts, clock: VectorClock) -> Self {
        Self { parts, clock }
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
