//! Assertions that do not hold, and fences that do not agree on them.
//!
//! Source: MPI-4.1 §12.5.5, §12.2.1 (what infos promise).

use crate::epochs::Epochs;
use crate::finding::{CallKind, Misuse, Name, Note, RawFinding, RawParty, RawSuggestion, Site, Spot};
use crate::job::Caller;
use crate::operations::Operations;
use crate::order::{Exposure, Locks, Promise};
use crate::record::{Arrival, LockEpoch};
use crate::windows::Maker;
use farside_clocks::VectorClock;
use farside_events::{Assertions, Rank, ThreadId, WinId};

const NONE: Assertions = Assertions {
    nocheck: false,
    nostore: false,
    noput: false,
    noprecede: false,
    nosucceed: false,
};
const NOCHECK: Assertions = Assertions {
    nocheck: true,
    ..NONE
};
const NOPUT: Assertions = Assertions { noput: true, ..NONE };
const NOSTORE: Assertions = Assertions {
    nostore: true,
    ..NONE
};
pub(crate) const NOPRECEDE: Assertions = Assertions {
    noprecede: true,
    ..NONE
};
pub(super) const NOSUCCEED: Assertions = Assertions {
    nosucceed: true,
    ..NONE
};

/// A call is to give its assertions without those that do not hold.
pub(super) fn leave_out(given: Assertions, wrong: Assertions, call: CallKind, site: Site) -> RawSuggestion {
    RawSuggestion::without(given, wrong, Spot::of_call(call, site))
}

/// A fence with `MPI_MODE_NOPRECEDE` while an operation is pending.
pub(crate) fn no_operation_pending(
    operations: &Operations,
    win: WinId,
    assertions: Assertions,
    caller: &Caller,
) -> Option<RawFinding> {
    if !assertions.noprecede {
        return None;
    }
    let mut pending = operations.pending(caller.rank(), win).into_iter();
    let op = pending.find(|op| !op.is_complete())?;
    let parties = vec![op.party(), caller.party(CallKind::Fence, None)];
    let advice = leave_out(assertions, NOPRECEDE, CallKind::Fence, caller.site());
    let finding = RawFinding::misuse(Misuse::NotPreceded, Some(win), parties);
    Some(finding.with(advice.noting(Note::OnAllRanks)))
}

/// A call with `MPI_MODE_NOSTORE` after a store.
pub(crate) fn no_store(
    epochs: &Epochs,
    win: WinId,
    assertions: Assertions,
    call: CallKind,
    caller: &Caller,
) -> Option<RawFinding> {
    let state = epochs.of(win, caller.rank())?;
    let store = state.stored().filter(|_| assertions.nostore)?;
    let parties = vec![store.party(), caller.party(call, None)];
    let advice = leave_out(assertions, NOSTORE, call, caller.site());
    Some(RawFinding::misuse(Misuse::NotStored, Some(win), parties).with(advice))
}

/// An update that reaches its target in an epoch that `call` of the target opened with `MPI_MODE_NOPUT`.
pub(crate) fn no_put(arrival: &Arrival, promise: Option<Promise>, call: CallKind) -> Option<RawFinding> {
    let promise = promise.filter(|promise| promise.assertions().noput)?;
    let op = arrival.updating()?;
    let parties = vec![op.party(), promised(call, promise)];
    let advice = leave_out(promise.assertions(), NOPUT, call, promise.site());
    Some(RawFinding::misuse(Misuse::NotPut, Some(op.win()), parties).with(advice))
}

/// `MPI_MODE_NOPRECEDE` and `MPI_MODE_NOSUCCEED` must be given by all processes or by none: `first` gave something else
/// to the fence that the caller enters.
pub(crate) fn fences_disagree(
    win: WinId,
    assertions: Assertions,
    caller: &Caller,
    first: Promise,
) -> RawFinding {
    let beyond = |given: Assertions, other: Assertions| Assertions {
        noprecede: given.noprecede && !other.noprecede,
        nosucceed: given.nosucceed && !other.nosucceed,
        ..NONE
    };
    let others = first.assertions();
    let surplus = beyond(assertions, others);
    let advice = if surplus == NONE {
        leave_out(others, beyond(others, assertions), CallKind::Fence, first.site())
    } else {
        leave_out(assertions, surplus, CallKind::Fence, caller.site())
    };
    let parties = vec![
        caller.party(CallKind::Fence, None),
        promised(CallKind::Fence, first),
    ];
    RawFinding::misuse(Misuse::FencesDisagree, Some(win), parties).with(advice.noting(Note::OrSameOnAllRanks))
}

