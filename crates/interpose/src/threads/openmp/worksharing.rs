//! What the threads of a team share: sections, `single`, loops, and what the primary thread does alone.
//!
//! Each section, each block of a `single` or `master`, and each chunk of a loop is a strand, forked from the implicit
//! task that takes it and joined with it when the task is through with the construct. So a chunk is concurrent with all
//! others of its construct, and after the construct the implicit task knows the chunks that it ran itself, whether or
//! not there is a barrier: it may rely on that, whichever they were (OpenMP 5.2, §11.5: a construct is executed by the
//! implicit tasks of the team, each in its own order).
//!
//! Where a thread goes from one construct to the next with nothing but loads and stores between them, the strands of
//! the second are not ordered after those of the first: another thread might have run them. Except where it is the same
//! thread: of all that the primary thread does alone, and of iterations of loops with a static schedule
//! ([`super::static_loop`]), the first of which is the primary thread's, too.

use super::super::object::Kind;
use super::super::{acquire, release, thread_number};
use super::position::{Position, StaticLoop, fresh};
use super::strand;
use crate::interposed::interpose;
use farside_events::ObjectId;
use std::ffi::{c_long, c_uint, c_void};

/// The thread has got a section, a `single` or a chunk.
pub(super) fn begins() {
    if !strand::wanted() {
        return;
    }
    end_chunk();
    if Position::get().construct() == 0 {
        enter(None);
    }
    begin_chunk();
}

/// The implicit task enters a construct, which is a loop with a static schedule or something else.
pub(super) fn enter(static_loop: Option<StaticLoop>) {
    let known = static_loop.is_none_or(|it| it.schedule().is_some());
    let mut construct = if known { Position::get().chain() } else { 0 };
    if construct == 0 {
        construct = fresh();
        release(Kind::ChunkStart.number(construct));
    }
    Position::change(|position| position.enter_construct(construct, static_loop));
}

/// The next part of the construct that the implicit task is in is a strand. Those of a static loop count.
fn begin_chunk() {
    let Some(strand) = strand::begin() else { return };
    acquire(Kind::ChunkStart.number(Position::get().construct()));
    Position::change(|position| {
        position.set_chunk(Some(strand));
        if let Some(it) = position.static_loop() {
            it.begin_strand();
        }
    });
    on_same_thread().for_each(acquire);
    strand::resume();
}

/// The strand that the thread is in of a static loop is over, and the next begins: which one.
pub(super) fn next_of_static_loop() -> u32 {
    end_chunk();
    begin_chunk();
    Position::get().static_loop().map_or(0, |it| it.strands())
}

/// What orders strands that the same thread runs, whichever that is, of the strand that the thread is in: those with
/// the same iterations of several static loops, and what the primary thread runs.
fn on_same_thread() -> impl Iterator<Item = ObjectId> {
    let mut position = Position::get();
    let construct = position.construct();
    let it = position.static_loop().copied();
    let object = move |schedule, strand: u32| Kind::SameThread.hash([construct, schedule, u64::from(strand)]);
    let own = it.and_then(|it| Some(object(it.schedule()?, it.strands())));
    // The primary thread has the first chunk.
    let is_first = |it: &StaticLoop| it.strands() == 1 && it.schedule() != Some(PRIMARY);
    let first = it.filter(|it| is_first(it) && position.team.parent() == thread_number());
    own.into_iter().chain(first.map(|_| object(PRIMARY, 1)))
}

/// Stands for a schedule by which the primary thread does all.
const PRIMARY: u64 = 0;

/// The primary thread begins what it does alone.
pub(super) fn begins_on_primary() {
    if !strand::wanted() {
        return;
    }
    ends();
    enter(Some(StaticLoop::new(Some(PRIMARY))));
    begin_chunk();
}

/// It has got none: it is through with the construct.
pub(super) fn ends() {
    let construct = Position::get().construct();
    if construct == 0 {
        return;
    }
    end_chunk();
    acquire(Kind::ChunkEnd.number(construct));
    Position::change(Position::leave_construct);
}

fn end_chunk() {
    let position = Position::get();
    if let Some(strand) = position.chunk() {
        strand::suspend();
        release(Kind::ChunkEnd.number(position.construct()));
        on_same_thread().for_each(release);
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
