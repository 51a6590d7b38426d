//! Operations of a context: done by the thread itself where it reaches the memory of the target (see
//! [`farside_fabric::direct`]), by the transport else.

use super::Context;
use crate::window::peer::Place;
use crate::{Accumulate, Element, Operation, Plain, Rank, Result, element as kinds};
use farside_fabric::{CompareSwap, Direct, Fetch, Get, Put, Signal, Ticket, copy, element};

impl<'scope, 'env, T: Plain> Context<'scope, 'env, T> {
    /// Starts to write elements to a target. See [`Epoch::put`](crate::Epoch::put).
    ///
    /// # Errors
    /// No context for the rank; out of bounds (nothing is written then); it is lost.
    #[track_caller]
    pub fn put(&'scope self, origin: &'scope [T], target: Rank, displacement: usize) -> Result<()> {
        let place = self.place(target)?;
        // SAFETY: the origin is borrowed for `'scope`, at the end of which all operations are complete.
        unsafe { self.start_put(origin, place, displacement) }
    }

    /// As [`Context::put`] of one element by value, which needs no buffer.
    ///
    /// # Errors
    /// As for [`Context::put`].
    #[track_caller]
    pub fn put_value(&'scope self, value: T, target: Rank, displacement: usize) -> Result<()> {
        let place = self.place(target)?;
        let value = vec![value];
        // SAFETY: it is kept until completion. To move a vector leaves its elements in place.
        let started = unsafe { self.start_put(&value, place, displacement) };
        if self.passed.get() {
            self.values.borrow_mut().push(value);
        }
        started
    }

    /// Starts to read elements from a target. See [`Epoch::get`](crate::Epoch::get).
    ///
    /// # Errors
    /// As for [`Context::put`].
    #[track_caller]
    pub fn get(&'scope self, origin: &'scope mut [T], target: Rank, displacement: usize) -> Result<()> {
        let place = self.place(target)?;
        let at = place.bytes::<T>(displacement, origin.len())?;
        let bytes = size_of_val(origin);
        if let Some(direct) = place.reach() {
            // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; it stays
            // connected as long as the window.
            unsafe { copy::read(origin.as_mut_ptr().cast(), direct.base().add(at), bytes) };
            return Ok(());
        }
        let get = Get {
            scope: self.own,
            origin: origin.as_mut_ptr().cast(),
            bytes,
            remote: place.remote,
            displacement: at,
        };
        // SAFETY: the origin is borrowed mutably for `'scope`, at the end of which the operation is complete; windows
        // stay connected.
        unsafe { self.fabric.get(&get) }?;
        self.passed.set(true);
        Ok(())
    }

    /// # Safety
    /// `origin` stays, and is not written, until completion.
    unsafe fn start_put(&self, origin: &[T], place: &'env Place, displacement: usize) -> Result<()> {
        let at = place.bytes::<T>(displacement, origin.len())?;
        let bytes = size_of_val(origin);
        if let Some(direct) = self.approach(place)? {
            // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; it stays
            // connected as long as the window.
            unsafe { copy::write(direct.base().add(at), origin.as_ptr().cast(), bytes) };
            return Ok(());
        }
        let put = Put {
            scope: self.own,
            origin: origin.as_ptr().cast(),
            bytes,
            remote: place.remote,
            displacement: at,
            signal: Signal::None,
        };
        // SAFETY: the caller's promise; windows stay connected.
        unsafe { self.fabric.put(&put) }?;
        self.passed.set(true);
        Ok(())
    }

    /// The way to write to a place without the transport, if there is one: what was written elsewhere is complete then.
    fn approach(&self, place: &'env Place) -> Result<Option<&'env Direct>> {
        let Some(direct) = place.reach() else {
            return Ok(None);
        };
        if self
            .written
            .get()
            .is_some_and(|written| written.rank != place.rank)
        {
            self.complete_written()?;
        }
        self.written.set(Some(place));
        Ok(Some(direct))
    }
}

impl<'scope, 'env, T: Accumulate> Context<'scope, 'env, T> {
    /// Starts to combine elements at a target with those of a buffer, each atomically. See
    /// [`Epoch::accumulate`](crate::Epoch::accumulate).
    ///
    /// # Errors
    /// As for [`Context::put`]; the operation does not exist for the type, or not on this transport.
    #[track_caller]
    pub fn accumulate(
        &'scope self,
        operation: Operation,
        origin: &'scope [T],
        target: Rank,
        displacement: usize,
    ) -> Result<()> {
        kinds::check_accumulated::<T>(operation)?;
        let place = self.place(target)?;
        let (operands, results) = (origin.as_ptr(), std::ptr::null_mut());
        // SAFETY: the origin is borrowed for `'scope`, at the end of which the operation is complete.
        unsafe { self.start_fetch(operation, (operands, results), origin.len(), place, displacement) }?;
        Ok(())
    }

