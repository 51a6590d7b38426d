//! Identities that all processes of a group compute alike, without talking to each other.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number from a list of numbers.
pub(crate) fn mix(words: impl IntoIterator<Item = u64>) -> u64 {
    crate::mix::mix(0x9e37_79b9_7f4a_7c15, words)
}

/// Counts from 1: 0 stays free for "none".
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(1))
    }

    pub(crate) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}
