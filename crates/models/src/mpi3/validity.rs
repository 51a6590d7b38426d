//! Valid executions (§3.1), process by process: which call may follow which.
//!
//! The conditions are read off the history of a process, as the paper writes them (`[x..y]` is what lies between two of
//! its actions). Conditions (1) and the matching part of (3) hold by the way executions are made; (7) and (3) show when
//! no process can go on; the parts of (4) and (8) that concern two processes are judged where both are seen.

use super::action::ActionKind;
use farside_litmus::ast::{Assertion, Rank};

/// A call of a process, as far as validity depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// What.
    pub kind: ActionKind,
    /// Towards whom.
    pub target: Option<Rank>,
    /// Post and start: for whom.
    pub group: Vec<Rank>,
    /// Fence: its assertions.
    pub assertions: Vec<Assertion>,
    /// It stores into memory of its own process (a store; an operation with a result).
    pub stores: bool,
}

/// How an execution is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Breach {
    /// (1)
    #[error("MPI_Accumulate does not take MPI_NO_OP (MPI-4.1 §12.3.4)")]
    AccumulateNoOp,
    /// (2)
    #[error("the target is locked already by this process")]
    LockedTwice,
    /// (2)
    #[error("the lock is taken while an epoch that it may not overlap is open")]
    LockInEpoch,
    /// (2)
    #[error("there is no lock to release")]
    UnlockWithoutLock,
    /// (2)
    #[error("the lock is never released")]
    NeverUnlocked,
    /// (3)
    #[error("the fence waits for a process that never calls a matching one")]
    FenceUnmatched,
    /// (4)
    #[error("the fence is called while another epoch of this process is open")]
    FenceInEpoch,
    /// (4)
    #[error("the window is locked and exposed by post at the same time")]
    LockedAndExposed,
    /// (5)
    #[error("the processes give different assertions nosucceed or noprecede to one fence")]
    AssertionsDiffer,
    /// (5)
    #[error("an operation is open at a fence with noprecede")]
    NoPrecede,
    /// (5)
    #[error("the operation follows a fence with nosucceed")]
    NoSucceed,
    /// (5)
    #[error("the process stored into its window since its last synchronisation, which nostore denies")]
    NoStore,
    /// (5)
    #[error("the operation updates a window whose fence says noput")]
    NoPut,
    /// (5)
    #[error("no fence closes the epoch of the operation")]
    NeverFenced,
    /// (6)
    #[error("a flush outside a lock of its target")]
    FlushOutsideLock,
    /// (7)
    #[error("the process waits for ever: a deadlock")]
    Deadlock,
    /// (8)
    #[error("the operation is outside any access epoch")]
    OutsideEpoch,
    /// (8)
    #[error("the open epoch does not cover the target of the operation")]
    NotCovered,
    /// (2), for start and complete
    #[error("complete without start")]
    CompleteWithoutStart,
    /// (2), for post and wait
    #[error("wait without post")]
    WaitWithoutPost,
    /// (2), for start
    #[error("start is called while another access epoch of this process is open")]
    StartInEpoch,
    /// (2), for post
    #[error("post is called while another exposure epoch of this process is open")]
    PostInEpoch,
    /// (2), for start and complete
    #[error("the epoch opened by start is never completed")]
    NeverCompleted,
    /// (2), for post and wait
    #[error("the epoch opened by post is never waited for")]
    NeverWaited,
}

impl Breach {
    /// The condition of §3.1.
    #[must_use]
    pub fn condition(self) -> u8 {
        match self {
            Self::AccumulateNoOp => 1,
            Self::LockedTwice
            | Self::LockInEpoch
            | Self::UnlockWithoutLock
            | Self::NeverUnlocked
            | Self::CompleteWithoutStart
            | Self::WaitWithoutPost
            | Self::StartInEpoch
            | Self::PostInEpoch
            | Self::NeverCompleted
            | Self::NeverWaited => 2,
            Self::FenceUnmatched => 3,
            Self::FenceInEpoch | Self::LockedAndExposed => 4,
            Self::AssertionsDiffer
            | Self::NoPrecede
            | Self::NoSucceed
            | Self::NoStore
            | Self::NoPut
            | Self::NeverFenced => 5,
            Self::FlushOutsideLock => 6,
            Self::Deadlock => 7,
            Self::OutsideEpoch | Self::NotCovered => 8,
        }
    }
}

