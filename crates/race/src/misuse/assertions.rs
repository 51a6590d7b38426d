//! Assertions that do not hold, and fences that do not agree on them.
//!
//! Source: MPI-4.1 §12.5.5.

use super::{Caller, caller};
use crate::detector::Detector;
use crate::explain::party;
use crate::finding::{RawSuggestion, Site, Spot};
use crate::locks::LockEpoch;
use farside_clocks::Component;
use farside_events::{Assertions, Rank, ThreadId, WinId};
use farside_findings::Rule;

const NONE: Assertions = Assertions {
    nocheck: false,
    nostore: false,
    noput: false,
    noprecede: false,
    nosucceed: false,
};
pub(crate) const NOCHECK: Assertions = Assertions {
    nocheck: true,
    ..NONE
};
pub(crate) const NOPUT: Assertions = Assertions { noput: true, ..NONE };
pub(crate) const NOSTORE: Assertions = Assertions {
    nostore: true,
    ..NONE
};
pub(crate) const NOPRECEDE: Assertions = Assertions {
    noprecede: true,
    ..NONE
};
pub(crate) const NOSUCCEED: Assertions = Assertions {
    nosucceed: true,
    ..NONE
};

impl Detector {
    pub(crate) fn assertion_violated(
        &mut self,
        win: WinId,
        culprit: Caller,
        promise: Caller,
        message: String,
        advice: RawSuggestion,
    ) {
        let parties = vec![caller(culprit), caller(promise)];
        self.misuse(Rule::ViolatedAssertion, Some(win), parties, message, Some(advice));
    }

    pub(crate) fn check_fence(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        assertions: Assertions,
        site: Site,
    ) {
        self.mixed(rank, thread, win, "MPI_Win_fence", site);
        self.check_no_store(rank, thread, win, assertions, "MPI_Win_fence", site);
        if assertions.noprecede {
            let pending = self.job.process(rank).pending.get(&win);
            if let Some(op) = pending
                .and_then(|pending| pending.iter().find(|op| !op.is_complete()))
                .cloned()
            {
                let message = format!(
                    "{} is pending at a fence with MPI_MODE_NOPRECEDE, which promises that nothing is to be completed",
                    op.name()
                );
                self.assertion_violated(
                    win,
                    (op.name(), op.site, op.thread, Some(op.target)),
                    ("MPI_Win_fence", site, thread, None),
                    message,
                    self.leave_out(assertions, NOPRECEDE, ("MPI_Win_fence", site), "on all ranks"),
                );
            }
        }
    }

    pub(super) fn check_no_store(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        assertions: Assertions,
        call: &'static str,
        site: Site,
    ) {
        let Some(state) = self.windows.get(&win).and_then(|window| window.epochs.get(&rank)) else {
            return;
        };
        if let (true, Some(store)) = (assertions.nostore, &state.stored) {
            let parties = vec![party(store), caller((call, site, thread, None))];
            let message = format!(
                "{} by rank {} wrote to its window since the last synchronisation, which MPI_MODE_NOSTORE denies",
                store.name(),
                rank.0
            );
            let advice = self.leave_out(assertions, NOSTORE, (call, site), "");
            self.misuse(Rule::ViolatedAssertion, Some(win), parties, message, Some(advice));
        }
    }

    /// `MPI_MODE_NOPRECEDE` and `MPI_MODE_NOSUCCEED` must be given by all processes or by none.
    pub(crate) fn compare_fence_assertions(&mut self, win: WinId, index: u64, rank: Rank, thread: ThreadId) {
        let Some(fence) = self
            .windows
            .get_mut(&win)
            .and_then(|window| window.fences.get_mut(&index))
        else {
            return;
        };
        if fence.mismatch_reported {
            return;
        }
        let Some(own) = fence.entered.get(&rank).cloned() else {
            return;
        };
        let key = |assertions: Assertions| (assertions.noprecede, assertions.nosucceed);
        let beyond = |given: Assertions, other: Assertions| Assertions {
            noprecede: given.noprecede && !other.noprecede,
            nosucceed: given.nosucceed && !other.nosucceed,
            ..Assertions::default()
        };
        let Some(other_rank) = fence.first else { return };
        let Some(other) = fence.entered.get(&other_rank) else {
            return;
        };
        if key(other.assertions) == key(own.assertions) {
            return;
        }
        let (site, others) = (other.site, other.assertions);
        fence.mismatch_reported = true;
        let message = format!(
            "ranks {} and {} give different MPI_MODE_NOPRECEDE or MPI_MODE_NOSUCCEED to the same fence",
            rank.0, other_rank.0
        );
        let surplus = beyond(own.assertions, others);
        let (given, wrong, at) = if surplus == Assertions::default() {
            (others, beyond(others, own.assertions), site)
        } else {
            (own.assertions, surplus, own.site)
        };
        let advice = self.leave_out(
            given,
            wrong,
            ("MPI_Win_fence", at),
            "or give the same on all ranks",
        );
        self.assertion_violated(
            win,
            ("MPI_Win_fence", own.site, thread, None),
            ("MPI_Win_fence", site, ThreadId(0), None),
            message,
            advice,
        );
    }

