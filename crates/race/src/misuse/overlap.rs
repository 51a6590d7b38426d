//! Which call may follow which: operations outside an epoch, epochs that overlap, closes without an open.
//!
//! Source: MPI-4.1 §12.5.

use super::assertions::{NOSUCCEED, leave_out};
use crate::epochs::Epochs;
use crate::finding::{
    Argument, CallKind, Code, Misuse, Note, RawFinding, RawParty, RawSuggestion, Site, Spot,
};
use crate::job::Caller;
use crate::order::Locks;
use crate::record::LockEpoch;
use farside_events::{Operation, OperationKind, Rank, ThreadId, WinId};

/// A request form in an epoch of active target synchronisation.
pub(crate) fn request_in_active_epoch(win: WinId, kind: OperationKind, party: RawParty) -> RawFinding {
    let without = CallKind::Operation { kind, request: false };
    let with = CallKind::Operation { kind, request: true };
    let advice = RawSuggestion::replace(Code::Call(without), Some(Code::Call(with)), Spot::of(&party));
    RawFinding::misuse(Misuse::RequestOutsidePassive, Some(win), vec![party])
        .with(advice.noting(Note::WithoutRequest))
}

/// No epoch covers an operation.
pub(crate) fn not_covered(
    epochs: &Epochs,
    locks: &Locks,
    call: &Operation,
    target: Rank,
    caller: &Caller,
) -> RawFinding {
    let (win, rank) = (call.win, caller.rank());
    let kind = CallKind::Operation {
        kind: call.kind,
        request: call.request.is_some(),
    };
    let party = caller.party(kind, Some(target));
    let state = epochs.of(win, rank);
    let started = state.and_then(|state| state.started());
    let only_target = state.and_then(|state| state.only_target());
    let opened = started.map(|site| (CallKind::Start, site, only_target));
    let opened = opened.or_else(|| {
        let mut locks = locks.singles(win, rank);
        let first = locks.next()?;
        let only_target = first.target().filter(|_| locks.next().is_none());
        Some((CallKind::Lock, first.site(), only_target))
    });
    if let Some((open, site, only_target)) = opened {
        let open = RawParty::call(open, site, caller.thread(), None);
        let advice = match only_target {
            Some(right) => {
                let [given, right] = [target, right].map(Argument::Target);
                RawSuggestion::argument(given, right, Spot::of(&party))
            }
            None => RawSuggestion::note(Note::MeaningNotKnown),
        };
        return RawFinding::misuse(Misuse::WrongTarget, Some(win), vec![party, open]).with(advice);
    }
    if let Some(promise) = state.and_then(|state| state.nosucceed()) {
        let fence = RawParty::call(CallKind::Fence, promise.site(), caller.thread(), None);
        let advice = leave_out(promise.assertions(), NOSUCCEED, CallKind::Fence, promise.site());
        return RawFinding::misuse(Misuse::NotSucceeded, Some(win), vec![party, fence])
            .with(advice.noting(Note::OnAllRanks));
    }
    let advice = RawSuggestion::insert(vec![Code::Lock(target)], None, Some(Spot::of(&party)));
    RawFinding::misuse(Misuse::OutsideEpoch, Some(win), vec![party])
        .with(advice.noting(Note::AndUnlock(target)))
}

/// The end of an epoch that none of the calls `open` has opened.
pub(crate) fn unmatched_close(
    win: WinId,
    close: CallKind,
    open: &'static [CallKind],
    caller: &Caller,
) -> RawFinding {
    let party = caller.party(close, None);
    let advice = RawSuggestion::remove(close, Spot::of(&party));
    RawFinding::misuse(Misuse::UnmatchedClose(open.into()), Some(win), vec![party]).with(advice)
}

/// A flush outside lock epochs; one of no target completes what any of them covers.
pub(crate) fn flush_without_lock(
    locks: &Locks,
    win: WinId,
    target: Option<Rank>,
    local: bool,
    caller: &Caller,
) -> Option<RawFinding> {
    let rank = caller.rank();
    let passive = locks.of_all(win, rank).is_some()
        || match target {
            Some(target) => locks.single(win, rank, target).is_some(),
            None => locks.singles(win, rank).next().is_some(),
        };
    let call = CallKind::Flush {
        all: target.is_none(),
        local,
    };
    let open = &[CallKind::Lock, CallKind::LockAll];
    (!passive).then(|| unmatched_close(win, call, open, caller))
}

