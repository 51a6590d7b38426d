//! Parallel regions of libgomp.
//!
//! Each member of the team runs [`member`] instead of the program's function, so that its beginning and end are seen.

use super::super::{acquire, region_begins, region_ended, release, thread_number};
use super::position::{Position, Team};
use super::{memory, strand, thread_number, worksharing};
use crate::interposed::interpose;
use crate::{machine, recorder};
use std::ffi::{c_long, c_uint, c_void};

/// The outlined body of a region.
type Body = unsafe extern "C-unwind" fn(*mut c_void);

/// What the members of a team are told instead of the program's data.
#[repr(C)]
struct Region {
    /// Where `GOMP_parallel_reductions` looks for the reductions: the first word of the data.
    reductions: usize,
    body: Body,
    data: *mut c_void,
    team: Team,
    parent: u32,
    /// What OpenMP does not order in it is recorded as strands.
    strands: bool,
}

/// Starts a region through `start`, which gets the body and data to pass to libgomp. `reductions` is the first word
/// of the data; `threads` is what the program asked for.
///
/// A program that asks for one thread, also by an `if` clause that is false, has what it asked for: nothing is
/// concurrent there. That there is one because of `OMP_NUM_THREADS` is chance.
///
/// # Safety
/// `body` may be called with `data` by every member.
unsafe fn region<R>(
    body: Body,
    data: *mut c_void,
    (threads, reductions): (c_uint, usize),
    start: impl FnOnce(Body, *mut c_void) -> R,
) -> R {
    if recorder::inside_mpi() {
        return start(body, data);
    }
    let here = machine::stack_pointer();
    let outer = Position::get();
    let depth = outer.depth.wrapping_add(1);
    let parent = thread_number();
    let team = Team::made_by(parent, depth);
    let mut region = Region {
        reductions,
        body,
        data,
        team,
        parent,
        strands: !thread_number::one_is_asked_for(threads) && (outer.has_strands() || memory::is_told(here)),
    };
    Position::change(|position| position.depth = depth);
    region_begins();
    release(team.fork());
    // libgomp waits for all members and tasks before it returns, so the region outlives its use.
    let result = start(member, (&raw mut region).cast());
    acquire(team.join());
    region_ended();
    // The current task may have got its number in between.
    Position::change(|position| position.depth = outer.depth);
    result
}

/// The part of one member of the team.
unsafe extern "C-unwind" fn member(region: *mut c_void) {
    // SAFETY: `region` passed it, and it lives until all members have ended.
    let Region {
        body,
        data,
        team,
        parent,
        strands,
        ..
    } = *unsafe { &*region.cast::<Region>() };
    let before = Position::get();
    let is_parent = thread_number() == parent;
    if !is_parent {
        acquire(team.fork());
    }
    let depth = if is_parent {
        before.depth
    } else {
        before.depth.wrapping_add(1)
    };
    Position::in_team(team, depth, strands).set();
    // SAFETY: body and data belong together.
    unsafe { body(data) };
    worksharing::ends();
    strand::end_of_implicit_task();
    if !is_parent {
        release(team.join());
    }
    before.set();
}

interpose! {
    fn GOMP_parallel(body: Body, data: *mut c_void, threads: c_uint, flags: c_uint) |unsafe real| {
        // SAFETY: the caller's body and data, and his other arguments unchanged, with a body that runs his.
        unsafe { region(body, data, (threads, 0), |body, data| real(body, data, threads, flags)) }
    }

    fn GOMP_parallel_reductions(body: Body, data: *mut c_void, threads: c_uint, flags: c_uint) -> c_uint |unsafe real| {
        // SAFETY: the compiler lays the address of the reductions first.
        let reductions = unsafe { data.cast::<usize>().read() };
        // SAFETY: the caller's body and data, and his other arguments unchanged, with a body that runs his.
        unsafe { region(body, data, (threads, reductions), |body, data| real(body, data, threads, flags)) }
    }

    fn GOMP_parallel_sections(body: Body, data: *mut c_void, threads: c_uint, count: c_uint, flags: c_uint) |unsafe real| {
        // SAFETY: the caller's body and data, and his other arguments unchanged, with a body that runs his.
        unsafe { region(body, data, (threads, 0), |body, data| real(body, data, threads, count, flags)) }
    }
}

/// Combined parallel loops: with a chunk size.
macro_rules! chunked {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            body: Body,
            data: *mut c_void,
            threads: c_uint,
            start: c_long,
            end: c_long,
            step: c_long,
            chunk: c_long,
            flags: c_uint,
        ) |unsafe real| {
            // SAFETY: the caller's body and data, and his other arguments unchanged, with a body that runs his.
            unsafe { region(body, data, (threads, 0), |body, data| {
                real(body, data, threads, start, end, step, chunk, flags)
            }) }
        }
    )*}};
}

/// Combined parallel loops: the schedule is known at run time only.
macro_rules! unchunked {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            body: Body,
            data: *mut c_void,
            threads: c_uint,
            start: c_long,
            end: c_long,
            step: c_long,
            flags: c_uint,
        ) |unsafe real| {
            // SAFETY: the caller's body and data, and his other arguments unchanged, with a body that runs his.
            unsafe { region(body, data, (threads, 0), |body, data| real(body, data, threads, start, end, step, flags)) }
        }
    )*}};
}

chunked! {
    GOMP_parallel_loop_static GOMP_parallel_loop_dynamic GOMP_parallel_loop_guided
    GOMP_parallel_loop_nonmonotonic_dynamic GOMP_parallel_loop_nonmonotonic_guided
}

unchunked! {
    GOMP_parallel_loop_runtime GOMP_parallel_loop_nonmonotonic_runtime GOMP_parallel_loop_maybe_nonmonotonic_runtime
}