    pub(crate) fn check_post(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        assertions: Assertions,
        site: Site,
    ) {
        self.mixed(rank, thread, win, "MPI_Win_post", site);
        self.check_locked(rank, thread, win, site);
        self.check_no_store(rank, thread, win, assertions, "MPI_Win_post", site);
    }

    /// `MPI_MODE_NOCHECK` is given by a start if and only if it is given by the posts that it meets. Here: the start
    /// comes later.
    pub(super) fn check_nocheck_pair(
        &mut self,
        (rank, thread, site): (Rank, ThreadId, Site),
        win: WinId,
        group: &[Rank],
        nocheck: bool,
    ) -> bool {
        let Some(window) = self.windows.get(&win) else {
            return false;
        };
        let met = group.iter().find_map(|target| {
            let pair = window.pairs.get(&(*target, rank))?;
            let (_, post) = pair.posts.iter().find(|(number, _)| *number == pair.started)?;
            (post.assertions.nocheck != nocheck).then_some((*target, post.site, post.assertions))
        });
        if let Some(post) = met {
            self.nocheck_not_met(win, post, (rank, thread, site));
        }
        met.is_some()
    }

    /// One of a post (which gives it or not) and the start that it meets gives `MPI_MODE_NOCHECK`, the other does not.
    pub(crate) fn nocheck_not_met(
        &mut self,
        win: WinId,
        target: (Rank, Site, Assertions),
        origin: (Rank, ThreadId, Site),
    ) {
        let gives = target.2.nocheck;
        let word = |gives: bool| if gives { "gives" } else { "does not give" };
        let message = format!(
            "MPI_Win_post of rank {} {} MPI_MODE_NOCHECK, and the MPI_Win_start of rank {} that it meets {} it",
            target.0.0,
            word(gives),
            origin.0.0,
            word(!gives)
        );
        let advice = if gives {
            self.leave_out(target.2, NOCHECK, ("MPI_Win_post", target.1), "")
        } else {
            self.leave_out(NOCHECK, NOCHECK, ("MPI_Win_start", origin.2), "")
        };
        self.assertion_violated(
            win,
            ("MPI_Win_start", origin.2, origin.1, None),
            ("MPI_Win_post", target.1, ThreadId(0), None),
            message,
            advice,
        );
    }

    /// `MPI_MODE_NOCHECK` promises that no other process holds, or will try to get, a conflicting lock meanwhile.
    pub(crate) fn check_nocheck(&mut self, component: Component, thread: ThreadId, epoch: &LockEpoch) {
        let Some(window) = self.windows.get(&epoch.win) else {
            return;
        };
        if !epoch.nocheck && !window.nocheck_used {
            return;
        }
        let clock = &self.job.threads[component as usize].clock;
        let other = window.locks.values().find(|other| {
            (other.nocheck || epoch.nocheck)
                && epoch.excludes(other)
                && other.release().is_none_or(|release| !clock.covers(release))
        });
        let Some(other) = other else { return };
        let call = |epoch: &LockEpoch| {
            if epoch.target.is_some() {
                "MPI_Win_lock"
            } else {
                "MPI_Win_lock_all"
            }
        };
        let message = format!(
            "ranks {} and {} may hold conflicting locks at the same time, which MPI_MODE_NOCHECK denies",
            other.rank.0, epoch.rank.0
        );
        let culprit = (call(other), other.site, ThreadId(0), other.target);
        let promise = (call(epoch), epoch.site, thread, epoch.target);
        let (culprit, promise) = if epoch.nocheck {
            (culprit, promise)
        } else {
            (promise, culprit)
        };
        let note = if epoch.nocheck && other.nocheck {
            "and in the other lock"
        } else {
            ""
        };
        let advice = self.leave_out(NOCHECK, NOCHECK, (promise.0, promise.1), note);
        self.assertion_violated(epoch.win, culprit, promise, message, advice);
    }

    /// A call is to give its assertions without those that do not hold.
    pub(crate) fn leave_out(
        &self,
        given: Assertions,
        wrong: Assertions,
        (call, site): (&'static str, Site),
        note: &str,
    ) -> RawSuggestion {
        let name = self.options.interface.name(call).to_owned();
        RawSuggestion::without(given, wrong, Spot { site, name }, note)
    }
}
