//! `thrd_create`, `thrd_join`: glibc does not go through the POSIX names.

use super::lifetime::{Birth, Routine, begin, created, joined, joins};
use crate::interposed::interpose;
use std::ffi::{c_int, c_void};

/// First function of a C11 thread: the pointer that [`begin`] returns is the C11 routine's `int`.
///
/// # Safety
/// As for [`begin`].
unsafe extern "C-unwind" fn begin_c11(birth: *mut c_void) -> c_int {
    // SAFETY: by the contract. An `int` result lies in the low half of the register of a pointer result, on every
    // 64-bit Linux ABI.
    unsafe { begin(birth) as usize as c_int }
}

interpose! {
    fn thrd_create(thread: *mut u64, routine: Routine, argument: *mut c_void) -> c_int |unsafe real| {
        let birth = Birth::announce(routine as *const c_void, argument);
        // SAFETY: `announce` just made it.
        let number = unsafe { Birth::number(birth) };
        // SAFETY: glibc calls it as a routine that returns `int`, which it does.
        let first = unsafe {
            std::mem::transmute::<unsafe extern "C-unwind" fn(*mut c_void) -> c_int, Routine>(begin_c11)
        };
        // SAFETY: the caller's arguments, and a routine that runs his.
        let result = unsafe { real(thread, first, birth.cast()) };
        if result == 0 {
            if let Some(number) = number {
                // SAFETY: the call succeeded, so the caller's `thread` was written.
                created(unsafe { thread.read() }, number);
            }
        } else {
            // SAFETY: no thread was created.
            unsafe { Birth::failed(birth) };
        }
        result
    }

    fn thrd_join(thread: u64, result: *mut c_int) -> c_int |real| {
        let number = joins(thread);
        let status = real();
        if status == 0 {
            joined(thread, number);
        }
        status
    }
}
