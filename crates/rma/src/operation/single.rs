//! Atomic operations on one element: fetch_and_op, compare_and_swap (MPI-4.1 §12.3.4). What the transport does has its
//! operands in cells of the window, which stay in place until completion.

use super::start::{start_fetch, start_swap};
use super::{Target, here, place};
use crate::element;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::request::Fetched;
use crate::window::core::watch::Form;
use crate::{Element, Operation, Result};
use farside_events::RequestId;
use farside_fabric::Ticket;

impl<'scope, T: Element, K: Kind> Epoch<'scope, '_, T, K> {
    /// Starts an atomic operation on one element, and fetches what was there (`MPI_Fetch_and_op`, MPI-4.1 §12.3.4).
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    ///
    /// ```
    /// use farside::Operation;
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u64>::allocate(world, 1)?;
    ///     let mut before = 0;
    ///     window.fence(|epoch| epoch.fetch_and_op(Operation::Sum, 5, &mut before, 0, 0))?;
    ///     assert!(before == 0 || before == 5);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn fetch_and_op(
        &'scope self,
        operation: Operation,
        value: T,
        result: &'scope mut T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        if let Some(found) = here::fetch(self, operation, value, &target, displacement) {
            *result = found;
            return Ok(());
        }
        self.fetch_and_op_otherwise(operation, value, result, target, displacement)
    }

    #[inline(never)]
    #[track_caller]
    fn fetch_and_op_otherwise(
        &'scope self,
        operation: Operation,
        value: T,
        result: &'scope mut T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        element::check::<T>(operation)?;
        let place = place(self, &target)?;
        let (slot, cell) = self.window.pending.pool.take();
        let operand = cell.cast::<T>();
        // SAFETY: the cell is ours, has 8 bytes and more, and is not touched until completion; the result is borrowed
        // for `'scope`.
        let ticket = unsafe {
            operand.write(value);
            start_fetch(
                self.window,
                place,
                operation,
                operand.cast_const(),
                result,
                1,
                displacement,
                Form::single(None),
            )
        }?;
        self.window.leave(slot, ticket)
    }

    /// As [`Epoch::fetch_and_op`], with the result in a request: `epoch.fetch(Operation::Sum, 1, 0, 0)?.wait()?`.
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    #[inline(always)]
    #[track_caller]
    pub fn fetch(
        &'scope self,
        operation: Operation,
        value: T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Fetched<'scope, T>> {
        if let Some(found) = here::fetch(self, operation, value, &target, displacement) {
            return Ok(Fetched::here(self.window, found));
        }
        self.fetch_otherwise(operation, value, target, displacement)
    }

    #[inline(never)]
    #[track_caller]
    fn fetch_otherwise(
        &'scope self,
        operation: Operation,
        value: T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Fetched<'scope, T>> {
        element::check::<T>(operation)?;
        let place = place(self, &target)?;
        let (slot, cell) = self.window.pending.pool.take();
        let request = self.window.name_request();
        let operand = cell.cast::<T>();
        // SAFETY: the cell is ours and has four words: the first for the operand, the second for the result. The
        // request gives it back when the operation is complete.
        let ticket = unsafe {
            operand.write(value);
            let result = cell.add(1).cast::<T>();
            start_fetch(
                self.window,
                place,
                operation,
                operand.cast_const(),
                result,
                1,
                displacement,
                Form::single(request),
            )
        }?;
        Ok(Fetched::coming(self.window, slot, ticket, request))
    }

    /// Starts to replace one element if it equals `expected`, by its bits, and fetches what was there
    /// (`MPI_Compare_and_swap`, MPI-4.1 §12.3.4): the replacement was written if `result` equals `expected`.
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u32>::allocate(world, 1)?;
    ///     let mut before = 9;
    ///     window.fence(|epoch| epoch.compare_and_swap(0, 1 + world.rank(), &mut before, 0, 0))?;
    ///     let won = [u32::from(before == 0)];
    ///     let mut winners = won;
    ///     world.allreduce(farside::Operation::Sum, &mut winners)?;
    ///     assert_eq!(winners, [1]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn compare_and_swap(
        &'scope self,
        expected: T,
        replacement: T,
        result: &'scope mut T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        if let Some(found) = here::swap(self, expected, replacement, &target, displacement) {
            *result = found;
            return Ok(());
        }
        let (slot, cell) = self.window.pending.pool.take();
        // SAFETY: the result is borrowed for `'scope`, at the end of which all operations are complete.
        let ticket = unsafe {
            let words = (expected, replacement);
            self.start_swap(cell, words, result, &target, displacement, None)
        }?;
        self.window.leave(slot, ticket)
    }

    /// As [`Epoch::compare_and_swap`], with the result in a request.
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    #[inline(always)]
    #[track_caller]
    pub fn swap(
        &'scope self,
        expected: T,
        replacement: T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Fetched<'scope, T>> {
        if let Some(found) = here::swap(self, expected, replacement, &target, displacement) {
            return Ok(Fetched::here(self.window, found));
        }
        let (slot, cell) = self.window.pending.pool.take();
        let request = self.window.name_request();
        // SAFETY: the second word of the cell is for the result; the request gives the cell back when it is complete.
        let ticket = unsafe {
            let result = cell.add(1).cast::<T>();
            self.start_swap(
                cell,
                (expected, replacement),
                result,
                &target,
                displacement,
                request,
            )
        }?;
        Ok(Fetched::coming(self.window, slot, ticket, request))
    }

    /// Starts a compare-and-swap with operands in the first and third word of a cell.
    ///
    /// # Safety
    /// The cell is the caller's and is not touched until completion; so is `result`, which is valid for writes.
    #[inline(never)]
    #[track_caller]
    unsafe fn start_swap(
        &self,
        cell: *mut u64,
        (expected, replacement): (T, T),
        result: *mut T,
        target: &impl Target<T>,
        displacement: usize,
        request: Option<RequestId>,
    ) -> Result<Ticket> {
        let place = place(self, target)?;
        // SAFETY: the cell has four words, and is the caller's; so is the result.
        unsafe {
            let (first, third) = (cell.cast::<T>(), cell.add(2).cast::<T>());
            first.write(expected);
            third.write(replacement);
            let words = (first.cast_const(), third.cast_const());
            start_swap(
                self.window,
                place,
                words,
                result,
                displacement,
                Form::single(request),
            )
        }
    }
}
