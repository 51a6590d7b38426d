//! The end of windows and of processes: what must not be open then. And memory that is attached or detached twice.

use crate::epochs::Epochs;
use crate::finding::{
    CallKind, Code, Misuse, Name, Note, Open, RawFinding, RawParty, RawSuggestion, Site, Spot, group,
};
use crate::interface::Rules;
use crate::job::Caller;
use crate::operations::Operations;
use crate::order::{Exposure, Locks, Pair};
use crate::record::Op;
use crate::windows::Windows;
use farside_clocks::VectorClock;
use farside_events::{ChannelId, Rank, ThreadId, WinId};
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// Everything that can be open at an end.
pub(crate) struct Whole<'a> {
    epochs: &'a Epochs,
    locks: &'a Locks,
    operations: &'a Operations,
    windows: &'a Windows,
    /// What the process knows whose end it is.
    clock: &'a VectorClock,
}

impl<'a> Whole<'a> {
    pub(crate) fn new(
        epochs: &'a Epochs,
        locks: &'a Locks,
        operations: &'a Operations,
        windows: &'a Windows,
        clock: &'a VectorClock,
    ) -> Self {
        Self {
            epochs,
            locks,
            operations,
            windows,
            clock,
        }
    }

    /// After what that belongs which ends what is open.
    fn end_of(&self, (rank, win): (Rank, WinId), party: &RawParty, close: Code) -> Spot {
        let state = self.epochs.of(win, rank).filter(|_| close == Code::Wait);
        let exposure = state.and_then(|state| state.end_of_exposure());
        exposure.unwrap_or_else(|| Spot::of(party))
    }

    /// What ends what is open, before another call of its process.
    fn end(&self, (rank, win): (Rank, WinId), [party, before]: &[RawParty; 2], close: Code) -> RawSuggestion {
        let after = self.end_of((rank, win), party, close);
        let state = self.epochs.of(win, rank).filter(|_| close == Code::Wait);
        let test = state.and_then(|state| state.test_of_exposure());
        RawSuggestion::insert(vec![close], Some(after), Some(Spot::of(before))).or_wait_at(test)
    }

    /// An epoch of the process that is open on the window, or an operation that is pending: what began it, and what
    /// would end it.
    fn open(&self, rank: Rank, win: WinId) -> Option<(RawParty, Open, Code)> {
        let state = self.epochs.of(win, rank);
        let epoch = |call, site, close| {
            let party = RawParty::call(call, site, ThreadId(0), None);
            Some((party, Open::Epoch, close))
        };
        if let Some(lock) = self.locks.singles(win, rank).next() {
            return epoch(CallKind::Lock, lock.site(), Code::Unlock(None));
        }
        if let Some(lock) = self.locks.of_all(win, rank) {
            return epoch(CallKind::LockAll, lock.site(), Code::UnlockAll);
        }
        if let Some(site) = state.and_then(|state| state.started()) {
            return epoch(CallKind::Start, site, Code::Complete);
        }
        if let Some(site) = state.and_then(|state| state.posted()) {
            return epoch(CallKind::Post, site, Code::Wait);
        }
        if !self.epochs.knows(win) {
            return None;
        }
        let interface = self.windows.interface(win);
        if interface.completes_by_flags() {
            // That its target has seen a flag by then says nothing, unless the process knows that it has.
            let is_known = |op: &Op| op.is_noticed(|since| self.clock.covers(since));
            let mut pending = self.operations.pending(rank, win).into_iter();
            let op =
                pending.find(|op| op.local().is_none() && !is_known(op) && op.call() != CallKind::Notify)?;
            let close = Code::Flush {
                target: None,
                local: true,
                channel: op.channel(),
            };
            return Some((op.party(), Open::Operation, close));
        }
        if let Some(op) = self.operations.pending(rank, win).first() {
            return Some((op.party(), Open::Operation, Code::Fence));
        }
        if interface.completes_at_origin_everywhere() {
            return None;
        }
        let op = self.operations.first_request(rank, win)?;
        Some((op.party(), Open::Request, Code::WaitForRequest))
    }
}

