//! Calls of synchronisation: what is asked and told, in which order. What each step means, its owner says.

use super::Detector;
use crate::Gaspi;
use crate::finding::CallKind;
use crate::interface::Rules;
use crate::job::Caller;
use crate::misuse::{self, Whole};
use crate::operations::Wanted;
use crate::order::Promise;
use crate::record::{AccessEpoch, LockEpoch, Op};
use crate::stamp::Stamp;
use farside_clocks::Component;
use farside_events::{Assertions, Flag, Interface, LockKind, OperationKind, Rank, ThreadId, WinId};
use smallvec::SmallVec;
use std::rc::Rc;

impl Detector {
    /// Gives the number of this fence on its window.
    pub(super) fn fence(&mut self, caller: &Caller, win: WinId, assertions: Assertions, time: Stamp) -> u64 {
        let (rank, component) = (caller.rank(), caller.component());
        let fence = CallKind::Fence;
        self.tell(misuse::mixed(&self.epochs, &self.locks, win, fence, caller));
        self.tell(misuse::no_store(&self.epochs, win, assertions, fence, caller));
        self.tell(misuse::no_operation_pending(
            &self.operations,
            win,
            assertions,
            caller,
        ));
        self.complete_operations(component, win, true, time, Wanted::ALL);
        let promise = Promise::new(caller.site(), assertions);
        let number = self.fences.called(win, rank);
        self.epochs.fence(win, rank, number, promise);
        let entered = self.fences.enter(&mut self.threads, component, win, promise);
        if let Some((_, first)) = entered.unlike() {
            self.tell([misuse::fences_disagree(win, assertions, caller, first)]);
        }
        for access in entered.into_ready() {
            self.arrive(rank, access, Some(promise), fence);
        }
        number
    }

    pub(super) fn post(&mut self, caller: &Caller, win: WinId, group: &[Rank], assertions: Assertions) {
        let post = CallKind::Post;
        self.tell(misuse::mixed(&self.epochs, &self.locks, win, post, caller));
        self.tell(misuse::exposes_locked(&self.locks, win, caller));
        self.tell(misuse::no_store(&self.epochs, win, assertions, post, caller));
        self.epochs.post(win, caller, group);
        let promise = Promise::new(caller.site(), assertions);
        let component = caller.component();
        let posted = self
            .exposure
            .post(&mut self.threads, component, win, group, promise);
        for (_, start) in posted.unlike() {
            let start = (ThreadId(0), *start);
            self.tell([misuse::unlike_post(win, promise, start)]);
        }
        for stuck in posted.stuck() {
            self.tell([misuse::starts_wait(win, stuck, caller)]);
        }
        for access in posted.into_ready() {
            self.arrive(caller.rank(), access, Some(promise), post);
        }
    }

    pub(super) fn start(&mut self, caller: &Caller, win: WinId, group: &[Rank], assertions: Assertions) {
        let start = CallKind::Start;
        self.tell(misuse::mixed(&self.epochs, &self.locks, win, start, caller));
        let clock = self.threads.clock(caller.component());
        let given = (group, assertions);
        self.tell(misuse::start_without_check(
            &self.exposure,
            win,
            given,
            caller,
            clock,
        ));
        let promise = Promise::new(caller.site(), assertions);
        let component = caller.component();
        let stuck = self.exposure.start(&self.threads, component, win, group, promise);
        self.tell((!stuck.is_empty()).then(|| misuse::starts_wait(win, &stuck, caller)));
        self.epochs.start(win, caller, group);
    }

