//! Waiting on a condition variable gives its mutex up and takes it again, and that is the order it gives.
//!
//! Signalling gives none of its own: a thread may wake up for no reason.

use super::mutex::{locked, unlocks};
use crate::interposed::interpose_with_caller;
use std::ffi::{c_int, c_void};

interpose_with_caller! {
    fn pthread_cond_wait(condition: *mut c_void, mutex: *mut c_void) -> c_int [c"GLIBC_2.3.2"] |real, caller| {
        unlocks(mutex, caller);
        let result = real();
        locked(mutex, caller);
        result
    }

    fn pthread_cond_timedwait(
        condition: *mut c_void,
        mutex: *mut c_void,
        until: *const c_void,
    ) -> c_int [c"GLIBC_2.3.2"] |real, caller| {
        unlocks(mutex, caller);
        let result = real();
        locked(mutex, caller);
        result
    }

    fn pthread_cond_clockwait(
        condition: *mut c_void,
        mutex: *mut c_void,
        clock: c_int,
        until: *const c_void,
    ) -> c_int |real, caller| {
        unlocks(mutex, caller);
        let result = real();
        locked(mutex, caller);
        result
    }

    fn cnd_wait(condition: *mut c_void, mutex: *mut c_void) -> c_int |real, caller| {
        unlocks(mutex, caller);
        let result = real();
        locked(mutex, caller);
        result
    }

    fn cnd_timedwait(condition: *mut c_void, mutex: *mut c_void, until: *const c_void) -> c_int |real, caller| {
        unlocks(mutex, caller);
        let result = real();
        locked(mutex, caller);
        result
    }
}
