//! A strict order that grows.

use crate::{MAX, Relation, Set};
use std::fmt;

/// A transitive relation without cycles, kept closed while edges are added.
///
/// Rows of both directions are kept: adding an edge costs a word operation for each element before it and each after
/// it, and whether it closes a cycle is one look. A copy moves all rows; [`Clone::clone_from`] moves those in use only,
/// which is what a search should do that returns to the same depth again and again.
pub struct Order {
    size: usize,
    /// By element: all that come after it. What stands in rows from `size` on is never read.
    after: [Set; MAX],
    /// By element: all that come before it.
    before: [Set; MAX],
}

/// An edge would close a cycle; the order is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cycle {
    /// An element that was to come first: it comes after [`Cycle::later`] already, or is the same.
    pub earlier: usize,
    /// An element that was to come after it.
    pub later: usize,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot come before {}", self.earlier, self.later)
    }
}

impl std::error::Error for Cycle {}

impl Order {
    /// Nothing is ordered, over `size` elements.
    ///
    /// # Panics
    /// If `size` is more than [`MAX`].
    #[must_use]
    pub const fn new(size: usize) -> Self {
        assert!(size <= MAX, "an order has at most 64 elements");
        Self {
            size,
            after: [Set::EMPTY; MAX],
            before: [Set::EMPTY; MAX],
        }
    }

    /// The least order that contains `relation`.
    ///
    /// # Errors
    /// If the relation has a cycle.
    pub fn from_relation(relation: &Relation) -> Result<Self, Cycle> {
        let mut order = Self::new(relation.size());
        order.add_relation(relation)?;
        Ok(order)
    }

    /// Number of elements.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Whether `a` comes before `b`.
    #[inline]
    #[must_use]
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.after(a).has(b)
    }

    /// What comes after `element`.
    ///
    /// # Panics
    /// If it is not an element.
    #[inline]
    #[must_use]
    pub fn after(&self, element: usize) -> Set {
        self.after[..self.size][element]
    }

    /// What comes before `element`.
    ///
    /// # Panics
    /// If it is not an element.
    #[inline]
    #[must_use]
    pub fn before(&self, element: usize) -> Set {
        self.before[..self.size][element]
    }

    /// By element: what comes after it.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &[Set] {
        &self.after[..self.size]
    }

    /// What is neither before nor after `element`, nor it itself.
    ///
    /// # Panics
    /// If it is not an element.
    #[inline]
    #[must_use]
    pub fn unordered(&self, element: usize) -> Set {
        (self.after(element) | self.before(element) | Set::one(element)).complement(self.size)
    }

    /// Puts `a` before `b`, and says whether that is new.
    ///
    /// # Errors
    /// If `b` comes before `a`, or they are the same; the order is as it was.
    ///
    /// # Panics
    /// If one of them is not an element.
    #[inline]
    pub fn add(&mut self, a: usize, b: usize) -> Result<bool, Cycle> {
        if self.has(a, b) {
            return Ok(false);
        }
        if a == b || self.has(b, a) {
            return Err(Cycle { earlier: a, later: b });
        }
        self.join(self.before(a) | Set::one(a), self.after(b) | Set::one(b));
        Ok(true)
    }

    /// Puts all of `from` before all of `to`, and says whether anything of that is new.
    ///
    /// # Errors
    /// If one of `to` comes before one of `from` or is one of them; the order is as it was.
    ///
    /// # Panics
    /// If one of them is not an element.
    #[inline]
    pub fn add_all(&mut self, from: Set, to: Set) -> Result<bool, Cycle> {
        if from.is_empty() || to.is_empty() {
            return Ok(false);
        }
        let earlier = from.members().fold(from, |earlier, a| earlier | self.before(a));
        let later = to.members().fold(to, |later, b| later | self.after(b));
        if earlier.meets(later) {
            return Err(self.cycle(from, to));
        }
        let new = from.members().any(|a| !to.is_subset(self.after(a)));
        if new {
            self.join(earlier, later);
        }
        Ok(new)
    }

    /// Adds every pair of `relation`, and says whether anything is new.
    ///
    /// # Errors
    /// At the first pair that closes a cycle; those before it have been added.
    ///
    /// # Panics
    /// If the relation has more elements.
    pub fn add_relation(&mut self, relation: &Relation) -> Result<bool, Cycle> {
        let mut new = false;
        for (from, row) in relation.rows().iter().enumerate() {
            if !row.is_empty() {
                new |= self.add_all(Set::one(from), *row)?;
            }
        }
        Ok(new)
    }

    /// The order as a relation.
    #[must_use]
    pub fn relation(&self) -> Relation {
        Relation::from_edges(
            self.size,
            (0..self.size).flat_map(|from| self.after[from].members().map(move |to| (from, to))),
        )
    }

    /// All elements, each after those before it; of several that could be next, the least.
    #[must_use]
    pub fn line(&self) -> Vec<usize> {
        let mut line = Vec::with_capacity(self.size);
        let mut left = Set::first(self.size);
        while let Some(next) = left.members().find(|&element| !self.before(element).meets(left)) {
            left.remove(next);
            line.push(next);
        }
        line
    }

    /// Both sets are closed, and no member of one is one of the other.
    #[inline]
    fn join(&mut self, earlier: Set, later: Set) {
        for a in earlier {
            self.after[a] |= later;
        }
        for b in later {
            self.before[b] |= earlier;
        }
    }

    /// A pair of the two sets that cannot be put in this order.
    #[cold]
    fn cycle(&self, from: Set, to: Set) -> Cycle {
        let against = |a: usize| to & (self.before(a) | Set::one(a));
        let pair = from.members().find_map(|a| Some((a, against(a).least()?)));
        let (earlier, later) = pair.unwrap_or_default();
        Cycle { earlier, later }
    }
}

impl Clone for Order {
    #[inline]
    fn clone(&self) -> Self {
        Self { ..*self }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.size = source.size;
        self.after[..source.size].copy_from_slice(&source.after[..source.size]);
        self.before[..source.size].copy_from_slice(&source.before[..source.size]);
    }
}

impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        self.rows() == other.rows()
    }
}

impl Eq for Order {}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.relation().fmt(f)
    }
}
