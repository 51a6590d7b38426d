//! Input: `read`, `fread`, `fgets`, and the `scanf` family.
//!
//! What they store is known only afterwards, so that the real functions are called from here.

use super::Call;
use super::format::scanned;
use super::forward::Real;
use super::jump::{replaced, replaced_variadic};
use super::strings::read_within;
use crate::guard;
use crate::machine::{RegisterArea, VaList};
use std::ffi::c_void;
use std::mem::transmute;

replaced! {
    read, 3 => read_seen;
    fread, 4 => fread_seen;
    fgets, 3 => fgets_seen;
    __read_chk, 4 => read_chk_seen;
    __fread_chk, 5 => fread_chk_seen;
    __fgets_chk, 4 => fgets_chk_seen;
}

replaced_variadic! {
    scanf => scanf_seen;
    fscanf => fscanf_seen;
    sscanf => sscanf_seen;
    __isoc99_scanf => scanf99_seen;
    __isoc99_fscanf => fscanf99_seen;
    __isoc99_sscanf => sscanf99_seen;
}

/// Declares the real function of a name, of this type.
macro_rules! real {
    ($name:literal, $type:ty) => {{
        static REAL: Real = Real::new(concat!($name, "\0"), std::ptr::null_mut());
        let found: *mut c_void = REAL.found();
        // SAFETY: The function of this name has this type (POSIX, C17 7.21). There is one: whoever calls it, or its
        // sibling, has the C library.
        unsafe { transmute::<*mut c_void, $type>(found) }
    }};
}

/// The call, if it must be looked at.
fn call(name: &'static str, pc: usize) -> Option<Call> {
    crate::memory::observing()
        .then(|| Call::of_program(name, pc))
        .flatten()
}

/// Runs `record` with `errno` kept as the real function left it.
fn keeping_errno(record: impl FnOnce()) {
    // SAFETY: The calling thread's own variable.
    unsafe {
        let errno = libc::__errno_location();
        let kept = *errno;
        record();
        *errno = kept;
    }
}

unsafe extern "C-unwind" fn read_seen(file: i32, to: u64, len: usize, pc: usize) -> isize {
    let real = real!("read", unsafe extern "C-unwind" fn(i32, u64, usize) -> isize);
    guard::touch(to as usize, len);
    // SAFETY: The program's own arguments.
    let done = unsafe { real(file, to, len) };
    if let (Some(call), Ok(len)) = (call("read", pc), usize::try_from(done)) {
        keeping_errno(|| call.stores(to, len));
    }
    done
}

unsafe extern "C-unwind" fn read_chk_seen(file: i32, to: u64, len: usize, room: usize, pc: usize) -> isize {
    let real = real!(
        "__read_chk",
        unsafe extern "C-unwind" fn(i32, u64, usize, usize) -> isize
    );
    guard::touch(to as usize, len);
    // SAFETY: The program's own arguments.
    let done = unsafe { real(file, to, len, room) };
    if let (Some(call), Ok(len)) = (call("read", pc), usize::try_from(done)) {
        keeping_errno(|| call.stores(to, len));
    }
    done
}

unsafe extern "C-unwind" fn fread_chk_seen(
    to: u64,
    room: usize,
    size: usize,
    count: usize,
    file: u64,
    pc: usize,
) -> usize {
    let real = real!(
        "__fread_chk",
        unsafe extern "C-unwind" fn(u64, usize, usize, usize, u64) -> usize
    );
    guard::touch(to as usize, size.saturating_mul(count));
    // SAFETY: The program's own arguments.
    let done = unsafe { real(to, room, size, count, file) };
    if let Some(call) = call("fread", pc) {
        keeping_errno(|| call.stores(to, size.saturating_mul(done)));
    }
    done
}

unsafe extern "C-unwind" fn fgets_chk_seen(to: u64, room: usize, len: i32, file: u64, pc: usize) -> u64 {
    let real = real!(
        "__fgets_chk",
        unsafe extern "C-unwind" fn(u64, usize, i32, u64) -> u64
    );
    // SAFETY: The program's own arguments.
    let done = unsafe { real(to, room, len, file) };
    if done != 0
        && let Some(call) = call("fgets", pc)
    {
        // SAFETY: A text was stored.
        keeping_errno(|| call.stores(to, unsafe { read_within(to, usize::MAX) }));
    }
    done
}