/// `MPI_MODE_NOCHECK` is given by a start if and only if it is given by the posts that it meets. Here: the start comes
/// later. It may give it only if it is known that they have been called.
pub(crate) fn start_without_check(
    exposure: &Exposure,
    win: WinId,
    (group, assertions): (&[Rank], Assertions),
    caller: &Caller,
    clock: &VectorClock,
) -> Option<RawFinding> {
    let pair = |target: &Rank| exposure.pair(win, *target, caller.rank());
    let unlike = group.iter().find_map(|target| {
        let post = pair(target)?.next_post()?;
        (post.assertions().nocheck != assertions.nocheck).then_some(post)
    });
    if let Some(post) = unlike {
        return Some(unlike_post(win, post, (caller.thread(), caller.site())));
    }
    if !exposure.knows(win) {
        return None;
    }
    let late = |target: &&Rank| !pair(target).is_some_and(|pair| pair.next_post_is_known(clock));
    let target = group.iter().filter(|_| assertions.nocheck).find(late)?;
    let post = pair(target).and_then(|pair| pair.last_post());
    let post = post.map(|post| RawParty::call(CallKind::Post, post, ThreadId(0), None));
    let parties = post
        .into_iter()
        .chain([caller.party(CallKind::Start, None)])
        .collect();
    let advice = leave_out(assertions, NOCHECK, CallKind::Start, caller.site());
    let misuse = Misuse::NoCheckTooEarly { target: *target };
    Some(RawFinding::misuse(misuse, Some(win), parties).with(advice.noting(Note::AndInPost)))
}

/// One of a post (which gives it or not) and the start that it meets gives `MPI_MODE_NOCHECK`, the other does not.
pub(crate) fn unlike_post(win: WinId, post: Promise, (thread, start): (ThreadId, Site)) -> RawFinding {
    let by_post = post.assertions().nocheck;
    let advice = if by_post {
        leave_out(post.assertions(), NOCHECK, CallKind::Post, post.site())
    } else {
        leave_out(NOCHECK, NOCHECK, CallKind::Start, start)
    };
    let parties = vec![
        RawParty::call(CallKind::Start, start, thread, None),
        promised(CallKind::Post, post),
    ];
    RawFinding::misuse(Misuse::NoCheckOfOne { by_post }, Some(win), parties).with(advice)
}

/// `MPI_MODE_NOCHECK` promises that no other process holds, or will try to get, a conflicting lock meanwhile. `clock`
/// is what the thread knows that calls the lock.
pub(crate) fn lock_without_check(
    locks: &Locks,
    epoch: &LockEpoch,
    thread: ThreadId,
    clock: &VectorClock,
) -> Option<RawFinding> {
    if !epoch.nocheck() && !locks.nocheck_used(epoch.win()) {
        return None;
    }
    let all = locks.last(epoch.win()).chain(locks.asked(epoch.win()));
    let meeting = all.filter(|other| {
        (other.nocheck() || epoch.nocheck())
            && epoch.excludes(other)
            && other.release().is_none_or(|release| !clock.covers(release))
    });
    let other = meeting.min_by_key(|other| other.number())?;
    let (theirs, own) = (other.party(ThreadId(0)), epoch.party(thread));
    let (culprit, promise) = if epoch.nocheck() {
        (theirs, own)
    } else {
        (own, theirs)
    };
    let mut advice = RawSuggestion::without(NOCHECK, NOCHECK, Spot::of(&promise));
    if epoch.nocheck() && other.nocheck() {
        advice = advice.noting(Note::AndInOtherLock);
    }
    let misuse = Misuse::NoCheckOfLocks([other.rank(), epoch.rank()]);
    Some(RawFinding::misuse(misuse, Some(epoch.win()), vec![culprit, promise]).with(advice))
}

/// A lock of a window whose info says `no_locks` (§12.2.1).
pub(crate) fn lock_of_no_locks(win: WinId, lock: RawParty) -> RawFinding {
    RawFinding::misuse(Misuse::NoLocks, Some(win), vec![lock]).with(RawSuggestion::note(Note::WithoutNoLocks))
}

/// Two processes whose infos say `same_disp_unit` give different units (§12.2.1).
pub(crate) fn unlike_units(win: WinId, makers: [Maker; 2]) -> RawFinding {
    let units = makers.map(|(_, _, unit)| unit);
    let parties =
        makers.map(|(flavor, site, _)| RawParty::call(Name::Making(flavor), site, ThreadId(0), None));
    RawFinding::misuse(Misuse::UnlikeUnits(units), Some(win), parties.into())
        .with(RawSuggestion::note(Note::WithoutSameUnit))
}

/// The call that made a promise.
fn promised(call: CallKind, promise: Promise) -> RawParty {
    RawParty::call(call, promise.site(), ThreadId(0), None)
}
