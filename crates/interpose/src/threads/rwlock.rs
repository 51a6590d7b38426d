//! Read-write locks: writers come after all that held the lock before, readers after the writers only.

use super::caller::is_program;
use super::object;
use super::{acquire, release, takes};
use crate::interposed::interpose_with_caller;
use crate::recorder::{MpiGuard, inside_mpi};
use std::cell::RefCell;
use std::ffi::{c_int, c_void};

thread_local! {
    /// Locks that the calling thread holds for writing. Without a destructor that could run before the thread's
    /// last unlock.
    static WRITING: RefCell<std::mem::ManuallyDrop<Vec<usize>>> =
        const { RefCell::new(std::mem::ManuallyDrop::new(Vec::new())) };
}

/// The lock is about to be asked for.
fn asks(lock: *const c_void, caller: usize) {
    if is_program(caller) {
        takes(object::lock(lock));
    }
}

/// The lock was taken for reading.
fn reads(lock: *const c_void, result: c_int, caller: usize) -> c_int {
    if result == 0 && is_program(caller) {
        acquire(object::lock(lock));
    }
    result
}

/// The lock was taken for writing.
fn writes(lock: *const c_void, result: c_int, caller: usize) -> c_int {
    if result == 0 && !inside_mpi() && is_program(caller) {
        {
            // Growing the list may allocate, and libraries that hook the allocator lock there.
            let _guard = MpiGuard::enter();
            WRITING.with_borrow_mut(|held| held.push(lock as usize));
        }
        acquire(object::lock(lock));
        acquire(object::read_lock(lock));
    }
    result
}

/// The lock is about to be given up.
fn ends(lock: *const c_void, caller: usize) {
    if inside_mpi() || !is_program(caller) {
        return;
    }
    let writing = WRITING.with_borrow_mut(|held| {
        let place = held.iter().rposition(|&other| other == lock as usize);
        place.map(|place| held.swap_remove(place)).is_some()
    });
    release(match writing {
        true => object::lock(lock),
        false => object::read_lock(lock),
    });
}

interpose_with_caller! {
    fn pthread_rwlock_rdlock(lock: *mut c_void) -> c_int |real, caller| {
        asks(lock, caller);
        reads(lock, real(), caller)
    }

    fn pthread_rwlock_tryrdlock(lock: *mut c_void) -> c_int |real, caller| {
        asks(lock, caller);
        reads(lock, real(), caller)
    }

    fn pthread_rwlock_timedrdlock(lock: *mut c_void, until: *const c_void) -> c_int |real, caller| {
        asks(lock, caller);
        reads(lock, real(), caller)
    }

    fn pthread_rwlock_clockrdlock(lock: *mut c_void, clock: c_int, until: *const c_void) -> c_int |real, caller| {
        asks(lock, caller);
        reads(lock, real(), caller)
    }

    fn pthread_rwlock_wrlock(lock: *mut c_void) -> c_int |real, caller| {
        asks(lock, caller);
        writes(lock, real(), caller)
    }

    fn pthread_rwlock_trywrlock(lock: *mut c_void) -> c_int |real, caller| {
        asks(lock, caller);
        writes(lock, real(), caller)
    }

    fn pthread_rwlock_timedwrlock(lock: *mut c_void, until: *const c_void) -> c_int |real, caller| {
        asks(lock, caller);
        writes(lock, real(), caller)
    }

    fn pthread_rwlock_clockwrlock(lock: *mut c_void, clock: c_int, until: *const c_void) -> c_int |real, caller| {
        asks(lock, caller);
        writes(lock, real(), caller)
    }

    fn pthread_rwlock_unlock(lock: *mut c_void) -> c_int |real, caller| {
        ends(lock, caller);
        real()
    }
}
