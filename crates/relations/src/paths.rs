//! Cycles and what an acyclic relation can do without.

use crate::{MAX, Relation, Set};

impl Relation {
    /// Whether no chain of steps leads back to where it began.
    #[must_use]
    pub fn is_acyclic(&self) -> bool {
        // Takes away what leads nowhere, until there is nothing left or every element leads on.
        let mut left = Set::first(self.size());
        loop {
            let leads_on = left
                .members()
                .filter(|&element| self.successors(element).meets(left))
                .collect();
            if leads_on == left {
                return left.is_empty();
            }
            left = leads_on;
        }
    }

    /// A shortest cycle: each of its elements is related to the next one, and the last to the first. It begins with its
    /// least element; of several shortest cycles, with the least possible one.
    #[must_use]
    pub fn find_cycle(&self) -> Option<Vec<usize>> {
        if self.is_acyclic() {
            return None;
        }
        (0..self.size())
            .filter_map(|element| self.shortest_path(element, element))
            .min_by_key(Vec::len)
    }

    /// A shortest chain of one or more steps from `from` to `to`: all its elements but the last, so the elements of a
    /// cycle if both are the same.
    #[must_use]
    pub fn shortest_path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        if from >= self.size() {
            return None;
        }
        let mut came_from = [0_u8; MAX];
        let (mut reached, mut front) = (Set::EMPTY, Set::one(from));
        while !front.is_empty() {
            let mut next = Set::EMPTY;
            for element in front {
                for new in self.successors(element) - reached - next {
                    came_from[new] = element as u8;
                    next.insert(new);
                }
            }
            if next.has(to) {
                let mut path = vec![usize::from(came_from[to])];
                while path.last() != Some(&from) {
                    path.push(usize::from(came_from[path[path.len() - 1]]));
                }
                path.reverse();
                return Some(path);
            }
            reached |= next;
            front = next;
        }
        None
    }

    /// The least relation with the same closure, or nothing if there is a cycle: then it need not be unique.
    #[must_use]
    pub fn transitive_reduction(&self) -> Option<Self> {
        let closed = self.closure();
        closed.is_irreflexive().then(|| closed - closed.compose(&closed))
    }
}
