//! Relations: a row of successors an element.

use crate::{MAX, Set};
use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A relation between the elements below its size.
///
/// `|`, `&` and `-` are union, intersection and difference; two relations of different size make one of the greater.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Relation {
    size: usize,
    /// By element: what it is related to. Rows from `size` on are empty.
    rows: [Set; MAX],
}

impl Relation {
    /// The empty relation over `size` elements.
    ///
    /// # Panics
    /// If `size` is more than [`MAX`].
    #[must_use]
    pub const fn new(size: usize) -> Self {
        assert!(size <= MAX, "a relation has at most 64 elements");
        Self {
            size,
            rows: [Set::EMPTY; MAX],
        }
    }

    /// The relation that holds for these pairs.
    ///
    /// # Panics
    /// If `size` is more than [`MAX`], or an element is not below `size`.
    #[must_use]
    pub fn from_edges(size: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut relation = Self::new(size);
        for (from, to) in edges {
            relation.insert(from, to);
        }
        relation
    }

    /// Every element of `from` with every one of `to`.
    ///
    /// # Panics
    /// As [`Relation::new`]. Elements that are not below `size` are left out.
    #[must_use]
    pub fn product(size: usize, from: Set, to: Set) -> Self {
        let mut relation = Self::new(size);
        let to = to & Set::first(size);
        for element in from & Set::first(size) {
            relation.rows[element] = to;
        }
        relation
    }

    /// Every element of `set` with itself.
    ///
    /// # Panics
    /// As [`Relation::new`]. Elements that are not below `size` are left out.
    #[must_use]
    pub fn identity_on(size: usize, set: Set) -> Self {
        let mut relation = Self::new(size);
        for element in set & Set::first(size) {
            relation.rows[element] = Set::one(element);
        }
        relation
    }

    /// Every element with itself.
    ///
    /// # Panics
    /// As [`Relation::new`].
    #[must_use]
    pub fn identity(size: usize) -> Self {
        Self::identity_on(size, Set::first(size))
    }

    /// Number of elements.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The row of each element.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &[Set] {
        &self.rows[..self.size]
    }

    /// Relates `from` to `to`, and says whether that is new.
    ///
    /// # Panics
    /// If one of them is not an element.
    #[inline]
    pub fn insert(&mut self, from: usize, to: usize) -> bool {
        assert!(from < self.size && to < self.size, "not an element");
        self.rows[from].insert(to)
    }

    /// Whether `from` is related to `to`.
    #[inline]
    #[must_use]
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.successors(from).has(to)
    }

    /// What `element` is related to.
    #[inline]
    #[must_use]
    pub fn successors(&self, element: usize) -> Set {
        self.rows.get(element).copied().unwrap_or_default()
    }

    /// What is related to `element`.
    #[must_use]
    pub fn predecessors(&self, element: usize) -> Set {
        (0..self.size)
            .filter(|&from| self.rows[from].has(element))
            .collect()
    }

    /// Pairs, by their first element, then by their second.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.size).flat_map(|from| self.rows[from].members().map(move |to| (from, to)))
    }

    /// Number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows().iter().map(|row| row.len()).sum()
    }

    /// Whether no pair is related.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows().iter().all(|row| row.is_empty())
    }

    /// What is related to something.
    #[must_use]
    pub fn domain(&self) -> Set {
        (0..self.size)
            .filter(|&from| !self.rows[from].is_empty())
            .collect()
    }

    /// What something is related to.
    #[must_use]
    pub fn range(&self) -> Set {
        self.rows().iter().fold(Set::EMPTY, |range, row| range | *row)
    }

    /// What the members of `set` are related to.
    #[must_use]
    pub fn image(&self, set: Set) -> Set {
        let elements = set & Set::first(self.size);
        elements
            .members()
            .fold(Set::EMPTY, |image, from| image | self.rows[from])
    }

    /// The pairs from `from` to `to`: `[from] ; self ; [to]`.
    #[must_use]
    pub fn restrict(&self, from: Set, to: Set) -> Self {
        let mut restricted = Self::new(self.size);
        for element in from & Set::first(self.size) {
            restricted.rows[element] = self.rows[element] & to;
        }
        restricted
    }

    /// `self ; other`: a step here, then one there.
    #[must_use]
    pub fn compose(&self, other: &Self) -> Self {
        let mut composed = Self::new(self.size.max(other.size));
        for from in 0..self.size {
            composed.rows[from] = other.image(self.rows[from]);
        }
        composed
    }

    /// `self^-1`
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::new(self.size);
        for (from, to) in self.edges() {
            inverse.rows[to].insert(from);
        }
        inverse
    }

    /// `self?`: every element with itself, too.
    #[must_use]
    pub fn reflexive(&self) -> Self {
        *self | Self::identity(self.size)
    }

    /// `self+`: one or more steps.
    #[must_use]
    pub fn closure(&self) -> Self {
        let mut closed = *self;
        for by in 0..closed.size {
            let row = closed.rows[by];
            for from in 0..closed.size {
                if closed.rows[from].has(by) {
                    closed.rows[from] |= row;
                }
            }
        }
        closed
    }

    /// `self*`: any number of steps.
    #[must_use]
    pub fn reflexive_closure(&self) -> Self {
        self.closure().reflexive()
    }

    /// Whether no element is related to itself.
    #[must_use]
    pub fn is_irreflexive(&self) -> bool {
        (0..self.size).all(|element| !self.rows[element].has(element))
    }

    /// Whether two steps are always one.
    #[must_use]
    pub fn is_transitive(&self) -> bool {
        self.rows().iter().all(|row| self.image(*row).is_subset(*row))
    }
}

impl BitOr for Relation {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl BitOrAssign for Relation {
    fn bitor_assign(&mut self, other: Self) {
        self.size = self.size.max(other.size);
        for (row, others) in self.rows.iter_mut().zip(other.rows()) {
            *row |= *others;
        }
    }
}

impl BitAnd for Relation {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        self.size = self.size.max(other.size);
        for (row, others) in self.rows.iter_mut().zip(other.rows) {
            *row &= others;
        }
        self
    }
}

impl Sub for Relation {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.size = self.size.max(other.size);
        for (row, others) in self.rows.iter_mut().zip(other.rows()) {
            *row -= *others;
        }
        self
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements ", self.size)?;
        f.debug_set().entries(self.edges()).finish()
    }
}
