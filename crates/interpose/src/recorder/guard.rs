//! Who is calling: the program, an MPI library, or ourselves; and on which thread.

use crate::memory::slots::slots;
use farside_events::ThreadId;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT_THREAD: AtomicU32 = AtomicU32::new(1);

/// The calling thread; 0 is the thread that initialised MPI, the others count in order of their first event.
#[inline]
pub(crate) fn thread_id() -> ThreadId {
    let slots = slots();
    // SAFETY: The slots are this thread's.
    unsafe {
        if (*slots).number == 0 {
            (*slots).number = NEXT_THREAD.fetch_add(1, Ordering::Relaxed) + 1;
        }
        ThreadId((*slots).number - 1)
    }
}

/// The calling thread, if it has recorded something.
#[inline]
pub(crate) fn known_thread() -> Option<ThreadId> {
    // SAFETY: The slots are this thread's.
    let number = unsafe { (*slots()).number };
    number.checked_sub(1).map(ThreadId)
}

/// The calling thread goes on as a strand of its own ([`ThreadId::strand`]), 0 for the thread itself; gives the strand
/// that it was. Call after what it did so far was recorded.
pub(crate) fn become_strand(strand: u8) -> u8 {
    let id = thread_id();
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).number = id.strand(strand).0 + 1 };
    id.strand_number()
}

/// Makes the calling thread thread 0.
pub(super) fn claim_first_thread() {
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).number = 1 };
}

/// While it lives, the calling thread is inside an MPI library or inside Farside: hooks only forward.
pub(crate) struct MpiGuard(());

impl MpiGuard {
    #[inline]
    pub(crate) fn enter() -> Self {
        // SAFETY: The slots are this thread's.
        unsafe { (*slots()).depth += 1 };
        Self(())
    }
}

impl Drop for MpiGuard {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: The slots are this thread's, which made this value: threads do not hand it on.
        unsafe { (*slots()).depth -= 1 };
    }
}

/// Whether the calling thread is inside an MPI library or inside Farside.
#[inline]
pub(crate) fn inside_mpi() -> bool {
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).depth != 0 }
}

/// Runs the observing part of a hook under an [`MpiGuard`], and leaves `errno` as it was. A panic switches recording
/// off, with a [`farside_events::Shortfall::Internal`], and gives `None`.
pub(crate) fn observe<T>(observer: impl FnOnce() -> T) -> Option<T> {
    let _guard = MpiGuard::enter();
    // SAFETY: the address of the calling thread's `errno` is always valid.
    let errno = unsafe { *::libc::__errno_location() };
    let outcome = catch_unwind(AssertUnwindSafe(observer));
    if let Err(payload) = &outcome {
        let reason = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("unknown panic");
        super::fail(reason);
    }
    // SAFETY: the calling thread's `errno`, still; no other thread has its address.
    unsafe { *::libc::__errno_location() = errno };
    outcome.ok()
}

/// A panic of ours is reported through the spool, never on the program's stderr.
pub(super) fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
}
