//! A window of two halves: others put into one of them, while this rank has the other one as a slice.
//!
//! Promise: what [`Halves::received`], [`Halves::received_mut`] and [`HalfEpoch::received`] lend, nobody else accesses
//! while it is lent. Between the end of its fence `n` and that of its fence `n + 1`, only operations of epoch `n + 1`
//! take effect at a rank (the promise of [`crate::fence`]), and those go to the half that is not lent:
//!
//! - A [`HalfEpoch`] has no operations but puts, each of which stays in the half of its turn at its target, whatever
//!   the program says: there is no such call for others, and a put past the end of the half is refused.
//! - The turn is the parity of the number of epochs since the sequence began, and the same at all ranks: they meet
//!   before the first epoch by a flag that no other function has, and after the last one, and in between the window
//!   has no other collective functions. An epoch that is refused before it begins is none.
//! - Where a half is at a target follows from the elements that the target exposes, which all ranks know.
//! - A slice borrows the sequence, or ends with the function of its epoch: so it ends before the fence that lets others
//!   come to its half.
//!
//! Tests: `tests/halves.rs`, also under Miri; `misuse/half_*.rs`.

use super::fence::{Calls, Fences, sequence};
use super::{Epoch, kind};
use crate::flags::Meeting;
use crate::layout::Layout;
use crate::matching::Name;
use crate::watch::Place;
use crate::window::core::WindowCore;
use crate::window::{Active, Window};
use crate::{Element, Error, Plain, Rank, Result};
use farside_events::AccessKind;
use std::ops::Range;
use std::panic::Location;

const CALLS: Calls = Calls::new([
    Name::new("halves (its beginning)"),
    Name::new("halves (the end of an epoch)"),
    Name::new("halves (its end)"),
]);

/// One of the halves of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

impl Half {
    fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Its elements, of a rank that exposes so many.
    fn of(self, elements: usize) -> Range<usize> {
        let half = elements / 2;
        match self {
            Self::First => 0..half,
            Self::Second => half..2 * half,
        }
    }
}

impl<T: Plain, E: From<Error>> Window<T, Active, E> {
    /// A sequence of epochs with one fence between each and the next, in which what an epoch brought is lent as a slice
    /// while the next one is under way already. Collective.
    ///
    /// The own elements are two halves of the same length; a last odd one belongs to neither. The epochs put into the
    /// halves in turns, the first one into the first half. Displacements count from the beginning of the half. The half
    /// that an epoch does not put to is lent: [`Halves::received`]. Before the first epoch this is the second half, as
    /// the program left it.
    ///
    /// With [`Window::fence`] such an exchange needs two synchronisations: one that says that the last values have been
    /// read, and one that says that the next ones are there. Here the first one falls away, for the next ones go
    /// elsewhere.
    ///
    /// # Errors
    /// As for [`Window::fence`].
    ///
    /// ```
    /// farside::simulate(3, |world| {
    ///     let right = (world.rank() + 1) % world.size();
    ///     let mut window = farside::Window::<u32>::allocate(world, 2)?; // two halves of one element
    ///     let mut value = world.rank();
    ///     window.halves(|halves| {
    ///         for _ in 0..world.size() {
    ///             halves.epoch(|epoch| epoch.put_value(value, right, 0))?;
    ///             value = halves.received()?[0]; // others may be in the next epoch
    ///         }
    ///         Ok(())
    ///     })?;
    ///     assert_eq!(value, world.rank(), "it went round");
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn halves<R>(
        &mut self,
        function: impl FnOnce(&mut Halves<'_, '_, T, E>) -> Result<R, E>,
    ) -> Result<R, E> {
        let begin = |window: &WindowCore| {
            window.guard(window.meet(Meeting::HalvesOpen))?;
            window.guard(window.design.begin(window, Meeting::FencesNext))
        };
        sequence(self.core(), Location::caller(), &CALLS, begin, |fences| {
            function(&mut Halves {
                fences,
                turn: Half::First,
            })
        })
    }
}

/// Epochs that put into the halves of a window in turns. See [`Window::halves`].
pub struct Halves<'f, 'w, T, E = Error> {
    fences: &'f mut Fences<'w, T, E>,
    /// To which the next epoch puts.
    turn: Half,
}

