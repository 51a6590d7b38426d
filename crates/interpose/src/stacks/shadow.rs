//! The shadow stack of a thread, kept by `__tsan_func_entry` and `__tsan_func_exit`.
//!
//! Entry pushes the caller's return address and the stack pointer; the hash of the whole stack is computed when it is
//! first asked for, from the nearest frame below that has one, so that it costs constant time in the long run.
//!
//! What leaves functions without their exit: exceptions do not (compilers call the exit while they unwind); `longjmp`
//! does. Frames whose stack pointer is not above the present one are gone: entry and exit drop them.
//! Since a call chain after a jump may be deeper than before, [`jumped`] marks the stack, and the next use compares it
//! with the real one. Limits: frames beyond [`CAPACITY`] are counted, not kept. Coroutines that switch stacks mix their
//! frames.

use super::{DEPTH, define_as, unwind};
use crate::machine;
use crate::memory::slots::{Slots, offset, slots};
use farside_events::StackId;
use std::arch::naked_asm;
use std::mem::offset_of;

/// A function that was entered.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Where it returns to.
    pc: u64,
    /// The stack pointer at its entry.
    stack_pointer: u64,
    /// Hash of the stack up to this frame; 0: not computed yet.
    hash: u64,
    /// Whether the stack up to this frame is defined. Means nothing while `hash` is 0.
    defined: u64,
}

/// Frames of a thread that are kept. Address space of which only the used part exists.
const CAPACITY: usize = 1 << 16;
const BYTES: usize = CAPACITY * size_of::<Frame>();

/// The hash of the empty stack.
pub(super) const SEED: u64 = 0x6a09_e667_f3bc_c909;

/// The hash of a stack, called from `pc`'s function with one more frame.
pub(super) fn extend(hash: u64, pc: u64) -> u64 {
    let mixed = (hash ^ pc).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).max(1)
}

/// The calling thread's stack of instrumented functions.
pub(crate) fn current() -> StackId {
    let slots = slots();
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised.
    unsafe {
        settle(slots);
        let top = (*slots).top;
        if top.is_null() {
            return StackId::UNKNOWN;
        }
        let hash = hash_of(top);
        if is_bottom(top) {
            return StackId::UNKNOWN;
        }
        if (*top).defined != 0 {
            return StackId(hash);
        }
        (*top).defined = 1;
        define_as(hash, || {
            let mut list = Vec::new();
            frames(DEPTH, &mut list);
            list
        })
    }
}

/// The hash of the calling thread's stack of instrumented functions.
pub(super) fn hash() -> u64 {
    let slots = slots();
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised.
    unsafe {
        settle(slots);
        let top = (*slots).top;
        if top.is_null() { SEED } else { hash_of(top) }
    }
}

/// Appends the return addresses, innermost first, at most `limit`.
pub(super) fn frames(limit: usize, into: &mut Vec<u64>) {
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised, and the
    // walk ends at the bottom one.
    unsafe {
        let mut frame = (*slots()).top;
        while !frame.is_null() && !is_bottom(frame) && into.len() < limit {
            into.push((*frame).pc);
            frame = frame.sub(1);
        }
    }
}

/// The program is about to leave functions by `longjmp`.
pub(crate) fn jumped() {
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised. A stack pointer of 0 is
    // below any other: the next entry or exit, and every use, notices.
    unsafe {
        let top = (*slots()).top;
        if !top.is_null() && !is_bottom(top) {
            (*top).stack_pointer = 0;
        }
    }
}

/// Frees the calling thread's shadow stack.
pub(crate) fn thread_end() {
    let slots = slots();
    // SAFETY: The mapping that `grow` made, to which nothing points afterwards.
    unsafe {
        if !(*slots).limit.is_null() {
            let bottom = (*slots).limit.sub(CAPACITY - 1);
            (*slots).top = std::ptr::null_mut();
            (*slots).limit = std::ptr::null_mut();
            libc::munmap(bottom.cast(), BYTES);
        }
    }
}

/// `__tsan_func_entry`: the function that returns to `_pc` begins.
#[unsafe(naked)]
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_func_entry(_pc: u64) {
    naked_asm!(
        machine::enter_function!(),
        top = const offset::TOP,
        limit = const offset::LIMIT,
        size = const size_of::<Frame>(),
        pc = const offset_of!(Frame, pc),
        sp = const offset_of!(Frame, stack_pointer),
        hash = const offset_of!(Frame, hash),
        slow = sym enter_slowly,
    )
}

