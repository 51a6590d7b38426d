//! Operations with layouts and with requests: one request for all runs of consecutive elements of a call.

use super::start::{start_fetch, start_get, start_put};
use super::{Target, layouts, place};
use crate::element;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::layout::runs;
use crate::request::{Buffer, BufferMut, Request};
use crate::window::core::watch::Form;
use crate::{Accumulate, Element, Layout, Operation, Plain, Result};

impl<'scope, T: Plain, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::put_layout`], with a request (`MPI_Rput` with derived datatypes, MPI-4.1 §12.3.5).
    ///
    /// # Errors
    /// As for [`Epoch::put_layout`].
    ///
    /// ```
    /// use farside::Layout;
    /// farside::simulate(2, |world| {
    ///     let mut window = farside::Window::<u8>::allocate(world, 4)?;
    ///     let (pair, ends) = (Layout::contiguous(2), Layout::vector(2, 1, 3)?);
    ///     window.fence(|epoch| {
    ///         let buffer = epoch.rput_layout(vec![7, 8], &pair, 1 - world.rank(), 0, &ends)?.wait()?;
    ///         assert_eq!(buffer, [7, 8]); // it may be written again
    ///         Ok(())
    ///     })?;
    ///     assert_eq!(window.local()?, [7, 0, 0, 8]);
    ///     window.free()
    /// })?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    #[track_caller]
    pub fn rput_layout<B: Buffer<T> + 'scope>(
        &'scope self,
        origin: B,
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<Request<'scope, B>> {
        let (window, place) = (self.window, place(self, &target)?);
        let mut request = Request::new(window, origin);
        let (origin, length) = request.buffer().parts();
        layouts::check::<T>(place, length, layout, displacement, target_layout)?;
        target_layout.check_written()?;
        for ([from, to], elements) in runs([layout, target_layout]) {
            let name = window.name_request();
            let (at, form) = (displacement + to, Form::requested(name));
            // SAFETY: within the buffer, by the check above; the request owns it, and neither gives it back nor frees
            // it before completion, here neither, if a later run cannot be started.
            let ticket = unsafe { start_put(window, place, origin.add(from), elements, at, form) }?;
            request.started(ticket, name);
        }
        Ok(request)
    }

    /// As [`Epoch::get_layout`], with a request (`MPI_Rget` with derived datatypes, MPI-4.1 §12.3.5).
    ///
    /// # Errors
    /// As for [`Epoch::get_layout`].
    #[track_caller]
    pub fn rget_layout<B: BufferMut<T> + 'scope>(
        &'scope self,
        origin: B,
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<Request<'scope, B>> {
        let (window, place) = (self.window, place(self, &target)?);
        let mut request = Request::new(window, origin);
        let (origin, length) = request.buffer().parts_mut();
        layouts::check::<T>(place, length, layout, displacement, target_layout)?;
        layout.check_written()?;
        for ([to, from], elements) in runs([layout, target_layout]) {
            let name = window.name_request();
            let (at, form) = (displacement + from, Form::requested(name));
            // SAFETY: as for `rput_layout`; no element is named twice.
            let ticket = unsafe { start_get(window, place, origin.add(to), elements, at, form) }?;
            request.started(ticket, name);
        }
        Ok(request)
    }
}

impl<'scope, T: Accumulate, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::accumulate_layout`], with a request (`MPI_Raccumulate` with derived datatypes, MPI-4.1 §12.3.5).
    ///
    /// # Errors
    /// As for [`Epoch::accumulate_layout`].
    #[track_caller]
    pub fn raccumulate_layout<B: Buffer<T> + 'scope>(
        &'scope self,
        operation: Operation,
        origin: B,
        layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<Request<'scope, B>> {
        element::check_accumulated::<T>(operation)?;
        let (window, place) = (self.window, place(self, &target)?);
        let mut request = Request::new(window, origin);
        let (origin, length) = request.buffer().parts();
        layouts::check::<T>(place, length, layout, displacement, target_layout)?;
        target_layout.check_written()?;
        for ([from, to], elements) in runs([layout, target_layout]) {
            let name = window.name_request();
            // SAFETY: as for `rput_layout`.
            let ticket = unsafe {
                start_fetch(
                    window,
                    place,
                    operation,
                    origin.add(from),
                    std::ptr::null_mut(),
                    elements,
                    displacement + to,
                    Form::requested(name),
                )
            }?;
            request.started(ticket, name);
        }
        Ok(request)
    }
}

impl<'scope, T: Element, K: Kind> Epoch<'scope, '_, T, K> {
    /// As [`Epoch::get_accumulate_layout`], with a request that gives both buffers back (`MPI_Rget_accumulate` with
    /// derived datatypes, MPI-4.1 §12.3.5).
    ///
    /// # Errors
    /// As for [`Epoch::get_accumulate_layout`].
    #[track_caller]
    #[allow(clippy::too_many_arguments, reason = "those of MPI_Rget_accumulate")]
    pub fn rget_accumulate_layout<O: Buffer<T> + 'scope, R: BufferMut<T> + 'scope>(
        &'scope self,
        operation: Operation,
        origin: O,
        layout: &Layout,
        result: R,
        result_layout: &Layout,
        target: impl Target<T>,
        displacement: usize,
        target_layout: &Layout,
    ) -> Result<Request<'scope, (O, R)>> {
        element::check::<T>(operation)?;
        let (window, place) = (self.window, place(self, &target)?);
        let mut request = Request::new(window, (origin, result));
        let (origin, result) = request.buffer();
        let ((origin, length), (result, room)) = (origin.parts(), result.parts_mut());
        layouts::check::<T>(place, length, layout, displacement, target_layout)?;
        layouts::check_result(layout, room, result_layout)?;
        target_layout.check_written()?;
        for ([from, into, to], elements) in runs([layout, result_layout, target_layout]) {
            let name = window.name_request();
            // SAFETY: as for `rput_layout`, of both buffers; no element of the result is named twice.
            let ticket = unsafe {
                start_fetch(
                    window,
                    place,
                    operation,
                    origin.add(from),
                    result.add(into),
                    elements,
                    displacement + to,
                    Form::requested(name),
                )
            }?;
            request.started(ticket, name);
        }
        Ok(request)
    }
}