impl<T: Plain, E: From<Error>> Halves<'_, '_, T, E> {
    /// Lends an epoch to a function, and ends it with a fence (`MPI_Win_fence`, MPI-4.1 §12.5.1). Collective. Then
    /// [`Halves::received`] has what all ranks put here in the epoch.
    ///
    /// # Errors
    /// As for [`Window::fence`].
    #[track_caller]
    pub fn epoch<'env, F, R>(&'env mut self, function: F) -> Result<R, E>
    where
        F: for<'scope> FnOnce(HalfEpoch<'scope, 'env, T, E>) -> Result<R, E>,
    {
        let Self { fences, turn } = self;
        fences.epoch(|epoch| {
            // Now it is open; an epoch that is refused is none, and no turn.
            let half = std::mem::replace(turn, turn.other());
            function(HalfEpoch { epoch, half })
        })
    }

    /// The half that the last epoch put to, until the next one begins. Other ranks may be in the next one already.
    ///
    /// # Errors
    /// The window broke in an earlier call: nobody knows who accesses it.
    #[track_caller]
    pub fn received(&self) -> Result<&[T]> {
        let (first, length) = lent(
            self.fences.window(),
            self.turn.other(),
            AccessKind::Load,
            Location::caller(),
        )?;
        // SAFETY: own memory, valid and aligned as long as the window; nobody writes it before the end of the next
        // epoch (see the module), which borrows the sequence mutably.
        Ok(unsafe { std::slice::from_raw_parts(first, length) })
    }

    /// As [`Halves::received`], to write it as well.
    ///
    /// # Errors
    /// As for [`Halves::received`].
    #[track_caller]
    pub fn received_mut(&mut self) -> Result<&mut [T]> {
        let (first, length) = lent(
            self.fences.window(),
            self.turn.other(),
            AccessKind::Store,
            Location::caller(),
        )?;
        // SAFETY: as for `received`; nobody reads it either, and the sequence is borrowed mutably, so this is the only
        // reference.
        Ok(unsafe { std::slice::from_raw_parts_mut(first, length) })
    }
}

/// An epoch that puts into one half of the window at each rank, and lends the own other one. See [`Window::halves`].
pub struct HalfEpoch<'scope, 'env: 'scope, T: Plain, E: From<Error> = Error> {
    epoch: &'scope Epoch<'scope, 'env, T, kind::Fence<E>>,
    half: Half,
}

impl<'scope, T: Plain, E: From<Error>> HalfEpoch<'scope, '_, T, E> {
    /// What the last epoch brought. It can be an origin buffer of this epoch: so values go on around a ring.
    ///
    /// # Errors
    /// As for [`Halves::received`].
    #[track_caller]
    pub fn received(&self) -> Result<&'scope [T]> {
        let (window, place) = (self.epoch.window, Location::caller());
        let (first, length) = lent(window, self.half.other(), AccessKind::Load, place)?;
        // SAFETY: own memory, valid and aligned as long as the window, which outlasts `'scope`. Nobody writes it before
        // the end of this epoch (see the module). The program cannot use the slice after its function, and operations
        // that read it are complete locally when this rank leaves the fence, before which nobody puts there.
        Ok(unsafe { std::slice::from_raw_parts(first, length) })
    }

    /// Starts to write elements to a rank, from element `displacement` of the half on. See [`Epoch::put`].
    ///
    /// # Errors
    /// As for [`Epoch::put`]; past the end of the half.
    #[inline]
    #[track_caller]
    pub fn put(&self, origin: &'scope [T], target: Rank, displacement: usize) -> Result<()> {
        let displacement = self.within(target, displacement, origin.len())?;
        self.epoch.put(origin, target, displacement)
    }

    /// As [`HalfEpoch::put`] of one element by value, which needs no buffer.
    ///
    /// # Errors
    /// As for [`HalfEpoch::put`].
    #[inline]
    #[track_caller]
    pub fn put_value(&self, value: T, target: Rank, displacement: usize) -> Result<()>
    where
        T: Element,
    {
        let displacement = self.within(target, displacement, 1)?;
        self.epoch.put_value(value, target, displacement)
    }

    /// As [`HalfEpoch::put`] between layouts. See [`Epoch::put_layout`].
    ///
    /// # Errors
    /// As for [`Epoch::put_layout`]; past the end of the half.
    #[track_caller]
    pub fn put_layout(
        &self,
        origin: &'scope [T],
        layout: &Layout,
        target: Rank,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        let displacement = self.within(target, displacement, target_layout.end())?;
        self.epoch
            .put_layout(origin, layout, target, displacement, target_layout)
    }

    /// Where elements of the half of this turn are in the window of a rank, if they are all within it.
    fn within(&self, target: Rank, displacement: usize, elements: usize) -> Result<usize> {
        let window = self.epoch.window;
        crate::endpoint::Core::check_rank(target, window.group.size())?;
        let half = self.half.of(window.addresses.elements(target));
        let end = displacement.checked_add(elements);
        if end.is_none_or(|end| end > half.len()) {
            return Err(Error::OutOfBounds {
                target,
                displacement,
                elements,
                exposed: half.len(),
                element_bytes: size_of::<T>(),
            });
        }
        Ok(half.start + displacement)
    }
}

/// The own half, which is lent: its first element, and how many there are.
fn lent<T>(window: &WindowCore, half: Half, kind: AccessKind, place: Place) -> Result<(*mut T, usize)> {
    window.check()?;
    let half = half.of(window.own_length());
    // SAFETY: within the own memory.
    let first = unsafe { window.base().cast::<T>().add(half.start) };
    window.tell_lent(kind, "received", first.cast(), half.len(), place);
    Ok((first, half.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_as_long_as_each_other_and_share_nothing() {
        for elements in 0..8 {
            let [first, second] = [Half::First, Half::Second].map(|half| half.of(elements));
            assert_eq!(first.len(), second.len());
            assert!(first.end <= second.start && second.end <= elements && elements - second.end <= 1);
        }
    }
}
