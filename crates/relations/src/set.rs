//! Sets of elements: one machine word.

use crate::MAX;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A set of elements below [`MAX`].
///
/// `|`, `&` and `-` are union, intersection and difference.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set(pub u64);

impl Set {
    /// No element.
    pub const EMPTY: Self = Self(0);

    /// `element` alone.
    ///
    /// # Panics
    /// In debug builds, if `element` is not below [`MAX`].
    #[inline]
    #[must_use]
    pub const fn one(element: usize) -> Self {
        Self(1 << element)
    }

    /// The elements below `size`; all of them if `size` is [`MAX`] or more.
    #[inline]
    #[must_use]
    pub const fn first(size: usize) -> Self {
        if size >= MAX {
            Self(u64::MAX)
        } else {
            Self((1 << size) - 1)
        }
    }

    /// Whether `element` is a member.
    #[inline]
    #[must_use]
    pub const fn has(self, element: usize) -> bool {
        element < MAX && self.0 & (1 << element) != 0
    }

    /// Adds `element`, and says whether it is new.
    ///
    /// # Panics
    /// In debug builds, if `element` is not below [`MAX`].
    #[inline]
    pub const fn insert(&mut self, element: usize) -> bool {
        let new = !self.has(element);
        self.0 |= 1 << element;
        new
    }

    /// Takes `element` out, and says whether it was there.
    #[inline]
    pub const fn remove(&mut self, element: usize) -> bool {
        let had = self.has(element);
        if had {
            self.0 &= !(1 << element);
        }
        had
    }

    /// Number of members.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no member.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The least member.
    #[inline]
    #[must_use]
    pub const fn least(self) -> Option<usize> {
        if self.is_empty() {
            None
        } else {
            Some(self.0.trailing_zeros() as usize)
        }
    }

    /// Whether the two have a member in common.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every member is one of `other`.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// What of the elements below `size` is not a member.
    #[inline]
    #[must_use]
    pub const fn complement(self, size: usize) -> Self {
        Self(!self.0 & Self::first(size).0)
    }

    /// Members, least first.
    #[inline]
    #[must_use]
    pub const fn members(self) -> Members {
        Members(self)
    }
}

/// The members of a set, least first.
#[derive(Clone, Debug)]
pub struct Members(Set);

impl Iterator for Members {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let least = self.0.least()?;
        self.0.0 &= self.0.0 - 1;
        Some(least)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Members {}

impl IntoIterator for Set {
    type Item = usize;
    type IntoIter = Members;

    #[inline]
    fn into_iter(self) -> Members {
        self.members()
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(elements: I) -> Self {
        elements
            .into_iter()
            .fold(Self::EMPTY, |set, element| set | Self::one(element))
    }
}

impl BitOr for Set {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Set {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Set {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOrAssign for Set {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Set {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl SubAssign for Set {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
