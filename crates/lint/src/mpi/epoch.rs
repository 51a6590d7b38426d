//! Synchronisation of windows (MPI-4.1 §12.5).
//!
//! Calls wait no longer than MPI makes them: `MPI_Win_start` waits for the post only as long as somebody goes on.

use super::SUCCESS;
use super::simulated::Simulated;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::Kind;
use crate::process::Entered;
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::arguments::{Arguments as _, Window as _};
use farside_calls::signature::Role;
use farside_calls::synchronisation::call_on_window;
use farside_events::{Call, CallKind, EventKind, LockKind, Outcome, Rank, WinId};

impl Job<'_> {
    pub(crate) fn call_on_window(&mut self, site: &Site, kind: CallKind, a: &Invocation) -> Flow {
        let call = Simulated {
            job: &mut *self,
            site,
            call: a,
        };
        let Some(window) = call.window() else {
            return SUCCESS;
        };
        let Some(call) = call_on_window(kind, &call, &window) else {
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
            Call::Attach { address, size, .. } => {
                self.memory_mut(site.rank, address).track(address, size);
                self.enter(site, call);
                self.done(site)
            }
            Call::Detach { .. } => {
                self.enter(site, call);
                self.done(site)
            }
            _ => self.unknown_call(site, a.name()),
        }
    }

    /// Leaves a call that a loop which polls may make: the others should go on.
    fn polled(&mut self, site: &Site) -> Flow {
        self.done(site);
        Flow::Poll(Scalar::known(0))
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
        let members = self.windows.of(win).comm().members.len();
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
        if !self.windows.of_mut(win).lock(site.rank, target.0, kind) {
            return Flow::Block;
        }
        self.done(site)
    }

    fn lock_all(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        if !self.windows.of_mut(win).lock_all(site.rank) {
            return Flow::Block;
        }
        self.done(site)
    }

    fn unlock_call(&mut self, site: &Site, win: WinId, target: Option<u32>, call: Call) -> Flow {
        self.enter(site, call);
        self.windows.of_mut(win).unlock(site.rank, target);
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
        if !self.processes.is_stalled() && !self.windows.of(win).is_posted(site.rank, &group) {
            return Flow::Block;
        }
        self.windows.of_mut(win).start(site.rank, group);
        self.done(site)
    }

    fn post(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        let Call::Post { group, .. } = &call else {
            return SUCCESS;
        };
        let group = group.clone();
        self.enter(site, call);
        self.windows.of_mut(win).post(site.rank, group);
        self.done(site)
    }

    fn complete(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        if !self.windows.of_mut(win).complete(site.rank) {
            return Flow::Block;
        }
        self.report_fetches(site, win, None);
        self.done(site)
    }

    fn wait(&mut self, site: &Site, win: WinId, call: Call) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, call);
            self.set_entered(site, Entered::Condition);
        }
        if !self.windows.of_mut(win).end_exposure(site.rank) {
            return Flow::Block;
        }
        self.done(site)
    }

    fn test(&mut self, site: &Site, win: WinId, flag: u64, call: Call) -> Flow {
        let over = self.windows.of_mut(win).end_exposure(site.rank);
        self.put_int(site, flag, i32::from(over));
        if over {
            self.enter(site, call);
            self.emit(site.at(), EventKind::Leave(Outcome::Flag(true)));
        }
        Flow::Poll(Scalar::known(0))
    }
}
