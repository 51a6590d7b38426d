//! Atomic operations on elements of a buffer: accumulate, get_accumulate (MPI-4.1 §12.3.4). Those on one element are in
//! [`super::single`].
//!
//! Each is atomic element by element, with respect to all atomic operations on the same window, of every rank; those of
//! one rank on one element take effect in the order of their calls (MPI-4.1 §12.7.1). They are not atomic with respect
//! to put and get.

use super::start::start_fetch;
use super::{Target, here, layouts, place};
use crate::element;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::layout::runs;
use crate::window::core::watch::Form;
use crate::{Accumulate, Element, Error, Layout, Operation, Result};

impl<'scope, T: Accumulate, K: Kind> Epoch<'scope, '_, T, K> {
    /// Starts to combine elements at a target with those of a buffer (`MPI_Accumulate`, MPI-4.1 §12.3.4).
    /// [`Operation::Replace`] is an atomic put.
    ///
    /// # Errors
    /// As for [`Epoch::put`]; the operation does not exist for the type, or not on this transport.
    ///
    /// ```
    /// use farside::Operation;
    /// farside::simulate(3, |world| {
    ///     let mut window = farside::Window::<i64>::allocate(world, 2)?;
    ///     window.fence(|epoch| epoch.accumulate(Operation::Sum, &[1, -1], 0, 0))?;
    ///     assert!(world.rank() != 0 || window.local()? == [3, -3]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn accumulate(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        if here::accumulate(self, operation, origin, &target, displacement) {
            return Ok(());
        }
        self.accumulate_otherwise(operation, origin, target, displacement)
    }

    #[inline(never)]
    #[track_caller]
    fn accumulate_otherwise(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        element::check_accumulated::<T>(operation)?;
        let place = place(self, &target)?;
        let (window, results) = (self.window, std::ptr::null_mut());
        // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_fetch(
                window,
                place,
                operation,
                origin.as_ptr(),
                results,
                origin.len(),
                displacement,
                Form::default(),
            )
        }?;
        Ok(())
    }

    /// As [`Epoch::accumulate`] with layouts on both sides, as in [`Epoch::put_layout`].
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`] and [`Epoch::put_layout`].
    #[track_caller]
    pub fn accumulate_layout(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        element::check_accumulated::<T>(operation)?;
        let place = place(self, &target)?;
        layouts::check::<T>(place, origin.len(), layout, displacement, target_layout)?;
        target_layout.check_written()?;
        for ([from, to], elements) in runs([layout, target_layout]) {
            let (origin, results) = (origin[from..from + elements].as_ptr(), std::ptr::null_mut());
            // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
            unsafe {
                start_fetch(
                    self.window,
                    place,
                    operation,
                    origin,
                    results,
                    elements,
                    displacement + to,
                    Form::default(),
                )
            }?;
        }
        Ok(())
    }
}

impl<'scope, T: Element, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::accumulate`], and fetches what was there (`MPI_Get_accumulate`, MPI-4.1 §12.3.4).
    /// With [`Operation::NoOp`] it is an atomic get, and the values of `origin` do not matter.
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`]; `result` is not as long as `origin`.
    ///
    /// ```
    /// use farside::Operation;
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, vec![10u32, 20])?;
    ///     let (mut before, other) = ([0, 0], 1 - world.rank());
    ///     window.fence(|epoch| epoch.get_accumulate(Operation::Max, &[15, 15], &mut before, other, 0))?;
    ///     assert_eq!((before, window.local()?), ([10, 20], &[15, 20][..]));
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn get_accumulate(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        result: &'scope mut [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        element::check::<T>(operation)?;
        same_length(origin.len(), result.len())?;
        let place = place(self, &target)?;
        let (window, results) = (self.window, result.as_mut_ptr());
        // SAFETY: both buffers are borrowed for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_fetch(
                window,
                place,
                operation,
                origin.as_ptr(),
                results,
                origin.len(),
                displacement,
                Form::default(),
            )
        }?;
        Ok(())
    }

    /// As [`Epoch::get_accumulate`] with layouts of operands, of the result and at the target, as in
    /// [`Epoch::put_layout`]; all have the same number of elements.
    ///
    /// # Errors
    /// As for [`Epoch::get_accumulate`] and [`Epoch::put_layout`]; the layout of the result names an element twice.
    ///
    /// ```
    /// use farside::{Layout, Operation};
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, vec![10u32, 20, 30])?;
    ///     let (ends, both) = (Layout::vector(2, 1, 2)?, Layout::contiguous(2));
    ///     let (mut before, other) = ([0; 2], 1 - world.rank());
    ///     window.fence(|epoch| {
    ///         epoch.get_accumulate_layout(Operation::Sum, &[1, 2], &both, &mut before, &both, other, 0, &ends)
    ///     })?;
    ///     assert_eq!((before, window.local()?), ([10, 30], &[11, 20, 32][..]));
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    #[allow(clippy::too_many_arguments, reason = "those of MPI_Get_accumulate")]
    pub fn get_accumulate_layout(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        layout: &Layout,
        result: &'scope mut [T],
        result_layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        element::check::<T>(operation)?;
        let place = place(self, &target)?;
        layouts::check::<T>(place, origin.len(), layout, displacement, target_layout)?;
        layouts::check_result(layout, result.len(), result_layout)?;
        target_layout.check_written()?;
        let (origin, result) = (origin.as_ptr(), result.as_mut_ptr());
        for ([from, into, to], elements) in runs([layout, result_layout, target_layout]) {
            // SAFETY: within the buffers, by the checks above, which are borrowed for `'scope`, at the end of which all
            // operations are complete. No element of the result is named twice.
            unsafe {
                start_fetch(
                    self.window,
                    place,
                    operation,
                    origin.add(from),
                    result.add(into),
                    elements,
                    displacement + to,
                    Form::default(),
                )
            }?;
        }
        Ok(())
    }
}

/// Refuses a result that is not as long as its operands.
pub(super) fn same_length(origin: usize, result: usize) -> Result<()> {
    if origin == result {
        return Ok(());
    }
    Err(Error::Length {
        what: "the result of a get_accumulate",
        expected: origin,
        found: result,
    })
}
