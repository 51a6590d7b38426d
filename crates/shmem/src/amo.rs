//! Atomic memory operations (OpenSHMEM 1.5 §9.7), fetching or not, and the forms that do not block.
//!
//! All of them are atomic with respect to one another, whatever the type of the element, the context or the origin.
//! A form that fetches returns when its value is here; one that does not, and what does not block, may be under way until
//! `quiet`.

use crate::call::Call;
use crate::element::Word;
use crate::handle::Ctx;
use crate::rma::Target;
use farside_fabric::AtomicOperation::{self, And, NoOp, Or, Replace, Sum, Xor};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr::null;

/// The target, and where in its memory; misuse if it is not aligned.
#[inline]
fn at<T: Word>(call: Call, ctx: Ctx, argument: &str, place: *const T, number: c_int) -> (Target, usize) {
    let target = Target::new(call, ctx, number);
    if !place.is_aligned() {
        call.misuse(format_args!("{argument} ({place:p}) is not aligned to its type"));
    }
    (target, target.place(argument, place, 1))
}

/// `shmem_atomic_fetch`.
///
/// # Safety
/// The program keeps the rules of §9.7, as for all functions here.
pub(crate) unsafe fn fetch<T: Word>(call: Call, ctx: Ctx, source: *const T, number: c_int) -> T {
    let (target, place) = at(call, ctx, "source", source, number);
    // SAFETY: an atomic read has no operand.
    unsafe { target.fetch((NoOp, T::KIND), place, null()) }
}

/// `shmem_atomic_fetch_nbi`.
///
/// # Safety
/// `fetch` is valid for a write until the quiet of the context.
pub(crate) unsafe fn fetch_nbi<T: Word>(
    call: Call,
    ctx: Ctx,
    fetch: *mut T,
    source: *const T,
    number: c_int,
) {
    let (target, place) = at(call, ctx, "source", source, number);
    // SAFETY: by the caller; an atomic read has no operand.
    unsafe { target.update((NoOp, T::KIND), place, null(), fetch.cast()) };
}

/// Updates without a result.
#[inline]
fn change<T: Word>(call: Call, ctx: Ctx, operation: AtomicOperation, dest: *mut T, value: T, number: c_int) {
    let (target, place) = at(call, ctx, "dest", dest, number);
    // SAFETY: the value lives until the call returns.
    unsafe { target.change((operation, T::KIND), place, &raw const value) };
}

/// Updates, and gives what was there.
#[inline]
fn exchange<T: Word>(
    call: Call,
    ctx: Ctx,
    operation: AtomicOperation,
    dest: *mut T,
    value: T,
    number: c_int,
) -> T {
    let (target, place) = at(call, ctx, "dest", dest, number);
    // SAFETY: the value lives until the call returns.
    unsafe { target.fetch((operation, T::KIND), place, &raw const value) }
}

/// Starts an update whose result comes later.
///
/// # Safety
/// `fetch` is valid for a write until the quiet of the context.
#[inline]
unsafe fn exchange_nbi<T: Word>(
    (call, ctx): (Call, Ctx),
    operation: AtomicOperation,
    fetch: *mut T,
    dest: *mut T,
    value: T,
    number: c_int,
) {
    let (target, place) = at(call, ctx, "dest", dest, number);
    target.lending([value, value], |[operand, _]| {
        // SAFETY: by the caller; the operand is lent.
        unsafe { target.update((operation, T::KIND), place, operand.cast(), fetch.cast()) }
    });
}

macro_rules! updates {
    ($($name:ident, $fetching:ident, $fetching_nbi:ident, $operation:ident;)*) => {$(
        #[doc = concat!("`shmem_atomic_", stringify!($name), "`.")]
        ///
        /// # Safety
        /// As for [`fetch`].
        pub(crate) unsafe fn $name<T: Word>(call: Call, ctx: Ctx, dest: *mut T, value: T, number: c_int) {
            change(call, ctx, $operation, dest, value, number);
        }

        #[doc = concat!("`shmem_atomic_", stringify!($fetching), "`.")]
        ///
        /// # Safety
        /// As for [`fetch`].
        pub(crate) unsafe fn $fetching<T: Word>(call: Call, ctx: Ctx, dest: *mut T, value: T, number: c_int) -> T {
            exchange(call, ctx, $operation, dest, value, number)
        }

        #[doc = concat!("`shmem_atomic_", stringify!($fetching_nbi), "`.")]
        ///
        /// # Safety
        /// As for [`fetch_nbi`].
        pub(crate) unsafe fn $fetching_nbi<T: Word>(
            call: Call,
            ctx: Ctx,
            fetch: *mut T,
            dest: *mut T,
            value: T,
            number: c_int,
        ) {
            // SAFETY: by the caller.
            unsafe { exchange_nbi((call, ctx), $operation, fetch, dest, value, number) }
        }
    )*};
}

updates! {
    set, swap, swap_nbi, Replace;
    add, fetch_add, fetch_add_nbi, Sum;
    and, fetch_and, fetch_and_nbi, And;
    or, fetch_or, fetch_or_nbi, Or;
    xor, fetch_xor, fetch_xor_nbi, Xor;
}

/// `shmem_atomic_inc`.
///
/// # Safety
/// As for [`fetch`].
pub(crate) unsafe fn inc<T: Word>(call: Call, ctx: Ctx, dest: *mut T, number: c_int) {
    change(call, ctx, Sum, dest, T::ONE, number);
}

/// `shmem_atomic_fetch_inc`.
///
/// # Safety
/// As for [`fetch`].
pub(crate) unsafe fn fetch_inc<T: Word>(call: Call, ctx: Ctx, dest: *mut T, number: c_int) -> T {
    exchange(call, ctx, Sum, dest, T::ONE, number)
}

/// `shmem_atomic_fetch_inc_nbi`.
///
/// # Safety
/// As for [`fetch_nbi`].
pub(crate) unsafe fn fetch_inc_nbi<T: Word>(
    call: Call,
    ctx: Ctx,
    fetch: *mut T,
    dest: *mut T,
    number: c_int,
) {
    // SAFETY: by the caller.
    unsafe { exchange_nbi((call, ctx), Sum, fetch, dest, T::ONE, number) }
}

/// `shmem_atomic_compare_swap`.
///
/// # Safety
/// As for [`fetch`].
pub(crate) unsafe fn compare_swap<T: Word>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    cond: T,
    value: T,
    number: c_int,
) -> T {
    let (target, place) = at(call, ctx, "dest", dest, number);
    let mut found = MaybeUninit::<T>::uninit();
    // SAFETY: all live until the operation is complete; then the value is there.
    unsafe {
        let operands = ((&raw const cond).cast(), (&raw const value).cast());
        let ticket = target.compare_swap(T::KIND, place, operands, found.as_mut_ptr().cast());
        target.complete(ticket);
        found.assume_init()
    }
}

/// `shmem_atomic_compare_swap_nbi`.
///
/// # Safety
/// As for [`fetch_nbi`].
pub(crate) unsafe fn compare_swap_nbi<T: Word>(
    call: Call,
    ctx: Ctx,
    fetch: *mut T,
    dest: *mut T,
    cond: T,
    value: T,
    number: c_int,
) {
    let (target, place) = at(call, ctx, "dest", dest, number);
    target.lending([cond, value], |[expected, replacement]| {
        // SAFETY: by the caller; the operands are lent.
        unsafe {
            let operands = (expected.cast(), replacement.cast());
            target.compare_swap(T::KIND, place, operands, fetch.cast())
        }
    });
}
