//! The one way for hooks to say what happened.
//!
//! Every hook asks [`active`] first (cheap), is inert when [`inside_mpi`] (the call comes from within an MPI library
//! or from within ourselves), and reports through [`record`] or [`define`]. Hooks must not unwind into the program:
//! run their observing part in [`observe`].

use farside_events::{EventKind, ThreadId};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

static ACTIVE: AtomicBool = AtomicBool::new(false);

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether events are recorded: from the return of `MPI_Init` to `MPI_Finalize`, not in forked children, not after a
/// failure of ours.
#[inline]
pub(crate) fn active() -> bool {
    ACTIVE.load(Ordering::Relaxed)
}

/// Records an event of the calling thread, stamped now, after its loads and stores since the last one.
pub(crate) fn record(_kind: EventKind) {}

/// Records a definition (a stack, a module, a datatype, ...): does not end the thread's segment of loads and stores.
pub(crate) fn define(_kind: EventKind) {}

/// The calling thread; 0 is the thread that initialised MPI.
pub(crate) fn thread_id() -> ThreadId {
    ThreadId(0)
}

/// While it lives, the calling thread is inside an MPI library or inside Farside: hooks only forward.
pub(crate) struct MpiGuard(());

impl MpiGuard {
    pub(crate) fn enter() -> Self {
        DEPTH.with(|depth| depth.set(depth.get() + 1));
        Self(())
    }
}

impl Drop for MpiGuard {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

/// Whether the calling thread is inside an MPI library or inside Farside.
#[inline]
pub(crate) fn inside_mpi() -> bool {
    DEPTH.with(|depth| depth.get() != 0)
}

/// Runs the observing part of a hook under an [`MpiGuard`]. A panic switches recording off, with a
/// [`farside_events::Shortfall::Internal`], and gives `None`.
pub(crate) fn observe<T>(observer: impl FnOnce() -> T) -> Option<T> {
    let _guard = MpiGuard::enter();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(observer)).ok()
}
