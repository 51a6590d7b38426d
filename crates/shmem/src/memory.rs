//! The symmetric heap (OpenSHMEM 1.5 §9.3). Its size is that of `SHMEM_SYMMETRIC_SIZE`, or 256 MiB.
//!
//! Calls are collective, and give the same offset at all PEs. Hints are ignored. What does not fit is NULL at all PEs.
//! Each PE tells the next one with what argument it comes: where they differ, the program ends.

use crate::blocks;
use crate::call::Call;
use crate::handle::Ctx;
use crate::meet::everybody;
use crate::pe::Pe;
use crate::rma::Target;
use farside_fabric::{AtomicKind, AtomicOperation};
use std::ffi::{c_int, c_long, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many calls told the next PE something.
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// Meets all PEs; misuse if the one before this comes with another argument. What is told by turns in two words is read
/// before it is overwritten: nobody is two calls ahead.
fn meet_with(call: Call, argument: &str, value: usize) {
    let pe = Pe::of(call);
    let turn = TOLD.fetch_add(1, Ordering::Relaxed) % 2;
    let displacement = blocks::block(0) + 8 * (blocks::ARGUMENT + turn);
    let (rank, size, value) = (pe.rank(), pe.size(), value as u64);
    let next = Target::new(call, Ctx::DEFAULT, ((rank + 1) % size) as c_int);
    // SAFETY: the operand lives until the call returns.
    unsafe {
        next.change(
            (AtomicOperation::Replace, AtomicKind::U64),
            displacement,
            &raw const value,
        )
    };
    everybody(call);
    let theirs = pe.word(displacement).load(Ordering::Acquire);
    if theirs != value {
        let before = (rank + size - 1) % size;
        call.misuse(format_args!(
            "{argument} is {value} here, and {theirs} at PE {before}"
        ));
    }
}

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
    meet_with(call, "size", bytes);
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
    meet_with(call, "the offset in the heap", offset);
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
    meet_with(call, "size", size);
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
