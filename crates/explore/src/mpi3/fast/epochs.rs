//! The epochs of one process on the window, as a state machine: which call is allowed next.

use crate::mpi3::code::{Does, Step};
use farside_litmus::ast::{Assertion, Rank, StatementKind};
use farside_models::mpi3::validity::Breach;
use std::collections::BTreeMap;

/// A call in the order of its process, and its number as written.
pub(super) type Called = (usize, usize);

/// What is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Epochs {
    /// A fence may have opened an epoch: which, and the last operation in it.
    fence: Option<(usize, Option<usize>)>,
    after_no_succeed: bool,
    pub(super) started: Option<(BTreeMap<Rank, usize>, usize)>,
    pub(super) posted: Option<(Vec<Rank>, usize)>,
    locked: BTreeMap<Rank, Called>,
    locked_all: Option<Called>,
    stored: bool,
    calls: usize,
}

impl Epochs {
    fn any_locked(&self) -> bool {
        !self.locked.is_empty() || self.locked_all.is_some()
    }

    fn fence_used(&self) -> bool {
        matches!(self.fence, Some((_, Some(_))))
    }

    /// Whether a lock covers the target.
    pub(super) fn is_locked(&self, target: Rank) -> bool {
        self.locked_all.is_some() || self.locked.contains_key(&target)
    }

    /// Whether the next call is not allowed.
    pub(super) fn breach(&self, step: &Step<'_>) -> Option<Breach> {
        use StatementKind as Kind;
        let lock_all_or_started = self.locked_all.is_some() || self.started.is_some() || self.fence_used();
        match &step.statement.kind {
            Kind::LockShared(target) | Kind::LockExclusive(target) => {
                if self.locked.contains_key(target) {
                    Some(Breach::LockedTwice)
                } else {
                    lock_all_or_started.then_some(Breach::LockInEpoch)
                }
            }
            Kind::LockAll => {
                if self.locked_all.is_some() {
                    Some(Breach::LockedTwice)
                } else {
                    (lock_all_or_started || !self.locked.is_empty()).then_some(Breach::LockInEpoch)
                }
            }
            Kind::Unlock(target) => (!self.locked.contains_key(target)).then_some(Breach::UnlockWithoutLock),
            Kind::UnlockAll => self.locked_all.is_none().then_some(Breach::UnlockWithoutLock),
            Kind::Flush(target) | Kind::FlushLocal(target) => {
                (!self.is_locked(*target)).then_some(Breach::FlushOutsideLock)
            }
            Kind::FlushAll | Kind::FlushLocalAll => (!self.any_locked()).then_some(Breach::FlushOutsideLock),
            Kind::Fence(assertions) => {
                if self.any_locked() || self.started.is_some() || self.posted.is_some() {
                    Some(Breach::FenceInEpoch)
                } else if assertions.contains(&Assertion::NoStore) && self.stored {
                    Some(Breach::NoStore)
                } else {
                    (assertions.contains(&Assertion::NoPrecede) && self.fence_used())
                        .then_some(Breach::NoPrecede)
                }
            }
            Kind::Start(_) => {
                let open = self.started.is_some() || self.any_locked() || self.fence_used();
                open.then_some(Breach::StartInEpoch)
            }
            Kind::Complete => self.started.is_none().then_some(Breach::CompleteWithoutStart),
            Kind::Post(_) => (self.posted.is_some() || self.fence_used()).then_some(Breach::PostInEpoch),
            Kind::Wait => self.posted.is_none().then_some(Breach::WaitWithoutPost),
            _ => match &step.does {
                Does::Remote(remote) => self.breach_of_operation(remote.target),
                _ => None,
            },
        }
    }

    fn breach_of_operation(&self, target: Rank) -> Option<Breach> {
        if self.is_locked(target) {
            return None;
        }
        if let Some((group, _)) = &self.started {
            return (!group.contains_key(&target)).then_some(Breach::NotCovered);
        }
        if !self.locked.is_empty() {
            return Some(Breach::NotCovered);
        }
        match self.fence {
            Some(_) => None,
            None if self.after_no_succeed => Some(Breach::NoSucceed),
            None => Some(Breach::OutsideEpoch),
        }
    }

    /// The call is made. `fence`: the number of the fence, if it is one.
    pub(super) fn enter(&mut self, step: &Step<'_>, fence: usize) {
        use StatementKind as Kind;
        self.calls += 1;
        let called = (self.calls, step.number);
        match &step.statement.kind {
            Kind::LockShared(target) | Kind::LockExclusive(target) => {
                self.locked.insert(*target, called);
                self.begin();
            }
            Kind::LockAll => {
                self.locked_all = Some(called);
                self.begin();
            }
            Kind::Unlock(target) => {
                self.locked.remove(target);
                self.stored = false;
            }
            Kind::UnlockAll => {
                self.locked_all = None;
                self.stored = false;
            }
            Kind::Fence(assertions) => {
                self.after_no_succeed = assertions.contains(&Assertion::NoSucceed);
                self.fence = (!self.after_no_succeed).then_some((fence, None));
                self.stored = false;
            }
            Kind::Start(_) => self.begin(),
            Kind::Post(group) => {
                self.posted = Some((group.clone(), step.number));
                self.fence = None;
                self.stored = false;
            }
            Kind::Wait => {
                self.posted = None;
                self.stored = false;
            }
            Kind::Complete => self.started = None,
            Kind::Store { .. } => self.stored = true,
            _ => {
                if let Does::Remote(remote) = &step.does {
                    self.stored |= remote.into.is_some();
                    let by_fence = !self.is_locked(remote.target) && self.started.is_none();
                    if let (Some((_, used)), true) = (&mut self.fence, by_fence) {
                        *used = Some(step.number);
                    }
                }
            }
        }
    }

    fn begin(&mut self) {
        self.fence = None;
        self.after_no_succeed = false;
        self.stored = false;
    }

    /// The fence that covers an operation to this target.
    pub(super) fn covering_fence(&self, target: Rank) -> Option<usize> {
        let other = self.is_locked(target) || self.started.is_some();
        self.fence.filter(|_| !other).map(|(fence, _)| fence)
    }

    /// What is missing when the process ends here: the statement at fault.
    pub(super) fn breach_at_end(&self) -> Option<(usize, Breach)> {
        let locks = self.locked.values().chain(&self.locked_all);
        if let Some((_, number)) = locks.min() {
            return Some((*number, Breach::NeverUnlocked));
        }
        if let Some((_, number)) = &self.started {
            return Some((*number, Breach::NeverCompleted));
        }
        if let Some((_, number)) = &self.posted {
            return Some((*number, Breach::NeverWaited));
        }
        match self.fence {
            Some((_, Some(number))) => Some((number, Breach::NeverFenced)),
            _ => None,
        }
    }
}
