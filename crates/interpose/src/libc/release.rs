//! `free` and `realloc`: a block that is given back is lost to whoever still uses it, as if all of it were stored to;
//! and what allocates, for the order between the thread that gave memory back and the one that gets it
//! ([`blocks`]).
//!
//! So an origin buffer that is freed while its operation is open is a local race, and window memory that a neighbour
//! may still reach a remote one; and memory that a window has when it is freed is told (`invalid-free`). `operator
//! delete` of libstdc++ and libc++ jumps to `free`; `deallocate` of gfortran calls it.
//!
//! Limits: memory that is unmapped, what `MPI_Free_mem` frees beyond window memory, operators `delete` that do not
//! jump to `free` (jemalloc, tcmalloc),
//! and variables on the stack of a function that returns are not seen.

use super::Call;
use super::caller::is_own;
use super::jump::{Arguments, observed};
use crate::interposed::interpose_with_caller;
use crate::memory::{given, observing, watched};
use crate::stacks;
use crate::threads::blocks;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

observed! {
    free => frees, free_until_found;
}

interpose_with_caller! {
    fn malloc(size: usize) -> *mut c_void |real, caller| {
        allocated(real(), caller)
    }

    fn calloc(count: usize, size: usize) -> *mut c_void |real, caller| {
        allocated(real(), caller)
    }

    fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void |real, caller| {
        allocated(real(), caller)
    }

    fn memalign(alignment: usize, size: usize) -> *mut c_void |real, caller| {
        allocated(real(), caller)
    }

    fn posix_memalign(block: *mut *mut c_void, alignment: usize, size: usize) -> c_int |real, caller| {
        let result = real();
        if result == 0 {
            // SAFETY: The call succeeded, so it has stored the block there.
            allocated(unsafe { *block }, caller);
        }
        result
    }

    fn realloc(block: *mut c_void, size: usize) -> *mut c_void |real, caller| {
        if observing() && !is_own(caller) {
            reallocates(block as u64, caller);
        }
        allocated(real(), caller)
    }
}

/// The block that an allocation gave to code at `caller`.
#[inline]
fn allocated(block: *mut c_void, caller: usize) -> *mut c_void {
    if !is_own(caller) {
        blocks::taken(block);
    }
    block
}

/// Stands for `free` until it has been looked up. The look-up itself frees the message of an earlier one that failed:
/// that block is lost, as is one that another thread frees at that moment; nothing else can be done safely.
unsafe extern "C" fn free_until_found(block: *mut c_void) {
    static LOOKING: AtomicBool = AtomicBool::new(false);
    if LOOKING.swap(true, Ordering::Relaxed) {
        return;
    }
    // SAFETY: The name ends in a zero byte.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, c"free".as_ptr()) };
    LOOKING.store(false, Ordering::Relaxed);
    if !found.is_null() {
        // SAFETY: It is `free`, and the caller's argument is that of `free`.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(found)(block) };
    }
}

/// The bytes of an allocated block; none of a null pointer.
fn size_of(block: u64) -> usize {
    // SAFETY: The program gives back what it allocated, or null.
    unsafe { libc::malloc_usable_size(block as *mut c_void) }
}

/// A call gives a block back, which no window may have any more.
fn end_memory(Call { name, pc }: Call, block: usize, len: usize) {
    given::end(name, &(block..block + len), || stacks::capture(pc));
}

unsafe extern "C" fn frees(&[block, ..]: &Arguments, pc: usize) {
    let len = size_of(block);
    if watched(block as usize, len)
        && let Some(call) = Call::of_program("free", pc)
    {
        call.stores(block, len);
        end_memory(call, block as usize, len);
    }
    blocks::given_back(block as usize, len);
}

fn reallocates(block: u64, pc: usize) {
    let len = size_of(block);
    if watched(block as usize, len)
        && let Some(call) = Call::of_program("realloc", pc)
    {
        call.loads(block, len);
        call.stores(block, len);
        end_memory(call, block as usize, len);
    }
    blocks::given_back(block as usize, len);
}
