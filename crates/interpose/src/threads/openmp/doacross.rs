//! Loops with cross-iteration dependences (`ordered(n)`, `depend(sink)`, `depend(source)`): a posted iteration comes
//! before what waits for it. Both runtimes.

use super::super::{acquire, observing, release};
use super::position::Position;
use super::worksharing::got;
use crate::interposed::interpose;
use std::cell::Cell;
use std::ffi::{c_int, c_long, c_uint, c_void};

/// Loops deeper than this are told by their outer indices; that is too much order, never too little.
const DEEPEST: usize = 16;

thread_local! {
    /// Depth of the loop that the thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(1) };
}

/// The thread enters a loop of this depth.
fn enter(depth: usize) {
    DEPTH.set(depth.clamp(1, DEEPEST));
}

/// The iteration at `iteration`, of the depth that [`enter`] was told.
///
/// # Safety
/// As many words are there.
unsafe fn at(iteration: *const c_long) -> farside_events::ObjectId {
    // SAFETY: by the contract.
    let iteration = unsafe { std::slice::from_raw_parts(iteration, DEPTH.get()) };
    Position::get().team.iteration(iteration)
}

/// Beginnings of such loops in libgomp. The depth comes first; only the number of the arguments differs, all are words.
macro_rules! starts {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            depth: c_uint,
            counts: *mut c_long,
            a: usize,
            b: usize,
            c: usize,
            d: usize,
            e: usize,
            f: usize,
        ) -> bool |real| {
            enter(depth as usize);
            // Arguments that the caller did not give are not looked at.
            got(real())
        }
    )*}};
}

starts! {
    GOMP_loop_doacross_static_start GOMP_loop_doacross_dynamic_start GOMP_loop_doacross_guided_start
    GOMP_loop_doacross_runtime_start GOMP_loop_doacross_start
    GOMP_loop_ull_doacross_static_start GOMP_loop_ull_doacross_dynamic_start GOMP_loop_ull_doacross_guided_start
    GOMP_loop_ull_doacross_runtime_start GOMP_loop_ull_doacross_start
}

/// Waits in libgomp take the indices as variable arguments, which are passed as fixed ones are.
macro_rules! waits {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            a: c_long, b: c_long, c: c_long, d: c_long, e: c_long, f: c_long, g: c_long, h: c_long,
            i: c_long, j: c_long, k: c_long, l: c_long, m: c_long, n: c_long, o: c_long, p: c_long,
        ) |real| {
            // Indices that the caller did not give are words of his frame, and are not looked at.
            real();
            if observing() {
                let iteration = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
                // SAFETY: as many words as the deepest loop has.
                acquire(unsafe { at(iteration.as_ptr()) });
            }
        }
    )*}};
}

waits! { GOMP_doacross_wait GOMP_doacross_ull_wait }

interpose! {
    fn GOMP_doacross_post(iteration: *mut c_long) |real| {
        if observing() {
            // SAFETY: the compiler gives one index for each loop of the nest.
            release(unsafe { at(iteration) });
        }
        real();
    }

    fn GOMP_doacross_ull_post(iteration: *mut c_long) |real| {
        if observing() {
            // SAFETY: the compiler gives one index for each loop of the nest.
            release(unsafe { at(iteration) });
        }
        real();
    }

    fn __kmpc_doacross_init(place: *mut c_void, thread: c_int, depth: c_int, bounds: *const c_void) |real| {
        enter(depth as usize);
        real();
    }

    fn __kmpc_doacross_post(place: *mut c_void, thread: c_int, iteration: *const c_long) |real| {
        if observing() {
            // SAFETY: the compiler gives one index for each loop of the nest.
            release(unsafe { at(iteration) });
        }
        real();
    }

    fn __kmpc_doacross_wait(place: *mut c_void, thread: c_int, iteration: *const c_long) |real| {
        real();
        if observing() {
            // SAFETY: the compiler gives one index for each loop of the nest.
            acquire(unsafe { at(iteration) });
        }
    }
}
