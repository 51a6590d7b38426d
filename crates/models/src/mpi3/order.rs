//! Relations between any number of actions. (The crate `relations` holds at most 64; split and virtual actions need
//! more.)

/// A relation, a row of bits for each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    words: usize,
    rows: Vec<u64>,
}

impl Order {
    /// The empty relation between `size` actions.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self {
            words,
            rows: vec![0; words * size],
        }
    }

    /// Adds a pair.
    pub fn add(&mut self, from: usize, to: usize) {
        self.rows[from * self.words + to / 64] |= 1 << (to % 64);
    }

    /// Whether the pair is in it.
    #[must_use]
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from * self.words + to / 64] & (1 << (to % 64)) != 0
    }

    /// Its transitive closure.
    #[must_use]
    pub fn closed(mut self) -> Self {
        let size = self.rows.len().checked_div(self.words).unwrap_or(0);
        for middle in 0..size {
            for from in 0..size {
                if from != middle && self.has(from, middle) {
                    for word in 0..self.words {
                        self.rows[from * self.words + word] |= self.rows[middle * self.words + word];
                    }
                }
            }
        }
        self
    }

    /// Whether something is ordered before itself. Of a closed relation.
    #[must_use]
    pub fn is_cyclic(&self) -> bool {
        let size = self.rows.len().checked_div(self.words).unwrap_or(0);
        (0..size).any(|action| self.has(action, action))
    }
}
