//! Relaxed accesses of a thread to shared memory, of which a fence makes an order (C17 §7.17.4); `MPI_Win_sync` is one
//! (MPI-4.1 §12.5.4).

use crate::layout::SHARED;
use std::collections::BTreeSet;

/// What a later fence, or one that was passed, may concern.
#[derive(Debug, Default)]
pub(crate) struct Relaxed {
    /// The thread has passed a fence that releases.
    is_fenced: bool,
    /// Words that were loaded since the last fence that acquires.
    loaded: BTreeSet<u64>,
}

impl Relaxed {
    /// The thread passes a fence; the words that it acquires.
    pub(crate) fn fence(&mut self, releases: bool, acquires: bool) -> BTreeSet<u64> {
        self.is_fenced |= releases;
        match acquires {
            true => std::mem::take(&mut self.loaded),
            false => BTreeSet::new(),
        }
    }

    /// Whether a store releases what was done before a fence.
    pub(crate) fn is_fenced(&self) -> bool {
        self.is_fenced
    }

    /// The thread has loaded a word.
    pub(crate) fn loads(&mut self, address: u64) {
        if address >= SHARED {
            self.loaded.insert(address);
        }
    }
}
