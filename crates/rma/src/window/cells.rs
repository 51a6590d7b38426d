//! Window memory that others may write: loads and stores of single elements, each atomic.

use crate::{Element, Error, Rank, Result};
use std::marker::PhantomData;

/// Elements of a window that others may access at the same time (MPI-4.1 §12.4, the unified memory model).
///
/// Never a reference to the elements: each load and store is one atomic access (acquire, release). Indices are those of the
/// elements of the rank.
///
/// A remote access of the same element at the same time is a race of the program's (MPI-4.1 §12.7): the value may be the
/// old one, the new one, or, of a transfer that is not an aligned one of up to 8 bytes, a mixture. Where ranks are threads of
/// one process, such a transfer is, to the letter, a data race of the language: see the limits of the transport.
pub struct Cells<'a, T> {
    base: *mut T,
    length: usize,
    owner: Rank,
    lifetime: PhantomData<&'a ()>,
}

// SAFETY: all accesses are atomic, and the memory outlives `'a`.
unsafe impl<T: Element> Send for Cells<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Cells<'_, T> {}

impl<T> Clone for Cells<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Cells<'_, T> {}

impl<T: Element> Cells<'_, T> {
    /// # Safety
    /// `base` is aligned and valid for `length` elements during the lifetime, and no reference to them exists meanwhile.
    pub(crate) unsafe fn new(base: *mut T, length: usize, owner: Rank) -> Self {
        Self {
            base,
            length,
            owner,
            lifetime: PhantomData,
        }
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The element at `index`.
    ///
    /// # Errors
    /// Out of bounds.
    #[inline]
    pub fn load(&self, index: usize) -> Result<T> {
        let place = self.place(index, 1)?;
        // SAFETY: in bounds; valid and aligned by the promise of `new`. All accesses of this process are atomic.
        Ok(unsafe { T::load(place) })
    }

    /// Sets the element at `index`.
    ///
    /// # Errors
    /// Out of bounds.
    #[inline]
    pub fn store(&self, index: usize, value: T) -> Result<()> {
        let place = self.place(index, 1)?;
        // SAFETY: as in `load`.
        unsafe { T::store(place, value) };
        Ok(())
    }

    /// Copies elements from `index` on out, one by one.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn read(&self, index: usize, values: &mut [T]) -> Result<()> {
        let place = self.place(index, values.len())?;
        for (step, value) in values.iter_mut().enumerate() {
            // SAFETY: as in `load`.
            *value = unsafe { T::load(place.add(step)) };
        }
        Ok(())
    }

    /// Copies elements in, from `index` on, one by one.
    ///
    /// # Errors
    /// Out of bounds.
    pub fn write(&self, index: usize, values: &[T]) -> Result<()> {
        let place = self.place(index, values.len())?;
        for (step, &value) in values.iter().enumerate() {
            // SAFETY: as in `load`.
            unsafe { T::store(place.add(step), value) };
        }
        Ok(())
    }

    /// The address of the first element, for code that keeps the rules itself.
    #[must_use]
    pub fn as_ptr(&self) -> *mut T {
        self.base
    }

    #[inline]
    fn place(&self, index: usize, elements: usize) -> Result<*mut T> {
        match index.checked_add(elements) {
            // SAFETY: within the elements, which are one allocation.
            Some(end) if end <= self.length => Ok(unsafe { self.base.add(index) }),
            _ => Err(Error::OutOfBounds {
                target: self.owner,
                displacement: index,
                elements,
                exposed: self.length,
                element_bytes: size_of::<T>(),
            }),
        }
    }
}
