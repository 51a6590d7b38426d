//! Memory of others that this process loads and stores itself (MPI-4.1 §12.2.3), in an epoch that gives access to it.

use super::Epoch;
use super::kind::Kind;
use crate::element::Element;
use crate::window::cells::Cells;
use crate::{Error, Plain, Rank, Result};
use farside_events::AccessKind;
use std::panic::Location;

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// Memory of a rank that this process can load and store directly: the own, and that of all where the transport
    /// maps it (`MPI_Win_shared_query`, MPI-4.1 §12.2.3). A store is visible to others after a synchronisation of the
    /// program's, as for [`Cells`].
    ///
    /// # Errors
    /// No access to the rank in this epoch; the transport does not map its memory.
    #[track_caller]
    pub fn direct(&'scope self, rank: Rank) -> Result<Cells<'scope, T>>
    where
        T: Element,
    {
        let (base, length) = self.mapped(rank)?;
        // SAFETY: the mapping lives as long as the window, which outlasts the scope. In an epoch that gives access to a
        // rank nobody holds references to its memory: the rank itself can have them between epochs only.
        Ok(unsafe { Cells::new(self.window, base, length, rank) })
    }

    /// As [`Epoch::direct`], as a slice that others do not write, by promise of the program.
    ///
    /// # Errors
    /// As for [`Epoch::direct`].
    ///
    /// # Safety
    /// During `'scope`, nobody writes these elements: no rank by operations or stores, and this one not either.
    #[track_caller]
    pub unsafe fn direct_slice(&'scope self, rank: Rank) -> Result<&'scope [T]> {
        let (base, length) = self.mapped(rank)?;
        let place = Location::caller();
        self.window
            .tell_lent(AccessKind::Load, "direct_slice", base.cast(), length, place);
        // SAFETY: valid and aligned as long as the window; the caller promises that nobody writes.
        Ok(unsafe { std::slice::from_raw_parts(base, length) })
    }

    /// As [`Epoch::direct`], as a slice that nobody else touches, by promise of the program.
    ///
    /// # Errors
    /// As for [`Epoch::direct`].
    ///
    /// # Safety
    /// During `'scope`, nobody else touches the elements of `range`: no rank by operations, loads or stores, and this
    /// one by this slice only. `range` is within the memory of the rank; if not, the call fails.
    #[allow(
        clippy::mut_from_ref,
        reason = "the caller promises that the slice is the only one"
    )]
    #[track_caller]
    pub unsafe fn direct_slice_mut(
        &'scope self,
        rank: Rank,
        range: std::ops::Range<usize>,
    ) -> Result<&'scope mut [T]> {
        let (base, length) = self.mapped(rank)?;
        if range.start > range.end || range.end > length {
            return Err(Error::OutOfBounds {
                target: rank,
                displacement: range.start,
                elements: range.len(),
                exposed: length,
                element_bytes: size_of::<T>(),
            });
        }
        // SAFETY: in bounds.
        let first = unsafe { base.add(range.start) };
        let place = Location::caller();
        let (kind, call) = (AccessKind::Store, "direct_slice_mut");
        self.window
            .tell_lent(kind, call, first.cast(), range.len(), place);
        // SAFETY: in bounds, valid and aligned as long as the window; the caller promises that nobody else is there.
        Ok(unsafe { std::slice::from_raw_parts_mut(first, range.len()) })
    }

    #[track_caller]
    fn mapped(&self, rank: Rank) -> Result<(*mut T, usize)> {
        self.admit(rank)?;
        let window = self.window;
        let place = &window.peer(rank)?.place;
        let base = if rank == window.group.rank() {
            window.base()
        } else {
            let start = window
                .fabric()
                .mapped(&place.remote)
                .ok_or_else(|| Error::Unsupported {
                    what: "direct access to the memory of another rank",
                    reason: format!(
                        "the transport `{}` does not map it",
                        window.fabric().capabilities().transport
                    ),
                })?;
            // SAFETY: the memory is at least as long as its header.
            unsafe { start.as_ptr().add(window.header.bytes) }
        };
        window.tell_mapped(rank, base, place.elements());
        Ok((base.cast(), place.elements()))
    }
}
