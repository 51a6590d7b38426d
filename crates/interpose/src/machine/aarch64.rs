//! aarch64 with the procedure call standard of Arm (AAPCS64, 2023Q3), as Linux uses it. See [`super`].
//!
//! Limits: return addresses that the program signs (`-mbranch-protection`) are signed after its function's entry and
//! are those of an unsigned call there, where the exported functions of this library take them.

pub(crate) mod access;
pub(crate) mod frame;
pub(crate) mod hooks;
pub(crate) mod observe;
pub(crate) mod result;

pub(crate) use access::*;
pub(crate) use hooks::*;
pub(crate) use observe::*;
pub(crate) use result::*;

use std::ffi::c_void;

/// log2 of the bytes of user space, as long as a program asks for no address beyond (with `mmap(2)` of 52 bits).
pub(crate) const USER_SPACE: u32 = 48;

/// Where `farside_slots` of the calling thread lies, a symbol in thread-local storage.
#[inline(always)]
pub(crate) fn thread_slots() -> *mut c_void {
    let address: *mut c_void;
    // SAFETY: Reads the thread's own offset and pointer; has no other effect.
    unsafe {
        std::arch::asm!(
            "adrp {0}, :gottprel:farside_slots",
            "ldr {0}, [{0}, :gottprel_lo12:farside_slots]",
            "mrs {1}, tpidr_el0",
            "add {0}, {0}, {1}",
            out(reg) address,
            out(reg) _,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    address
}

/// Between two stores: any thread that sees the second sees the first, if it loads them in the other order. False: that
/// cannot be had.
///
/// A thread that loads both by plain instructions may do so in any order. `membarrier(2)` is a full barrier in every
/// thread of the process: who loads the second after it loads the first after it, too.
pub(crate) fn order_for_all() -> bool {
    const GLOBAL: i32 = 1;
    const PRIVATE_EXPEDITED: i32 = 1 << 3;
    const REGISTER_PRIVATE_EXPEDITED: i32 = 1 << 4;
    // SAFETY: the call changes no memory.
    let called = |command: i32| unsafe { ::libc::syscall(::libc::SYS_membarrier, command, 0, 0) == 0 };
    (called(REGISTER_PRIVATE_EXPEDITED) && called(PRIVATE_EXPEDITED)) || called(GLOBAL)
}

/// About where the calling thread's stack ends.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let here: usize;
    // SAFETY: Copies a register.
    unsafe { std::arch::asm!("mov {}, sp", out(reg) here, options(nomem, nostack, preserves_flags)) };
    here
}

/// Copies bytes from the first to the last, or from the last to the first, without a call of the C library.
///
/// # Safety
/// Both ranges are valid.
pub(crate) unsafe fn copy_bytes(to: *mut u8, from: *const u8, len: usize, backwards: bool) {
    for step in 0..len {
        let at = if backwards { len - 1 - step } else { step };
        // SAFETY: The caller's promise. Volatile, so that it does not become a call of `memmove`.
        unsafe { to.add(at).write_volatile(from.add(at).read_volatile()) };
    }
}

/// Fills bytes without a call of the C library.
///
/// # Safety
/// The range is valid.
pub(crate) unsafe fn fill_bytes(to: *mut u8, value: u8, len: usize) {
    for at in 0..len {
        // SAFETY: The caller's promise. Volatile, so that it does not become a call of `memset`.
        unsafe { to.add(at).write_volatile(value) };
    }
}

/// Where a frame keeps the address that it returns to: above the frame pointer of its caller, as the standard has it
/// and compilers do by default (`-fno-omit-frame-pointer`). `frame_pointer` is that of the frame, which ends at
/// `canonical`.
///
/// # Safety
/// A frame of the calling thread's stack, which lies above frames of ours.
pub(crate) unsafe fn return_slot(frame_pointer: usize, canonical: usize, pc: u64) -> Option<usize> {
    /// A frame record lies within its frame, and few frames are larger.
    const LARGEST: usize = 1 << 20;
    let slot = frame_pointer.wrapping_add(size_of::<u64>());
    let within = frame_pointer != 0
        && frame_pointer.is_multiple_of(8)
        && slot < canonical
        && canonical - frame_pointer <= LARGEST
        && frame_pointer > stack_pointer();
    // SAFETY: a word between the present end of the calling thread's stack and the frame of a caller.
    (within && unsafe { *(slot as *const u64) } == pc).then_some(slot)
}

/// The number of the frame pointer's register in debug information, where [`return_slot`] needs it.
pub(crate) const FRAME_POINTER: Option<i32> = Some(29);
/// Whether a frame whose [`return_slot`] is not found may be taken for unchanged: it may have been compiled without a
/// frame pointer.
pub(crate) const FRAMES_WITHOUT_SLOT_STAY: bool = false;

/// Kinds of relocations that store the address of a symbol: plain, and for the global offset table.
pub(crate) const ADDRESSES: [u32; 2] = [257, 1025];
