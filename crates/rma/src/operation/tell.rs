//! What operations tell the check, if somebody checks: one line each before they start.

use crate::Operation;
use crate::window::core::WindowCore;
use crate::window::core::watch::{Elements, Form};
use crate::window::peer::Place;
use farside_events::OperationKind;
use std::panic::Location;

/// A put is about to start.
///
/// # Safety
/// `origin` is valid for reads of `elements` elements.
#[inline]
#[track_caller]
pub(crate) unsafe fn tell_put<T>(
    window: &WindowCore,
    target: &Place,
    origin: *const T,
    elements: usize,
    displacement: usize,
    form: Form,
) {
    let what = || Elements {
        target,
        displacement: displacement * size_of::<T>(),
        count: elements,
        kind: OperationKind::Put,
        operator: None,
        reads: [origin.cast(), std::ptr::null()],
        result: std::ptr::null_mut(),
    };
    // SAFETY: the caller's promise.
    unsafe { tell(window, what, form) };
}

/// A get is about to start.
#[inline]
#[track_caller]
pub(crate) fn tell_get<T>(
    window: &WindowCore,
    target: &Place,
    result: *mut T,
    elements: usize,
    displacement: usize,
    form: Form,
) {
    let what = || Elements {
        target,
        displacement: displacement * size_of::<T>(),
        count: elements,
        kind: OperationKind::Get,
        operator: None,
        reads: [std::ptr::null(), std::ptr::null()],
        result: result.cast(),
    };
    // SAFETY: there is no origin.
    unsafe { tell(window, what, form) };
}

/// An atomic operation on elements is about to start: of one element that fetches it a fetch_and_op, else an accumulate
/// or a get_accumulate.
///
/// # Safety
/// `operands` is valid for reads of `elements` elements, if it is not null.
#[inline]
#[track_caller]
#[allow(clippy::too_many_arguments, reason = "those of the operation")]
pub(crate) unsafe fn tell_fetch<T>(
    window: &WindowCore,
    target: &Place,
    operation: Operation,
    operands: *const T,
    results: *mut T,
    elements: usize,
    displacement: usize,
    form: Form,
) {
    let what = || Elements {
        target,
        displacement: displacement * size_of::<T>(),
        count: elements,
        kind: match (results.is_null(), form.single) {
            (true, _) => OperationKind::Accumulate,
            (false, true) => OperationKind::FetchAndOp,
            (false, false) => OperationKind::GetAccumulate,
        },
        operator: Some(operation),
        reads: [operands.cast(), std::ptr::null()],
        result: results.cast(),
    };
    // SAFETY: the caller's promise.
    unsafe { tell(window, what, form) };
}

/// A compare-and-swap is about to start.
///
/// # Safety
/// `expected` and `replacement` are valid for reads of an element.
#[inline]
#[track_caller]
pub(crate) unsafe fn tell_swap<T>(
    window: &WindowCore,
    target: &Place,
    [expected, replacement]: [*const T; 2],
    result: *mut T,
    displacement: usize,
    form: Form,
) {
    let what = || Elements {
        target,
        displacement: displacement * size_of::<T>(),
        count: 1,
        kind: OperationKind::CompareAndSwap,
        operator: None,
        reads: [replacement.cast(), expected.cast()],
        result: result.cast(),
    };
    // SAFETY: the caller's promise.
    unsafe { tell(window, what, form) };
}

/// What an operation that is about to start does, if somebody checks.
///
/// # Safety
/// The origin, if there is one, is valid for reads of the elements.
#[inline]
#[track_caller]
unsafe fn tell<'p>(window: &WindowCore, what: impl FnOnce() -> Elements<'p>, form: Form) {
    if let Some(watch) = &window.watch {
        // SAFETY: the caller's promise.
        unsafe { watch.operation(&what(), form, Location::caller()) };
    }
}
