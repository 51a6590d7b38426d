//! Atomic operations: accumulate, get_accumulate, fetch_and_op, compare_and_swap (MPI-4.1 §12.3.4).
//!
//! Each is atomic element by element, with respect to all atomic operations on the same window, of every rank; those of one
//! rank on one element take effect in the order of their calls (MPI-4.1 §12.7.1). They are not atomic with respect to put
//! and get.

use super::{Place, Target, layouts, place};
use crate::element;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::layout::runs;
use crate::request::Fetched;
use crate::window::core::WindowCore;
use crate::{Element, Error, Layout, Operation, Result};
use farside_fabric::{CompareSwap, Fetch, Ticket};

/// Starts an atomic operation on elements; null operands for [`Operation::NoOp`], null results if nobody asks.
///
/// # Safety
/// `operands` is valid for reads and `results` for writes of `elements` elements, where they are not null, and neither is
/// touched otherwise until local completion.
pub(crate) unsafe fn start_fetch<T: Element>(
    window: &WindowCore,
    place: &Place,
    operation: Operation,
    operands: *const T,
    results: *mut T,
    elements: usize,
    displacement: usize,
) -> Result<Ticket> {
    let fetch = Fetch {
        scope: window.scope,
        operation,
        kind: T::KIND,
        count: elements,
        operands: operands.cast(),
        results: results.cast(),
        remote: place.remote,
        displacement: place.bytes(displacement, elements)?,
    };
    // SAFETY: the caller's promise; windows and attached memory stay connected as long as the window.
    let ticket = unsafe { window.fabric().fetch(&fetch) }?;
    window.started_atomic();
    Ok(ticket)
}

impl<'scope, T: Element, K: Kind> Epoch<'scope, '_, T, K> {
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
    pub fn accumulate(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        element::check::<T>(operation)?;
        let place = place(self, target)?;
        let (window, results) = (self.window, std::ptr::null_mut());
        // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_fetch(
                window,
                &place,
                operation,
                origin.as_ptr(),
                results,
                origin.len(),
                displacement,
            )
        }?;
        Ok(())
    }

    /// As [`Epoch::accumulate`] with layouts on both sides, as in [`Epoch::put_layout`].
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`] and [`Epoch::put_layout`].
    pub fn accumulate_layout(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<()> {
        element::check::<T>(operation)?;
        let place = place(self, target)?;
        layouts::check(&place, origin.len(), layout, displacement, target_layout)?;
        target_layout.check_written()?;
        for (from, to, elements) in runs(layout, target_layout) {
            let (origin, results) = (origin[from..from + elements].as_ptr(), std::ptr::null_mut());
            // SAFETY: as in `accumulate`.
            unsafe {
                start_fetch(
                    self.window,
                    &place,
                    operation,
                    origin,
                    results,
                    elements,
                    displacement + to,
                )
            }?;
        }
        Ok(())
    }

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
        let place = place(self, target)?;
        let (window, results) = (self.window, result.as_mut_ptr());
        // SAFETY: both buffers are borrowed for `'scope`, at the end of which all operations are complete.
        unsafe {
            start_fetch(
                window,
                &place,
                operation,
                origin.as_ptr(),
                results,
                origin.len(),
                displacement,
            )
        }?;
        Ok(())
    }

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
    pub fn fetch_and_op(
        &'scope self,
        operation: Operation,
        value: T,
        result: &'scope mut T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        element::check::<T>(operation)?;
        let place = place(self, target)?;
        let (slot, cell) = self.window.pool.take();
        let operand = cell.cast::<T>();
        // SAFETY: the cell is ours, has 8 bytes and more, and is not touched until completion; the result is borrowed for
        // `'scope`.
        let ticket = unsafe {
            operand.write(value);
            start_fetch(
                self.window,
                &place,
                operation,
                operand.cast_const(),
                result,
                1,
                displacement,
            )
        }?;
        self.window.leave(slot, ticket)
    }

    /// As [`Epoch::fetch_and_op`], with the result in a request: `epoch.fetch(Operation::Sum, 1, 0, 0)?.wait()?`.
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    pub fn fetch(
        &'scope self,
        operation: Operation,
        value: T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Fetched<'scope, T>> {
        element::check::<T>(operation)?;
        let place = place(self, target)?;
        let (slot, cell) = self.window.pool.take();
        let operand = cell.cast::<T>();
        // SAFETY: the cell is ours and has four words: the first for the operand, the second for the result. The request
        // gives it back when the operation is complete.
        let ticket = unsafe {
            operand.write(value);
            let result = cell.add(1).cast::<T>();
            start_fetch(
                self.window,
                &place,
                operation,
                operand.cast_const(),
                result,
                1,
                displacement,
            )
        }?;
        Ok(Fetched::new(self.window, slot, ticket))
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
    pub fn compare_and_swap(
        &'scope self,
        expected: T,
        replacement: T,
        result: &'scope mut T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<()> {
        let (slot, cell) = self.window.pool.take();
        // SAFETY: the result is borrowed for `'scope`, at the end of which all operations are complete.
        let ticket = unsafe { self.start_swap(cell, expected, replacement, result, target, displacement) }?;
        self.window.leave(slot, ticket)
    }

    /// As [`Epoch::compare_and_swap`], with the result in a request.
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    pub fn swap(
        &'scope self,
        expected: T,
        replacement: T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Fetched<'scope, T>> {
        let (slot, cell) = self.window.pool.take();
        // SAFETY: the second word of the cell is for the result; the request gives the cell back when it is complete.
        let ticket = unsafe {
            let result = cell.add(1).cast::<T>();
            self.start_swap(cell, expected, replacement, result, target, displacement)
        }?;
        Ok(Fetched::new(self.window, slot, ticket))
    }

    /// Starts a compare-and-swap with operands in the first and third word of a cell.
    ///
    /// # Safety
    /// The cell is the caller's and is not touched until completion; so is `result`, which is valid for writes.
    unsafe fn start_swap(
        &self,
        cell: *mut u64,
        expected: T,
        replacement: T,
        result: *mut T,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Ticket> {
        let place = place(self, target)?;
        let displacement = place.bytes(displacement, 1)?;
        // SAFETY: the cell has four words.
        let (first, third) = unsafe { (cell.cast::<T>(), cell.add(2).cast::<T>()) };
        // SAFETY: the caller's promise.
        unsafe {
            first.write(expected);
            third.write(replacement);
        }
        let swap = CompareSwap {
            scope: self.window.scope,
            kind: T::KIND,
            expected: first.cast_const().cast(),
            replacement: third.cast_const().cast(),
            result: result.cast(),
            remote: place.remote,
            displacement,
        };
        // SAFETY: the caller's promise; the window stays connected.
        let ticket = unsafe { self.window.fabric().compare_swap(&swap) }?;
        self.window.started_atomic();
        Ok(ticket)
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
