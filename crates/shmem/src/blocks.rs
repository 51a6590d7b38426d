//! Words of the library at the beginning of each PE's region.
//!
//! A team has a *block*: one word for each round of its synchronisation, and a word for the offsets of `collect`. The
//! `pSync` array of an active set is such a block in memory of the program (`SHMEM_SYNC_SIZE` words of 0). Block 0 is
//! that of `SHMEM_TEAM_WORLD`, block 1 that of `SHMEM_TEAM_SHARED`.

/// Words of a block.
pub(crate) const BLOCK_WORDS: usize = 32;
/// Most teams at a PE.
pub(crate) const BLOCKS: usize = 64;
/// Two words of block 0 in which a PE finds, by turns, with what argument the one before it made a call of the heap.
pub(crate) const ARGUMENT: usize = 28;
/// The word of a block through which offsets of `collect` pass.
pub(crate) const OFFSET: usize = 30;
/// The word of a block in which a PE says which blocks are free.
pub(crate) const FREE: usize = 31;
/// Not 0: the program ends, with the status in the lower half.
pub(crate) const EXIT: usize = BLOCKS * BLOCK_WORDS * 8;
/// All of them.
pub(crate) const BYTES: usize = EXIT + 64;

/// The displacement of a block.
pub(crate) fn block(number: usize) -> usize {
    number * BLOCK_WORDS * 8
}
