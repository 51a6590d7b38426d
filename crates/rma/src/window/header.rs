//! What stands before the elements in the memory of a window: words of locks, barriers and exposures.

use crate::Rank;
use crate::flags;

/// Places in the memory of a window, in bytes; the same at all ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// The flags of the barrier.
    pub(crate) flags: usize,
    /// A word for each rank: how often it has posted to this one.
    posted: usize,
    /// A word for each rank: how often it has completed an access here.
    completed: usize,
    /// Where the elements begin; a multiple of 64.
    pub(crate) bytes: usize,
}

impl Header {
    /// Number of tickets of the lock that were taken.
    pub(crate) const TICKETS: usize = 0;
    /// The tickets that are called.
    pub(crate) const CALLS: usize = 8;
    /// The first line is that of the lock.
    const LOCK_BYTES: usize = 64;

    pub(crate) fn new(size: u32) -> Self {
        let flags = Self::LOCK_BYTES;
        let posted = flags + flags::bytes(size);
        let completed = posted + (size as usize * 8).next_multiple_of(64);
        Self {
            flags,
            posted,
            completed,
            bytes: completed + (size as usize * 8).next_multiple_of(64),
        }
    }

    /// The word in which `rank` counts its posts.
    pub(crate) fn posted(&self, rank: Rank) -> usize {
        self.posted + rank as usize * 8
    }

    /// The word in which `rank` counts its completed accesses.
    pub(crate) fn completed(&self, rank: Rank) -> usize {
        self.completed + rank as usize * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_overlap_and_elements_are_aligned() {
        for size in [1, 2, 3, 8, 9, 64, 65] {
            let header = Header::new(size);
            assert!(header.flags >= Header::CALLS + 8);
            assert!(header.posted(0) >= header.flags + flags::bytes(size));
            assert!(header.completed(0) >= header.posted(size - 1) + 8);
            assert!(header.bytes >= header.completed(size - 1) + 8);
            assert_eq!(header.bytes % 64, 0);
        }
    }
}
