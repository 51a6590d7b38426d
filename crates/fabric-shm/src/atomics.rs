//! The atomic types of the protocols in [`ring`](crate::ring) and [`doorbell`](crate::doorbell): the processor's, or
//! loom's in its models. Both are used through references only, so that the same code runs on mapped and on modelled
//! memory.

#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Keeps what others write often away from what this rank reads often: two lines, for processors fetch lines in pairs.
#[repr(C, align(128))]
#[derive(Default)]
pub(crate) struct Line<T>(pub(crate) T);
