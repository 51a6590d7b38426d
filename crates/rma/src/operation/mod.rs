//! Operations: put and get, of consecutive elements and of layouts. All are started, and complete when their epoch says
//! so.

mod atomic;
mod here;
mod layout_requests;
mod layouts;
mod own;
mod requests;
mod single;
mod start;
mod tell;

use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::window::attach::Connected;
use crate::window::core::WindowCore;
use crate::window::core::watch::Form;
use crate::window::peer::Place;
use crate::{Element, Plain, Rank, Result};
use start::{start_get, start_put};
pub(crate) use tell::tell_put;

mod sealed {
    pub trait Sealed {}
}

/// Whose memory an operation goes to: a rank, for its part of the window, or memory that a rank attached.
pub trait Target<T>: sealed::Sealed {
    #[doc(hidden)]
    fn find<'a>(&'a self, window: Sealed<'a>) -> Result<&'a Place>;

    /// The rank, if it is for its part of the window.
    #[doc(hidden)]
    fn rank_of_window(&self) -> Option<Rank>;
}

/// What a target is found by; nothing that a program can make.
#[doc(hidden)]
pub struct Sealed<'a>(&'a WindowCore);

impl sealed::Sealed for Rank {}

impl<T> Target<T> for Rank {
    #[inline(always)]
    fn find<'a>(&'a self, window: Sealed<'a>) -> Result<&'a Place> {
        Ok(&window.0.peer(*self)?.place)
    }

    #[inline(always)]
    fn rank_of_window(&self) -> Option<Rank> {
        Some(*self)
    }
}

impl<T> sealed::Sealed for &Connected<T> {}

impl<T> Target<T> for &Connected<T> {
    fn find<'a>(&'a self, window: Sealed<'a>) -> Result<&'a Place> {
        Connected::find(self, window.0)
    }

    #[inline(always)]
    fn rank_of_window(&self) -> Option<Rank> {
        None
    }
}

/// The memory of a target to which the epoch gives access.
#[inline]
#[track_caller]
pub(crate) fn place<'a, T: Plain, K: Kind>(
    epoch: &'a Epoch<'_, '_, T, K>,
    target: &'a impl Target<T>,
) -> Result<&'a Place> {
    let place = target.find(Sealed(epoch.window))?;
    epoch.admit(place.rank)?;
    Ok(place)
}

/// As [`place`], for a put: the lock of the target may be granted late.
#[inline]
#[track_caller]
fn place_to_put<'a, T: Plain, K: Kind>(
    epoch: &'a Epoch<'_, '_, T, K>,
    target: &'a impl Target<T>,
) -> Result<&'a Place> {
    let place = target.find(Sealed(epoch.window))?;
    epoch.admit_put(place.rank)?;
    Ok(place)
}

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// Starts to write elements to a target, from element `displacement` on (`MPI_Put`, MPI-4.1 §12.3.1). The origin
    /// buffer may be read, but not written, until the epoch is complete.
    ///
    /// # Errors
    /// No such rank; out of bounds (nothing is written then); no access to it in this epoch; it is lost.
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<f32>::allocate(world, 8)?;
    ///     let halo = [1.0, 2.0];
    ///     window.fence(|epoch| epoch.put(&halo, 1 - world.rank(), 6))?;
    ///     assert_eq!(window.local()?[6..], halo);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn put(&'scope self, origin: &'scope [T], target: impl Target<T>, displacement: usize) -> Result<()> {
        if here::put(self, origin, &target, displacement) {
            return Ok(());
        }
        self.put_otherwise(origin, target, displacement)
    }

    #[inline(never)]
    #[track_caller]
    fn put_otherwise(
        &'scope self,
        origin: &'scope [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        let place = place_to_put(self, &target)?;
        // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_put(
                self.window,
                place,
                origin.as_ptr(),
                origin.len(),
                displacement,
                Form::default(),
            )
        }?;
        Ok(())
    }

    /// As [`Epoch::put`] of one element by value, which needs no buffer.
    ///
    /// # Errors
    /// As for [`Epoch::put`].
    #[inline(always)]
    #[track_caller]
    pub fn put_value(&'scope self, value: T, target: impl Target<T>, displacement: usize) -> Result<()>
    where
        T: Element,
    {
        if here::put(self, &[value], &target, displacement) {
            return Ok(());
        }
        let place = place_to_put(self, &target)?;
        let (slot, cell) = self.window.pending.pool.take();
        let origin = cell.cast::<T>();
        // SAFETY: the cell is ours, has 8 bytes and more, and is not touched until completion.
        let ticket = unsafe {
            origin.write(value);
            start_put(
                self.window,
                place,
                origin.cast_const(),
                1,
                displacement,
                Form::default(),
            )
        }?;
        self.window.leave(slot, ticket)
    }

    /// Starts to read elements from a target, from element `displacement` on (`MPI_Get`, MPI-4.1 §12.3.2). The origin
    /// buffer may not be touched until the epoch is complete.
    ///
    /// # Errors
    /// As for [`Epoch::put`].
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, vec![world.rank(); 4])?;
    ///     let mut theirs = [9; 2];
    ///     window.fence(|epoch| epoch.get(&mut theirs, 1 - world.rank(), 0))?;
    ///     assert_eq!(theirs, [1 - world.rank(); 2]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn get(
        &'scope self,
        origin: &'scope mut [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        if here::get(self, origin, &target, displacement) {
            return Ok(());
        }
        self.get_otherwise(origin, target, displacement)
    }

    #[inline(never)]
    #[track_caller]
    fn get_otherwise(
        &'scope self,
        origin: &'scope mut [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        let place = place(self, &target)?;
        // SAFETY: the origin is borrowed mutably for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_get(
                self.window,
                place,
                origin.as_mut_ptr(),
                origin.len(),
                displacement,
                Form::default(),
            )
        }?;
        Ok(())
    }
}
