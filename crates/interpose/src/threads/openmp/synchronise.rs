//! Barriers of libgomp, on their own and at the end of work-shared constructs.
//!
//! The `_nowait` ends have none, nor have beginnings and steps of loops and sections ([`worksharing`]).

use super::super::{acquire, release};
use super::position::Position;
use super::worksharing;
use crate::interposed::interpose;
use crate::recorder;
use std::ffi::c_void;

/// Passes a barrier of the current team by `wait`.
fn barrier<R>(wait: impl FnOnce() -> R) -> R {
    if recorder::inside_mpi() {
        return wait();
    }
    arrive();
    let result = wait();
    leave();
    result
}

/// The calling thread is about to wait at its team's next barrier.
pub(super) fn arrive() {
    // Of a construct that was cancelled.
    worksharing::ends();
    let position = Position::get();
    release(position.team.barrier(position.barriers));
    Position::change(|position| position.in_barrier = true);
}

/// It left that barrier.
pub(super) fn leave() {
    let position = Position::get();
    acquire(position.team.barrier(position.barriers));
    Position::change(|position| {
        position.in_barrier = false;
        position.barriers = position.barriers.wrapping_add(1);
    });
}

interpose! {
    fn GOMP_barrier() |real| {
        barrier(real);
    }

    fn GOMP_loop_end() |real| {
        barrier(real);
    }

    fn GOMP_sections_end() |real| {
        barrier(real);
    }

    fn GOMP_barrier_cancel() -> bool |real| {
        barrier(real)
    }

    fn GOMP_loop_end_cancel() -> bool |real| {
        barrier(real)
    }

    fn GOMP_sections_end_cancel() -> bool |real| {
        barrier(real)
    }

    /// `single copyprivate`: null for the thread that executes the block; for the others a barrier that this thread
    /// arrives at by `GOMP_single_copy_end`, and what it copied.
    fn GOMP_single_copy_start() -> *mut c_void |real| {
        if recorder::inside_mpi() {
            return real();
        }
        arrive();
        let copied = real();
        if copied.is_null() {
            // What it released too early, it releases again.
            Position::change(|position| position.in_barrier = false);
        } else {
            leave();
        }
        copied
    }

    fn GOMP_single_copy_end(copied: *mut c_void) |real| {
        barrier(real);
    }
}
