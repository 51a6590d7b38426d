//! x86-64 with the System V calling convention. See [`super`].

pub(crate) mod access;
pub(crate) mod hooks;
pub(crate) mod observe;
pub(crate) mod result;

pub(crate) use access::*;
pub(crate) use hooks::*;
pub(crate) use observe::*;
pub(crate) use result::*;

use std::ffi::c_void;

/// log2 of the bytes of user space.
pub(crate) const USER_SPACE: u32 = 47;

/// Where `farside_slots` of the calling thread lies, a symbol in thread-local storage.
#[inline(always)]
pub(crate) fn thread_slots() -> *mut c_void {
    let address: *mut c_void;
    // SAFETY: Reads the thread's own offset and pointer; has no other effect.
    unsafe {
        std::arch::asm!(
            "mov {0}, qword ptr [rip + farside_slots@GOTTPOFF]",
            "add {0}, qword ptr fs:[0]",
            out(reg) address,
            options(pure, nomem, nostack),
        );
    }
    address
}

/// Between two stores: any thread that sees the second sees the first, if it loads them in the other order. False: that
/// cannot be had. Here it always holds.
pub(crate) fn order_for_all() -> bool {
    true
}

/// About where the calling thread's stack ends.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let here: usize;
    // SAFETY: Copies a register.
    unsafe { std::arch::asm!("mov {}, rsp", out(reg) here, options(nomem, nostack, preserves_flags)) };
    here
}

/// Copies bytes from the first to the last, or from the last to the first, without a call of the C library.
///
/// # Safety
/// Both ranges are valid.
pub(crate) unsafe fn copy_bytes(to: *mut u8, from: *const u8, len: usize, backwards: bool) {
    // SAFETY: The caller's promise. The direction flag is clear again afterwards.
    unsafe {
        if backwards {
            std::arch::asm!("std", "rep movsb", "cld",
                inout("rdi") to.wrapping_add(len).wrapping_sub(1) => _,
                inout("rsi") from.wrapping_add(len).wrapping_sub(1) => _,
                inout("rcx") len => _, options(nostack));
        } else {
            std::arch::asm!("rep movsb", inout("rdi") to => _, inout("rsi") from => _, inout("rcx") len => _,
                options(nostack, preserves_flags));
        }
    }
}

/// Fills bytes without a call of the C library.
///
/// # Safety
/// The range is valid.
pub(crate) unsafe fn fill_bytes(to: *mut u8, value: u8, len: usize) {
    // SAFETY: The caller's promise.
    unsafe {
        std::arch::asm!("rep stosb", inout("rdi") to => _, in("al") value, inout("rcx") len => _,
            options(nostack, preserves_flags));
    }
}

/// Where a frame keeps the address that it returns to, if it was entered by a call: right below where the frame of its
/// caller ends, at `canonical`.
///
/// # Safety
/// A frame of the calling thread's stack, which lies above frames of ours.
pub(crate) unsafe fn return_slot(_frame_pointer: usize, canonical: usize, pc: u64) -> Option<usize> {
    let slot = canonical.wrapping_sub(size_of::<u64>());
    // SAFETY: a word of the calling thread's stack.
    let called = canonical != 0 && slot.is_multiple_of(8) && unsafe { *(slot as *const u64) } == pc;
    called.then_some(slot)
}

/// The number of the frame pointer's register in debug information, where [`return_slot`] needs it.
pub(crate) const FRAME_POINTER: Option<i32> = None;
/// Whether a frame whose [`return_slot`] is not found may be taken for unchanged: it was not entered by a call.
pub(crate) const FRAMES_WITHOUT_SLOT_STAY: bool = true;

/// Kinds of relocations that store the address of a symbol: plain, and for the global offset table.
pub(crate) const ADDRESSES: [u32; 2] = [1, 6];