/// A window is freed while something is open on it.
pub(crate) fn freed_while_open(whole: &Whole<'_>, win: WinId, caller: &Caller) -> Option<RawFinding> {
    let (party, open, close) = whole.open(caller.rank(), win)?;
    let parties = [party, caller.party(CallKind::Free, None)];
    let advice = whole.end((caller.rank(), win), &parties, close);
    let misuse = Misuse::FreedWhileOpen(open);
    Some(RawFinding::misuse(misuse, Some(win), parties.into()).with(advice))
}

/// A symmetric object ends while an operation on it is pending on a context that the program made, which the caller
/// knows of: no call that ends an object completes it (OpenSHMEM 1.5 §9.3.1).
pub(crate) fn object_ends_while_open(
    pending: &[&Rc<Op>],
    win: WinId,
    caller: &Caller,
    clock: &VectorClock,
) -> Option<RawFinding> {
    let on_context = |op: &&&Rc<Op>| op.channel() != ChannelId::DEFAULT && op.is_issued_before(clock);
    let op = pending.iter().find(on_context)?;
    let parties = [op.party(), caller.party(CallKind::Free, None)];
    let quiet = Code::Flush {
        target: None,
        local: false,
        channel: op.channel(),
    };
    let advice = RawSuggestion::between(quiet, &parties[0], &parties[1]);
    let misuse = Misuse::FreedWhileOpen(Open::Operation);
    Some(RawFinding::misuse(misuse, Some(win), parties.into()).with(advice))
}

/// A process gives up its part of a window while an operation that reaches it may go on.
pub(crate) fn withdrawn_while_open(op: &Op, win: WinId, caller: &Caller) -> RawFinding {
    let parties = [op.party(), caller.party(CallKind::Free, None)];
    let [from, to] = [parties[0].site.rank, parties[1].site.rank];
    let complete = Code::Flush {
        target: None,
        local: true,
        channel: op.channel(),
    };
    let spots = parties.each_ref().map(|party| Some(Spot::of(party)));
    let [after, before] = spots;
    let advice = RawSuggestion::insert(vec![complete, Code::Barrier], after, before)
        .noting(Note::OnRankThenBarrierOrMessage { from, to });
    RawFinding::misuse(Misuse::FreedWhileOpen(Open::Operation), Some(win), parties.into()).with(advice)
}

/// A flag is set that was set before, and is not known to have been taken.
pub(crate) fn lost_notification(last: &Op, op: &Op, number: u32, of: Rank) -> RawFinding {
    let parties = vec![last.party(), op.party()];
    RawFinding::misuse(Misuse::LostNotification { number, of }, None, parties)
        .with(RawSuggestion::note(Note::AnotherNotification))
}

/// A process ends while something is open on the window.
pub(crate) fn finalized_while_open(whole: &Whole<'_>, win: WinId, caller: &Caller) -> Option<RawFinding> {
    let (party, open, close) = whole.open(caller.rank(), win)?;
    let parties = [party, caller.party(CallKind::Finalize, None)];
    let advice = whole.end((caller.rank(), win), &parties, close);
    let misuse = Misuse::FinalizedWhileOpen(open);
    Some(RawFinding::misuse(misuse, Some(win), parties.into()).with(advice))
}

