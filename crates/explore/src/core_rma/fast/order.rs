//! Happens-before as bit rows that are kept closed while edges are added.

/// A set of actions.
pub(super) type Set = u64;

/// The set with this member only.
pub(super) const fn one(action: usize) -> Set {
    1 << action
}

/// Members of a set, least first.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let member = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(member)
    })
}

/// An edge would close a cycle.
#[derive(Debug)]
pub(super) struct Cycle;

/// A transitive relation without cycles.
#[derive(Clone)]
pub(super) struct Order {
    size: usize,
    /// By action: all that come after it.
    after: [Set; 64],
    /// By action: all that come before it.
    before: [Set; 64],
}

impl Order {
    /// No edge, over this many actions.
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            after: [0; 64],
            before: [0; 64],
        }
    }

    pub(super) fn after(&self, action: usize) -> Set {
        self.after[action]
    }

    pub(super) fn before(&self, action: usize) -> Set {
        self.before[action]
    }

    /// What each action is before.
    pub(super) fn rows(&self) -> &[Set] {
        &self.after[..self.size]
    }

    pub(super) fn has(&self, a: usize, b: usize) -> bool {
        self.after[a] & one(b) != 0
    }

    /// Puts all of `from` before all of `to`.
    pub(super) fn add_all(&mut self, from: Set, to: Set) -> Result<(), Cycle> {
        let mut earlier = from;
        for a in members(from) {
            earlier |= self.before[a];
        }
        let mut later = to;
        for b in members(to) {
            later |= self.after[b];
        }
        if earlier & later != 0 {
            return Err(Cycle);
        }
        for a in members(earlier) {
            self.after[a] |= later;
        }
        for b in members(later) {
            self.before[b] |= earlier;
        }
        Ok(())
    }

    /// All actions, each after those before it, those that happen together in a row; of several that could be next, the first.
    pub(super) fn line(&self, together: &[Set; 64]) -> Vec<usize> {
        let mut line = Vec::with_capacity(self.size);
        let mut done: Set = 0;
        let ready = |group: Set, done: Set, action: usize| {
            done & one(action) == 0 && self.before[action] & !(done | group) == 0
        };
        while let Some(next) = (0..self.size).find(|&action| {
            done & one(action) == 0
                && members(together[action]).all(|member| ready(together[action], done, member))
        }) {
            let group = together[next];
            while let Some(member) = members(group).find(|&member| ready(0, done, member)) {
                done |= one(member);
                line.push(member);
            }
        }
        line
    }
}