unsafe extern "C-unwind" fn fread_seen(to: u64, size: usize, count: usize, file: u64, pc: usize) -> usize {
    let real = real!(
        "fread",
        unsafe extern "C-unwind" fn(u64, usize, usize, u64) -> usize
    );
    guard::touch(to as usize, size.saturating_mul(count));
    // SAFETY: The program's own arguments.
    let done = unsafe { real(to, size, count, file) };
    if let Some(call) = call("fread", pc) {
        keeping_errno(|| call.stores(to, size.saturating_mul(done)));
    }
    done
}

unsafe extern "C-unwind" fn fgets_seen(to: u64, room: i32, file: u64, pc: usize) -> u64 {
    let real = real!("fgets", unsafe extern "C-unwind" fn(u64, i32, u64) -> u64);
    // SAFETY: The program's own arguments.
    let done = unsafe { real(to, room, file) };
    if done != 0
        && let Some(call) = call("fgets", pc)
    {
        // SAFETY: A text was stored.
        keeping_errno(|| call.stores(to, unsafe { read_within(to, usize::MAX) }));
    }
    done
}

/// Records what a `scanf` did that gave `assigned`; `text` is what it read from, if that is memory.
unsafe fn seen(format: u64, list: VaList, assigned: i32, text: Option<u64>, pc: usize) -> i32 {
    if let Some(call) = call(if text.is_some() { "sscanf" } else { "scanf" }, pc) {
        // SAFETY: The program's own format and arguments.
        keeping_errno(|| unsafe {
            if let Some(text) = text {
                call.loads(text, read_within(text, usize::MAX));
            }
            scanned(call, format, list, assigned);
        });
    }
    assigned
}

macro_rules! scanners {
    ($($scanf:ident $vscanf:literal $fscanf:ident $vfscanf:literal $sscanf:ident $vsscanf:literal;)*) => {$(
        unsafe extern "C-unwind" fn $scanf(registers: &RegisterArea, overflow: *const u64, pc: usize) -> i32 {
            let real = real!($vscanf, unsafe extern "C-unwind" fn(u64, *mut VaList) -> i32);
            let mut list = VaList::after(1, registers, overflow);
            let format = registers.integer(0);
            // SAFETY: The program's own arguments.
            let assigned = unsafe { real(format, &raw mut list) };
            let list = VaList::after(1, registers, overflow);
            // SAFETY: The program's own arguments.
            unsafe { seen(format, list, assigned, None, pc) }
        }

        unsafe extern "C-unwind" fn $fscanf(registers: &RegisterArea, overflow: *const u64, pc: usize) -> i32 {
            let real = real!($vfscanf, unsafe extern "C-unwind" fn(u64, u64, *mut VaList) -> i32);
            let mut list = VaList::after(2, registers, overflow);
            let (file, format) = (registers.integer(0), registers.integer(1));
            // SAFETY: The program's own arguments.
            let assigned = unsafe { real(file, format, &raw mut list) };
            let list = VaList::after(2, registers, overflow);
            // SAFETY: The program's own arguments.
            unsafe { seen(format, list, assigned, None, pc) }
        }

        unsafe extern "C-unwind" fn $sscanf(registers: &RegisterArea, overflow: *const u64, pc: usize) -> i32 {
            let real = real!($vsscanf, unsafe extern "C-unwind" fn(u64, u64, *mut VaList) -> i32);
            let mut list = VaList::after(2, registers, overflow);
            let (text, format) = (registers.integer(0), registers.integer(1));
            // SAFETY: The program's own arguments.
            let assigned = unsafe { real(text, format, &raw mut list) };
            let list = VaList::after(2, registers, overflow);
            // SAFETY: The program's own arguments.
            unsafe { seen(format, list, assigned, Some(text), pc) }
        }
    )*};
}

scanners! {
    scanf_seen "vscanf" fscanf_seen "vfscanf" sscanf_seen "vsscanf";
    scanf99_seen "__isoc99_vscanf" fscanf99_seen "__isoc99_vfscanf" sscanf99_seen "__isoc99_vsscanf";
}
