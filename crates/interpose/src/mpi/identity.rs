//! Identities that all processes of a group compute alike, without talking to each other.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number from a list of numbers, well spread (the finalizer of splitmix64, Steele et al., OOPSLA 2014, chained).
pub(super) fn mix(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| {
        let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// Counts from 1: 0 stays free for "none".
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) const fn new() -> Self {
        Self(AtomicU64::new(1))
    }

    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}
