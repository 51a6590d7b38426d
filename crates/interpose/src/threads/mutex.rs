//! Mutexes of POSIX and C11: an unlock comes before the next lock.

use super::caller::is_program;
use super::object::lock;
use super::told::{acquires, releases};
use super::{observes, takes};
use crate::interposed::interpose_with_caller;
use std::ffi::{c_int, c_void};

/// `EOWNERDEAD`: the lock was taken, although its last owner died.
fn taken(result: c_int) -> bool {
    result == 0 || result == ::libc::EOWNERDEAD
}

/// The calling thread is about to ask for the mutex.
fn asks(mutex: *const c_void, caller: usize) {
    if is_program(caller) {
        takes(lock(mutex));
    }
}

/// The calling thread holds the mutex now.
pub(super) fn locked(mutex: *const c_void, caller: usize) {
    let object = lock(mutex);
    if observes(object) && is_program(caller) {
        acquires(object, caller);
    }
}

/// The calling thread is about to give it up.
pub(super) fn unlocks(mutex: *const c_void, caller: usize) {
    let object = lock(mutex);
    if observes(object) && is_program(caller) {
        releases(object, caller);
    }
}

interpose_with_caller! {
    fn pthread_mutex_lock(mutex: *mut c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if taken(result) {
            locked(mutex, caller);
        }
        result
    }

    fn pthread_mutex_trylock(mutex: *mut c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if taken(result) {
            locked(mutex, caller);
        }
        result
    }

    fn pthread_mutex_timedlock(mutex: *mut c_void, until: *const c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if taken(result) {
            locked(mutex, caller);
        }
        result
    }

    fn pthread_mutex_clocklock(mutex: *mut c_void, clock: c_int, until: *const c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if taken(result) {
            locked(mutex, caller);
        }
        result
    }

    fn pthread_mutex_unlock(mutex: *mut c_void) -> c_int |real, caller| {
        unlocks(mutex, caller);
        real()
    }

    fn mtx_lock(mutex: *mut c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if result == THRD_SUCCESS {
            locked(mutex, caller);
        }
        result
    }

    fn mtx_trylock(mutex: *mut c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if result == THRD_SUCCESS {
            locked(mutex, caller);
        }
        result
    }

    fn mtx_timedlock(mutex: *mut c_void, until: *const c_void) -> c_int |real, caller| {
        asks(mutex, caller);
        let result = real();
        if result == THRD_SUCCESS {
            locked(mutex, caller);
        }
        result
    }

    fn mtx_unlock(mutex: *mut c_void) -> c_int |real, caller| {
        unlocks(mutex, caller);
        real()
    }
}

/// `thrd_success` of glibc's `threads.h`.
const THRD_SUCCESS: c_int = 0;
