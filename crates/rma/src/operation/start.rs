//! How operations are started: by this process itself where it reaches the memory of the target (see
//! [`farside_fabric::direct`]), by the transport else; in a fence epoch of another design than the direct ones, as the
//! design wants it ([`record`]).
//!
//! The first way is also what [`super::here`] does, for the calls that need nothing but it.

use super::tell::{tell_fetch, tell_get, tell_put, tell_swap};
use crate::epoch::ticket;
use crate::fence::record;
use crate::window::core::WindowCore;
use crate::window::core::watch::Form;
use crate::window::peer::Place;
use crate::{Accumulate, Element, Operation, Plain, Result};
use farside_fabric::{CompareSwap, Fetch, Get, Put, Signal, Ticket, copy, element};

/// Starts to write elements.
///
/// # Safety
/// `origin` is valid for reads of `elements` elements, and not written, until local completion.
#[inline]
#[track_caller]
pub(crate) unsafe fn start_put<T: Plain>(
    window: &WindowCore,
    place: &Place,
    origin: *const T,
    elements: usize,
    displacement: usize,
    form: Form,
) -> Result<Ticket> {
    let at = place.bytes::<T>(displacement, elements)?;
    // SAFETY: the caller's promise.
    unsafe { tell_put(window, place, origin, elements, displacement, form) };
    let bytes = elements * size_of::<T>();
    if let Some(direct) = window.approach_to_write(place)? {
        // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; the region stays
        // connected as long as the window. The origin is valid by the caller's promise.
        unsafe { copy::write(direct.base().add(at), origin.cast(), bytes) };
        return Ok(Ticket::DONE);
    }
    // SAFETY: by the caller.
    unsafe { pass_put(window, place, origin.cast(), bytes, at) }
}

/// # Safety
/// As for [`start_put`].
#[inline(never)]
unsafe fn pass_put(
    window: &WindowCore,
    place: &Place,
    origin: *const u8,
    bytes: usize,
    displacement: usize,
) -> Result<Ticket> {
    // SAFETY: by the caller.
    if unsafe { window.late.keep(place, origin, bytes, displacement) } {
        window.pending.started();
        return Ok(Ticket::DONE);
    }
    ticket::force(window)?;
    let put = Put {
        scope: window.scope,
        origin,
        bytes,
        remote: place.remote,
        displacement,
        signal: Signal::None,
    };
    // SAFETY: the caller's promise; windows and attached memory stay connected as long as the window.
    let ticket = unsafe {
        if window.record.is_direct() {
            window.fabric().put(&put)?
        } else {
            record::put(window, place.rank, place.attached, put)?
        }
    };
    window.pending.started();
    Ok(ticket)
}

/// Starts to read elements.
///
/// # Safety
/// `origin` is valid for writes of `elements` elements, and not touched, until local completion.
#[inline]
#[track_caller]
pub(crate) unsafe fn start_get<T: Plain>(
    window: &WindowCore,
    place: &Place,
    origin: *mut T,
    elements: usize,
    displacement: usize,
    form: Form,
) -> Result<Ticket> {
    let at = place.bytes::<T>(displacement, elements)?;
    tell_get(window, place, origin, elements, displacement, form);
    let bytes = elements * size_of::<T>();
    if let Some(direct) = window.approach(place)? {
        // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; the region stays
        // connected as long as the window. The origin is valid by the caller's promise.
        unsafe { copy::read(origin.cast(), direct.base().add(at), bytes) };
        return Ok(Ticket::DONE);
    }
    // SAFETY: by the caller.
    unsafe { pass_get(window, place, origin.cast(), bytes, at) }
}

/// # Safety
/// As for [`start_get`].
#[inline(never)]
unsafe fn pass_get(
    window: &WindowCore,
    place: &Place,
    origin: *mut u8,
    bytes: usize,
    displacement: usize,
) -> Result<Ticket> {
    window.record.check()?;
    let get = Get {
        scope: window.scope,
        origin,
        bytes,
        remote: place.remote,
        displacement,
    };
    let ticket = match window.record.deferred() {
        Some(deferred) if window.record.is_deferred() => deferred.get(place.rank, place.attached, &get)?,
        // SAFETY: the caller's promise; windows and attached memory stay connected as long as the window.
        _ => unsafe { window.fabric().get(&get) }?,
    };
    window.pending.started();
    Ok(ticket)
}

