//! Synchronisation of windows (MPI-4.1 §12.5).
//!
//! Calls wait no longer than MPI makes them: `MPI_Win_start` waits for the post only as long as somebody goes on.

use super::SUCCESS;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::matching::Kind;
use crate::mpi::Mpi;
use crate::process::Entered;
use crate::threads;
use crate::value::Scalar;
use farside_calls::arguments::{Arguments as _, Window as _};
use farside_calls::signature::Role;
use farside_calls::synchronisation::call_on_window;
use farside_events::{Call, CallKind, EventKind, LockKind, Outcome, Rank, WinId};

impl Mpi<'_, '_> {
    pub(crate) fn call_on_window(&mut self, kind: CallKind, a: &Invocation) -> Flow {
        let call = self.read(a);
        let Some(window) = call.window() else {
            return SUCCESS;
        };
        let Some(call) = call_on_window(kind, &call, &window) else {
            self.note_rank(false, a[Role::TargetRank].signed32());
            return SUCCESS;
        };
        let win = window.id();
        match call {
            Call::Fence { .. } => self.fence(win, call),
            // The library acquires nothing, and keeps nobody apart (MPI-4.1 §12.5.6).
            Call::Lock { assertions, .. } | Call::LockAll { assertions, .. } if assertions.nocheck => {
                self.caller.enter(call);
                self.caller.done()
            }
            Call::Lock { target, kind, .. } => self.lock(win, target, kind, call),
            Call::LockAll { .. } => self.lock_all(win, call),
            Call::Unlock { target, .. } => self.unlock_call(win, Some(target.0), call),
            Call::UnlockAll { .. } => self.unlock_call(win, None, call),
            Call::Flush { target, .. } => {
                self.caller.enter(call);
                self.report_fetches(win, target.map(|target| target.0));
                self.polled()
            }
            Call::Sync { .. } => {
                threads::pass_fence(self.caller);
                self.caller.enter(call);
                self.polled()
            }
            Call::Post { .. } => self.post(win, call),
            Call::Start { .. } => self.start(win, call),
            Call::Complete { .. } => self.complete(win, call),
            Call::Wait { test: false, .. } => self.wait(win, call),
            Call::Wait { test: true, .. } => self.test(win, a[Role::Flag].bits, call),
            Call::Attach { address, size, .. } => {
                self.caller.memory_mut(address).track(address, size);
                let by = ("MPI_Win_attach", self.caller.stack());
                let memory = address..address.saturating_add(size);
                self.caller.handles_mut().expose(win, memory, by);
                self.caller.enter(call);
                self.caller.done()
            }
            Call::Detach { address, .. } => {
                self.caller.handles_mut().give_back(win, Some(address));
                self.caller.enter(call);
                self.caller.done()
            }
            _ => self.caller.unknown_call(a.name()),
        }
    }

    /// Leaves a call that a loop which polls may make: the others should go on.
    fn polled(&mut self) -> Flow {
        self.caller.done();
        Flow::Poll(Scalar::known(0))
    }

    fn fence(&mut self, win: WinId, call: Call) -> Flow {
        let key = match self.caller.entered() {
            Some(Entered::Meeting(key)) => key,
            _ => {
                let key = (Kind::Fence, win.0, self.caller.handles_mut().fence(win));
                self.caller.enter(call);
                self.come(key, Vec::new());
                key
            }
        };
        let members = self.library.windows.of(win).comm().members.len();
        if !self.have_come(key, members) {
            return Flow::Block;
        }
        self.report_fetches(win, None);
        self.caller.done()
    }

    fn lock(&mut self, win: WinId, target: Rank, kind: LockKind, call: Call) -> Flow {
        self.await_condition(call);
        if !self
            .library
            .windows
            .of_mut(win)
            .lock(self.caller.rank(), target.0, kind)
        {
            return Flow::Block;
        }
        self.caller.done()
    }

    fn lock_all(&mut self, win: WinId, call: Call) -> Flow {
        self.await_condition(call);
        if !self.library.windows.of_mut(win).lock_all(self.caller.rank()) {
            return Flow::Block;
        }
        self.caller.done()
    }

    fn unlock_call(&mut self, win: WinId, target: Option<u32>, call: Call) -> Flow {
        self.caller.enter(call);
        self.library
            .windows
            .of_mut(win)
            .unlock(self.caller.rank(), target);
        self.report_fetches(win, target);
        self.caller.done()
    }

    fn start(&mut self, win: WinId, call: Call) -> Flow {
        let Call::Start { group, .. } = &call else {
            return SUCCESS;
        };
        let group = group.clone();
        self.await_condition(call);
        // It may wait for the post, and does if that comes without it.
        if !self.caller.is_stalled() && !self.library.windows.of(win).is_posted(self.caller.rank(), &group) {
            return Flow::Block;
        }
        self.library.windows.of_mut(win).start(self.caller.rank(), group);
        self.caller.done()
    }

    fn post(&mut self, win: WinId, call: Call) -> Flow {
        let Call::Post { group, .. } = &call else {
            return SUCCESS;
        };
        let group = group.clone();
        self.caller.enter(call);
        self.library.windows.of_mut(win).post(self.caller.rank(), group);
        self.caller.done()
    }

    fn complete(&mut self, win: WinId, call: Call) -> Flow {
        self.await_condition(call);
        if !self.library.windows.of_mut(win).complete(self.caller.rank()) {
            return Flow::Block;
        }
        self.report_fetches(win, None);
        self.caller.done()
    }

    fn wait(&mut self, win: WinId, call: Call) -> Flow {
        self.await_condition(call);
        if !self.library.windows.of_mut(win).end_exposure(self.caller.rank()) {
            return Flow::Block;
        }
        self.caller.done()
    }

    fn test(&mut self, win: WinId, flag: u64, call: Call) -> Flow {
        let over = self.library.windows.of_mut(win).end_exposure(self.caller.rank());
        self.caller.put_int(flag, i32::from(over));
        self.caller.note_change(&over, &false);
        // As recordings have it: once, if the epoch goes on.
        if over || self.library.windows.of_mut(win).goes_on(self.caller.rank()) {
            self.caller.enter(call);
            self.caller.emit(EventKind::Leave(Outcome::Flag(over)));
        }
        Flow::Poll(Scalar::known(0))
    }
}