/// Whether `next` may be called after `history`.
#[must_use]
pub fn breach(history: &[Call], next: &Call) -> Option<Breach> {
    let past = History(history);
    let told = |condition: bool, breach: Breach| condition.then_some(breach);
    match next.kind {
        ActionKind::Sls | ActionKind::Sle => told(past.locked(next.target), Breach::LockedTwice).or(told(
            past.locked_all() || past.started() || past.fence_epoch_used(),
            Breach::LockInEpoch,
        )),
        ActionKind::Sla => told(past.locked_all(), Breach::LockedTwice).or(told(
            past.any_locked() || past.started() || past.fence_epoch_used(),
            Breach::LockInEpoch,
        )),
        ActionKind::Sul => told(!past.locked(next.target), Breach::UnlockWithoutLock),
        ActionKind::Sula => told(!past.locked_all(), Breach::UnlockWithoutLock),
        ActionKind::Sfl | ActionKind::Sfll => told(
            !past.locked_all() && !past.locked(next.target),
            Breach::FlushOutsideLock,
        ),
        ActionKind::Sfla | ActionKind::Sflla => {
            told(!past.locked_all() && !past.any_locked(), Breach::FlushOutsideLock)
        }
        ActionKind::Sfe => {
            let in_epoch = past.any_locked() || past.locked_all() || past.started() || past.posted();
            let no_store = next.assertions.contains(&Assertion::NoStore) && past.stored();
            let no_precede = next.assertions.contains(&Assertion::NoPrecede) && past.fence_epoch_used();
            told(in_epoch, Breach::FenceInEpoch)
                .or(told(no_store, Breach::NoStore))
                .or(told(no_precede, Breach::NoPrecede))
        }
        ActionKind::Sst => told(
            past.started() || past.any_locked() || past.locked_all() || past.fence_epoch_used(),
            Breach::StartInEpoch,
        ),
        ActionKind::Sco => told(!past.started(), Breach::CompleteWithoutStart),
        ActionKind::Spo => told(past.posted() || past.fence_epoch_used(), Breach::PostInEpoch),
        ActionKind::Swa => told(!past.posted(), Breach::WaitWithoutPost),
        kind if kind.is_remote() => past.operation(next.target),
        _ => None,
    }
}

/// What is missing when a process ends.
#[must_use]
pub fn breach_at_end(history: &[Call]) -> Option<(usize, Breach)> {
    let past = History(history);
    let last = |wanted: &dyn Fn(&Call) -> bool, breach| {
        history.iter().rposition(wanted).map(|index| (index, breach))
    };
    let open = |index: &usize| {
        let lock = &history[*index];
        lock.kind.is_lock()
            && !history[*index..]
                .iter()
                .any(|call| call.kind.is_unlock() && call.target == lock.target)
    };
    if let Some(index) = (0..history.len()).find(open) {
        return Some((index, Breach::NeverUnlocked));
    }
    if past.started() {
        return last(&|call| call.kind == ActionKind::Sst, Breach::NeverCompleted);
    }
    if past.posted() {
        return last(&|call| call.kind == ActionKind::Spo, Breach::NeverWaited);
    }
    if past.fence_epoch_used() {
        return last(&|call| call.kind.is_remote(), Breach::NeverFenced);
    }
    None
}

/// The fence epoch that covers a next operation: the number of the fence that opened it.
#[must_use]
pub fn fence_epoch(history: &[Call]) -> Option<usize> {
    History(history).fence_open().map(|_| {
        let fences = history.iter().filter(|call| call.kind == ActionKind::Sfe);
        fences.count() - 1
    })
}

