//! Memory of another process, whose pages may be closed: what MPI libraries copy at once from process to process
//! (cross-memory attach).
//!
//! The kernel keeps to the protection of pages there (`process_vm_readv(2)`), but not where a debugger would read and
//! write, `/proc/PID/mem` (`proc_pid_mem(5)`), which asks for the same permission.

use super::is_on;
use crate::interposed::interpose;
use std::ffi::{c_int, c_ulong};

/// Which way the bytes go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Here,
    There,
}

/// Copies what the kernel refused for the protection of pages; `None` if that fails, too.
///
/// # Safety
/// The parts are the caller's of `process_vm_readv` or `process_vm_writev`.
unsafe fn copy(
    process: ::libc::pid_t,
    here: (*const ::libc::iovec, c_ulong),
    there: (*const ::libc::iovec, c_ulong),
    way: Way,
) -> Option<isize> {
    let path = std::ffi::CString::new(format!("/proc/{process}/mem")).ok()?;
    let mode = match way {
        Way::Here => ::libc::O_RDONLY,
        Way::There => ::libc::O_RDWR,
    };
    // SAFETY: a path that ends with a zero byte.
    let file = unsafe { ::libc::open(path.as_ptr(), mode | ::libc::O_CLOEXEC) };
    if file < 0 {
        return None;
    }
    // SAFETY: by the contract.
    let (here, there) = unsafe {
        (
            std::slice::from_raw_parts(here.0, here.1 as usize),
            std::slice::from_raw_parts(there.0, there.1 as usize),
        )
    };
    let mut copied = 0;
    let mut mine = here.iter().map(|part| (part.iov_base as usize, part.iov_len));
    let (mut at, mut room) = mine.next().unwrap_or((0, 0));
    'all: for part in there {
        let (mut remote, mut left) = (part.iov_base as usize, part.iov_len);
        while left > 0 {
            while room == 0 {
                let Some(next) = mine.next() else { break 'all };
                (at, room) = next;
            }
            let length = left.min(room);
            // SAFETY: memory that the caller gave, and a file that is open.
            let done = unsafe {
                match way {
                    Way::Here => ::libc::pread(file, at as *mut _, length, remote as ::libc::off_t),
                    Way::There => ::libc::pwrite(file, at as *const _, length, remote as ::libc::off_t),
                }
            };
            let Ok(done @ 1..) = usize::try_from(done) else {
                break 'all;
            };
            copied += done;
            (at, room) = (at + done, room - done);
            (remote, left) = (remote + done, left - done);
        }
    }
    // SAFETY: opened above, and closed once.
    unsafe { ::libc::close(file) };
    (copied > 0).then_some(copied as isize)
}

/// What a call gave, or what was copied instead if it was refused for the protection of pages.
///
/// # Safety
/// As for [`copy`].
unsafe fn or_copied(
    done: isize,
    process: ::libc::pid_t,
    here: (*const ::libc::iovec, c_ulong),
    there: (*const ::libc::iovec, c_ulong),
    way: Way,
) -> isize {
    // SAFETY: the calling thread's own variable.
    let was_refused = || unsafe { *::libc::__errno_location() == ::libc::EFAULT };
    if done >= 0 || !is_on() || !was_refused() {
        return done;
    }
    // SAFETY: by the contract.
    unsafe { copy(process, here, there, way) }.unwrap_or(done)
}

interpose! {
    fn process_vm_readv(
        process: c_int,
        here: *const ::libc::iovec,
        parts: c_ulong,
        there: *const ::libc::iovec,
        remote_parts: c_ulong,
        flags: c_ulong,
    ) -> isize |real| {
        // SAFETY: the caller's own arguments.
        unsafe { or_copied(real(), process, (here, parts), (there, remote_parts), Way::Here) }
    }

    fn process_vm_writev(
        process: c_int,
        here: *const ::libc::iovec,
        parts: c_ulong,
        there: *const ::libc::iovec,
        remote_parts: c_ulong,
        flags: c_ulong,
    ) -> isize |real| {
        // SAFETY: the caller's own arguments.
        unsafe { or_copied(real(), process, (here, parts), (there, remote_parts), Way::There) }
    }
}
