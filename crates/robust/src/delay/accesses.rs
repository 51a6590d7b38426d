//! Sets of accesses to memory.

/// An access to an address, which is a number for a cell of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) address: usize,
    pub(super) writes: bool,
}

/// A set of accesses. Addresses that are equal modulo `width` are taken for one, so that sets stay small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accesses {
    width: usize,
    /// Those that are read or written, then those that are written.
    words: Vec<u64>,
}

impl Accesses {
    pub(super) fn empty(width: usize) -> Self {
        Self {
            width,
            words: vec![0; 2 * width.div_ceil(64)],
        }
    }

    pub(super) fn insert(&mut self, access: Access) {
        let (at, half) = (access.address % self.width, self.words.len() / 2);
        self.words[at / 64] |= 1 << (at % 64);
        if access.writes {
            self.words[half + at / 64] |= 1 << (at % 64);
        }
    }

    /// Adds all of another set; whether any was new.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let mut new = false;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            new |= *other & !*word != 0;
            *word |= other;
        }
        new
    }

    /// Whether some access conflicts with this one.
    pub(super) fn conflicts(&self, access: Access) -> bool {
        let (at, half) = (access.address % self.width, self.words.len() / 2);
        let words = if access.writes { 0 } else { half };
        self.words[words + at / 64] >> (at % 64) & 1 == 1
    }

    /// Whether some access conflicts with one of another set.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let half = self.words.len() / 2;
        (0..half).any(|at| {
            self.words[at] & other.words[half + at] != 0 || self.words[half + at] & other.words[at] != 0
        })
    }
}
