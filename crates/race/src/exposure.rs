//! Post, start, complete, wait (MPI-4.1 §12.5.2).
//!
//! An operation of an access epoch takes effect at its target only after the matching post; it is complete at the
//! origin after complete, and at the target after the wait that matches. Start and complete themselves need not wait
//! for the target, so that they order nothing for the origin; but a result comes from behind the post.

use crate::detector::Detector;
use crate::finding::Site;
use crate::record::{AccessEpoch, Op};
use crate::window::{Completed, Post};
use farside_clocks::{Component, VectorClock};
use farside_events::{Assertions, OperationKind, Rank, ThreadId, WinId};

impl Detector {
    pub(crate) fn post(
        &mut self,
        component: Component,
        win: WinId,
        group: &[Rank],
        assertions: Assertions,
        site: Site,
    ) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        self.check_post(rank, thread, win, assertions, site);
        let at = self.job.tick(component);
        let clock = self.job.release(component);
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let state = window.epochs.entry(rank).or_default();
        state.posted = Some((site, group.to_vec()));
        // A fence epoch has no other synchronisation before its operations (Hoefler et al. 2014, §3.1 (5)).
        state.fence = None;
        state.stored = None;
        let mut ready = Vec::new();
        let mut not_met = Vec::new();
        for &origin in group {
            let pair = window.pairs.entry((rank, origin)).or_default();
            let number = pair.posted;
            pair.posted += 1;
            if let Some(state) = window.epochs.get_mut(&origin)
                && state.read_from.contains(&(rank, number))
            {
                state.told_by_posts.join(&clock);
            }
            if pair.started == pair.posted && pair.last_start_nocheck != assertions.nocheck {
                not_met.extend(pair.last_start.map(|start| (origin, start)));
            }
            pair.last_post = Some(site);
            pair.posts.push_back((
                number,
                Post {
                    clock: clock.clone(),
                    at,
                    assertions,
                    site,
                },
            ));
            while let Some((_, access)) = pair.deferred.pop_front_if(|(wanted, _)| *wanted <= number) {
                ready.push(access);
            }
        }
        for (origin, start) in not_met {
            self.nocheck_not_met(win, (rank, site, assertions), (origin, ThreadId(0), start));
        }
        for mut access in ready {
            access.clock.join(&clock);
            if let (true, Some(op)) = (assertions.noput, access.operation()) {
                self.no_put(&op, Some((site, assertions)), &access, "MPI_Win_post");
            }
            self.enter_deferred(rank, access);
        }
    }

    pub(crate) fn start(
        &mut self,
        component: Component,
        win: WinId,
        group: &[Rank],
        assertions: Assertions,
        site: Site,
    ) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        self.check_start(component, rank, thread, win, group, assertions, site);
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let mut targets = std::collections::BTreeMap::new();
        for &target in group {
            let pair = window.pairs.entry((target, rank)).or_default();
            targets.insert(target, pair.started);
            pair.started += 1;
            pair.last_start = Some(site);
            pair.last_start_nocheck = assertions.nocheck;
        }
        let state = window.epochs.entry(rank).or_default();
        state.started = Some((site, targets));
        state.stored = None;
        state.fence = None;
        state.nosucceed = None;
    }

    pub(crate) fn complete_epoch(&mut self, component: Component, win: WinId, site: Site, time: u64) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let Some((_, targets)) = window.epochs.entry(rank).or_default().started.take() else {
            return self.unmatched_close(rank, thread, win, "MPI_Win_complete", "MPI_Win_start", site);
        };
        let in_epoch = |op: &Op| op.epoch == AccessEpoch::Start;
        let pending = self.job.process(rank).pending.get(&win);
        let read: Vec<Rank> = pending
            .into_iter()
            .flatten()
            .filter(|op| in_epoch(op) && !matches!(op.kind, OperationKind::Put | OperationKind::Accumulate))
            .map(|op| op.target)
            .collect();
        self.complete(component, win, time, false, in_epoch);
        let clock = self.job.release(component);
        let here = (rank, self.timeline.latest(rank));
        let pending = self.job.process(rank).pending.entry(win).or_default();
        let (mine, others): (Vec<_>, Vec<_>) =
            pending.drain(..).partition(|op| op.epoch == AccessEpoch::Start);
        *pending = others;
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let mut read_from = Vec::new();
        let mut told = VectorClock::default();
        for (&target, &number) in &targets {
            let ops: Vec<_> = mine.iter().filter(|op| op.target == target).cloned().collect();
            let pair = window.pairs.entry((target, rank)).or_default();
            if read.contains(&target) {
                read_from.push((target, number));
                for (_, post) in pair.posts.iter().filter(|(posted, _)| *posted == number) {
                    told.join(&post.clock);
                }
            }
            pair.completes.push_back(Completed {
                clock: clock.clone(),
                ops,
                mark: here,
            });
        }
        let state = window.epochs.entry(rank).or_default();
        state.read_from = read_from;
        state.told_by_posts = told;
    }

    /// Complete returned: what was read is there.
    pub(crate) fn leave_complete(&mut self, component: Component, win: WinId) {
        let rank = self.job.thread(component).rank;
        let Some(state) = self
            .windows
            .get_mut(&win)
            .and_then(|window| window.epochs.get_mut(&rank))
        else {
            return;
        };
        state.read_from.clear();
        let told = std::mem::take(&mut state.told_by_posts);
        self.job.acquire(component, &told);
    }

    pub(crate) fn enter_wait(&mut self, component: Component, win: WinId, site: Site) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        let posted = self
            .windows
            .get(&win)
            .and_then(|window| window.epochs.get(&rank))
            .and_then(|s| s.posted.as_ref());
        if posted.is_none() {
            self.unmatched_close(rank, thread, win, "MPI_Win_wait", "MPI_Win_post", site);
        }
    }

    /// The exposure epoch is over: wait returned, or test said so.
    pub(crate) fn leave_wait(&mut self, component: Component, win: WinId, time: u64) {
        let rank = self.job.thread(component).rank;
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let state = window.epochs.entry(rank).or_default();
        state.stored = None;
        let Some((_, group)) = state.posted.take() else {
            return;
        };
        let mut completed = Vec::new();
        for origin in group {
            let pair = window.pairs.entry((rank, origin)).or_default();
            pair.posts.pop_front();
            completed.extend(pair.completes.pop_front());
        }
        for access in &completed {
            self.job.acquire(component, &access.clock);
        }
        let at = self.job.tick(component);
        let mark = self.timeline.advance();
        let here = (rank, self.timeline.latest(rank));
        for access in completed {
            self.timeline.edge(access.mark, here, "complete");
            for op in access.ops {
                op.complete_remotely(at);
                op.completed_time.set(Some(time));
                op.completed_mark.set(Some(mark));
            }
        }
    }
}
