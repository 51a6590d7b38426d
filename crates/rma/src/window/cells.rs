//! Window memory that others may write: loads and stores of single elements, each atomic.

use crate::watch::{Access, Place, Recorder};
use crate::window::core::WindowCore;
use crate::{Element, Error, Rank, Result};
use farside_events::{AccessKind, AccessSource};
use std::panic::Location;

/// Elements of a window that others may access at the same time (MPI-4.1 §12.4, the unified memory model).
///
/// Never a reference to the elements: each load and store is one atomic access (acquire, release). Indices are those of
/// the elements of the rank.
///
/// A remote access of the same element at the same time is a race of the program's (MPI-4.1 §12.7): the value may be
/// the old one, the new one, or, of a transfer that is not an aligned one of up to 8 bytes, a mixture. Where ranks are
/// threads of one process, such a transfer is, to the letter, a data race of the language: see the limits of the
/// transport.
pub struct Cells<'a, T> {
    base: *mut T,
    length: usize,
    owner: Rank,
    /// Who is told of loads and stores.
    watch: Option<&'a Recorder>,
    /// The memory is another rank's.
    foreign: bool,
}

// SAFETY: all accesses are atomic, and the memory outlives `'a`. The recorder is for all threads.
unsafe impl<T: Element> Send for Cells<'_, T> {}
// SAFETY: all accesses by a shared `Cells` are atomic, and the recorder is for all threads.
unsafe impl<T: Element> Sync for Cells<'_, T> {}

impl<T> Clone for Cells<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Cells<'_, T> {}

impl<'a, T: Element> Cells<'a, T> {
    /// # Safety
    /// `base` is aligned and valid for `length` elements during the lifetime, and no reference to them exists
    /// meanwhile.
    pub(crate) unsafe fn new(window: &'a WindowCore, base: *mut T, length: usize, owner: Rank) -> Self {
        Self {
            base,
            length,
            owner,
            watch: window.core().watch.as_deref(),
            foreign: owner != window.group.rank(),
        }
    }

    /// Tells of an access. A store to the memory of another rank at once: its owner may wait for it.
    #[inline]
    fn tell(&self, kind: AccessKind, at: *mut T, elements: usize, place: Place) {
        if let Some(watch) = self.watch.filter(|_| elements > 0) {
            let access = Access {
                kind,
                source: AccessSource::Atomic,
                base: at as u64,
                bytes: (elements * size_of::<T>()) as u64,
            };
            watch.access(access, place, self.foreign && kind == AccessKind::Store);
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
    #[track_caller]
    pub fn load(&self, index: usize) -> Result<T> {
        let place = self.place(index, 1)?;
        self.tell(AccessKind::Load, place, 1, Location::caller());
        // SAFETY: in bounds; valid and aligned by the promise of `new`. All accesses of this process are atomic.
        Ok(unsafe { T::load(place) })
    }

    /// Sets the element at `index`.
    ///
    /// # Errors
    /// Out of bounds.
    #[inline]
    #[track_caller]
    pub fn store(&self, index: usize, value: T) -> Result<()> {
        let place = self.place(index, 1)?;
        self.tell(AccessKind::Store, place, 1, Location::caller());
        // SAFETY: in bounds; valid and aligned by the promise of `new`. All accesses of this process are atomic.
        unsafe { T::store(place, value) };
        Ok(())
    }

    /// Copies elements from `index` on out, one by one.
    ///
    /// # Errors
    /// Out of bounds.
    #[track_caller]
    pub fn read(&self, index: usize, values: &mut [T]) -> Result<()> {
        let place = self.place(index, values.len())?;
        self.tell(AccessKind::Load, place, values.len(), Location::caller());
        for (step, value) in values.iter_mut().enumerate() {
            // SAFETY: in bounds; valid and aligned by the promise of `new`. All accesses of this process are atomic.
            *value = unsafe { T::load(place.add(step)) };
        }
        Ok(())
    }

    /// Copies elements in, from `index` on, one by one.
    ///
    /// # Errors
    /// Out of bounds.
    #[track_caller]
    pub fn write(&self, index: usize, values: &[T]) -> Result<()> {
        let place = self.place(index, values.len())?;
        self.tell(AccessKind::Store, place, values.len(), Location::caller());
        for (step, &value) in values.iter().enumerate() {
            // SAFETY: in bounds; valid and aligned by the promise of `new`. All accesses of this process are atomic.
            unsafe { T::store(place.add(step), value) };
        }
        Ok(())
    }

    /// The address of the first element, for code that keeps the rules itself.
    #[must_use]
    pub fn as_ptr(&self) -> *mut T {
        self.base
    }

    /// As [`Cells::load`], of which nobody is told.
    pub(crate) fn look(&self, index: usize) -> Result<T> {
        let place = self.place(index, 1)?;
        // SAFETY: in bounds; valid and aligned by the promise of `new`. All accesses of this process are atomic.
        Ok(unsafe { T::load(place) })
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
