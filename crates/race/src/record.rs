//! What is remembered of an access: who, where, when, and since when it is complete.

use crate::finding::Site;
use crate::locks::LockEpoch;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::{Access, Effect, Role, accumulates_in_order};
use farside_events::{OperationKind, Rank, RequestId, ThreadId, WinId};
use smallvec::SmallVec;
use std::cell::Cell;
use std::rc::Rc;

/// The epoch in which an operation was issued; decides which call would complete it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AccessEpoch {
    /// Between fences.
    Fence,
    /// Between start and complete.
    Start,
    /// Under a lock of the target.
    Lock,
    /// Under a lock of all targets.
    LockAll,
}

/// One communication call, or several of one call site that nothing tells apart.
#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) kind: OperationKind,
    /// Name of the call.
    pub(crate) name: &'static str,
    /// It reads its target and leaves it as it is: a get, a fetch by `MPI_NO_OP`.
    pub(crate) only_reads: bool,
    pub(crate) rank: Rank,
    pub(crate) thread: ThreadId,
    /// When it was issued, in its thread's local time.
    pub(crate) issued: Epoch,
    pub(crate) win: WinId,
    pub(crate) target: Rank,
    pub(crate) request: Option<RequestId>,
    pub(crate) epoch: AccessEpoch,
    pub(crate) site: Site,
    /// From when on the origin's buffers may be used again.
    pub(crate) local: Cell<Option<Epoch>>,
    /// From when on it is done at the target.
    pub(crate) remote: Cell<Option<Epoch>>,
    /// From when on its target knows that it is done there, by a notice or by the value that it left.
    pub(crate) noticed: Cell<Option<Epoch>>,
    /// It gives its target a notice.
    pub(crate) notifies: bool,
    /// Place in the timeline where it was issued and completed.
    pub(crate) issued_mark: u64,
    pub(crate) completed_mark: Cell<Option<u64>>,
    /// Wall time of its completion, for ordering atomic operations by what they can have seen.
    pub(crate) completed_time: Cell<Option<u64>>,
}

impl Op {
    /// The name of the call.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Marks local completion, and for what only reads completion altogether: its data has arrived, so the target was
    /// read.
    pub(crate) fn complete_locally(&self, at: Epoch) {
        if self.local.get().is_none() {
            self.local.set(Some(at));
        }
        if self.only_reads && self.remote.get().is_none() {
            self.remote.set(Some(at));
        }
    }

    /// Marks completion at origin and target.
    pub(crate) fn complete_remotely(&self, at: Epoch) {
        self.complete_locally(at);
        if self.remote.get().is_none() {
            self.remote.set(Some(at));
        }
    }

    /// Whether nothing is left to complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.local.get().is_some() && self.remote.get().is_some()
    }
}

/// Which instruction or call an access comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A load or store, or a library call of this name.
    Local(Rc<str>),
    /// An RMA operation.
    Operation(Rc<Op>),
}

/// An access that later ones are compared with.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) access: Access,
    pub(crate) thread: ThreadId,
    pub(crate) issued: Cell<Epoch>,
    /// When the first access was issued that this one stands for, having taken its place.
    pub(crate) first: Cell<Epoch>,
    pub(crate) source: Source,
    pub(crate) site: Site,
    /// Lock epochs of its process that were open.
    pub(crate) locks: SmallVec<[Rc<LockEpoch>; 1]>,
    /// For single-location loads: how often the same instruction came back to it, its thread having learned nothing
    /// of others in between.
    pub(crate) visits: Cell<u64>,
    /// What its thread had learned then (see `Thread::acquisitions`).
    pub(crate) acquisitions: u64,
    /// Place in the timeline.
    pub(crate) mark: Cell<u64>,
    /// A younger record has taken its place on some of its bytes, or it is forgotten.
    pub(crate) displaced: Cell<bool>,
    /// It stands for a run that its thread may repeat (see `revisit`).
    pub(crate) remembered: Cell<bool>,
}

impl Record {
    /// From when on the access is complete; `None` while it is open.
    pub(crate) fn completed(&self) -> Option<Epoch> {
        let Source::Operation(op) = &self.source else {
            return Some(self.issued.get());
        };
        match (self.access.role, self.access.effect.writes()) {
            (Role::Target, true) => op.remote.get(),
            // What a fetching call only reads at its target is read when its result is there.
            (Role::Target, false) => op.remote.get().or(op.local.get()),
            _ => op.local.get(),
        }
    }

    /// Whether the access is complete and known to be so by a thread with this clock.
    pub(crate) fn precedes(&self, clock: &VectorClock) -> bool {
        self.completed().is_some_and(|epoch| clock.covers(epoch))
            || (self.access.role == Role::Target
                && self
                    .operation()
                    .and_then(|op| op.noticed.get())
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

    /// Name of the call or instruction.
    pub(crate) fn name(&self) -> &str {
        match &self.source {
            Source::Local(name) => name,
            Source::Operation(op) => op.name(),
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
                let same_fate = old.request.is_none()
                    && new.request.is_none()
                    && old.win == new.win
                    && old.target == new.target;
                // An operation with a request may be completed by a thread that does not know of `self`'s completion.
                let by_own_thread = |record: &Record| {
                    record
                        .completed()
                        .is_some_and(|epoch| epoch.component == record.issued.get().component)
                };
                let in_order = by_own_thread(self) && (new.request.is_none() || by_own_thread(newer));
                old.kind == new.kind && old.only_reads == new.only_reads && (same_fate || in_order)
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
                .is_some_and(|op| op.kind != OperationKind::Accumulate),
        }
    }

    /// Whether it may not have taken effect for want of a lock that its process has asked for.
    pub(crate) fn may_wait_for_a_lock(&self) -> bool {
        self.locks.iter().any(|epoch| epoch.may_wait(self.target()))
    }

    /// The process whose memory its lock is for.
    fn target(&self) -> Rank {
        self.operation().map_or(self.access.rank, |op| op.target)
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

/// The records of one piece of memory; equal when they are the same records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records(pub(crate) SmallVec<[Rc<Record>; 2]>);

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| Rc::ptr_eq(a, b))
    }
}
