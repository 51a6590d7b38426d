//! Spin locks: an unlock comes before the next lock.

use super::caller::is_program;
use super::object;
use super::{acquire, release, takes};
use crate::interposed::interpose_with_caller;
use std::ffi::{c_int, c_void};

interpose_with_caller! {
    fn pthread_spin_lock(lock: *mut c_void) -> c_int |real, caller| {
        if is_program(caller) {
            takes(object::lock(lock));
        }
        let result = real();
        if result == 0 && is_program(caller) {
            acquire(object::lock(lock));
        }
        result
    }

    fn pthread_spin_trylock(lock: *mut c_void) -> c_int |real, caller| {
        if is_program(caller) {
            takes(object::lock(lock));
        }
        let result = real();
        if result == 0 && is_program(caller) {
            acquire(object::lock(lock));
        }
        result
    }

    fn pthread_spin_unlock(lock: *mut c_void) -> c_int |real, caller| {
        if is_program(caller) {
            release(object::lock(lock));
        }
        real()
    }
}
