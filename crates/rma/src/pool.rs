//! Cells for the operands and results of single atomic operations, which must stay in place until completion.

use std::cell::{RefCell, UnsafeCell};

/// Cells that are made at a time.
const CHUNK: usize = 64;

/// Words of a cell: two operands and a result of up to two words.
pub(crate) const WORDS: usize = 4;

/// A cell of the pool; whoever holds the number owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(usize);

/// Cells with addresses that do not change.
#[derive(Default)]
pub(crate) struct Pool {
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    chunks: Vec<Box<[UnsafeCell<[u64; WORDS]>]>>,
    free: Vec<usize>,
    /// In use by operations that nobody waits for; free after the next completion of all.
    busy: Vec<usize>,
}

impl Pool {
    /// A cell, and its address.
    pub(crate) fn take(&self) -> (Slot, *mut u64) {
        let mut inner = self.inner.borrow_mut();
        let inner = &mut *inner;
        if inner.free.is_empty() {
            let first = inner.chunks.len() * CHUNK;
            inner
                .chunks
                .push((0..CHUNK).map(|_| UnsafeCell::new([0; WORDS])).collect());
            inner.free.extend((first..first + CHUNK).rev());
        }
        let index = inner.free.pop().unwrap_or_default();
        (
            Slot(index),
            inner.chunks[index / CHUNK][index % CHUNK].get().cast(),
        )
    }

    /// The address of a cell.
    pub(crate) fn place(&self, slot: Slot) -> *mut u64 {
        self.inner.borrow().chunks[slot.0 / CHUNK][slot.0 % CHUNK]
            .get()
            .cast()
    }

    /// Gives a cell back that no operation uses.
    pub(crate) fn give_back(&self, slot: Slot) {
        self.inner.borrow_mut().free.push(slot.0);
    }

    /// Gives a cell back that an operation uses until all are complete; the number of such cells.
    pub(crate) fn leave(&self, slot: Slot) -> usize {
        let mut inner = self.inner.borrow_mut();
        inner.busy.push(slot.0);
        inner.busy.len()
    }

    /// All operations are complete: cells that were left are free.
    pub(crate) fn completed(&self) {
        let mut inner = self.inner.borrow_mut();
        let inner = &mut *inner;
        inner.free.append(&mut inner.busy);
    }

    /// All operations are complete and nobody holds a cell, though some may have been forgotten.
    pub(crate) fn reset(&self) {
        let mut inner = self.inner.borrow_mut();
        let inner = &mut *inner;
        let cells = inner.chunks.len() * CHUNK;
        if inner.free.len() != cells {
            inner.busy.clear();
            inner.free.clear();
            inner.free.extend((0..cells).rev());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn cells_that_are_taken_are_distinct_and_stay_in_place() {
        let pool = Pool::default();
        let taken: Vec<(Slot, *mut u64)> = (0..3 * CHUNK).map(|_| pool.take()).collect();
        let distinct: BTreeSet<usize> = taken.iter().map(|&(_, place)| place as usize).collect();
        assert_eq!(distinct.len(), taken.len());
        assert!(taken.iter().all(|&(slot, place)| pool.place(slot) == place));
    }

    #[test]
    fn a_cell_that_is_left_is_not_given_out_before_completion() {
        let pool = Pool::default();
        let (left, _) = pool.take();
        assert_eq!(pool.leave(left), 1);
        let taken: Vec<Slot> = (1..CHUNK).map(|_| pool.take().0).collect();
        assert!(!taken.contains(&left));
        pool.completed();
        assert_eq!(pool.take().0, left);
    }

    #[test]
    fn cells_that_were_forgotten_come_back_with_a_reset() {
        let pool = Pool::default();
        let (_, place) = pool.take();
        pool.reset();
        assert!((0..CHUNK).any(|_| pool.take().1 == place));
    }
}
