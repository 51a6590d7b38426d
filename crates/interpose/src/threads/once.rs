//! `pthread_once`, `call_once`: the one call of the routine comes before every return.

use super::caller::is_program;
use super::object::Kind;
use super::{acquire, release};
use crate::interposed::interpose_with_caller;
use crate::recorder;
use std::cell::Cell;
use std::ffi::{c_int, c_void};

type Routine = unsafe extern "C-unwind" fn();

thread_local! {
    /// The routine to call and its control, set just before the real call that may start it.
    static NEXT: Cell<Option<(Routine, *const c_void)>> = const { Cell::new(None) };
}

/// Runs the program's routine on the thread that set [`NEXT`].
unsafe extern "C-unwind" fn run() {
    if let Some((routine, control)) = NEXT.take() {
        // SAFETY: the routine that the program gave.
        unsafe { routine() };
        release(Kind::Once.at(control));
    }
}

interpose_with_caller! {
    /// The routine may throw a C++ exception (`std::call_once` passes it on): then it did not run, and nothing is
    /// released.
    fn pthread_once(control: *mut c_void, routine: Routine) -> c_int |unsafe real, caller| {
        if recorder::inside_mpi() || !is_program(caller) {
            // SAFETY: the caller's arguments, unchanged.
            return unsafe { real(control, routine) };
        }
        NEXT.set(Some((routine, control)));
        // SAFETY: the caller's control, and a routine that runs his.
        let result = unsafe { real(control, run) };
        NEXT.set(None);
        if result == 0 {
            acquire(Kind::Once.at(control));
        }
        result
    }

    fn call_once(control: *mut c_void, routine: Routine) |unsafe real, caller| {
        if recorder::inside_mpi() || !is_program(caller) {
            // SAFETY: the caller's arguments, unchanged.
            return unsafe { real(control, routine) };
        }
        NEXT.set(Some((routine, control)));
        // SAFETY: the caller's control, and a routine that runs his.
        unsafe { real(control, run) };
        NEXT.set(None);
        acquire(Kind::Once.at(control));
    }
}
