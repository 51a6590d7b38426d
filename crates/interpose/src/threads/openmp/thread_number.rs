//! Who asks which thread it is on, and who asks for one thread only.
//!
//! What the program does by the number of its thread is the thread's own ([`strand::asks_for_thread`]). gcc asks, too,
//! where it expands `master`, `masked` and loops with a static schedule; the plugin of `farside cc` tells that. Without
//! it, the chunks that an implicit task takes in a region with one of those are not concurrent with each other.

use super::super::caller;
use super::strand;
use crate::interposed::{interpose, interpose_with_caller, next};
use std::cell::Cell;
use std::ffi::{c_int, c_void};

thread_local! {
    /// The program said that the regions of this thread have one thread, unless they say something else.
    static ONE_THREAD: Cell<bool> = const { Cell::new(false) };
    /// Threads that the program asks for in the next region of this thread, as LLVM's runtime is told; 0 is "nothing".
    static ASKED: Cell<u32> = const { Cell::new(0) };
    /// The next question for the number of the thread is the compiler's own.
    static BY_COMPILER: Cell<bool> = const { Cell::new(false) };
}

/// Called by gcc's plugin before questions for the number of the thread that are not the program's.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __farside_compiler_asks() {
    BY_COMPILER.set(true);
}

/// Threads that the program asks for in the region that begins, as LLVM's runtime was told; 0 if nothing.
pub(super) fn take_asked() -> u32 {
    ASKED.take()
}

/// Whether the program asks for one thread in a region: `threads` is what the region says, 0 if nothing.
pub(super) fn one_is_asked_for(threads: u32) -> bool {
    threads == 1 || threads == 0 && ONE_THREAD.get()
}

interpose! {
    fn __kmpc_push_num_threads(place: *mut c_void, thread: c_int, threads: c_int) |real| {
        ASKED.set(threads.unsigned_abs());
        real();
    }
}

interpose_with_caller! {
    /// A region whose `if` clause is false. The runtime calls it, too, where it has one thread for a region.
    fn __kmpc_serialized_parallel(place: *mut c_void, thread: c_int) |real, caller| {
        if !caller::is_openmp(caller) {
            ASKED.set(1);
        }
        real();
    }
}

interpose! {
    fn omp_get_thread_num() -> c_int |unsafe real| {
        if !next!(omp_get_thread_num).exists() {
            // Without a runtime there is one thread.
            return 0;
        }
        if !BY_COMPILER.take() {
            strand::asks_for_thread();
        }
        // SAFETY: a function without arguments, and it is there.
        unsafe { real() }
    }

    fn omp_get_thread_num_() -> c_int |real| {
        strand::asks_for_thread();
        real()
    }

    fn MPI_Is_thread_main(flag: *mut c_int) -> c_int |real| {
        strand::asks_for_thread();
        real()
    }

    fn omp_set_num_threads(threads: c_int) |unsafe real| {
        if next!(omp_set_num_threads).exists() {
            ONE_THREAD.set(threads == 1);
            // SAFETY: the caller's argument, and the function is there.
            unsafe { real(threads) };
        }
    }

    fn omp_set_num_threads_(threads: *const c_int) |real| {
        // SAFETY: Fortran passes the number by reference.
        ONE_THREAD.set(unsafe { *threads } == 1);
        real();
    }
}
