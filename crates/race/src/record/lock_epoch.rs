//! One epoch between a lock and its unlock: which others it excludes, and how far it has come.
//!
//! Source: MPI-4.1 §12.5.3. What follows for order is decided in `order::locks`.

use crate::finding::{CallKind, RawParty, Site};
use crate::job::Caller;
use farside_clocks::{Epoch, VectorClock};
use farside_events::{LockKind, Rank, ThreadId, WinId};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// The place of an event in the stream.
pub(crate) type Moment = u64;

/// One epoch between a lock and its unlock.
#[derive(Debug)]
pub(crate) struct LockEpoch {
    face: LockFace,
    state: RefCell<State>,
}

/// What is known of an epoch from its lock on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct LockFace {
    /// Of all epochs of the job, in the order of their locks: all judges number them alike.
    number: u64,
    win: WinId,
    target: Option<Rank>,
    kind: LockKind,
    nocheck: bool,
    site: Site,
    /// The clock of its process.
    clock: u32,
}

/// The lock epochs of a process that were open at some moment. Those of one moment are one list, however many records
/// have it.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldLocks(Option<Rc<[Rc<LockEpoch>]>>);

impl HeldLocks {
    /// One more was opened.
    pub(crate) fn with(&self, epoch: Rc<LockEpoch>) -> Self {
        Self(Some(self.iter().cloned().chain([epoch]).collect()))
    }

    /// One was closed.
    pub(crate) fn without(&self, epoch: &Rc<LockEpoch>) -> Self {
        let rest = self.iter().filter(|held| !Rc::ptr_eq(held, epoch));
        let rest: Rc<[_]> = rest.cloned().collect();
        Self((!rest.is_empty()).then_some(rest))
    }

    /// Whether the process may still wait for one of the locks of `target`, as far as is known.
    pub(crate) fn may_wait(&self, target: Rank) -> bool {
        self.iter().any(|epoch| epoch.may_wait(target))
    }
}

impl Deref for HeldLocks {
    type Target = [Rc<LockEpoch>];

    fn deref(&self) -> &Self::Target {
        self.0.as_deref().unwrap_or_default()
    }
}

/// How far an epoch has come.
#[derive(Debug, Default)]
struct State {
    /// Since when the lock of a target is known to be granted, by an operation that is done there.
    granted: BTreeMap<Rank, Moment>,
    /// Since its unlock was called.
    released: Option<Release>,
    /// Since when its unlock has returned.
    left: Option<Moment>,
}

/// What is known of the end of an epoch when its unlock is called.
#[derive(Clone, Debug)]
struct Release {
    /// What the process knew, its operations in the epoch being complete.
    clock: VectorClock,
    /// The moment in its thread's time.
    at: Epoch,
    moment: Moment,
}

impl LockFace {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

impl LockEpoch {
    /// An epoch whose lock was called.
    pub(crate) fn new(
        (win, target): (WinId, Option<Rank>),
        kind: LockKind,
        nocheck: bool,
        (caller, clock): (&Caller, u32),
    ) -> Self {
        Self::of(LockFace {
            number: 0,
            win,
            target,
            kind,
            nocheck,
            site: caller.site(),
            clock,
        })
    }

    /// An epoch of which nothing is known but this.
    pub(crate) fn of(face: LockFace) -> Self {
        Self {
            face,
            state: RefCell::default(),
        }
    }

    /// The same with its number among all epochs of the job.
    pub(crate) fn numbered(mut self, number: u64) -> Self {
        self.face.number = number;
        self
    }

    /// What is known of it from its lock on.
    pub(crate) fn face(&self) -> &LockFace {
        &self.face
    }

    /// Its number among all epochs of the job.
    pub(crate) fn number(&self) -> u64 {
        self.face.number
    }

    pub(crate) fn win(&self) -> WinId {
        self.face.win
    }

    /// Whose window it locks; `None` for `MPI_Win_lock_all`.
    pub(crate) fn target(&self) -> Option<Rank> {
        self.face.target
    }

    pub(crate) fn kind(&self) -> LockKind {
        self.face.kind
    }

    /// The process that asked for it.
    pub(crate) fn rank(&self) -> Rank {
        self.face.site.rank
    }

