//! The callbacks that do nothing. Names: LLVM's `ThreadSanitizer.cpp`, GCC's `sanitizer.def`, and the annotations of
//! `sanitizer/tsan_interface.h` that programs call themselves when they are compiled for the thread sanitizer.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64};

/// Functions that return nothing and look at no argument.
macro_rules! nothing {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name() {}
    )*};
}

nothing! {
    __tsan_init
    __tsan_func_entry __tsan_func_exit
    __tsan_read1 __tsan_read2 __tsan_read4 __tsan_read8 __tsan_read16
    __tsan_write1 __tsan_write2 __tsan_write4 __tsan_write8 __tsan_write16
    __tsan_read1_pc __tsan_read2_pc __tsan_read4_pc __tsan_read8_pc __tsan_read16_pc
    __tsan_write1_pc __tsan_write2_pc __tsan_write4_pc __tsan_write8_pc __tsan_write16_pc
    __tsan_unaligned_read2 __tsan_unaligned_read4 __tsan_unaligned_read8 __tsan_unaligned_read16
    __tsan_unaligned_write2 __tsan_unaligned_write4 __tsan_unaligned_write8 __tsan_unaligned_write16
    __tsan_volatile_read1 __tsan_volatile_read2 __tsan_volatile_read4 __tsan_volatile_read8 __tsan_volatile_read16
    __tsan_volatile_write1 __tsan_volatile_write2 __tsan_volatile_write4 __tsan_volatile_write8
    __tsan_volatile_write16
    __tsan_unaligned_volatile_read2 __tsan_unaligned_volatile_read4 __tsan_unaligned_volatile_read8
    __tsan_unaligned_volatile_read16
    __tsan_unaligned_volatile_write2 __tsan_unaligned_volatile_write4 __tsan_unaligned_volatile_write8
    __tsan_unaligned_volatile_write16
    __tsan_read_write1 __tsan_read_write2 __tsan_read_write4 __tsan_read_write8 __tsan_read_write16
    __tsan_unaligned_read_write2 __tsan_unaligned_read_write4 __tsan_unaligned_read_write8
    __tsan_unaligned_read_write16
    __tsan_read_range __tsan_write_range __tsan_read_range_pc __tsan_write_range_pc
    __tsan_vptr_read __tsan_vptr_update
    __tsan_ignore_thread_begin __tsan_ignore_thread_end
    __tsan_acquire __tsan_release
    __tsan_mutex_create __tsan_mutex_destroy __tsan_mutex_pre_lock __tsan_mutex_post_lock
    __tsan_mutex_post_unlock __tsan_mutex_pre_signal __tsan_mutex_post_signal
    __tsan_mutex_pre_divert __tsan_mutex_post_divert
    __tsan_destroy_fiber __tsan_switch_to_fiber __tsan_set_fiber_name
    AnnotateHappensBefore AnnotateHappensAfter
    AnnotateIgnoreReadsBegin AnnotateIgnoreReadsEnd AnnotateIgnoreWritesBegin AnnotateIgnoreWritesEnd
    AnnotateIgnoreSyncBegin AnnotateIgnoreSyncEnd
    AnnotateRWLockCreate AnnotateRWLockCreateStatic AnnotateRWLockDestroy AnnotateRWLockAcquired
    AnnotateRWLockReleased AnnotateBenignRace AnnotateBenignRaceSized AnnotateNewMemory AnnotateThreadName
}

// Of the plugins of compilers: for whole loops, and where parts of constructs of OpenMP begin and end.
nothing! {
    __farside_read_run __farside_write_run
    __farside_section __farside_primary __farside_work_ends
    __farside_static_loop __farside_static_chunk __farside_compiler_asks
}

/// Of the plugins of compilers: all iterations of a thread, up to `end`, are one strand.
#[unsafe(no_mangle)]
extern "C" fn __farside_static_strand(_at: u64, end: u64, _step: i64) -> u64 {
    end
}

/// Of the plugins of compilers: nothing is watched.
#[unsafe(no_mangle)]
extern "C" fn __farside_line_watched() -> i32 {
    0
}

/// One page stands for all, and is not watched.
static NO_PAGE: AtomicU8 = AtomicU8::new(0);

/// The table of watched pages, of one byte.
///
/// A program may have a copy of this variable and of the next, which the checker's library then stores to: were they
/// not variable here, the linker would put the copies where nobody may.
#[unsafe(export_name = "__farside_page_table")]
static PAGE_TABLE: AtomicPtr<AtomicU8> = AtomicPtr::new((&raw const NO_PAGE).cast_mut());

/// The bits of a page's number that choose its byte in the table: none.
#[unsafe(export_name = "__farside_page_mask")]
static PAGE_MASK: AtomicU64 = AtomicU64::new(0);

/// Depth of the recursive unlock; nobody here counts.
#[unsafe(no_mangle)]
extern "C" fn __tsan_mutex_pre_unlock() -> i32 {
    0
}

/// There are no fibers without the sanitizer's runtime; any token will do.
#[unsafe(no_mangle)]
extern "C" fn __tsan_get_current_fiber() -> *mut c_void {
    std::ptr::null_mut()
}

/// As [`__tsan_get_current_fiber`].
#[unsafe(no_mangle)]
extern "C" fn __tsan_create_fiber() -> *mut c_void {
    std::ptr::null_mut()
}

unsafe extern "C" {
    fn memcpy(to: *mut c_void, from: *const c_void, len: usize) -> *mut c_void;
    fn memmove(to: *mut c_void, from: *const c_void, len: usize) -> *mut c_void;
    fn memset(to: *mut c_void, value: i32, len: usize) -> *mut c_void;
}

/// What newer compilers call for `memcpy` and for copies of structures.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_memcpy(to: *mut c_void, from: *const c_void, len: usize) -> *mut c_void {
    // SAFETY: The program's own call, with its own arguments.
    unsafe { memcpy(to, from, len) }
}

/// As [`__tsan_memcpy`].
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_memmove(to: *mut c_void, from: *const c_void, len: usize) -> *mut c_void {
    // SAFETY: The program's own call, with its own arguments.
    unsafe { memmove(to, from, len) }
}

/// As [`__tsan_memcpy`].
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_memset(to: *mut c_void, value: i32, len: usize) -> *mut c_void {
    // SAFETY: The program's own call, with its own arguments.
    unsafe { memset(to, value, len) }
}
