//! Which call may follow which: operations outside an epoch, epochs that overlap, closes without an open.
//!
//! Source: MPI-4.1 §12.5.

use super::assertions::{NOCHECK, NOSUCCEED};
use super::{advise, caller};
use crate::Interface;
use crate::detector::Detector;
use crate::finding::{RawSuggestion, Site, Spot};
use crate::locks::LockEpoch;
use crate::record::AccessEpoch;
use farside_clocks::Component;
use farside_events::{Assertions, OperationKind, Rank, ThreadId, WinId};
use farside_findings::Rule;

impl Detector {
    /// The epoch that covers an operation; reports if there is none.
    #[allow(clippy::too_many_arguments)] // Everything that the report names.
    pub(crate) fn access_epoch(
        &mut self,
        rank: Rank,
        thread: ThreadId,
        win: WinId,
        target: Rank,
        (kind, request): (OperationKind, bool),
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
            Some(AccessEpoch::Fence | AccessEpoch::Start)
                if request && self.options.interface == Interface::Mpi =>
            {
                let message = format!("{name} is allowed only between a lock and its unlock");
                let without = self.options.interface.name(kind.call_name(false)).to_owned();
                let advice = RawSuggestion::replace(
                    &without,
                    Some(name.to_owned()),
                    Spot::of(&call[0]),
                    "and leave its request out, or use a lock",
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
                } else if let Some((place, assertions)) = state.nosucceed {
                    let message = format!(
                        "{name} follows a fence with MPI_MODE_NOSUCCEED, which promises that no operation follows"
                    );
                    self.assertion_violated(
                        win,
                        (name, site, thread, Some(target)),
                        ("MPI_Win_fence", place, thread, None),
                        message,
                        self.leave_out(assertions, NOSUCCEED, ("MPI_Win_fence", place), "on all ranks"),
                    );
                } else {
                    let message = format!(
                        "{name} of rank {} to rank {} outside any access epoch",
                        rank.0, target.0
                    );
                    let advice = advise(
                        &format!("MPI_Win_lock(MPI_LOCK_SHARED, {}, 0, win)", target.0),
                        None,
                        call.first(),
                        &format!(
                            "and MPI_Win_unlock({}, win) after it, or MPI_Win_fence on all ranks, or MPI_Win_start",
                            target.0
                        ),
                    );
                    self.misuse(Rule::OutsideEpoch, Some(win), call, message, Some(advice));
                }
                None
            }
        }
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
    pub(super) fn mixed(&mut self, rank: Rank, thread: ThreadId, win: WinId, call: &'static str, site: Site) {
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
        let advice = advise(closing, parties.get(1), parties.first(), "");
        self.misuse(Rule::MixedEpochs, Some(win), parties, message, Some(advice));
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
                self.leave_out(
                    assertions,
                    NOCHECK,
                    ("MPI_Win_start", site),
                    "and in the MPI_Win_post that it meets",
                ),
            );
        }
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
            let advice = advise(&unlock, parties.get(1), parties.first(), "");
            return self.misuse(Rule::DoubleLock, Some(win), parties, message, Some(advice));
        }
        self.mixed(rank, thread, win, call, site);
    }

    /// A window must not be locked and exposed at the same time (MPI-4.1 §12.5.3): "a process may not call `MPI_WIN_LOCK`
    /// to lock a target window if the target process has called `MPI_WIN_POST` and has not yet called `MPI_WIN_WAIT`".
    /// In the run at hand it was so; where nothing orders the two, another schedule may be free of it.
    pub(crate) fn check_exposed(&mut self, thread: ThreadId, epoch: &LockEpoch) {
        let Some(window) = self.windows.get(&epoch.win) else {
            return;
        };
        let posted = |target: &Rank| {
            let (site, _) = window.epochs.get(target)?.posted.as_ref()?;
            Some((*target, *site))
        };
        let exposed = match epoch.target {
            Some(target) => posted(&target),
            None => {
                let mut targets: Vec<Rank> = window.epochs.keys().copied().collect();
                targets.sort_unstable();
                targets.iter().find_map(posted)
            }
        };
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
    /// The other way round: "it is erroneous to call `MPI_WIN_POST` while the local window is locked".
    pub(crate) fn check_locked(&mut self, rank: Rank, thread: ThreadId, win: WinId, site: Site) {
        let Some(window) = self.windows.get(&win) else {
            return;
        };
        let open = window
            .locks
            .values()
            .filter(|epoch| epoch.is_open() && epoch.target.is_none_or(|target| target == rank));
        let Some(epoch) = open.min_by_key(|epoch| epoch.rank).cloned() else {
            return;
        };
        let call = if epoch.target.is_some() {
            "MPI_Win_lock"
        } else {
            "MPI_Win_lock_all"
        };
        let message = format!(
            "rank {} exposes its window by MPI_Win_post while rank {} has locked it by {call}",
            rank.0, epoch.rank.0
        );
        let parties = vec![
            caller((call, epoch.site, ThreadId(0), epoch.target)),
            caller(("MPI_Win_post", site, thread, None)),
        ];
        self.misuse(Rule::MixedEpochs, Some(win), parties, message, None);
    }
}