/// `call` while an epoch is open that it may not overlap.
pub(crate) fn mixed(
    epochs: &Epochs,
    locks: &Locks,
    win: WinId,
    call: CallKind,
    caller: &Caller,
) -> Option<RawFinding> {
    let rank = caller.rank();
    let state = epochs.of(win, rank);
    let opened = |kind, site: Option<Site>| site.map(|site| (kind, site));
    let fence = || opened(CallKind::Fence, state.and_then(|state| state.used_fence()));
    let start = || opened(CallKind::Start, state.and_then(|state| state.started()));
    let post = || opened(CallKind::Post, state.and_then(|state| state.posted()));
    let lock = || {
        opened(
            CallKind::Lock,
            locks.singles(win, rank).next().map(|epoch| epoch.site()),
        )
    };
    let lock_all = || {
        opened(
            CallKind::LockAll,
            locks.of_all(win, rank).map(|epoch| epoch.site()),
        )
    };
    let (open, site) = match call {
        CallKind::Fence => lock().or_else(lock_all).or_else(start).or_else(post),
        CallKind::Start => start().or_else(lock).or_else(lock_all).or_else(fence),
        CallKind::Post => post().or_else(fence),
        CallKind::Lock => lock_all().or_else(start).or_else(fence),
        _ => lock().or_else(start).or_else(fence),
    }?;
    let parties = [
        caller.party(call, None),
        RawParty::call(open, site, caller.thread(), None),
    ];
    let closing = match open {
        CallKind::Fence => Code::Fence,
        CallKind::Start => Code::Complete,
        CallKind::Post => Code::Wait,
        CallKind::Lock => Code::Unlock(None),
        _ => Code::UnlockAll,
    };
    let after = match open {
        CallKind::Post => state.and_then(|state| state.end_of_exposure()),
        _ => None,
    };
    let after = after.unwrap_or_else(|| Spot::of(&parties[1]));
    let advice = RawSuggestion::insert(vec![closing], Some(after), Some(Spot::of(&parties[0])));
    let test = state
        .filter(|_| open == CallKind::Post)
        .and_then(|state| state.test_of_exposure());
    let advice = advice.or_wait_at(test);
    Some(RawFinding::misuse(Misuse::MixedEpochs, Some(win), parties.into()).with(advice))
}

/// A lock that the process has already.
pub(crate) fn double_lock(
    locks: &Locks,
    win: WinId,
    target: Option<Rank>,
    caller: &Caller,
) -> Option<RawFinding> {
    let before = match target {
        Some(target) => locks.single(win, caller.rank(), target),
        None => locks.of_all(win, caller.rank()),
    }?;
    let parties = [
        caller.party(CallKind::lock(target), target),
        before.party(caller.thread()),
    ];
    let unlock = match target {
        Some(target) => Code::Unlock(Some(target)),
        None => Code::UnlockAll,
    };
    let advice = RawSuggestion::between(unlock, &parties[1], &parties[0]);
    Some(RawFinding::misuse(Misuse::DoubleLock, Some(win), parties.into()).with(advice))
}

/// A window must not be locked and exposed at the same time (MPI-4.1 §12.5.3): "a process may not call `MPI_WIN_LOCK`
/// to lock a target window if the target process has called `MPI_WIN_POST` and has not yet called `MPI_WIN_WAIT`".
/// In the run at hand it was so; where nothing orders the two, another schedule may be free of it.
pub(crate) fn locks_exposed(epochs: &Epochs, epoch: &LockEpoch, thread: ThreadId) -> Option<RawFinding> {
    let win = epoch.win();
    let (target, site) = match epoch.target() {
        Some(target) => (target, epochs.of(win, target)?.posted()?),
        None => epochs.exposed(win)?,
    };
    let parties = vec![
        RawParty::call(CallKind::Post, site, ThreadId(0), None),
        epoch.party(thread),
    ];
    let misuse = RawFinding::misuse(Misuse::LocksExposed { target }, Some(win), parties);
    Some(misuse.with(RawSuggestion::note(Note::EndTheExposureFirst)))
}

/// The other way round: "it is erroneous to call `MPI_WIN_POST` while the local window is locked".
pub(crate) fn exposes_locked(locks: &Locks, win: WinId, caller: &Caller) -> Option<RawFinding> {
    let here = |epoch: &LockEpoch| epoch.target().is_none_or(|target| target == caller.rank());
    let open = locks.last(win).filter(|epoch| epoch.is_open() && here(epoch));
    let epoch = open.min_by_key(|epoch| epoch.rank())?;
    let parties = vec![epoch.party(ThreadId(0)), caller.party(CallKind::Post, None)];
    let misuse = RawFinding::misuse(Misuse::ExposesLocked, Some(win), parties);
    Some(misuse.with(RawSuggestion::note(Note::EndTheLockFirst)))
}
