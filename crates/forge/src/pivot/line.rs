//! A partial order of few actions, kept closed.

use crate::MOST_ACTIONS;

/// A set of actions.
pub(super) type Row = u16;

/// A partial order: what comes before and after each action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) after: [Row; MOST_ACTIONS],
    pub(super) before: [Row; MOST_ACTIONS],
}

impl Line {
    /// What edges demand that go forward in the order of so many actions, but for some of them.
    pub(super) fn without(size: usize, after: &[Row; MOST_ACTIONS], edges: &[(usize, usize)]) -> Self {
        let mut direct = *after;
        for &(a, b) in edges {
            direct[a] &= !(1 << b);
        }
        let mut line = Self {
            after: [0; MOST_ACTIONS],
            before: [0; MOST_ACTIONS],
        };
        for a in (0..size).rev() {
            line.after[a] = members(direct[a]).fold(direct[a], |after, b| after | line.after[b]);
            members(line.after[a]).for_each(|b| line.before[b] |= 1 << a);
        }
        line
    }

    /// Whether `a` comes before `b`.
    pub(super) fn has(&self, a: usize, b: usize) -> bool {
        self.after[a] & 1 << b != 0
    }

    /// The order with `a` before `b` as well; none if `b` comes before `a`.
    pub(super) fn with(&self, a: usize, b: usize) -> Option<Self> {
        if a == b || self.has(b, a) {
            return None;
        }
        let mut line = *self;
        if !self.has(a, b) {
            let earlier = self.before[a] | 1 << a;
            let later = self.after[b] | 1 << b;
            members(earlier).for_each(|x| line.after[x] |= later);
            members(later).for_each(|x| line.before[x] |= earlier);
        }
        Some(line)
    }
}

/// The members of a row, least first.
pub(super) fn members(mut row: Row) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = (row != 0).then(|| row.trailing_zeros() as usize)?;
        row &= row - 1;
        Some(least)
    })
}
