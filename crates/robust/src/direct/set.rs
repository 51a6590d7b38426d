//! Sets of open operations.

/// A set of positions in the list of open operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(pub(super) u128);

impl Set {
    pub(super) const EMPTY: Self = Self(0);

    pub(super) fn of(position: usize) -> Self {
        Self(1 << position)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn has(self, position: usize) -> bool {
        self.0 >> position & 1 == 1
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, position: usize) -> Self {
        Self(self.0 & !(1 << position))
    }

    /// The same operations when a new one is put in at a position.
    pub(super) fn making_room(self, position: usize) -> Self {
        let below = (1 << position) - 1;
        Self(self.0 & below | (self.0 & !below) << 1)
    }

    /// The same operations, but the one at a position, when that is taken out.
    pub(super) fn closing_gap(self, position: usize) -> Self {
        let below = (1 << position) - 1;
        Self(self.0 & below | self.0 >> 1 & !below)
    }
}