/// Starts an atomic operation on elements; null operands for [`Operation::NoOp`], null results if nobody asks.
///
/// # Safety
/// `operands` is valid for reads and `results` for writes of `elements` elements, where they are not null, and neither
/// is touched otherwise until local completion.
#[inline]
#[track_caller]
#[allow(clippy::too_many_arguments, reason = "those of the operation")]
pub(crate) unsafe fn start_fetch<T: Accumulate>(
    window: &WindowCore,
    place: &Place,
    operation: Operation,
    operands: *const T,
    results: *mut T,
    elements: usize,
    displacement: usize,
    form: Form,
) -> Result<Ticket> {
    let at = place.bytes::<T>(displacement, elements)?;
    // SAFETY: the caller's promise.
    unsafe {
        tell_fetch(
            window,
            place,
            operation,
            operands,
            results,
            elements,
            displacement,
            form,
        )
    };
    if let Some(direct) = window.approach_to_write(place)? {
        // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; the region stays
        // connected as long as the window. It is aligned, for regions begin at multiples of 64 bytes, and elements at
        // whole lines after that. The buffers are valid by the caller's promise.
        unsafe {
            let at = direct.base().add(at);
            let parts = elements * T::PARTS;
            element::apply(T::KIND, operation, at, operands.cast(), results.cast(), parts);
        }
        return Ok(Ticket::DONE);
    }
    let fetch = Fetch {
        scope: window.scope,
        operation,
        kind: T::KIND,
        count: elements * T::PARTS,
        operands: operands.cast(),
        results: results.cast(),
        remote: place.remote,
        displacement: at,
    };
    // SAFETY: by the caller.
    unsafe { pass_fetch(window, place, &fetch) }
}

/// # Safety
/// As for [`start_fetch`], and the region is connected.
#[inline(never)]
unsafe fn pass_fetch(window: &WindowCore, place: &Place, fetch: &Fetch) -> Result<Ticket> {
    window.record.check()?;
    let ticket = match window.record.deferred() {
        Some(deferred) if window.record.is_deferred() => deferred.fetch(place.rank, place.attached, fetch)?,
        // SAFETY: the caller's promise.
        _ => unsafe { window.fabric().fetch(fetch) }?,
    };
    window.pending.started_atomic();
    Ok(ticket)
}

/// Starts a compare-and-swap of an element.
///
/// # Safety
/// `expected` and `replacement` are valid for reads, `result` for writes of an element, and none is touched otherwise
/// until local completion.
#[track_caller]
pub(super) unsafe fn start_swap<T: Element>(
    window: &WindowCore,
    place: &Place,
    (expected, replacement): (*const T, *const T),
    result: *mut T,
    displacement: usize,
    form: Form,
) -> Result<Ticket> {
    let at = place.bytes::<T>(displacement, 1)?;
    // SAFETY: the caller's promise.
    unsafe { tell_swap(window, place, [expected, replacement], result, displacement, form) };
    let (expected, replacement, result) = (expected.cast(), replacement.cast(), result.cast());
    if let Some(direct) = window.approach_to_write(place)? {
        // SAFETY: in bounds of the elements, which are in the region, for else there is no such way; the region stays
        // connected as long as the window. It is aligned, for regions begin at multiples of 64 bytes, and elements at
        // whole lines after that. The buffers are valid by the caller's promise.
        unsafe {
            element::compare_swap(
                size_of::<T>(),
                direct.base().add(at),
                expected,
                replacement,
                result,
            )
        };
        return Ok(Ticket::DONE);
    }
    window.record.check()?;
    let swap = CompareSwap {
        scope: window.scope,
        kind: T::KIND,
        expected,
        replacement,
        result,
        remote: place.remote,
        displacement: at,
    };
    let ticket = match window.record.deferred() {
        Some(deferred) if window.record.is_deferred() => deferred.swap(place.rank, place.attached, &swap)?,
        // SAFETY: the caller's promise; the window stays connected.
        _ => unsafe { window.fabric().compare_swap(&swap) }?,
    };
    window.pending.started_atomic();
    Ok(ticket)
}