    /// Whether times of the two cannot be compared.
    pub(crate) fn is_of_another_clock(&self, other: &Self) -> bool {
        self.face.clock != other.face.clock
    }

    /// Whether `MPI_MODE_NOCHECK` was given.
    pub(crate) fn nocheck(&self) -> bool {
        self.face.nocheck
    }

    /// Where its lock was called.
    pub(crate) fn site(&self) -> Site {
        self.face.site
    }

    /// The call of its lock.
    pub(crate) fn call(&self) -> CallKind {
        CallKind::lock(self.face.target)
    }

    /// The call of its lock as a party of a finding.
    pub(crate) fn party(&self, thread: ThreadId) -> RawParty {
        RawParty::call(self.call(), self.face.site, thread, self.face.target)
    }

    /// Whether the two must not be open at the same time. Only without `MPI_MODE_NOCHECK` the library sees to it.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        self.face.win == other.face.win
            && self.rank() != other.rank()
            && (self.face.target == other.face.target
                || self.face.target.is_none()
                || other.face.target.is_none())
            && (self.face.kind == LockKind::Exclusive || other.face.kind == LockKind::Exclusive)
    }

    /// Whether the library lets only one of them have the lock at a time.
    fn kept_apart_from(&self, other: &Self) -> bool {
        self.excludes(other) && !self.face.nocheck && !other.face.nocheck
    }

    /// Whether its unlock was not called yet.
    pub(crate) fn is_open(&self) -> bool {
        self.state.borrow().released.is_none()
    }

    /// Whether its unlock has returned.
    pub(crate) fn is_left(&self) -> bool {
        self.state.borrow().left.is_some()
    }

    /// The moment of the call of its unlock, in its thread's time.
    pub(crate) fn release(&self) -> Option<Epoch> {
        self.state.borrow().released.as_ref().map(|release| release.at)
    }

    /// What its process knew when its unlock was called.
    pub(crate) fn told(&self) -> Option<VectorClock> {
        let state = self.state.borrow();
        state.released.as_ref().map(|release| release.clock.clone())
    }

    /// Whether the process may still wait for the lock of `target`, as far as is known.
    pub(crate) fn may_wait(&self, target: Rank) -> bool {
        !self.face.nocheck && !self.is_granted(target)
    }

    /// Whether it is known that an operation of the epoch is done at `target`.
    pub(crate) fn is_granted(&self, target: Rank) -> bool {
        self.granted_since(target).is_some()
    }

    /// Whether `other` may have the lock that this epoch waits for.
    pub(crate) fn waits_for(&self, other: &Self) -> bool {
        self.kept_apart_from(other)
            && !other.is_left()
            && self
                .common_target(other)
                .is_some_and(|target| self.may_wait(target))
    }

    /// Whether it is known that this epoch had the lock before `other`, which it excludes.
    pub(crate) fn came_before(&self, other: &Self) -> bool {
        let state = other.state.borrow();
        let released = state.released.as_ref().map(|release| release.moment);
        self.common_target(other)
            .and_then(|target| self.granted_since(target))
            .is_some_and(|granted| released.is_none_or(|released| granted < released))
    }

    /// An operation of the epoch is done at `target`, so that the lock was granted.
    pub(crate) fn grant(&self, target: Rank, moment: Moment) {
        self.state.borrow_mut().granted.insert(target, moment);
    }

    /// Its unlock is called by a process that knows `clock`.
    pub(crate) fn let_go(&self, clock: VectorClock, at: Epoch, moment: Moment) {
        self.state.borrow_mut().released = Some(Release { clock, at, moment });
    }

    /// Its unlock returns.
    pub(crate) fn leave(&self, moment: Moment) {
        self.state.borrow_mut().left = Some(moment);
    }

    /// The target for whose lock two epochs that exclude each other wait; there is one, for they are not both of all.
    fn common_target(&self, other: &Self) -> Option<Rank> {
        self.face.target.or(other.face.target)
    }

    /// Since when the lock of `target` is known to be granted.
    fn granted_since(&self, target: Rank) -> Option<Moment> {
        let state = self.state.borrow();
        state.granted.get(&target).copied().or(state.left)
    }
}
