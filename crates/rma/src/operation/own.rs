//! Put and get between own memory of the window and that of a target: the window is the buffer.
//!
//! Nobody has a slice of it then: an epoch borrows the window. Others may access the own memory in the same epoch; who
//! reads what they write gets values that nobody can foresee, as at any target.

use super::start::{start_get, start_put};
use super::{Target, layouts, place};
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::layout::runs;
use crate::window::core::watch::Form;
use crate::{Layout, Plain, Result};

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::put_layout`], from own elements of the window (`MPI_Put` with window memory as its origin, MPI-4.1
    /// §12.3.1).
    ///
    /// # Errors
    /// As for [`Epoch::put_layout`]; in a lock epoch, this rank has no lock of itself; the target is this rank, and an
    /// element is both read and written.
    ///
    /// ```
    /// use farside::Layout;
    /// farside::simulate(2, |world| {
    ///     // Three elements, and after them a halo: the first of the neighbour.
    ///     let mut window = farside::Window::create(world, vec![10 + world.rank(), 20, 30, 0])?;
    ///     let first = Layout::contiguous(1);
    ///     window.fence(|epoch| epoch.put_own(&first, 1 - world.rank(), 3, &first))?;
    ///     assert_eq!(window.local()?, [10 + world.rank(), 20, 30, 11 - world.rank()]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn put_own(
        &'scope self,
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        let place = place(self, &target)?;
        layouts::check::<T>(
            place,
            self.window.own_length(),
            layout,
            displacement,
            target_layout,
        )?;
        target_layout.check_written()?;
        let own = self.own(layout, &target, displacement, target_layout)?;
        for ([from, to], elements) in runs([layout, target_layout]) {
            let (at, form) = (displacement + to, Form::default());
            // SAFETY: within the own memory, by the check above, which stays as long as the window; this rank writes
            // nothing there itself but by other operations, and its elements are values whatever comes.
            unsafe { start_put(self.window, place, own.add(from).cast_const(), elements, at, form) }?;
        }
        Ok(())
    }

    /// As [`Epoch::get_layout`], into own elements of the window (`MPI_Get` with window memory as its origin, MPI-4.1
    /// §12.3.2).
    ///
    /// # Errors
    /// As for [`Epoch::get_layout`] and [`Epoch::put_own`].
    ///
    /// ```
    /// use farside::Layout;
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, vec![10 + world.rank(), 20, 30, 0])?;
    ///     let (first, halo) = (Layout::contiguous(1), Layout::contiguous(1).shifted(3));
    ///     window.fence(|epoch| epoch.get_own(&halo, 1 - world.rank(), 0, &first))?;
    ///     assert_eq!(window.local()?, [10 + world.rank(), 20, 30, 11 - world.rank()]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn get_own(
        &'scope self,
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        let place = place(self, &target)?;
        layouts::check::<T>(
            place,
            self.window.own_length(),
            layout,
            displacement,
            target_layout,
        )?;
        layout.check_written()?;
        let own = self.own(layout, &target, displacement, target_layout)?;
        for ([to, from], elements) in runs([layout, target_layout]) {
            let (at, form) = (displacement + from, Form::default());
            // SAFETY: as for `put_own`; nobody has a slice of the own memory, for the epoch borrows the window.
            unsafe { start_get(self.window, place, own.add(to), elements, at, form) }?;
        }
        Ok(())
    }

    /// The own memory, if this epoch may use it, and an operation on it does not meet itself at this target.
    #[track_caller]
    fn own(
        &self,
        layout: &Layout,
        target: &impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<*mut T> {
        let window = self.window;
        self.admit_own()?;
        if target.rank_of_window() == Some(window.group.rank()) {
            let there = target_layout.clone().shifted(displacement);
            let both: Vec<(usize, usize)> = layout.blocks().chain(there.blocks()).collect();
            Layout::indexed(&both)?.check_written()?;
        }
        Ok(window.base().cast())
    }
}
