//! Misuse of epochs, assertions and windows.
//!
//! Source: MPI-4.1 §12.5 (which calls may follow which), §12.5.5 (assertions). A fence opens an epoch only if
//! operations follow it, so that a lock or start after an unused fence is no error.

use crate::detector::Detector;
use crate::explain::party;
use crate::finding::{RawFinding, RawParty, RawSuggestion, Site};
use crate::locks::LockEpoch;
use crate::record::AccessEpoch;
use farside_clocks::Component;
use farside_events::{Assertions, Operation, Rank, ThreadId, WinId};
use farside_findings::{ByteRange, Rule};
use std::ops::Range;

/// A call that takes part in a misuse: its name, place, thread and target.
pub(crate) type Caller = (&'static str, Site, ThreadId, Option<Rank>);

pub(crate) fn caller((operation, site, thread, target): Caller) -> RawParty {
    RawParty {
        operation: operation.to_owned(),
        effect: String::new(),
        thread,
        target,
        site,
    }
}

impl Detector {
    /// Reports a misuse with one or more calls, once a set of places.
    pub(crate) fn misuse(
        &mut self,
        rule: Rule,
        win: Option<WinId>,
        parties: Vec<RawParty>,
        message: String,
        suggestion: Option<RawSuggestion>,
    ) {
        let Some(first) = parties.first() else { return };
        let second = parties.get(1).unwrap_or(first);
        if let Some(index) = self.findings.enter(rule, [first.site, second.site]) {
            let finding = RawFinding {
                rule,
                message,
                parties,
                window: win,
                bytes: None,
                address: None,
                missing: None,
                suggestion,
                count: 1,
                timeline: None,
            };
            self.findings.fill(index, finding);
        }
    }

    /// The epoch that covers an operation; reports if there is none.
    #[allow(clippy::too_many_arguments)] // Everything that the report names.
    pub(crate) fn access_epoch(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        target: Rank,
        request: bool,
        name: &'static str,
        site: Site,
    ) -> Option<AccessEpoch> {
        let Some(window) = self.windows.get_mut(&win) else {
            return Some(AccessEpoch::Fence);
        };
        let state = window.epochs.entry(rank).or_default();
        let call = vec![caller((name, site, thread, Some(target)))];
        let covered = if state.locked.contains_key(&target) {
            Some(AccessEpoch::Lock)
        } else if state.locked_all.is_some() {
            Some(AccessEpoch::LockAll)
        } else if state
            .started
            .as_ref()
            .is_some_and(|(_, targets)| targets.contains_key(&target))
        {
            Some(AccessEpoch::Start)
        } else if state.started.is_none() && state.locked.is_empty() {
            state.fence.as_mut().map(|fence| {
                fence.used.get_or_insert(site);
                AccessEpoch::Fence
            })
        } else {
            None
        };
        match covered {
            Some(AccessEpoch::Fence | AccessEpoch::Start) if request => {
                let message = format!("{name} is allowed only between a lock and its unlock");
                let advice = advise(
                    "MPI_Win_lock_all(0, win)",
                    None,
                    Some(0),
                    "or use the form without a request",
                );
                self.misuse(
                    Rule::RequestOutsidePassive,
                    Some(win),
                    call,
                    message,
                    Some(advice),
                );
                covered
            }
            Some(epoch) => Some(epoch),
            None => {
                let opened = state.started.as_ref().map(|(site, _)| ("MPI_Win_start", *site));
                let locked = state
                    .locked
                    .values()
                    .next()
                    .map(|epoch| ("MPI_Win_lock", epoch.site));
                if let Some((open, place)) = opened.or(locked) {
                    let mut call = call;
                    call.push(caller((open, place, thread, None)));
                    let message = format!(
                        "{name} of rank {} to rank {}, which {open} does not cover",
                        rank.0, target.0
                    );
                    self.misuse(Rule::WrongTarget, Some(win), call, message, None);
                } else if let Some(place) = state.nosucceed {
                    let message = format!(
                        "{name} follows a fence with MPI_MODE_NOSUCCEED, which promises that no operation follows"
                    );
                    self.assertion_violated(
                        win,
                        (name, site, thread, Some(target)),
                        ("MPI_Win_fence", place, thread, None),
                        message,
                    );
                } else {
                    let message = format!(
                        "{name} of rank {} to rank {} outside any access epoch",
                        rank.0, target.0
                    );
                    let advice = advise(
                        &format!("MPI_Win_lock(MPI_LOCK_SHARED, {}, 0, win)", target.0),
                        None,
                        Some(0),
                        "or MPI_Win_fence on all ranks, or MPI_Win_start",
                    );
                    self.misuse(Rule::OutsideEpoch, Some(win), call, message, Some(advice));
                }
                None
            }
        }
    }

    pub(crate) fn assertion_violated(
        &mut self,
        win: WinId,
        culprit: Caller,
        promise: Caller,
        message: String,
    ) {
        let parties = vec![caller(culprit), caller(promise)];
        let advice = RawSuggestion {
            call: "0".into(),
            after: None,
            before: Some(1),
            note: "as the assert argument: leave the assertion out".into(),
        };
        self.misuse(Rule::ViolatedAssertion, Some(win), parties, message, Some(advice));
    }

    pub(crate) fn unmatched_close(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        close: &'static str,
        open: &'static str,
        site: Site,
    ) {
        let message = format!("{close} of rank {} without {open} before it", rank.0);
        self.misuse(
            Rule::UnmatchedClose,
            Some(win),
            vec![caller((close, site, thread, None))],
            message,
            None,
        );
    }

    /// Reports if an epoch that `call` may not overlap is open.
    fn mixed(&mut self, rank: Rank, thread: ThreadId, win: WinId, call: &'static str, site: Site) {
        let Some(state) = self.windows.get(&win).and_then(|window| window.epochs.get(&rank)) else {
            return;
        };
        let fence = state
            .fence
            .as_ref()
            .and_then(|fence| fence.used.map(|used| ("MPI_Win_fence", fence.site, Some(used))));
        let start = state
            .started
            .as_ref()
            .map(|(site, _)| ("MPI_Win_start", *site, None));
        let post = state
            .posted
            .as_ref()
            .map(|(site, _)| ("MPI_Win_post", *site, None));
        let lock = state
            .locked
            .values()
            .next()
            .map(|epoch| ("MPI_Win_lock", epoch.site, None));
        let lock_all = state
            .locked_all
            .as_ref()
            .map(|epoch| ("MPI_Win_lock_all", epoch.site, None));
        let open = match call {
            "MPI_Win_fence" => lock.or(lock_all).or(start).or(post),
            "MPI_Win_start" => start.or(lock).or(lock_all).or(fence),
            "MPI_Win_post" => post.or(fence),
            "MPI_Win_lock" => lock_all.or(start).or(fence),
            _ => lock.or(start).or(fence),
        };
        let Some((name, place, _)) = open else { return };
        let message = format!(
            "{call} of rank {} while the epoch opened by {name} is still open",
            rank.0
        );
        let parties = vec![
            caller((call, site, thread, None)),
            caller((name, place, thread, None)),
        ];
        let closing = match name {
            "MPI_Win_fence" => "MPI_Win_fence(0, win)",
            "MPI_Win_start" => "MPI_Win_complete(win)",
            "MPI_Win_post" => "MPI_Win_wait(win)",
            "MPI_Win_lock" => "MPI_Win_unlock(rank, win)",
            _ => "MPI_Win_unlock_all(win)",
        };
        self.misuse(
            Rule::MixedEpochs,
            Some(win),
            parties,
            message,
            Some(advise(closing, Some(1), Some(0), "")),
        );
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
                );
            }
        }
    }

    fn check_no_store(
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
            let advice = RawSuggestion {
                call: "0".into(),
                after: None,
                before: Some(1),
                note: "as the assert argument: leave MPI_MODE_NOSTORE out".into(),
            };
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
        let Some(other_rank) = fence.first else { return };
        let Some(other) = fence.entered.get(&other_rank) else {
            return;
        };
        if key(other.assertions) == key(own.assertions) {
            return;
        }
        let site = other.site;
        fence.mismatch_reported = true;
        let message = format!(
            "ranks {} and {} give different MPI_MODE_NOPRECEDE or MPI_MODE_NOSUCCEED to the same fence",
            rank.0, other_rank.0
        );
        self.assertion_violated(
            win,
            ("MPI_Win_fence", own.site, thread, None),
            ("MPI_Win_fence", site, ThreadId(0), None),
            message,
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
        self.check_no_store(rank, thread, win, assertions, "MPI_Win_post", site);
    }

    #[allow(clippy::too_many_arguments)] // The arguments of MPI_Win_start and who calls it.
    pub(crate) fn check_start(
        &mut self,
        component: Component,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        group: &[Rank],
        assertions: Assertions,
        site: Site,
    ) {
        self.mixed(rank, thread, win, "MPI_Win_start", site);
        let differs = self.check_nocheck_pair((rank, thread, site), win, group, assertions.nocheck);
        if differs || !assertions.nocheck {
            return;
        }
        let clock = self.job.thread(component).clock.clone();
        let Some(window) = self.windows.get(&win) else {
            return;
        };
        let late = group.iter().find(|target| {
            let pair = window.pairs.get(&(**target, rank));
            let post = pair.and_then(|pair| pair.posts.iter().find(|(number, _)| *number == pair.started));
            post.is_none_or(|(_, post)| !clock.covers(post.at))
        });
        if let Some(target) = late {
            let post = window
                .pairs
                .get(&(*target, rank))
                .and_then(|pair| pair.last_post)
                .unwrap_or(site);
            let message = format!(
                "MPI_Win_start with MPI_MODE_NOCHECK, but the post of rank {} is not known to have been called before",
                target.0
            );
            self.assertion_violated(
                win,
                ("MPI_Win_post", post, ThreadId(0), None),
                ("MPI_Win_start", site, thread, None),
                message,
            );
        }
    }

    /// `MPI_MODE_NOCHECK` is given by a start if and only if it is given by the posts that it meets. Here: the start
    /// comes later.
    fn check_nocheck_pair(
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
            (post.assertions.nocheck != nocheck).then_some((*target, post.site))
        });
        if let Some((target, post)) = met {
            self.nocheck_not_met(win, (target, post, !nocheck), (rank, thread, site));
        }
        met.is_some()
    }

    /// One of a post (which gives it or not) and the start that it meets gives `MPI_MODE_NOCHECK`, the other does not.
    pub(crate) fn nocheck_not_met(
        &mut self,
        win: WinId,
        target: (Rank, Site, bool),
        origin: (Rank, ThreadId, Site),
    ) {
        let word = |gives: bool| if gives { "gives" } else { "does not give" };
        let message = format!(
            "MPI_Win_post of rank {} {} MPI_MODE_NOCHECK, and the MPI_Win_start of rank {} that it meets {} it",
            target.0.0,
            word(target.2),
            origin.0.0,
            word(!target.2)
        );
        self.assertion_violated(
            win,
            ("MPI_Win_start", origin.2, origin.1, None),
            ("MPI_Win_post", target.1, ThreadId(0), None),
            message,
        );
    }

    pub(crate) fn check_lock(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        target: Option<Rank>,
        site: Site,
    ) {
        let call = if target.is_some() {
            "MPI_Win_lock"
        } else {
            "MPI_Win_lock_all"
        };
        let Some(state) = self.windows.get(&win).and_then(|window| window.epochs.get(&rank)) else {
            return;
        };
        let before = match target {
            Some(target) => state.locked.get(&target),
            None => state.locked_all.as_ref(),
        };
        if let Some(before) = before {
            let parties = vec![
                caller((call, site, thread, target)),
                caller((call, before.site, thread, target)),
            ];
            let message = match target {
                Some(target) => format!(
                    "rank {} locks rank {} a second time before it unlocks it",
                    rank.0, target.0
                ),
                None => format!(
                    "rank {} calls MPI_Win_lock_all a second time before MPI_Win_unlock_all",
                    rank.0
                ),
            };
            let unlock = match target {
                Some(target) => format!("MPI_Win_unlock({}, win)", target.0),
                None => "MPI_Win_unlock_all(win)".into(),
            };
            return self.misuse(
                Rule::DoubleLock,
                Some(win),
                parties,
                message,
                Some(advise(&unlock, Some(1), Some(0), "")),
            );
        }
        self.mixed(rank, thread, win, call, site);
    }

    /// A window must not be locked and exposed at the same time (MPI-4.1 §12.5.3). Reported where the post is known to
    /// the locking process, so that no schedule could put it elsewhere.
    pub(crate) fn check_exposed(&mut self, component: Component, thread: ThreadId, epoch: &LockEpoch) {
        let clock = &self.job.threads[component as usize].clock;
        let Some(window) = self.windows.get(&epoch.win) else {
            return;
        };
        let targets: Vec<Rank> = match epoch.target {
            Some(target) => vec![target],
            None => window.epochs.keys().copied().collect(),
        };
        let exposed = targets.into_iter().find_map(|target| {
            let state = window.epochs.get(&target)?;
            let (site, _) = state.posted.as_ref()?;
            clock.covers(state.posted_at?).then_some((target, *site))
        });
        let Some((target, site)) = exposed else { return };
        let call = if epoch.target.is_some() {
            "MPI_Win_lock"
        } else {
            "MPI_Win_lock_all"
        };
        let message = format!(
            "{call} of rank {} locks the window of rank {}, which is exposed by MPI_Win_post",
            epoch.rank.0, target.0
        );
        let parties = vec![
            caller(("MPI_Win_post", site, ThreadId(0), None)),
            caller((call, epoch.site, thread, epoch.target)),
        ];
        self.misuse(Rule::MixedEpochs, Some(epoch.win), parties, message, None);
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
                && other.release.get().is_none_or(|release| !clock.covers(release))
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
        self.assertion_violated(epoch.win, culprit, promise, message);
    }

    #[allow(clippy::too_many_arguments)] // Everything that the report names.
    pub(crate) fn target_outside(
        &mut self,
        call: &Operation,
        target: Rank,
        range: Range<u64>,
        dynamic: bool,
        (base, size): (u64, u64),
        thread: ThreadId,
        site: Site,
    ) {
        let name = call.kind.call_name(call.request.is_some());
        let parties = vec![caller((name, site, thread, Some(target)))];
        if dynamic {
            let message = format!(
                "{name} to [{:#x}, {:#x}) of rank {}, which is not attached to the window",
                range.start, range.end, target.0
            );
            return self.misuse(Rule::UnmatchedAttach, Some(call.win), parties, message, None);
        }
        let offset = |address: u64| address.wrapping_sub(base) as i64;
        let message = format!(
            "{name} to bytes [{}, {}) of the window of rank {}, which has {size} bytes",
            offset(range.start),
            offset(range.end),
            target.0
        );
        let second = parties.first().map_or(site, |party| party.site);
        if let Some(index) = self.findings.enter(Rule::OutOfRange, [site, second]) {
            let bytes = ByteRange {
                rank: target.0,
                start: range.start,
                end: range.end,
                in_window: false,
                variable: None,
            };
            let finding = RawFinding {
                rule: Rule::OutOfRange,
                message,
                parties,
                window: Some(call.win),
                bytes: Some(bytes),
                address: None,
                missing: None,
                suggestion: None,
                count: 1,
                timeline: None,
            };
            self.findings.fill(index, finding);
        }
    }
}

pub(crate) fn advise(call: &str, after: Option<usize>, before: Option<usize>, note: &str) -> RawSuggestion {
    RawSuggestion {
        call: call.to_owned(),
        after,
        before,
        note: note.to_owned(),
    }
}
