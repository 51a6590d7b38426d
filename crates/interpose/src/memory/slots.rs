//! The few words that every callback and every hooked call of a thread needs, in thread-local storage of the
//! initial-exec model.
//!
//! A thread-local variable of a shared library costs a call of `__tls_get_addr` in the model that the compiler
//! chooses; the initial-exec model costs one load. It suits libraries that are loaded at start, as preloaded ones are.
//! Stable Rust cannot ask for it, hence the assembly. All words are zero in a new thread.

use super::seen::Seen;
use super::segment::{Entry, Segment};
use crate::machine;
use crate::stacks::shadow::Frame;

/// One thread's words.
#[repr(C)]
pub(crate) struct Slots {
    /// The entries of `segment`; null while nothing must be recorded. Callbacks use it without looking further.
    pub(super) entries: *mut Entry,
    /// The accesses of this thread; null until the first.
    pub(super) segment: *mut Segment,
    /// The innermost frame of the shadow stack; null until the first. See [`crate::stacks`].
    pub(crate) top: *mut Frame,
    /// The last frame for which there is room.
    pub(crate) limit: *mut Frame,
    /// Frames beyond the limit.
    pub(crate) beyond: u64,
    /// Where the atomic operation, or the announcement of a loop, in progress was called from.
    pub(super) pc: u64,
    /// The last call of the program that transferred a value out by Fortran's `write`.
    pub(crate) written: u64,
    /// Open `__tsan_ignore_thread_begin`.
    pub(super) ignored: u32,
    /// What the callbacks need not bring again; null until the first access.
    pub(super) seen: *mut Seen,
    /// Operations issued since the last event of another kind.
    pub(super) operations: u32,
    /// In the slow path: accesses of a signal handler, and library calls of our own, are left out then.
    busy: bool,
    /// Calls of an MPI library, or of Farside, that the thread is in. See [`crate::recorder`].
    pub(crate) depth: u32,
    /// One more than the number of the thread; 0 until it has one.
    pub(crate) number: u32,
    /// Whether the thread is in a function of the C library after which pages are closed that the guard opens for it:
    /// 0, [`MAY_HOLD`], or [`HOLDS`] once there are some.
    #[cfg(target_arch = "x86_64")]
    pub(crate) held: u32,
    /// Return address of an outer Fortran call that leaves the observing to the C call inside it; else 0.
    pub(crate) outer_return: usize,
    /// Where the thread's own stack begins and ends; 0 until it is asked for.
    pub(crate) stack: (usize, usize),
}

/// Of `held`: pages may be opened that are closed when the function returns.
#[cfg(target_arch = "x86_64")]
pub(crate) const MAY_HOLD: u32 = 1;
/// Of `held`: there are some.
#[cfg(target_arch = "x86_64")]
pub(crate) const HOLDS: u32 = 2;

/// Offsets of [`Slots`] for assembly.
pub(crate) mod offset {
    use super::Slots;
    use std::mem::offset_of;

    pub(crate) const TOP: usize = offset_of!(Slots, top);
    pub(crate) const LIMIT: usize = offset_of!(Slots, limit);
    pub(crate) const BEYOND: usize = offset_of!(Slots, beyond);
    pub(crate) const PC: usize = offset_of!(Slots, pc);
    #[cfg(target_arch = "x86_64")]
    pub(crate) const HELD: usize = offset_of!(Slots, held);
    pub(crate) const DEPTH: usize = offset_of!(Slots, depth);
    pub(in crate::memory) const SEEN: usize = offset_of!(Slots, seen);
}

const _: () = assert!(size_of::<Slots>() <= 192);

std::arch::global_asm!(
    ".pushsection .tbss.farside_slots,\"awT\",@nobits",
    ".hidden farside_slots",
    ".globl farside_slots",
    ".type farside_slots,@object",
    ".size farside_slots,192",
    ".balign 64",
    "farside_slots:",
    ".zero 192",
    ".popsection",
);

/// The calling thread's words. Valid until the thread ends; nobody else touches them.
#[inline(always)]
pub(crate) fn slots() -> *mut Slots {
    machine::thread_slots().cast()
}

/// Whether the calling thread is in the slow path.
#[inline]
pub(crate) fn busy() -> bool {
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).busy }
}

/// Runs `work` as part of the slow path; `None`, if the calling thread is in it already.
#[inline]
pub(crate) fn once<T>(work: impl FnOnce() -> T) -> Option<T> {
    struct Busy(*mut Slots);

    impl Drop for Busy {
        fn drop(&mut self) {
            // SAFETY: The slots of the thread that made this value, which does not leave it.
            unsafe { (*self.0).busy = false };
        }
    }

    if busy() {
        return None;
    }
    let slots = slots();
    // SAFETY: The slots are this thread's.
    unsafe { (*slots).busy = true };
    let _busy = Busy(slots);
    Some(work())
}

/// An exported name that keeps its return address in [`Slots`] and goes on in `$to`, with all arguments in place.
macro_rules! entrance {
    ($name:ident, $to:path) => {
        #[unsafe(naked)]
        #[cfg_attr(not(test), unsafe(no_mangle))]
        extern "C" fn $name() {
            std::arch::naked_asm!(
                $crate::machine::keep_return_address!(),
                pc = const $crate::memory::slots::offset::PC,
                to = sym $to,
            )
        }
    };
}
pub(super) use entrance;
