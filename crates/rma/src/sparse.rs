//! A value for each rank, of which most ranks are never asked for: made in blocks, when they are first used.

use std::cell::OnceCell;

/// Values of a block.
const BLOCK: usize = 64;

/// So many values, each of which begins as the default. Their addresses do not change.
pub(crate) struct Sparse<T> {
    blocks: Box<[OnceCell<Box<[T]>>]>,
    length: usize,
}

impl<T: Default> Sparse<T> {
    pub(crate) fn new(length: usize) -> Self {
        Self {
            blocks: (0..length.div_ceil(BLOCK)).map(|_| OnceCell::new()).collect(),
            length,
        }
    }

    /// The value at an index, if there is such a one.
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        if index >= self.length {
            return None;
        }
        let block = self.blocks[index / BLOCK].get_or_init(|| (0..BLOCK).map(|_| T::default()).collect());
        Some(&block[index % BLOCK])
    }

    /// The value at an index, if its block was made.
    #[inline]
    pub(crate) fn made_at(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get()?.get(index % BLOCK)
    }

    /// The values of all blocks that were made.
    pub(crate) fn made(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().filter_map(OnceCell::get).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn values_begin_as_the_default_and_are_kept() {
        let values = Sparse::<Cell<u32>>::new(130);
        assert_eq!(values.made().count(), 0);
        for index in [0, 63, 129] {
            assert_eq!(values.get(index).expect("in range").replace(index as u32 + 1), 0);
        }
        assert_eq!(values.get(63).expect("in range").get(), 64);
        assert_eq!(values.made().count(), 2 * BLOCK);
        assert!(values.get(130).is_none());
        assert_eq!(values.made_at(63).expect("made").get(), 64);
        assert!(values.made_at(64).is_none());
        assert!(Sparse::<Cell<u32>>::new(0).get(0).is_none());
    }
}
