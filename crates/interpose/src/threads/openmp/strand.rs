//! Strands: what OpenMP does not order, although one thread may run it one after the other.
//!
//! A section, a chunk of a work-shared loop, an explicit task, and an implicit task that creates explicit ones, are
//! each recorded as a strand of the thread that runs it ([`farside_events::ThreadId::strand`]). The thread goes from
//! strand to strand; forks and joins are objects as all others.
//!
//! A thread has [`STRANDS`] strands by turns. One that comes to its turn again knows what it did before: that is too
//! much order, never too little.

use super::super::object::Kind;
use super::super::{SECOND_THREAD, acquire, release, say, thread_number};
use super::position::{Position, Strand, fresh};
use crate::recorder;
use farside_events::EventKind;
use std::cell::Cell;
use std::sync::atomic::Ordering;

/// Strands of a thread. More would make clocks longer, which grow with all strands of a process.
const STRANDS: u32 = 64;

thread_local! {
    /// Strands that were begun on this thread.
    static BEGUN: Cell<u32> = const { Cell::new(0) };
    /// Those that are not over, as bits.
    static OPEN: Cell<u64> = const { Cell::new(0) };
}

/// Whether what OpenMP does not order is recorded as strands, at the calling thread's position.
///
/// From then on there is something to order, as when there is a second thread.
pub(super) fn wanted() -> bool {
    let wanted = Position::get().has_strands() && recorder::active() && !recorder::inside_mpi();
    if wanted {
        SECOND_THREAD.store(true, Ordering::Relaxed);
    }
    wanted
}

/// The calling thread becomes a strand that it was not for the longest time; `None` if it is in too many.
pub(super) fn begin() -> Option<Strand> {
    let number = (0..STRANDS).find_map(|_| {
        let next = BEGUN.replace(BEGUN.get().wrapping_add(1)) % STRANDS;
        let bit = 1 << next;
        (OPEN.get() & bit == 0).then(|| {
            OPEN.set(OPEN.get() | bit);
            next as u8 + 1
        })
    })?;
    suspend();
    let before = become_strand(number);
    Some(Strand::new(number, before))
}

/// The strand is over: the calling thread goes on as what it was.
pub(super) fn end(strand: Strand) {
    if recorder::active() && !recorder::inside_mpi() {
        say(EventKind::ThreadEnd);
    }
    OPEN.set(OPEN.get() & !(1 << (strand.number() - 1)));
    become_strand(strand.before());
}

/// What the thread did so far is recorded as done by the strand that it was.
fn become_strand(number: u8) -> u8 {
    if recorder::active() {
        recorder::observe(|| recorder::record_all(&[]));
    }
    recorder::become_strand(number)
}

/// The current implicit task is about to create a task: what it does from now on is concurrent with that.
pub(super) fn of_implicit_task() {
    if !wanted() || !Position::get().is_plain() {
        return;
    }
    let number = fresh();
    release(Kind::StrandStart.number(number));
    let Some(strand) = begin() else { return };
    acquire(Kind::StrandStart.number(number));
    Position::change(|position| position.set_own(Some((strand, number))));
}

/// The implicit task is over.
pub(super) fn end_of_implicit_task() {
    if let Some((strand, number)) = Position::get().own() {
        release(Kind::StrandEnd.number(number));
        end(strand);
        acquire(Kind::StrandEnd.number(number));
        Position::change(|position| position.set_own(None));
    }
}

/// The program asks for the number of its thread. What a strand does by that number, other strands of the same thread
/// do one after the other: they share what is the thread's own.
pub(super) fn asks_for_thread() {
    if Position::get().has_asked() || !wanted() {
        return;
    }
    Position::change(Position::ask);
    resume();
}

/// The strand that has asked for the number of its thread does nothing for a while, or any more.
pub(super) fn suspend() {
    if Position::get().has_asked() {
        release(Kind::ThreadNumber.number(u64::from(thread_number())));
    }
}

/// It goes on.
pub(super) fn resume() {
    if Position::get().has_asked() {
        acquire(Kind::ThreadNumber.number(u64::from(thread_number())));
    }
}
