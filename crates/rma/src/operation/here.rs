//! Operations that this process does itself, with nothing to be made ready: the target is near (it was the last one
//! that was accessed, and the epoch admits it), and no rank is lost (see [`farside_fabric::direct`]).
//!
//! Then an operation is a check of bounds, and a copy or an instruction, and it is compiled into the program that calls
//! it. In all other cases these functions do nothing and say so, and [`super::start`] does it, with all the checks,
//! messages and connections that it may take. The results are small on purpose: an error is made elsewhere.

use super::Target;
use crate::epoch::Epoch;
use crate::epoch::kind::Kind;
use crate::{Accumulate, Element, Operation, Plain, Rank};
use farside_fabric::{copy, element};

/// Whether a target that is near is one of the epoch's: those of an epoch with a single target need not be.
#[inline(always)]
fn target_of<T: Plain, K: Kind>(epoch: &Epoch<'_, '_, T, K>, target: &impl Target<T>) -> Option<Rank> {
    target.rank_of_window().filter(|&rank| epoch.admits_near(rank))
}

/// Where this process can write elements of a target.
#[inline(always)]
fn written<T: Plain, K: Kind>(
    epoch: &Epoch<'_, '_, T, K>,
    target: &impl Target<T>,
    displacement: usize,
    elements: usize,
) -> Option<*mut u8> {
    let rank = target_of(epoch, target)?;
    epoch.window.pending.write::<T>(rank, displacement, elements)
}

/// Writes elements. True if it is done.
#[inline(always)]
pub(super) fn put<T: Plain, K: Kind>(
    epoch: &Epoch<'_, '_, T, K>,
    origin: &[T],
    target: &impl Target<T>,
    displacement: usize,
) -> bool {
    let Some(address) = written(epoch, target, displacement, origin.len()) else {
        return false;
    };
    // SAFETY: the memory stays connected, hence mapped, as long as the window; the origin is a slice.
    unsafe { copy::write(address, origin.as_ptr().cast(), size_of_val(origin)) };
    true
}

/// Reads elements. True if it is done.
#[inline(always)]
pub(super) fn get<T: Plain, K: Kind>(
    epoch: &Epoch<'_, '_, T, K>,
    origin: &mut [T],
    target: &impl Target<T>,
    displacement: usize,
) -> bool {
    let pending = &epoch.window.pending;
    let address =
        target_of(epoch, target).and_then(|rank| pending.read::<T>(rank, displacement, origin.len()));
    let Some(address) = address else {
        return false;
    };
    // SAFETY: the memory stays connected, hence mapped, as long as the window; the origin is a slice.
    unsafe { copy::read(origin.as_mut_ptr().cast(), address, size_of_val(origin)) };
    true
}

/// Combines elements with those of a buffer. True if it is done.
#[inline(always)]
pub(super) fn accumulate<T: Accumulate, K: Kind>(
    epoch: &Epoch<'_, '_, T, K>,
    operation: Operation,
    origin: &[T],
    target: &impl Target<T>,
    displacement: usize,
) -> bool {
    if !T::accumulates(operation) {
        return false;
    }
    let Some(address) = written(epoch, target, displacement, origin.len()) else {
        return false;
    };
    let operands = origin.as_ptr().cast();
    // SAFETY: the memory stays connected, hence mapped, as long as the window; it is aligned, for regions begin at
    // multiples of 64 bytes, and elements at whole lines after that; the origin is a slice.
    unsafe {
        element::apply(
            T::KIND,
            operation,
            address,
            operands,
            std::ptr::null_mut(),
            origin.len() * T::PARTS,
        );
    }
    true
}

/// Does an atomic operation on an element, and gives what was there.
#[inline(always)]
pub(super) fn fetch<T: Element, K: Kind>(
    epoch: &Epoch<'_, '_, T, K>,
    operation: Operation,
    operand: T,
    target: &impl Target<T>,
    displacement: usize,
) -> Option<T> {
    if !T::accumulates(operation) {
        return None;
    }
    let address = written(epoch, target, displacement, 1)?;
    let mut found = T::zeroed();
    let (operands, results) = ((&raw const operand).cast(), (&raw mut found).cast());
    // SAFETY: the memory stays connected, hence mapped, as long as the window; it is aligned, for regions begin at
    // multiples of 64 bytes, and elements at whole lines after that; the operand and the result are here.
    unsafe { element::apply(T::KIND, operation, address, operands, results, 1) };
    Some(found)
}

/// Replaces an element if it is as expected, and gives what was there.
#[inline(always)]
pub(super) fn swap<T: Element, K: Kind>(
    epoch: &Epoch<'_, '_, T, K>,
    expected: T,
    replacement: T,
    target: &impl Target<T>,
    displacement: usize,
) -> Option<T> {
    let address = written(epoch, target, displacement, 1)?;
    let mut found = T::zeroed();
    let (from, to) = ((&raw const expected).cast(), (&raw const replacement).cast());
    // SAFETY: the memory stays connected, hence mapped, as long as the window; it is aligned, for regions begin at
    // multiples of 64 bytes, and elements at whole lines after that; the three values are here.
    unsafe { element::compare_swap(size_of::<T>(), address, from, to, (&raw mut found).cast()) };
    Some(found)
}