/// Whether the process is in an access epoch by start.
#[must_use]
pub fn in_start_epoch(history: &[Call]) -> bool {
    History(history).started()
}

/// Whether its window is exposed by post.
#[must_use]
pub fn is_posted(history: &[Call]) -> bool {
    History(history).posted()
}

struct History<'a>(&'a [Call]);

impl History<'_> {
    /// The last call of those kinds.
    fn last(&self, wanted: impl Fn(&Call) -> bool) -> Option<&Call> {
        self.0.iter().rev().find(|call| wanted(call))
    }

    fn locked(&self, target: Option<Rank>) -> bool {
        let kinds = [ActionKind::Sls, ActionKind::Sle, ActionKind::Sul];
        self.last(|call| kinds.contains(&call.kind) && call.target == target)
            .is_some_and(|call| call.kind.is_lock())
    }

    fn any_locked(&self) -> bool {
        let single = |call: &&Call| matches!(call.kind, ActionKind::Sls | ActionKind::Sle);
        self.0.iter().filter(single).any(|call| self.locked(call.target))
    }

    fn locked_all(&self) -> bool {
        self.last(|call| matches!(call.kind, ActionKind::Sla | ActionKind::Sula))
            .is_some_and(|call| call.kind == ActionKind::Sla)
    }

    fn started(&self) -> bool {
        self.last(|call| matches!(call.kind, ActionKind::Sst | ActionKind::Sco))
            .is_some_and(|call| call.kind == ActionKind::Sst)
    }

    fn start_group(&self) -> &[Rank] {
        self.last(|call| call.kind == ActionKind::Sst)
            .map_or(&[], |call| &call.group)
    }

    fn posted(&self) -> bool {
        self.last(|call| matches!(call.kind, ActionKind::Spo | ActionKind::Swa))
            .is_some_and(|call| call.kind == ActionKind::Spo)
    }

    /// The calls since the last fence, if it may open an epoch and no other epoch has begun since.
    fn fence_open(&self) -> Option<&[Call]> {
        let fence = self.0.iter().rposition(|call| call.kind == ActionKind::Sfe)?;
        let since = &self.0[fence + 1..];
        let ended = since
            .iter()
            .any(|call| call.kind.is_lock() || matches!(call.kind, ActionKind::Sst | ActionKind::Spo));
        let may = !self.0[fence].assertions.contains(&Assertion::NoSucceed);
        (may && !ended).then_some(since)
    }

    /// An operation was issued since the last fence.
    fn fence_epoch_used(&self) -> bool {
        self.fence_open()
            .is_some_and(|since| since.iter().any(|call| call.kind.is_remote()))
    }

    /// A store of the process since its last synchronisation on the window.
    fn stored(&self) -> bool {
        let synchronises = |call: &Call| {
            call.kind.is_lock()
                || call.kind.is_unlock()
                || matches!(
                    call.kind,
                    ActionKind::Sfe | ActionKind::Spo | ActionKind::Sst | ActionKind::Swa
                )
        };
        let since = self.0.iter().rposition(synchronises).map_or(0, |index| index + 1);
        self.0[since..].iter().any(|call| call.stores)
    }

    fn operation(&self, target: Option<Rank>) -> Option<Breach> {
        if self.locked(target) || self.locked_all() {
            return None;
        }
        if self.started() {
            let covered = target.is_some_and(|target| self.start_group().contains(&target));
            return (!covered).then_some(Breach::NotCovered);
        }
        if self.any_locked() {
            return Some(Breach::NotCovered);
        }
        if self.fence_open().is_some() {
            return None;
        }
        let last = self
            .last(|call| call.kind == ActionKind::Sfe || call.kind.is_lock() || call.kind == ActionKind::Sst);
        let no_succeed = last.is_some_and(|call| {
            call.kind == ActionKind::Sfe && call.assertions.contains(&Assertion::NoSucceed)
        });
        Some(if no_succeed {
            Breach::NoSucceed
        } else {
            Breach::OutsideEpoch
        })
    }
}