/// At the end of a window: every start met a post, and the other way round. What a process has not done yet that may go
/// on is not missing.
pub(crate) fn groups(
    epochs: &Epochs,
    exposure: &Exposure,
    win: WinId,
    may_go_on: impl Fn(Rank) -> bool,
) -> Vec<RawFinding> {
    let unequal = |((target, origin), pair): &((Rank, Rank), &Pair)| match pair.posted().cmp(&pair.started())
    {
        Ordering::Equal => false,
        Ordering::Less => !may_go_on(*target),
        Ordering::Greater => !may_go_on(*origin),
    };
    let mut wrong: Vec<_> = exposure.pairs(win).filter(unequal).collect();
    wrong.sort_by_key(|(ranks, _)| *ranks);
    let finding = |((target, origin), pair): ((Rank, Rank), &Pair)| {
        let post = epochs.of(win, target).and_then(|state| state.posted());
        let post = pair.last_post().or(post).or_else(|| {
            let mut others = exposure.pairs(win).filter(|(ranks, _)| ranks.0 == target);
            others.find_map(|(_, other)| other.last_post())
        });
        let start = pair.last_start().or_else(|| {
            let mut others = exposure.pairs(win).filter(|(ranks, _)| ranks.1 == origin);
            others.find_map(|(_, other)| other.last_start())
        });
        let party = |call, site: Option<Site>, target| {
            site.map(|site| RawParty::call(call, site, ThreadId(0), target))
        };
        let start = party(
            CallKind::Start,
            start,
            (pair.started() > pair.posted()).then_some(target),
        );
        let post = party(CallKind::Post, post, None);
        let (parties, misuse) = if pair.started() > pair.posted() {
            ([start, post], Misuse::NotPosted { origin, target })
        } else {
            ([post, start], Misuse::NotStarted { origin, target })
        };
        let right = parties
            .iter()
            .flatten()
            .find(|party| party.name == Name::Call(CallKind::Post));
        let right = right.and_then(|post| started(exposure, win, target, Spot::of(post)));
        let advice = right.unwrap_or_else(|| RawSuggestion::note(Note::GroupsThatMeet));
        RawFinding::misuse(misuse, Some(win), parties.into_iter().flatten().collect()).with(advice)
    };
    wrong.into_iter().map(finding).collect()
}

/// The group that a process should have posted for: who started towards it, if that is as many times as it posted.
fn started(exposure: &Exposure, win: WinId, target: Rank, post: Spot) -> Option<RawSuggestion> {
    let pairs = || exposure.pairs(win).filter(|(ranks, _)| ranks.0 == target);
    let times = pairs()
        .map(|(_, pair)| pair.posted())
        .max()
        .filter(|times| *times > 0)?;
    let is_whole = |number: u64| number == 0 || number == times;
    let are_whole = pairs().all(|(_, pair)| is_whole(pair.posted()) && is_whole(pair.started()));
    let of = |counts: &dyn Fn(&Pair) -> u64| {
        group(
            pairs()
                .filter(|(_, pair)| counts(pair) > 0)
                .map(|(ranks, _)| ranks.1),
        )
    };
    let (given, right) = (of(&Pair::posted)?, of(&Pair::started)?);
    let is_other = are_whole && right != given && pairs().any(|(_, pair)| pair.started() > 0);
    is_other.then(|| RawSuggestion::argument(given, right, post))
}

/// Memory is attached that is attached already, since `before`.
pub(crate) fn attached_twice(win: WinId, caller: &Caller, before: Site) -> RawFinding {
    let parties = [
        caller.party(CallKind::Attach, None),
        RawParty::call(CallKind::Attach, before, caller.thread(), None),
    ];
    let advice = RawSuggestion::between(Code::Detach, &parties[1], &parties[0]);
    RawFinding::misuse(Misuse::AttachedTwice, Some(win), parties.into()).with(advice)
}

/// Memory is detached while an operation may still reach these bytes of it.
pub(crate) fn detached_early(
    win: WinId,
    operation: RawParty,
    detaches: RawParty,
    bytes: &Range<u64>,
) -> RawFinding {
    let misuse = Misuse::ToDetached {
        start: bytes.start,
        end: bytes.end,
    };
    let (from, to) = (operation.site.rank, detaches.site.rank);
    let advice = RawSuggestion::between(Code::Barrier, &operation, &detaches);
    // Who reaches its own memory without knowing when it is detached does it by another thread.
    let advice = advice.noting(match from == to {
        true => Note::OnAllRanks,
        false => Note::OnAllRanksOrMessage { from, to },
    });
    RawFinding::misuse(misuse, Some(win), vec![operation, detaches]).with(advice)
}

/// Memory is detached that is not attached.
pub(crate) fn not_attached(win: WinId, caller: &Caller) -> RawFinding {
    let party = caller.party(CallKind::Detach, None);
    let advice = RawSuggestion::remove(CallKind::Detach, Spot::of(&party));
    RawFinding::misuse(Misuse::NotAttached, Some(win), vec![party]).with(advice)
}
