//! Whose a handle is: what ties attached memory and connections to the window of a rank that made them.
//!
//! A handle is a value, and safe code can keep it and pass it on: to a later world, to another window, and, where
//! several ranks run in one process, to another rank (by a `RefCell` or a thread-local variable in
//! [`simulate`](crate::simulate()), by a static or a channel in [`threads`](crate::threads)). Names that ranks agree on
//! do not tell these apart, for each world counts them from 0, and all ranks of a window have the same. So each window
//! of each rank has a number that this process gives once, and what comes from the window carries it. It says which
//! world, which rank and which window at once, and that the window is still there: it is compared with that of a window
//! in hand.

use std::sync::atomic::{AtomicU64, Ordering};

/// A window of a rank, among all of this process from its begin to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity(u64);

impl Identity {
    /// One that nobody has. 64 bits do not run out: at a window a nanosecond they last for 500 years.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
