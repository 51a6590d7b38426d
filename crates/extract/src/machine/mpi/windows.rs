//! Windows, and barriers.

use crate::knowledge::Mode;
use crate::machine::bytes::{Bytes, constant};
use crate::machine::{Followed, Machine};
use crate::message::Message;
use crate::tables::{Object, Tables, Window};
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::StatementKind;

impl Machine<'_> {
    pub(super) fn make_window(
        &mut self,
        made: (u32, u32),
        base: &Value,
        unit: &Value,
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let (Value::Known(base), Some(unit)) = (base, constant(unit, 32)) else {
            return Err(self.lost(place, "a window whose memory is not known"));
        };
        let Some(number) = self.tables.window_number(Window::new(*base, unit, made)) else {
            return Err(self.lost(place, "a window that differs between ranks"));
        };
        let handle = Value::Known(Tables::window_address(number));
        self.store(to, &handle, &self.handle_type(), place)?;
        self.meet_in(made.0, place)
    }

    /// The process of `MPI_COMM_WORLD` that a rank in calls on a window means.
    pub(super) fn target_process(&mut self, rank: &Value, window: u32, place: PlaceId) -> Followed<Value> {
        let communicator = self.tables.window(window).communicator();
        self.process(rank, communicator, place)
    }

    /// The processes of a window.
    pub(super) fn processes_of(&self, window: u32) -> Vec<u32> {
        let communicator = self.tables.window(window).communicator();
        self.tables.communicator_of(communicator).members().to_vec()
    }

    pub(super) fn window_of(&mut self, window: &Value, place: PlaceId) -> Followed<u32> {
        let number = match window {
            Value::Known(handle) => self.tables.window_at(*handle),
            _ => None,
        };
        match number {
            Some(number) => Ok(number),
            None => Err(self.lost(place, "a window that is not known")),
        }
    }

    /// A barrier of all processes. Nobody passes it before a post that another one makes before it; all that come to it
    /// have passed the fences before it.
    pub(super) fn barrier(&mut self, place: PlaceId) {
        let (knowledge, me) = (&*self.knowledge, self.rank);
        let progress = self.state.progress_mut();
        let passed = progress.barriers();
        let before = |post| knowledge.posted_after(post).is_some_and(|after| after <= passed);
        progress.reach_barrier(knowledge.has_posts(), before, me);
        self.knowledge.meet_in(passed, self.state.progress().round());
        self.seen(place);
        self.state.progress_mut().reach_barrier(false, |_| false, me);
        self.emit(StatementKind::Barrier, place);
    }

    /// A fence. One with `MPI_MODE_NOPRECEDE` ends no epoch, and need not be a barrier (MPI-4.1 §12.5.1); operations
    /// after it still come after the fence of their target. It is taken for a barrier, and what may be seen of a
    /// process that is ahead of others is noted, unless nobody has done anything since the last barrier.
    pub(super) fn fence(&mut self, assertion: &Value, window: u32, place: PlaceId) -> Followed<()> {
        let known = constant(assertion, 32);
        let opens = known.is_none_or(|assertion| assertion & self.no_precede() != 0);
        let ends = known.is_some_and(|assertion| assertion & self.no_succeed() != 0);
        self.state.progress_mut().fence(window, opens, ends);
        let communicator = self.tables.window(window).communicator();
        let of = self.tables.communicator_of(communicator);
        if !opens {
            return self.meet_in(communicator, place);
        }
        if !of.is_like_world(self.ranks) {
            self.less(
                place,
                "a fence with MPI_MODE_NOPRECEDE need not be a barrier (MPI-4.1 §12.5.1): of a window of some \
                 processes, that is not followed",
            );
            return self.meet_in(communicator, place);
        }
        let loud = self.state.progress().is_loud();
        self.knowledge.open_by_fence(window, loud);
        self.barrier(place);
        if self.knowledge.is_loud(window) {
            if self.ranks > 2 {
                self.less(
                    place,
                    "a fence with MPI_MODE_NOPRECEDE need not be a barrier (MPI-4.1 §12.5.1): with more than two \
                     processes, what comes before it elsewhere is not followed",
                );
            }
            self.state.progress_mut().pass_opening(window);
        }
        Ok(())
    }

    /// The windows that an object is the memory of.
    fn windows_of(&self, object: Object) -> impl Iterator<Item = u32> {
        let memory = move |number: u32, window: &Window| {
            let own = self.tables.at(window.parts().0);
            own.is_some_and(|(of, _)| of == object)
                || self.knowledge.attached_to(number).any(|of| of == object)
        };
        let windows = (0..).zip(self.tables.windows());
        windows
            .filter(move |(number, window)| memory(*number, window))
            .map(|(number, _)| number)
    }

    /// Whether an object is memory of a window.
    pub(super) fn is_memory_of(&self, object: Object, window: u32) -> bool {
        self.windows_of(object).any(|of| of == window)
    }

    /// A window that an object is the memory of.
    pub(super) fn window_with(&self, object: Object) -> Option<u32> {
        self.windows_of(object).next()
    }

    /// Whether an object is the memory of a window.
    pub(super) fn is_in_window(&self, object: Object) -> bool {
        self.windows_of(object).next().is_some()
    }

    /// Others may see an access to these bytes, if they are in a window that others may operate on now. Operations in
    /// an epoch of `MPI_Win_start` come between post and wait of this process; operations after a fence with
    /// `MPI_MODE_NOPRECEDE` come after that fence of this process, and are over at its next other one; those after
    /// other fences come between two of them.
    pub(in crate::machine) fn seen_at(&mut self, bytes: &Bytes, place: PlaceId) {
        if self.state.progress().is_stored(bytes.span()) {
            self.inexact(
                place,
                "what the process has stored there, which is memory that others load and store, may not be seen yet",
            );
        }
        let windows: Vec<u32> = self.windows_of(bytes.object()).collect();
        let mut visible = false;
        for window in windows {
            let progress = self.state.progress_mut();
            let exposed = progress.is_exposed(window);
            if exposed {
                progress.touch(window);
            }
            let operated = |mode| self.knowledge.is_operated_on(window, mode);
            visible |= operated(Mode::Lock)
                || self.knowledge.is_locked(window)
                || operated(Mode::Fence) && progress.is_fenced(window).is_some()
                || operated(Mode::OpeningFence) && progress.is_fenced(window) == Some(true)
                || operated(Mode::Start) && exposed;
        }
        if visible {
            self.seen(place);
        }
    }

    /// Whether nothing is lost by a wait for a post: no process learns of a round before it has come to it itself, and
    /// this one has come to that of the post (docs/design/robust-of-c.md).
    pub(super) fn is_over(&self, post: Message) -> bool {
        let sent = self.knowledge.sent_in(post);
        let come_to = sent.is_some_and(|round| round <= self.state.progress().round());
        come_to && self.knowledge.is_even() && self.have_windows_their_own_memory()
    }

    /// Whether no two windows are of the same memory.
    fn have_windows_their_own_memory(&self) -> bool {
        let memory = |window: &Window| self.tables.at(window.parts().0).map(|(object, _)| object);
        let mut known = Vec::new();
        self.tables.windows().iter().filter_map(memory).all(|object| {
            let new = !known.contains(&object);
            known.push(object);
            new
        })
    }

    /// Others may see that this process is here. Where it may be here before what it has asked for has happened, the
    /// program that is left does less than the C program may do.
    pub(super) fn seen(&mut self, place: PlaceId) {
        self.seen_within(None, place);
    }

    /// Others may see an operation of this process on a window and a target; no target if that is not known before a
    /// run.
    pub(super) fn seen_within(&mut self, within: Option<(u32, Option<u32>)>, place: PlaceId) {
        if self.knowledge.has_openings() {
            self.state.progress_mut().be_seen();
        }
        let ahead = self
            .state
            .progress()
            .is_ahead_of(within, self.rank, |post| self.is_over(post));
        if ahead.of_fences() {
            self.less(
                place,
                "a fence with MPI_MODE_NOPRECEDE need not be a barrier (MPI-4.1 §12.5.1), and so this may come before \
                 what other processes do before it; that is not followed",
            );
        }
        if ahead.of_posts() {
            self.less(
                place,
                "MPI_Win_start and MPI_Win_complete may return before the target has posted (MPI-4.1 §12.5.2), and so \
                 this may come before it; that is not followed",
            );
        }
        if ahead.of_locks() {
            self.less(
                place,
                "MPI_Win_lock may return before the lock is given (MPI-4.1 §12.5.3), and so this may come before it; \
                 that is not followed",
            );
        }
    }
}
