//! Sections and loops whose chunks the threads of a team take one after the other.
//!
//! Each section and each chunk is a strand, forked from the implicit task that takes it and joined with it when the
//! task finds no more of them. So a chunk is concurrent with all others of its construct, and after the construct the
//! implicit task knows the chunks that it ran itself, whether or not there is a barrier: it may rely on that, whichever
//! they were (OpenMP 5.2, §11.5: a construct is executed by the implicit tasks of the team, each in its own order).
//!
//! Not seen: chunks of loops with a static schedule that compilers expand in place (they are the implicit task's), and
//! sections that clang makes a static loop of.

use super::super::object::Kind;
use super::super::{acquire, release};
use super::position::{Position, fresh};
use super::strand;
use crate::interposed::interpose;
use std::ffi::{c_long, c_uint, c_void};

/// The thread has got a section or chunk.
pub(super) fn begins() {
    if !strand::wanted() {
        return;
    }
    end_chunk();
    let mut construct = Position::get().construct();
    if construct == 0 {
        construct = fresh();
        Position::change(|position| position.set_construct(construct));
        release(Kind::ChunkStart.number(construct));
    }
    let Some(strand) = strand::begin() else { return };
    acquire(Kind::ChunkStart.number(construct));
    Position::change(|position| position.set_chunk(Some(strand)));
    strand::resume();
}

/// It has got none: it is through with the construct.
pub(super) fn ends() {
    let construct = Position::get().construct();
    if construct == 0 {
        return;
    }
    end_chunk();
    acquire(Kind::ChunkEnd.number(construct));
    Position::change(|position| position.set_construct(0));
}

fn end_chunk() {
    let position = Position::get();
    if let Some(strand) = position.chunk() {
        strand::suspend();
        release(Kind::ChunkEnd.number(position.construct()));
        strand::end(strand);
        Position::change(|position| position.set_chunk(None));
    }
}

/// The thread asked for a section or chunk, and may have got one.
pub(super) fn got<T: PartialEq + Default>(chunk: T) -> T {
    match chunk == T::default() {
        true => ends(),
        false => begins(),
    }
    chunk
}

interpose! {
    fn GOMP_sections_start(count: c_uint) -> c_uint |real| {
        got(real())
    }

    fn GOMP_sections2_start(count: c_uint, reductions: *mut usize, memory: *mut *mut c_void) -> c_uint |real| {
        got(real())
    }

    fn GOMP_sections_next() -> c_uint |real| {
        got(real())
    }

    fn GOMP_sections_end_nowait() |real| {
        ends();
        real();
    }

    fn GOMP_loop_end_nowait() |real| {
        ends();
        real();
    }
}

/// Steps of loops: they write the bounds of a chunk, if they give one.
macro_rules! steps {
    ($($name:ident)*) => {interpose! {$(
        fn $name(start: *mut c_long, end: *mut c_long) -> bool |real| {
            got(real())
        }
    )*}};
}

steps! {
    GOMP_loop_static_next GOMP_loop_dynamic_next GOMP_loop_guided_next GOMP_loop_runtime_next
    GOMP_loop_nonmonotonic_dynamic_next GOMP_loop_nonmonotonic_guided_next
    GOMP_loop_nonmonotonic_runtime_next GOMP_loop_maybe_nonmonotonic_runtime_next
    GOMP_loop_ordered_static_next GOMP_loop_ordered_dynamic_next GOMP_loop_ordered_guided_next
    GOMP_loop_ordered_runtime_next
    GOMP_loop_ull_static_next GOMP_loop_ull_dynamic_next GOMP_loop_ull_guided_next GOMP_loop_ull_runtime_next
    GOMP_loop_ull_nonmonotonic_dynamic_next GOMP_loop_ull_nonmonotonic_guided_next
    GOMP_loop_ull_nonmonotonic_runtime_next GOMP_loop_ull_maybe_nonmonotonic_runtime_next
    GOMP_loop_ull_ordered_static_next GOMP_loop_ull_ordered_dynamic_next GOMP_loop_ull_ordered_guided_next
    GOMP_loop_ull_ordered_runtime_next
}

/// Beginnings of loops: only number and types of the arguments differ, all are words. Some come on the stack, so that
/// more are passed on than any of them has; what the caller did not give is not looked at.
macro_rules! starts {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize, h: usize, i: usize, j: usize,
        ) -> bool |real| {
            got(real())
        }
    )*}};
}

starts! {
    GOMP_loop_start GOMP_loop_ordered_start GOMP_loop_ull_start GOMP_loop_ull_ordered_start
    GOMP_loop_static_start GOMP_loop_dynamic_start GOMP_loop_guided_start GOMP_loop_runtime_start
    GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_guided_start
    GOMP_loop_nonmonotonic_runtime_start GOMP_loop_maybe_nonmonotonic_runtime_start
    GOMP_loop_ordered_static_start GOMP_loop_ordered_dynamic_start GOMP_loop_ordered_guided_start
    GOMP_loop_ordered_runtime_start
    GOMP_loop_ull_static_start GOMP_loop_ull_dynamic_start GOMP_loop_ull_guided_start GOMP_loop_ull_runtime_start
    GOMP_loop_ull_nonmonotonic_dynamic_start GOMP_loop_ull_nonmonotonic_guided_start
    GOMP_loop_ull_nonmonotonic_runtime_start GOMP_loop_ull_maybe_nonmonotonic_runtime_start
    GOMP_loop_ull_ordered_static_start GOMP_loop_ull_ordered_dynamic_start GOMP_loop_ull_ordered_guided_start
    GOMP_loop_ull_ordered_runtime_start
}
