//! The symmetric heap (OpenSHMEM 1.5 §9.3). Its size is that of `SHMEM_SYMMETRIC_SIZE`, or 256 MiB.
//!
//! Calls are collective, and give the same offset at all PEs. Hints are ignored. What does not fit is NULL at all PEs.

use crate::call::Call;
use crate::meet::everybody;
use crate::pe::Pe;
use std::ffi::{c_long, c_void};
use std::ptr::null_mut;

/// Allocates at all PEs, and meets them.
fn allocate(call: Call, bytes: usize, alignment: usize, cleared: bool) -> *mut c_void {
    let pe = Pe::of(call);
    if bytes == 0 {
        return null_mut();
    }
    let offset = pe.heap().allocate(bytes, alignment);
    let at = offset.map_or(null_mut(), |offset| pe.heap_address(offset) as *mut c_void);
    if cleared && !at.is_null() {
        // SAFETY: so many bytes were allocated here, and nobody knows of them before all have met.
        unsafe { at.cast::<u8>().write_bytes(0, bytes) };
    }
    everybody(call);
    at
}

/// `shmem_malloc`.
///
/// # Safety
/// All PEs make the calls of this module in one order, with equal arguments.
pub(crate) unsafe fn malloc(call: Call, size: usize) -> *mut c_void {
    allocate(call, size, 1, false)
}

/// `shmem_malloc_with_hints`.
///
/// # Safety
/// As for [`malloc`].
pub(crate) unsafe fn malloc_with_hints(call: Call, size: usize, _hints: c_long) -> *mut c_void {
    allocate(call, size, 1, false)
}

/// `shmem_calloc`.
///
/// # Safety
/// As for [`malloc`].
pub(crate) unsafe fn calloc(call: Call, count: usize, size: usize) -> *mut c_void {
    allocate(call, count.saturating_mul(size), 1, true)
}

/// `shmem_align`.
///
/// # Safety
/// As for [`malloc`].
pub(crate) unsafe fn align(call: Call, alignment: usize, size: usize) -> *mut c_void {
    Pe::of(call);
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
        call.misuse(format_args!(
            "alignment {alignment} is no power of two, and multiple of the size of a pointer"
        ));
    }
    allocate(call, size, alignment, false)
}

/// The offset of an allocation.
fn offset(call: Call, at: *mut c_void) -> usize {
    let pe = Pe::of(call);
    let offset = pe.heap_offset(at as usize);
    match offset.filter(|&offset| pe.heap().length(offset).is_some()) {
        Some(offset) => offset,
        None => call.misuse(format_args!(
            "{at:p} is not the beginning of an allocation, or was freed"
        )),
    }
}

/// `shmem_free`.
///
/// # Safety
/// As for [`malloc`]; nobody uses the memory any more.
pub(crate) unsafe fn free(call: Call, at: *mut c_void) {
    let pe = Pe::of(call);
    if at.is_null() {
        return;
    }
    let offset = offset(call, at);
    everybody(call);
    pe.heap().free(offset);
}

/// `shmem_realloc`.
///
/// # Safety
/// As for [`free`].
pub(crate) unsafe fn realloc(call: Call, at: *mut c_void, size: usize) -> *mut c_void {
    let pe = Pe::of(call);
    if at.is_null() {
        return allocate(call, size, 1, false);
    }
    if size == 0 {
        // SAFETY: by the caller.
        unsafe { free(call, at) };
        return null_mut();
    }
    let offset = offset(call, at);
    everybody(call);
    let (length, fresh) = {
        let mut heap = pe.heap();
        (heap.length(offset).unwrap_or(0), heap.allocate(size, 1))
    };
    let Some(fresh) = fresh else {
        everybody(call);
        return null_mut();
    };
    let to = pe.heap_address(fresh) as *mut c_void;
    // SAFETY: two allocations, with so many bytes at least.
    unsafe { std::ptr::copy_nonoverlapping(at.cast::<u8>(), to.cast::<u8>(), length.min(size)) };
    pe.heap().free(offset);
    everybody(call);
    to
}