    /// # Safety
    /// `operands` is valid for reads, and `results`, where it is not null, for writes of so many elements, and neither
    /// is touched otherwise, until completion.
    unsafe fn start_fetch(
        &self,
        operation: Operation,
        (operands, results): (*const T, *mut T),
        elements: usize,
        place: &'env Place,
        displacement: usize,
    ) -> Result<Ticket> {
        let at = place.bytes::<T>(displacement, elements)?;
        let (operands, results) = (operands.cast(), results.cast());
        if let Some(direct) = self.approach(place)? {
            // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; aligned, for
            // regions begin at multiples of 64 bytes, and elements at whole lines after that.
            unsafe {
                let at = direct.base().add(at);
                element::apply(T::KIND, operation, at, operands, results, elements * T::PARTS);
            }
            return Ok(Ticket::DONE);
        }
        let fetch = Fetch {
            scope: self.own,
            operation,
            kind: T::KIND,
            count: elements * T::PARTS,
            operands,
            results,
            remote: place.remote,
            displacement: at,
        };
        // SAFETY: the caller's promise; windows stay connected.
        let ticket = unsafe { self.fabric.fetch(&fetch) }?;
        self.passed.set(true);
        Ok(ticket)
    }
}

impl<'env, T: Element> Context<'_, 'env, T> {
    /// Does an atomic operation on one element, and gives what was there (`shmem_ctx_atomic_fetch_add` and the like,
    /// OpenSHMEM-1.5 §9.7). Waits for it.
    ///
    /// # Errors
    /// As for [`Context::accumulate`]; time ran out.
    #[track_caller]
    pub fn fetch(&self, operation: Operation, value: T, target: Rank, displacement: usize) -> Result<T> {
        kinds::check::<T>(operation)?;
        let place = self.place(target)?;
        self.exchange("fetch", place, [value, value], |[operand, _, result]| {
            // SAFETY: by `exchange`.
            unsafe { self.start_fetch(operation, (operand, result), 1, place, displacement) }
        })
    }

    /// Replaces one element if it is as expected, bit by bit, and gives what was there. Waits for it. See
    /// [`Epoch::compare_and_swap`](crate::Epoch::compare_and_swap).
    ///
    /// # Errors
    /// As for [`Context::fetch`].
    #[track_caller]
    pub fn compare_and_swap(
        &self,
        expected: T,
        replacement: T,
        target: Rank,
        displacement: usize,
    ) -> Result<T> {
        let place = self.place(target)?;
        let start = |[expected, replacement, result]: [*mut T; 3]| -> Result<Ticket> {
            let at = place.bytes::<T>(displacement, 1)?;
            let (expected, replacement, result) = (expected.cast(), replacement.cast(), result.cast());
            if let Some(direct) = self.approach(place)? {
                // SAFETY: in bounds, aligned and connected, as for `start_fetch`; the words by `exchange`.
                unsafe {
                    let at = direct.base().add(at);
                    element::compare_swap(size_of::<T>(), at, expected, replacement, result);
                }
                return Ok(Ticket::DONE);
            }
            let swap = CompareSwap {
                scope: self.own,
                kind: T::KIND,
                expected,
                replacement,
                result,
                remote: place.remote,
                displacement: at,
            };
            // SAFETY: by `exchange`; windows stay connected.
            let ticket = unsafe { self.fabric.compare_swap(&swap) }?;
            self.passed.set(true);
            Ok(ticket)
        };
        self.exchange("compare_and_swap", place, [expected, replacement], start)
    }

    /// Starts an operation on two operands and a result, which stay in place until it is complete, and waits for it.
    #[track_caller]
    fn exchange(
        &self,
        call: &str,
        place: &Place,
        [first, second]: [T; 2],
        start: impl FnOnce([*mut T; 3]) -> Result<Ticket>,
    ) -> Result<T> {
        let words = Box::into_raw(Box::new([first, second, T::zeroed()])).cast::<T>();
        // SAFETY: of three elements.
        let places = unsafe { [words, words.add(1), words.add(2)] };
        let done = start(places).map(|ticket| self.wait(call, place, ticket));
        if let Ok(Err(error)) = done {
            // It may still be under way: the words stay for ever.
            return Err(error);
        }
        // SAFETY: from `into_raw` above; the operation is complete, or was not started.
        let words = unsafe { Box::from_raw(words.cast::<[T; 3]>()) };
        done?.map(|()| words[2])
    }
}
