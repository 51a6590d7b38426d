//! Synchronisation of windows (MPI-4.1 §12.5).
//!
//! Calls wait no longer than MPI makes them: `MPI_Win_start` waits for the post only as long as somebody goes on.

use super::SUCCESS;
use super::invocation::{Invocation, Simulated};
use super::meeting::Kind;
use crate::flow::Flow;
use crate::job::Job;
use crate::site::Site;
use crate::thread::Entered;
use crate::value::Scalar;
use farside_calls::arguments::{Arguments as _, Window as _};
use farside_calls::mpi::Synchronisation;
use farside_calls::signature::Role;
use farside_calls::synchronisation::synchronising_call;
use farside_events::{Call, EventKind, LockKind, Outcome, Rank, WinId};

impl Job<'_> {
    pub(crate) fn synchronising_call(
        &mut self,
        site: &Site,
        meaning: Synchronisation,
        a: &Invocation,
    ) -> Flow {
        let call = Simulated {
            job: &mut *self,
            site,
            call: a,
        };
        let Some(window) = call.window() else {
            return SUCCESS;
        };
        let Some(call) = synchronising_call(meaning, &call, &window) else {
            self.note_rank(false, a[Role::TargetRank].signed32());
            return SUCCESS;
        };
        let win = window.id();
        match call {
            Call::Fence { .. } => self.fence(site, win, call),
            Call::Lock { target, kind, .. } => self.lock(site, win, target, kind, call),
            Call::LockAll { .. } => self.lock_all(site, win, call),
            Call::Unlock { target, .. } => self.unlock_call(site, win, Some(target.0), call),
            Call::UnlockAll { .. } => self.unlock_call(site, win, None, call),
            Call::Flush { target, .. } => {
                self.enter(site, call);
                self.report_fetches(site, win, target.map(|target| target.0));
                self.polled(site)
            }
            Call::Sync { .. } => {
                self.enter(site, call);
                self.polled(site)
            }
            Call::Post { .. } => self.post(site, win, call),
            Call::Start { .. } => self.start(site, win, call),
            Call::Complete { .. } => self.complete(site, win, call),
            Call::Wait { test: false, .. } => self.wait(site, win, call),
            Call::Wait { test: true, .. } => self.test(site, win, a[Role::Flag].bits, call),
            _ => self.unknown_call(site, a.name()),
        }
    }

    /// Leaves a call that a loop which polls may make: the others should go on.
    fn polled(&mut self, site: &Site) -> Flow {
        self.done(site);
        Flow::Poll(Scalar::known(0))
    }

    fn state(&mut self, win: WinId) -> &mut super::window::WindowState {
        self.windows
            .get_mut(&win)
            .expect("epoch calls are for known windows")
    }

    fn fence(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        let key = match self.entered(site) {
            Some(Entered::Meeting(key)) => key,
            _ => {
                let count = self
                    .processes
                    .of_mut(site.rank)
                    .handles
                    .fences
                    .entry(win)
                    .or_insert(0);
                *count += 1;
                let key = (Kind::Fence, win.0, *count);
                self.enter(site, call);
                self.meetings.arrive(key, site.rank, Vec::new(), Vec::new());
                self.set_entered(site, Entered::Meeting(key));
                key
            }
        };
        let members = self.windows[&win].comm.members.len();
        if self.meetings.complete(key, members).is_none() {
            return Flow::Block;
        }
        self.report_fetches(site, win, None);
        self.done(site)
    }

    fn lock(&mut self, site: &Site, win: WinId, target: Rank, kind: LockKind, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        if !self.acquire(site.rank, win, target.0, kind) {
            return Flow::Block;
        }
        self.done(site)
    }

    fn acquire(&mut self, rank: u32, win: WinId, target: u32, kind: LockKind) -> bool {
        let (holders, exclusive) = self.state(win).locks.entry(target).or_default();
        let others = holders.iter().any(|holder| *holder != rank);
        if others && (*exclusive || kind == LockKind::Exclusive) {
            return false;
        }
        holders.insert(rank);
        *exclusive = kind == LockKind::Exclusive;
        true
    }

    fn lock_all(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        let members = self.windows[&win].comm.members.clone();
        let taken = |job: &Self, target: &u32| {
            let lock = job.windows[&win].locks.get(target);
            lock.is_some_and(|(holders, exclusive)| {
                *exclusive && holders.iter().any(|holder| *holder != site.rank)
            })
        };
        if members.iter().any(|target| taken(self, target)) {
            return Flow::Block;
        }
        for target in members {
            self.acquire(site.rank, win, target, LockKind::Shared);
        }
        self.done(site)
    }

    fn unlock(&mut self, rank: u32, win: WinId, target: Option<u32>) {
        for (locked, (holders, exclusive)) in &mut self.state(win).locks {
            if target.is_none_or(|target| target == *locked) && holders.remove(&rank) && holders.is_empty() {
                *exclusive = false;
            }
        }
    }

    fn unlock_call(&mut self, site: &Site, win: WinId, target: Option<u32>, call: Call) -> Flow {
        self.enter(site, call);
        self.unlock(site.rank, win, target);
        self.report_fetches(site, win, target);
        self.done(site)
    }

    fn start(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        let Call::Start { group, .. } = &call else {
            return SUCCESS;
        };
        let group = group.clone();
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        // It may wait for the post, and does if that comes without it.
        if !self.stalled && !self.is_posted(site.rank, win, &group) {
            return Flow::Block;
        }
        self.state(win).started.insert(site.rank, group);
        self.done(site)
    }

    fn post(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        let Call::Post { group, .. } = &call else {
            return SUCCESS;
        };
        let group = group.clone();
        self.enter(site, call);
        let state = self.state(win);
        for origin in &group {
            *state.posted.entry((site.rank, origin.0)).or_insert(0) += 1;
        }
        state.exposed.insert(site.rank, group);
        self.done(site)
    }

    fn complete(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        let group = self
            .state(win)
            .started
            .get(&site.rank)
            .cloned()
            .unwrap_or_default();
        let state = self.state(win);
        if group.iter().any(|target| {
            state
                .posted
                .get(&(target.0, site.rank))
                .is_none_or(|count| *count == 0)
        }) {
            return Flow::Block;
        }
        for target in &group {
            *state.posted.entry((target.0, site.rank)).or_insert(1) -= 1;
            *state.completed.entry((target.0, site.rank)).or_insert(0) += 1;
        }
        state.started.remove(&site.rank);
        self.report_fetches(site, win, None);
        self.done(site)
    }

    fn is_posted(&self, rank: u32, win: WinId, group: &[Rank]) -> bool {
        let posted = &self.windows[&win].posted;
        group
            .iter()
            .all(|target| posted.get(&(target.0, rank)).is_some_and(|count| *count > 0))
    }

    fn is_completed(&self, rank: u32, win: WinId) -> bool {
        let state = &self.windows[&win];
        let group = state.exposed.get(&rank).map_or(&[][..], Vec::as_slice);
        group.iter().all(|origin| {
            state
                .completed
                .get(&(rank, origin.0))
                .is_some_and(|count| *count > 0)
        })
    }

    fn end_exposure(&mut self, rank: u32, win: WinId) {
        let state = self.state(win);
        for origin in state.exposed.remove(&rank).unwrap_or_default() {
            *state.completed.entry((rank, origin.0)).or_insert(1) -= 1;
        }
    }

    fn wait(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        if !self.is_completed(site.rank, win) {
            return Flow::Block;
        }
        self.end_exposure(site.rank, win);
        self.done(site)
    }

    fn test(&mut self, site: &Site, win: WinId, flag: u64, call: Call) -> Flow {
        let over = self.is_completed(site.rank, win);
        self.put_int(site, flag, i32::from(over));
        if over {
            self.enter(site, call);
            self.end_exposure(site.rank, win);
            self.emit(site.at(), EventKind::Leave(Outcome::Flag(true)));
        }
        Flow::Poll(Scalar::known(0))
    }
}
