//! Semaphores: a post comes before the waits that come after it.

use super::caller::is_program;
use super::object::lock;
use super::told::{acquires, releases};
use crate::interposed::interpose_with_caller;
use std::ffi::{c_int, c_void};

interpose_with_caller! {
    fn sem_post(semaphore: *mut c_void) -> c_int |real, caller| {
        if is_program(caller) {
            releases(lock(semaphore), caller);
        }
        real()
    }

    fn sem_wait(semaphore: *mut c_void) -> c_int |real, caller| {
        let result = real();
        if result == 0 && is_program(caller) {
            acquires(lock(semaphore), caller);
        }
        result
    }

    fn sem_trywait(semaphore: *mut c_void) -> c_int |real, caller| {
        let result = real();
        if result == 0 && is_program(caller) {
            acquires(lock(semaphore), caller);
        }
        result
    }

    fn sem_timedwait(semaphore: *mut c_void, until: *const c_void) -> c_int |real, caller| {
        let result = real();
        if result == 0 && is_program(caller) {
            acquires(lock(semaphore), caller);
        }
        result
    }

    fn sem_clockwait(semaphore: *mut c_void, clock: c_int, until: *const c_void) -> c_int |real, caller| {
        let result = real();
        if result == 0 && is_program(caller) {
            acquires(lock(semaphore), caller);
        }
        result
    }
}