    pub(super) fn complete(&mut self, caller: &Caller, win: WinId, time: Stamp) {
        let (rank, component) = (caller.rank(), caller.component());
        if !self.epochs.knows(win) {
            return;
        }
        if !self.epochs.complete(win, caller) {
            let open = &[CallKind::Start];
            return self.tell([misuse::unmatched_close(win, CallKind::Complete, open, caller)]);
        }
        let brings = |op: &Op| !matches!(op.kind(), OperationKind::Put | OperationKind::Accumulate);
        let pending = self.operations.pending(rank, win).into_iter();
        let read = pending.filter(|op| op.epoch() == AccessEpoch::Start && brings(op));
        let read: Vec<Rank> = read.map(|op| op.target()).collect();
        let in_epoch = Wanted::within(AccessEpoch::Start);
        self.complete_operations(component, win, false, time, in_epoch);
        let done = (self.operations.hand_over(rank, win), read);
        let (_, mark) = self.report.latest(rank);
        self.exposure
            .complete(&mut self.threads, component, win, done, mark);
    }

    pub(super) fn wait(&mut self, caller: &Caller, win: WinId, test: bool) {
        let state = self.epochs.of(win, caller.rank());
        if state.and_then(|state| state.posted()).is_none() {
            let open = &[CallKind::Post];
            self.tell([misuse::unmatched_close(win, CallKind::Wait, open, caller)]);
        }
        if test {
            self.epochs.test(win, caller);
        }
    }

    /// The exposure epoch is over: wait returned, or test said so.
    pub(super) fn leave_wait(&mut self, component: Component, rank: Rank, win: WinId, time: Stamp) {
        let Some(group) = self.epochs.wait(win, rank) else {
            return;
        };
        let (done, at, edges) = self.exposure.wait(&mut self.threads, component, win, &group);
        let mark = self.sequence.advance();
        self.report.reach(rank, edges);
        for op in done {
            op.complete(at, true, |_| true);
            op.completed_at(mark, time);
        }
    }

    pub(super) fn lock(
        &mut self,
        caller: &Caller,
        win: WinId,
        target: Option<Rank>,
        kind: LockKind,
        assertions: Assertions,
    ) {
        let wrong = misuse::double_lock(&self.locks, win, target, caller).or_else(|| {
            let call = CallKind::lock(target);
            misuse::mixed(&self.epochs, &self.locks, win, call, caller)
        });
        self.tell(wrong);
        self.epochs.lock(win, caller.rank());
        let clock = self.job.clock(caller.rank());
        let epoch = LockEpoch::new((win, target), kind, assertions.nocheck, (caller, clock));
        let clock = self.threads.clock(caller.component());
        let thread = caller.thread();
        self.tell(misuse::lock_without_check(&self.locks, &epoch, thread, clock));
        self.tell(misuse::locks_exposed(&self.epochs, &epoch, thread));
        if self.windows.promises(win, caller.rank()).no_locks() {
            self.tell([misuse::lock_of_no_locks(win, epoch.party(thread))]);
        }
        self.locks.request(caller.component(), epoch);
    }

    pub(super) fn unlock(&mut self, caller: &Caller, win: WinId, target: Option<Rank>, time: Stamp) {
        self.epochs.unlock(win, caller.rank());
        let Some(epoch) = self.locks.close(win, caller.rank(), target) else {
            let (close, open): (_, &'static [CallKind]) = match target {
                Some(_) => (CallKind::Unlock, &[CallKind::Lock]),
                None => (CallKind::UnlockAll, &[CallKind::LockAll]),
            };
            return self.tell([misuse::unmatched_close(win, close, open, caller)]);
        };
        let component = caller.component();
        if self.windows.interface(win).completes_within_calls() {
            let clock = self.threads.clock(component);
            let pending = self.operations.pending(caller.rank(), win);
            self.tell(misuse::object_ends_while_open(&pending, win, caller, clock));
        }
        self.complete_operations(component, win, true, time, Wanted::to(target, None));
        let moment = self.counts.events;
        self.locks.let_go(&mut self.threads, component, &epoch, moment);
    }

