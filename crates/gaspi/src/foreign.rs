//! Memory of the program, of another process on this machine: the kernel copies (process_vm_readv(2),
//! process_vm_writev(2)).
//!
//! Promise: a copy is complete at both sides when the call returns.
//!
//! Limits: the system must let a process reach another one of the same user: with Yama's `ptrace_scope` 0 or 1 it does,
//! with 2 or 3 it does not, and requests end with GASPI_ERROR.

use crate::abi::{Failure, Outcome};
use std::ffi::c_void;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From the other process to this one.
    Here,
    /// From this process to the other one.
    There,
}

/// Lets other processes of this user reach this one where Yama asks for leave.
pub(crate) fn allow() {
    // SAFETY: changes who may attach to this process, and nothing else. Without Yama it fails, and is not needed.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}

/// Copies between `local`, of this process, and `address` of another one.
///
/// # Errors
/// ERROR: the process is gone, or the system refuses.
///
/// # Safety
/// `local` is valid for reads or writes of `bytes` bytes.
pub(crate) unsafe fn copy(process: i32, address: u64, local: *mut u8, bytes: usize, way: Way) -> Outcome {
    let mut done = 0;
    while done < bytes {
        let here = libc::iovec {
            // SAFETY: in bounds, by the caller.
            iov_base: unsafe { local.add(done) }.cast::<c_void>(),
            iov_len: bytes - done,
        };
        let there = libc::iovec {
            iov_base: (address as usize + done) as *mut c_void,
            iov_len: bytes - done,
        };
        // SAFETY: `here` is valid by the caller; the kernel checks `there`.
        let copied = unsafe {
            match way {
                Way::Here => libc::process_vm_readv(process, &raw const here, 1, &raw const there, 1, 0),
                Way::There => libc::process_vm_writev(process, &raw const here, 1, &raw const there, 1, 0),
            }
        };
        match usize::try_from(copied) {
            Ok(copied) if copied > 0 => done += copied,
            _ => {
                let error = std::io::Error::last_os_error();
                eprintln!("farside-gaspi: memory of process {process} cannot be reached: {error}");
                return Err(Failure::ERROR);
            }
        }
    }
    Ok(())
}
