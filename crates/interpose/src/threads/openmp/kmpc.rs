//! Critical and ordered regions, reductions, tasks that are undeferred, sections, and chunks of loops of LLVM's libomp
//! (entry points of its `kmp.h`, version 14).

use super::super::object::Kind;
use super::super::{acquire, release, takes};
use super::ompt::undeferred;
use super::position::Position;
use super::strand;
use super::worksharing::{begins, begins_on_primary, ends, got};
use crate::interposed::interpose;
use std::ffi::{c_int, c_uint, c_void};

interpose! {
    fn __kmpc_critical(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        takes(Kind::Critical.at(name));
        real();
        acquire(Kind::Critical.at(name));
    }

    fn __kmpc_critical_with_hint(place: *mut c_void, thread: c_int, name: *mut c_void, hint: c_uint) |real| {
        takes(Kind::Critical.at(name));
        real();
        acquire(Kind::Critical.at(name));
    }

    fn __kmpc_end_critical(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }

    fn __kmpc_ordered(place: *mut c_void, thread: c_int) |real| {
        real();
        acquire(Position::get().team.ordered());
    }

    fn __kmpc_end_ordered(place: *mut c_void, thread: c_int) |real| {
        release(Position::get().team.ordered());
        real();
    }

    /// 1: the caller adds its part to the result now, alone.
    fn __kmpc_reduce(
        place: *mut c_void,
        thread: c_int,
        variables: c_int,
        size: usize,
        data: *mut c_void,
        combine: *mut c_void,
        name: *mut c_void,
    ) -> c_int |real| {
        release(Kind::Critical.at(name));
        let way = real();
        if way == 1 {
            acquire(Kind::Critical.at(name));
        }
        way
    }

    fn __kmpc_reduce_nowait(
        place: *mut c_void,
        thread: c_int,
        variables: c_int,
        size: usize,
        data: *mut c_void,
        combine: *mut c_void,
        name: *mut c_void,
    ) -> c_int |real| {
        release(Kind::Critical.at(name));
        let way = real();
        if way == 1 {
            acquire(Kind::Critical.at(name));
        }
        way
    }

    fn __kmpc_end_reduce(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }

    fn __kmpc_end_reduce_nowait(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }
}

interpose! {
    /// A task whose `if` clause is false. The program executes it after this.
    fn __kmpc_omp_task_begin_if0(place: *mut c_void, thread: c_int, task: *mut c_void) |real| {
        undeferred(real);
    }

    fn __kmpc_taskloop(
        place: *mut c_void,
        thread: c_int,
        task: *mut c_void,
        deferred: c_int,
        lower: *mut u64,
        upper: *mut u64,
        step: i64,
        no_group: c_int,
        schedule: c_int,
        grain: u64,
        duplicate: *mut c_void,
    ) |real| {
        task_loop(deferred, real);
    }

    fn __kmpc_taskloop_5(
        place: *mut c_void,
        thread: c_int,
        task: *mut c_void,
        deferred: c_int,
        lower: *mut u64,
        upper: *mut u64,
        step: i64,
        no_group: c_int,
        schedule: c_int,
        grain: u64,
        modifier: c_int,
        duplicate: *mut c_void,
    ) |real| {
        task_loop(deferred, real);
    }
}

/// A loop of tasks is created, each of which is executed before the next if they are not deferred.
fn task_loop(deferred: c_int, create: impl FnOnce()) {
    match deferred {
        0 => undeferred(create),
        _ => create(),
    }
}

/// Kinds of schedules (`enum sched_type`), without what they say of the order of chunks.
mod schedule {
    pub(super) const DYNAMIC: i32 = 35;
    pub(super) const RUNTIME: i32 = 37;
    pub(super) const ORDERED_DYNAMIC: i32 = 67;
    pub(super) const ORDERED_RUNTIME: i32 = 69;
    /// From a kind to the same whose chunks a team of one thread takes one by one.
    pub(super) const ONE_BY_ONE: i32 = 128;
    /// Two bits say whether chunks are taken in order.
    pub(super) const ORDER: i32 = 3 << 29;
}

/// The schedule to ask for instead of this: a team of one thread would take all chunks of a loop as one.
fn one_by_one(asked: c_int) -> c_int {
    match asked & !schedule::ORDER {
        kind @ (schedule::DYNAMIC
        | schedule::RUNTIME
        | schedule::ORDERED_DYNAMIC
        | schedule::ORDERED_RUNTIME)
            if Position::get().is_alone() && strand::wanted() =>
        {
            kind + schedule::ONE_BY_ONE
        }
        _ => asked,
    }
}

/// Beginnings of loops that have no static schedule.
macro_rules! starts {
    ($($name:ident: $integer:ty, $step:ty;)*) => {interpose! {$(
        fn $name(
            place: *mut c_void,
            thread: c_int,
            schedule: c_int,
            lower: $integer,
            upper: $integer,
            stride: $step,
            chunk: $step,
        ) |unsafe real| {
            // SAFETY: the caller's arguments; the same iterations, in the same order.
            unsafe { real(place, thread, one_by_one(schedule), lower, upper, stride, chunk) }
        }
    )*}};
}

starts! {
    __kmpc_dispatch_init_4: i32, i32;
    __kmpc_dispatch_init_4u: u32, i32;
    __kmpc_dispatch_init_8: i64, i64;
    __kmpc_dispatch_init_8u: u64, i64;
}

/// The thread has asked whether it executes what the primary thread does alone.
fn primary(executes: c_int) -> c_int {
    if executes != 0 {
        begins_on_primary();
    }
    executes
}

/// Called by gcc's plugin where the block of a `master` begins.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_primary() {
    begins_on_primary();
}

/// Called by the plugins where a section of clang's, or the block of a `single` of gcc's, begins.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_section() {
    begins();
}

interpose! {
    /// The thread is through with its part of a static loop, or of sections.
    fn __kmpc_for_static_fini(place: *mut c_void, thread: c_int) |real| {
        ends();
        real();
    }

    /// 1: the thread executes the block.
    fn __kmpc_single(place: *mut c_void, thread: c_int) -> c_int |real| {
        got(real())
    }

    /// 1: the thread is the primary one, and executes the block.
    fn __kmpc_master(place: *mut c_void, thread: c_int) -> c_int |real| {
        primary(real())
    }

    fn __kmpc_end_master(place: *mut c_void, thread: c_int) |real| {
        ends();
        real();
    }

    /// 1: the thread has this number, and executes the block.
    fn __kmpc_masked(place: *mut c_void, thread: c_int, number: c_int) -> c_int |real| {
        match number {
            0 => primary(real()),
            _ => real(),
        }
    }

    fn __kmpc_end_masked(place: *mut c_void, thread: c_int) |real| {
        ends();
        real();
    }

    fn __kmpc_end_single(place: *mut c_void, thread: c_int) |real| {
        ends();
        real();
    }
}

/// Steps of loops that have no static schedule: 0 is "no chunk".
macro_rules! steps {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            place: *mut c_void,
            thread: c_int,
            last: *mut c_int,
            lower: *mut c_void,
            upper: *mut c_void,
            stride: *mut c_void,
        ) -> c_int |real| {
            got(real())
        }
    )*}};
}

steps! { __kmpc_dispatch_next_4 __kmpc_dispatch_next_4u __kmpc_dispatch_next_8 __kmpc_dispatch_next_8u }