    pub(super) fn flush(&mut self, caller: &Caller, win: WinId, target: Option<Rank>, local: bool) {
        let interface = self.windows.interface(win);
        let everywhere = local && interface.completes_at_origin_everywhere();
        if self.epochs.knows(win)
            && !everywhere
            && !interface.completes_by_flags()
            && let Some(finding) = misuse::flush_without_lock(&self.locks, win, target, local, caller)
        {
            self.tell([finding]);
        }
    }

    pub(super) fn free(&mut self, caller: &Caller, win: WinId, time: Stamp) {
        let component = caller.component();
        self.tell(misuse::freed_while_open(&self.whole(component), win, caller));
        self.complete_operations(component, win, true, time, Wanted::ALL);
        let is_awaited = !self.windows.promises(win, caller.rank()).no_locks();
        self.fences
            .enter_free(&mut self.threads, component, win, is_awaited);
        self.windows.free(win, caller);
    }

    pub(super) fn leave_free(&mut self, component: Component, rank: Rank, win: WinId) {
        let members = self.windows.group_size(win);
        let left = self.fences.leave_free(&mut self.threads, component, win, members);
        let Some(over) = left else { return };
        self.windows.leave(rank, win);
        if over {
            self.tell(misuse::groups(&self.epochs, &self.exposure, win, |_| false));
            self.windows.retire(win);
            self.epochs.close(win);
            self.fences.close(win);
            self.exposure.close(win);
            self.locks.close_window(win);
            self.operations.close(win);
        }
    }

    /// The part of the caller's process is no more.
    pub(super) fn withdraw(&mut self, caller: &Caller, win: WinId) {
        let clock = self.threads.clock(caller.component());
        let open = self.operations.reaching(caller.rank(), win, clock);
        let wrong = open.map(|op| misuse::withdrawn_while_open(op, win, caller));
        self.tell(wrong);
        if let Some(range) = self.windows.withdraw(caller.rank(), win) {
            self.memory.clear(caller.rank(), range);
        }
    }

    /// An operation brings a flag, or data that one of the same call comes after.
    pub(super) fn raise(&mut self, component: Component, flag: &Flag, op: &Rc<Op>) {
        let written = op.kind() == OperationKind::Put && self.options.gaspi.every_flag_follows();
        let follows = flag.last && (flag.follows || written);
        let before = match follows {
            true => self.operations.written_before(op, self.threads.clock(component)),
            false => Vec::new(),
        };
        let lost = self.flags.raise(&mut self.threads, component, flag, op, before);
        if let Some(last) = lost {
            let of = match op.kind() {
                OperationKind::Get => op.rank(),
                _ => op.target(),
            };
            self.tell([misuse::lost_notification(&last, op, flag.number, of)]);
        }
    }

    pub(super) fn finalize(&mut self, caller: &Caller) {
        self.windows.finalize(caller.rank());
        for win in self.windows.all_of(caller.rank()) {
            self.tell(misuse::finalized_while_open(
                &self.whole(caller.component()),
                win,
                caller,
            ));
        }
    }

    /// Completes the operations of the caller's process on a window that it knows and that are wanted. Gives the
    /// targets at which something is done now.
    pub(super) fn complete_operations(
        &mut self,
        component: Component,
        win: WinId,
        remotely: bool,
        time: Stamp,
        wanted: Wanted,
    ) -> SmallVec<[Rank; 1]> {
        let place = (self.sequence.advance(), time);
        self.windows
            .complete(self.threads.rank(component), wanted.target());
        self.operations
            .complete(&mut self.threads, component, win, remotely, place, wanted)
    }

    /// Local completion of a write is one at its target, and writes of one queue keep their order.
    pub(super) fn is_relaxed(&self, interface: Interface) -> bool {
        interface == Interface::Gaspi && self.options.gaspi == Gaspi::Relaxed
    }

    fn whole(&self, component: Component) -> Whole<'_> {
        let clock = self.threads.clock(component);
        Whole::new(&self.epochs, &self.locks, &self.operations, &self.windows, clock)
    }
}
