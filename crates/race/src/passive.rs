//! Lock, unlock, flush (MPI-4.1 §12.5.3, §12.5.4).

use crate::detector::Detector;
use crate::finding::Site;
use crate::locks::LockEpoch;
use farside_clocks::Component;
use farside_events::{Assertions, LockKind, Rank, WinId};
use std::rc::Rc;

impl Detector {
    pub(crate) fn enter_lock(
        &mut self,
        component: Component,
        win: WinId,
        target: Option<Rank>,
        kind: LockKind,
        assertions: Assertions,
        site: Site,
    ) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        self.check_lock(rank, thread, win, target, site);
        if let Some(state) = self
            .windows
            .get_mut(&win)
            .map(|window| window.epochs.entry(rank).or_default())
        {
            state.stored = None;
            state.fence = None;
            state.nosucceed = None;
        }
        let epoch = LockEpoch::new((win, target), kind, rank, assertions.nocheck, site);
        self.check_nocheck(component, thread, &epoch);
        self.check_exposed(thread, &epoch);
        self.locks.request(component, epoch);
    }

    /// The lock call returns. The lock itself may still have to be waited for (see `locks`).
    pub(crate) fn leave_lock(&mut self, component: Component) {
        let Some(epoch) = self.locks.open(component) else {
            return;
        };
        let rank = epoch.rank;
        self.job.process(rank).held.push(Rc::clone(&epoch));
        let Some(window) = self.windows.get_mut(&epoch.win) else {
            return;
        };
        window.nocheck_used |= epoch.nocheck;
        window.locks.insert((rank, epoch.target), Rc::clone(&epoch));
        let state = window.epochs.entry(rank).or_default();
        match epoch.target {
            Some(target) => {
                state.locked.insert(target, epoch);
            }
            None => state.locked_all = Some(epoch),
        }
    }

    pub(crate) fn unlock(
        &mut self,
        component: Component,
        win: WinId,
        target: Option<Rank>,
        site: Site,
        time: u64,
    ) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        let state = self
            .windows
            .get_mut(&win)
            .map(|window| window.epochs.entry(rank).or_default());
        let epoch = state.and_then(|state| {
            state.stored = None;
            match target {
                Some(target) => state.locked.remove(&target),
                None => state.locked_all.take(),
            }
        });
        let Some(epoch) = epoch else {
            let (close, open) = match target {
                Some(_) => ("MPI_Win_unlock", "MPI_Win_lock"),
                None => ("MPI_Win_unlock_all", "MPI_Win_lock_all"),
            };
            return self.unmatched_close(rank, thread, win, close, open, site);
        };
        self.complete(component, win, time, true, |op| {
            target.is_none_or(|target| op.target == target)
        });
        self.let_go(component, &epoch);
        self.job
            .process(rank)
            .held
            .retain(|held| !Rc::ptr_eq(held, &epoch));
    }

    pub(crate) fn check_flush(
        &mut self,
        component: Component,
        win: WinId,
        target: Option<Rank>,
        local: bool,
        site: Site,
    ) {
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        let Some(state) = self
            .windows
            .get_mut(&win)
            .map(|window| window.epochs.entry(rank).or_default())
        else {
            return;
        };
        let passive = state.locked_all.is_some()
            || match target {
                Some(target) => state.locked.contains_key(&target),
                None => !state.locked.is_empty(),
            };
        // The crate `farside` has completion at the origin in every epoch.
        let everywhere = local && self.options.interface == crate::Interface::Farside;
        if !passive && !everywhere {
            let close = match (target, local) {
                (Some(_), false) => "MPI_Win_flush",
                (None, false) => "MPI_Win_flush_all",
                (Some(_), true) => "MPI_Win_flush_local",
                (None, true) => "MPI_Win_flush_local_all",
            };
            self.unmatched_close(rank, thread, win, close, "MPI_Win_lock or MPI_Win_lock_all", site);
        }
    }

    pub(crate) fn leave_flush(
        &mut self,
        component: Component,
        win: WinId,
        target: Option<Rank>,
        local: bool,
        time: u64,
    ) {
        let rank = self.job.thread(component).rank;
        let done = self.complete(component, win, time, !local, |op| {
            target.is_none_or(|target| op.target == target)
        });
        self.locks_granted(rank, win, &done);
    }
}
