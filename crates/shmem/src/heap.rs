//! Which bytes of the symmetric heap are in use.
//!
//! First fit by address, decided by the sequence of calls alone, so that PEs that make the same calls with the same
//! arguments get the same offsets, as OpenSHMEM 1.5 §9.3 asks for. What is known of the heap lies outside of it: a
//! program that writes past its allocation does not break it.
//!
//! Limits: an allocation searches all free pieces in front of the one that it takes.

use std::collections::BTreeMap;

/// Alignment of all allocations: that of any type, and of a line of a cache.
const ALIGNMENT: usize = 64;

/// A heap of bytes from offset 0.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Length by offset; no two touch.
    free: BTreeMap<usize, usize>,
    /// Reserved length, and length asked for, by offset.
    used: BTreeMap<usize, (usize, usize)>,
}

impl Heap {
    pub(crate) fn new(bytes: usize) -> Self {
        let free = BTreeMap::from([(0, bytes / ALIGNMENT * ALIGNMENT)]);
        Self {
            free,
            used: BTreeMap::new(),
        }
    }

    /// The offset of new bytes; `None`: there are not so many in one piece. `alignment` is a power of two.
    pub(crate) fn allocate(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        let alignment = alignment.max(ALIGNMENT);
        let length = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
        let fit = self.free.iter().find_map(|(&begin, &there)| {
            let at = begin.checked_next_multiple_of(alignment)?;
            (at.checked_add(length)? <= begin + there).then_some((begin, there, at))
        });
        let (begin, there, at) = fit?;
        self.free.remove(&begin);
        if at > begin {
            self.free.insert(begin, at - begin);
        }
        let end = begin + there;
        if at + length < end {
            self.free.insert(at + length, end - at - length);
        }
        self.used.insert(at, (length, bytes));
        Some(at)
    }

    /// How many bytes were asked for at an offset that [`Heap::allocate`] gave.
    pub(crate) fn length(&self, at: usize) -> Option<usize> {
        self.used.get(&at).map(|&(_, bytes)| bytes)
    }

    /// Gives bytes back; false: nothing was allocated at this offset.
    pub(crate) fn free(&mut self, at: usize) -> bool {
        let Some((mut length, _)) = self.used.remove(&at) else {
            return false;
        };
        let mut begin = at;
        if let Some(after) = self.free.remove(&(at + length)) {
            length += after;
        }
        if let Some((&before, &there)) = self.free.range(..at).next_back()
            && before + there == at
        {
            begin = before;
            length += there;
        }
        self.free.insert(begin, length);
        true
    }

    /// Whether all bytes lie in one allocation.
    #[cfg(test)]
    fn is_whole(&self) -> bool {
        self.used.is_empty() && self.free.len() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_calls_give_equal_offsets_and_pieces_join_again() {
        let calls = |heap: &mut Heap| {
            let a = heap.allocate(100, 8);
            let b = heap.allocate(1, 4096);
            let c = heap.allocate(64, 1);
            heap.free(a.expect("room"));
            let d = heap.allocate(64, 1);
            [a, b, c, d]
        };
        let (mut one, mut other) = (Heap::new(1 << 16), Heap::new(1 << 16));
        assert_eq!(calls(&mut one), calls(&mut other));
        assert_eq!(
            calls(&mut Heap::new(1 << 16)),
            [Some(0), Some(4096), Some(128), Some(0)]
        );
        assert_eq!(one.length(4096), Some(1));
        for at in [4096, 128, 0] {
            assert!(one.free(at));
        }
        assert!(one.is_whole() && !one.free(0));
    }

    #[test]
    fn what_does_not_fit_is_none_and_an_inner_address_is_no_allocation() {
        let mut heap = Heap::new(1024);
        assert_eq!(heap.allocate(1025, 1), None);
        assert_eq!(heap.allocate(usize::MAX, 1), None);
        assert_eq!(heap.allocate(1024, 1), Some(0));
        assert_eq!(heap.allocate(1, 1), None);
        assert!(!heap.free(64) && heap.length(64).is_none());
        assert!(heap.free(0) && heap.is_whole());
    }

    /// Random calls against a map of bytes.
    #[test]
    fn no_byte_is_given_twice() {
        let mut heap = Heap::new(1 << 14);
        let (mut live, mut state) = (Vec::<(usize, usize)>::new(), 7_u64);
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        for _ in 0..5000 {
            let (bytes, alignment) = (next() % 700, 1 << (next() % 10));
            if next() % 2 == 0 {
                if let Some(at) = heap.allocate(bytes, alignment) {
                    assert!(at.is_multiple_of(alignment) && at + bytes <= 1 << 14);
                    assert!(
                        live.iter()
                            .all(|&(other, length)| at + bytes <= other || other + length <= at)
                    );
                    live.push((at, bytes.max(1)));
                }
            } else if !live.is_empty() {
                let (at, _) = live.swap_remove(next() % live.len());
                assert!(heap.free(at));
            }
        }
        live.iter().for_each(|&(at, _)| assert!(heap.free(at)));
        assert!(heap.is_whole());
    }
}
