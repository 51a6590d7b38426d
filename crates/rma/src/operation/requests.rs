//! Operations with requests: each can be completed by itself (MPI-4.1 §12.3.5).
//!
//! A request takes its buffer by value and gives it back when the operation is complete locally: an owned vector, or a
//! slice borrowed for the whole epoch. A request that is dropped or forgotten takes nothing away from soundness: an
//! owned buffer is kept until completion, a borrowed one is borrowed until the end of the epoch anyhow.

use super::atomic::same_length;
use super::start::{start_fetch, start_get, start_put};
use super::{Target, place, place_to_put};
use crate::element;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::request::{Buffer, BufferMut, Request};
use crate::window::core::watch::Form;
use crate::{Accumulate, Element, Operation, Plain, Result};

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::put`], with a request (`MPI_Rput`, MPI-4.1 §12.3.5; here in active target epochs too).
    ///
    /// # Errors
    /// As for [`Epoch::put`].
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u8>::allocate(world, 4)?;
    ///     window.fence(|epoch| {
    ///         let buffer = epoch.rput(vec![1, 2, 3, 4], 1 - world.rank(), 0)?.wait()?;
    ///         assert_eq!(buffer, [1, 2, 3, 4]); // it may be written again
    ///         Ok(())
    ///     })?;
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn rput<B: Buffer<T> + 'scope>(
        &'scope self,
        origin: B,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Request<'scope, B>> {
        let (window, place) = (self.window, place_to_put(self, &target)?);
        let (mut request, name) = (Request::new(window, origin), window.name_request());
        let (origin, elements) = request.buffer().parts();
        let form = Form::requested(name);
        // SAFETY: the request owns the buffer, and neither gives it back nor frees it before completion.
        let ticket = unsafe { start_put(window, place, origin, elements, displacement, form) }?;
        request.started(ticket, name);
        Ok(request)
    }

    /// As [`Epoch::get`], with a request (`MPI_Rget`, MPI-4.1 §12.3.5; here in active target epochs too).
    ///
    /// # Errors
    /// As for [`Epoch::get`].
    ///
    /// ```
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::create(world, vec![world.rank() as u16; 4])?;
    ///     let mut buffer = [9; 4];
    ///     window.fence(|epoch| {
    ///         let request = epoch.rget(&mut buffer[..], 1, 0)?;
    ///         assert_eq!(request.wait()?, [1; 4]);
    ///         Ok(())
    ///     })?;
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn rget<B: BufferMut<T> + 'scope>(
        &'scope self,
        origin: B,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Request<'scope, B>> {
        let (window, place) = (self.window, place(self, &target)?);
        let (mut request, name) = (Request::new(window, origin), window.name_request());
        let (origin, elements) = request.buffer().parts_mut();
        let form = Form::requested(name);
        // SAFETY: the request owns the buffer, and neither gives it back nor frees it before completion.
        let ticket = unsafe { start_get(window, place, origin, elements, displacement, form) }?;
        request.started(ticket, name);
        Ok(request)
    }
}

impl<'scope, T: Accumulate, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::accumulate`], with a request (`MPI_Raccumulate`, MPI-4.1 §12.3.5; here in active target epochs too).
    ///
    /// # Errors
    /// As for [`Epoch::accumulate`].
    #[track_caller]
    pub fn raccumulate<B: Buffer<T> + 'scope>(
        &'scope self,
        operation: Operation,
        origin: B,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Request<'scope, B>> {
        element::check_accumulated::<T>(operation)?;
        let (window, place) = (self.window, place(self, &target)?);
        let (mut request, name) = (Request::new(window, origin), window.name_request());
        let ((operands, elements), results) = (request.buffer().parts(), std::ptr::null_mut());
        // SAFETY: the request owns the buffer, and neither gives it back nor frees it before completion.
        let ticket = unsafe {
            start_fetch(
                window,
                place,
                operation,
                operands,
                results,
                elements,
                displacement,
                Form::requested(name),
            )
        }?;
        request.started(ticket, name);
        Ok(request)
    }
}

impl<'scope, T: Element, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::get_accumulate`], with a request that gives both buffers back (`MPI_Rget_accumulate`, MPI-4.1
    /// §12.3.5; here in active target epochs too).
    ///
    /// # Errors
    /// As for [`Epoch::get_accumulate`].
    #[track_caller]
    pub fn rget_accumulate<O: Buffer<T> + 'scope, R: BufferMut<T> + 'scope>(
        &'scope self,
        operation: Operation,
        origin: O,
        result: R,
        target: impl Target<T>,
        displacement: usize,
    ) -> Result<Request<'scope, (O, R)>> {
        element::check::<T>(operation)?;
        same_length(origin.parts().1, result.parts().1)?;
        let (window, place) = (self.window, place(self, &target)?);
        let (mut request, name) = (Request::new(window, (origin, result)), window.name_request());
        let (origin, result) = request.buffer();
        let ((operands, elements), (results, _)) = (origin.parts(), result.parts_mut());
        // SAFETY: the request owns both buffers, and neither gives them back nor frees them before completion.
        let ticket = unsafe {
            start_fetch(
                window,
                place,
                operation,
                operands,
                results,
                elements,
                displacement,
                Form::requested(name),
            )
        }?;
        request.started(ticket, name);
        Ok(request)
    }
}