/// `__tsan_func_exit`: a function ends. The stack pointer is what it was at entry, or above it in a tail call.
#[unsafe(naked)]
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_func_exit() {
    naked_asm!(
        machine::exit_function!(),
        top = const offset::TOP,
        beyond = const offset::BEYOND,
        size = const size_of::<Frame>(),
        pc = const offset_of!(Frame, pc),
        sp = const offset_of!(Frame, stack_pointer),
        slow = sym exit_slowly,
    )
}

/// Entry where there is no room, or where functions were left without their exit.
extern "C" fn enter_slowly(pc: u64, stack_pointer: u64) {
    let slots = slots();
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised.
    unsafe {
        if (*slots).limit.is_null() && !grow(slots) {
            return;
        }
        settle(slots);
        drop_gone(slots, stack_pointer);
        if (*slots).top >= (*slots).limit {
            (*slots).beyond += 1;
            return;
        }
        (*slots).top = (*slots).top.add(1);
        *(*slots).top = Frame {
            pc,
            stack_pointer,
            hash: 0,
            defined: 0,
        };
    }
}

/// Exit after functions were left without theirs, or from a frame that was not kept.
extern "C" fn exit_slowly(stack_pointer: u64) {
    let slots = slots();
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised.
    unsafe {
        if (*slots).beyond != 0 {
            (*slots).beyond -= 1;
            return;
        }
        settle(slots);
        // Gone frames, then the one that ends; it is itself a "gone" one if this is a tail call.
        while !is_bottom((*slots).top) && (*(*slots).top).stack_pointer < stack_pointer {
            (*slots).top = (*slots).top.sub(1);
        }
        if !is_bottom((*slots).top) && (*(*slots).top).stack_pointer == stack_pointer {
            (*slots).top = (*slots).top.sub(1);
        }
    }
}

/// # Safety
/// The slots are the calling thread's, and its stack exists.
unsafe fn drop_gone(slots: *mut Slots, stack_pointer: u64) {
    // SAFETY: The bottom frame's stack pointer is above all others and ends the loop.
    unsafe {
        while (*(*slots).top).stack_pointer <= stack_pointer && !is_bottom((*slots).top) {
            (*slots).top = (*slots).top.sub(1);
            (*slots).beyond = 0;
        }
    }
}

/// After a jump: keeps the frames that the real stack has, too.
///
/// # Safety
/// The slots are the calling thread's.
unsafe fn settle(slots: *mut Slots) {
    // SAFETY: The slots are this thread's; frames from the bottom one to `top` are initialised.
    unsafe {
        let top = (*slots).top;
        if top.is_null() || (*top).stack_pointer != 0 {
            return;
        }
        (*slots).beyond = 0;
        let mut bottom = top;
        while !is_bottom(bottom) {
            bottom = bottom.sub(1);
        }
        let mut real = unwind::all();
        real.reverse();
        let mut rest = real.as_slice();
        let mut kept = bottom;
        while kept != top {
            let next = kept.add(1);
            let Some(position) = rest.iter().position(|frame| frame.pc() == (*next).pc) else {
                break;
            };
            rest = &rest[position + 1..];
            kept = next;
        }
        // If the marked frame itself was kept, its stack pointer is lost: anything that keeps the order will do.
        if kept == top {
            (*top).stack_pointer = (*top.sub(1)).stack_pointer.min(u64::MAX - 1) - 1;
        }
        (*slots).top = kept;
    }
}

/// # Safety
/// The frame and all below it down to the bottom are initialised.
unsafe fn hash_of(top: *mut Frame) -> u64 {
    // SAFETY: The bottom frame has a hash, which ends the walk.
    unsafe {
        let mut known = top;
        while (*known).hash == 0 {
            known = known.sub(1);
        }
        while known != top {
            let below = (*known).hash;
            known = known.add(1);
            (*known).hash = extend(below, (*known).pc);
            (*known).defined = 0;
        }
        (*top).hash
    }
}

/// # Safety
/// The frame is initialised.
unsafe fn is_bottom(frame: *const Frame) -> bool {
    // SAFETY: The caller's promise.
    unsafe { (*frame).stack_pointer == u64::MAX }
}

/// Makes the thread's stack: a bottom frame.
///
/// # Safety
/// The slots are the calling thread's.
unsafe fn grow(slots: *mut Slots) -> bool {
    // SAFETY: A new mapping, to which only the slots point.
    unsafe {
        let memory = libc::mmap(
            std::ptr::null_mut(),
            BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        );
        if memory == libc::MAP_FAILED {
            return false;
        }
        let bottom = memory.cast::<Frame>();
        *bottom = Frame {
            pc: 0,
            stack_pointer: u64::MAX,
            hash: SEED,
            defined: 1,
        };
        (*slots).top = bottom;
        (*slots).limit = bottom.add(CAPACITY - 1);
        true
    }
}
