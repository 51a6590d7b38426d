//! Synchronisation of windows (MPI-4.1 §12.5).
//!
//! Calls wait no longer than MPI makes them: `MPI_Win_start` waits for the post only as long as somebody goes on.

use super::SUCCESS;
use super::meeting::Kind;
use crate::execute::Flow;
use crate::job::Job;
use crate::thread::{Entered, Site};
use crate::value::Scalar;
use farside_events::{Assertions, Call, EventKind, LockKind, Outcome, Rank, WinId};

impl Job<'_> {
    pub(crate) fn epoch_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let last = match name {
            "MPI_Win_lock" => 3,
            "MPI_Win_post" | "MPI_Win_start" => 2,
            "MPI_Win_fence"
            | "MPI_Win_unlock"
            | "MPI_Win_lock_all"
            | "MPI_Win_flush"
            | "MPI_Win_flush_local" => 1,
            _ => 0,
        };
        let Some(win) = self
            .window(site, a[last].bits)
            .filter(|win| self.windows.contains_key(win))
        else {
            return SUCCESS;
        };
        let target = |job: &mut Self, index: usize| {
            let comm = job.windows[&win].comm.clone();
            job.peer(&comm, a[index].signed32()).map(Rank)
        };
        match name {
            "MPI_Win_fence" => self.fence(site, win, a[0].signed32()),
            "MPI_Win_lock" => {
                let Some(target) = target(self, 1) else {
                    return SUCCESS;
                };
                let kind = if a[0].signed32() == self.abi.lock_exclusive {
                    LockKind::Exclusive
                } else {
                    LockKind::Shared
                };
                self.lock(site, win, target, kind, a[2].signed32())
            }
            "MPI_Win_lock_all" => self.lock_all(site, win, a[0].signed32()),
            "MPI_Win_unlock" => {
                let Some(target) = target(self, 0) else {
                    return SUCCESS;
                };
                self.enter(site, Call::Unlock { win, target });
                self.unlock(site.rank, win, Some(target.0));
                self.report_fetches(site, win, Some(target.0));
                self.done(site)
            }
            "MPI_Win_unlock_all" => {
                self.enter(site, Call::UnlockAll { win });
                self.unlock(site.rank, win, None);
                self.report_fetches(site, win, None);
                self.done(site)
            }
            "MPI_Win_flush" | "MPI_Win_flush_local" => {
                let Some(target) = target(self, 0) else {
                    return SUCCESS;
                };
                self.flush_call(site, win, Some(target), name == "MPI_Win_flush_local")
            }
            "MPI_Win_flush_all" | "MPI_Win_flush_local_all" => {
                self.flush_call(site, win, None, name == "MPI_Win_flush_local_all")
            }
            "MPI_Win_sync" => {
                self.enter(site, Call::Sync { win });
                self.done(site);
                // A loop that polls calls it: the others should go on.
                Flow::Poll(Scalar::known(0))
            }
            "MPI_Win_post" => self.post(site, win, a),
            "MPI_Win_start" => {
                let group = self.group_ranks(site, a[0].bits);
                if self.entered(site).is_none() {
                    let assertions = self.assertions(a[1].signed32());
                    let call = Call::Start {
                        win,
                        group: group.clone(),
                        assertions,
                    };
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
            "MPI_Win_complete" => self.complete(site, win),
            "MPI_Win_wait" => self.wait(site, win),
            "MPI_Win_test" => self.test(site, win, a[1].bits),
            _ => self.unknown_call(site, name),
        }
    }

    fn state(&mut self, win: WinId) -> &mut super::window::WindowState {
        self.windows
            .get_mut(&win)
            .expect("epoch calls are for known windows")
    }

    fn assertions(&self, bits: i32) -> Assertions {
        let [nocheck, nostore, noput, noprecede, nosucceed] = self.abi.modes.map(|mode| bits & mode != 0);
        Assertions {
            nocheck,
            nostore,
            noput,
            noprecede,
            nosucceed,
        }
    }

    fn fence(&mut self, site: &Site, win: WinId, bits: i32) -> Flow {
        let key = match self.entered(site) {
            Some(Entered::Meeting(key)) => key,
            _ => {
                let count = self.processes[site.rank as usize]
                    .handles
                    .fences
                    .entry(win)
                    .or_insert(0);
                *count += 1;
                let key = (Kind::Fence, win.0, *count);
                let assertions = self.assertions(bits);
                self.enter(site, Call::Fence { win, assertions });
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

    fn lock(&mut self, site: &Site, win: WinId, target: Rank, kind: LockKind, bits: i32) -> Flow {
        if self.entered(site).is_none() {
            let assertions = self.assertions(bits);
            self.enter(
                site,
                Call::Lock {
                    win,
                    target,
                    kind,
                    assertions,
                },
            );
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

    fn lock_all(&mut self, site: &Site, win: WinId, bits: i32) -> Flow {
        if self.entered(site).is_none() {
            let assertions = self.assertions(bits);
            self.enter(site, Call::LockAll { win, assertions });
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

    fn flush_call(&mut self, site: &Site, win: WinId, target: Option<Rank>, local: bool) -> Flow {
        self.enter(site, Call::Flush { win, target, local });
        self.report_fetches(site, win, target.map(|target| target.0));
        self.done(site);
        Flow::Poll(Scalar::known(0))
    }

    fn post(&mut self, site: &Site, win: WinId, a: &[Scalar]) -> Flow {
        let group = self.group_ranks(site, a[0].bits);
        let assertions = self.assertions(a[1].signed32());
        self.enter(
            site,
            Call::Post {
                win,
                group: group.clone(),
                assertions,
            },
        );
        let state = self.state(win);
        for origin in &group {
            *state.posted.entry((site.rank, origin.0)).or_insert(0) += 1;
        }
        state.exposed.insert(site.rank, group);
        self.done(site)
    }

    fn complete(&mut self, site: &Site, win: WinId) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, Call::Complete { win });
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

    fn wait(&mut self, site: &Site, win: WinId) -> Flow {
        if self.entered(site).is_none() {
            self.enter(site, Call::Wait { win, test: false });
            self.set_entered(site, Entered::Condition);
        }
        if !self.is_completed(site.rank, win) {
            return Flow::Block;
        }
        self.end_exposure(site.rank, win);
        self.done(site)
    }

    fn test(&mut self, site: &Site, win: WinId, flag: u64) -> Flow {
        let over = self.is_completed(site.rank, win);
        self.put_int(site, flag, i32::from(over));
        if over {
            self.enter(site, Call::Wait { win, test: true });
            self.end_exposure(site.rank, win);
            self.emit(site.rank, site.thread, EventKind::Leave(Outcome::Flag(true)));
        }
        Flow::Poll(Scalar::known(0))
    }
}
