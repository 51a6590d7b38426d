//! Rows of the memory of a rank, as slices: what a loop over the last dimension needs.

use super::Array;
use crate::{Plain, Result};
use std::ops::{Index, IndexMut};

/// The rows of the own memory of an array of two or three dimensions, halo and all, to read: `rows[y]`, or
/// `rows[[z, y]]`, is a slice of the last dimension. An array of one dimension is its slice: [`Array::local`].
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T, const D: usize> {
    elements: &'a [T],
    shape: [usize; D],
}

/// As [`Rows`], to read and write.
#[derive(Debug)]
pub struct RowsMut<'a, T, const D: usize> {
    elements: &'a mut [T],
    shape: [usize; D],
}

impl<T: Plain, const D: usize> Array<T, D> {
    /// The rows of the own memory, to read.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn rows(&self) -> Result<Rows<'_, T, D>> {
        let shape = self.shape();
        self.local().map(|elements| Rows { elements, shape })
    }

    /// The rows of the own memory, to read and write.
    ///
    /// # Errors
    /// As for [`Array::local`].
    pub fn rows_mut(&mut self) -> Result<RowsMut<'_, T, D>> {
        let shape = self.shape();
        self.local_mut().map(|elements| RowsMut { elements, shape })
    }
}

/// Where the elements of a row are.
#[inline]
fn row<const D: usize, const N: usize>(shape: [usize; D], at: [usize; N]) -> std::ops::Range<usize> {
    let first = at.iter().zip(&shape).fold(0, |first, (&index, &extent)| {
        assert!(index < extent, "there is no row {at:?} in {shape:?}");
        first * extent + index
    });
    first * shape[D - 1]..(first + 1) * shape[D - 1]
}

impl<T> Index<usize> for Rows<'_, T, 2> {
    type Output = [T];

    #[inline]
    fn index(&self, at: usize) -> &[T] {
        &self.elements[row(self.shape, [at])]
    }
}

impl<T> Index<[usize; 2]> for Rows<'_, T, 3> {
    type Output = [T];

    #[inline]
    fn index(&self, at: [usize; 2]) -> &[T] {
        &self.elements[row(self.shape, at)]
    }
}

impl<T> Index<usize> for RowsMut<'_, T, 2> {
    type Output = [T];

    #[inline]
    fn index(&self, at: usize) -> &[T] {
        &self.elements[row(self.shape, [at])]
    }
}

impl<T> IndexMut<usize> for RowsMut<'_, T, 2> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut [T] {
        &mut self.elements[row(self.shape, [at])]
    }
}

impl<T> Index<[usize; 2]> for RowsMut<'_, T, 3> {
    type Output = [T];

    #[inline]
    fn index(&self, at: [usize; 2]) -> &[T] {
        &self.elements[row(self.shape, at)]
    }
}

impl<T> IndexMut<[usize; 2]> for RowsMut<'_, T, 3> {
    #[inline]
    fn index_mut(&mut self, at: [usize; 2]) -> &mut [T] {
        &mut self.elements[row(self.shape, at)]
    }
}
