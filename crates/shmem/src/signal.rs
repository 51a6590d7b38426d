//! Puts that update a signal word when their data has arrived (OpenSHMEM 1.5 §9.8).
//!
//! The data is put, what is under way is ordered in front of what follows, and the word is updated atomically. On a
//! transport that does not map memory that means to wait for the data, also in the form that does not block.

use crate::call::Call;
use crate::element::Word;
use crate::handle::Ctx;
use crate::pe::Pe;
use crate::rma::{self, Target, symmetric};
use crate::wait;
use farside_fabric::{AtomicKind, AtomicOperation};
use std::ffi::c_int;

/// `SHMEM_SIGNAL_SET`.
pub(crate) const SET: c_int = 0;
/// `SHMEM_SIGNAL_ADD`.
pub(crate) const ADD: c_int = 1;

/// `shmem_put_signal`.
///
/// # Safety
/// As for [`rma::put_nbi`].
pub(crate) unsafe fn put<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    sig_addr: *mut u64,
    signal: u64,
    sig_op: c_int,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    let operation = match sig_op {
        SET => AtomicOperation::Replace,
        ADD => AtomicOperation::Sum,
        other => call.misuse(format_args!(
            "sig_op is {other}, neither SHMEM_SIGNAL_SET nor SHMEM_SIGNAL_ADD"
        )),
    };
    if !sig_addr.is_aligned() {
        call.misuse(format_args!("sig_addr ({sig_addr:p}) is not aligned to 8"));
    }
    let word = target.place("sig_addr", sig_addr, 1);
    // SAFETY: by the caller.
    unsafe { rma::put_nbi(call, ctx, dest, source, nelems, number) };
    if nelems > 0 && !target.is_mapped() {
        target.flush();
    }
    // SAFETY: the operand lives until the call returns.
    unsafe { target.change((operation, AtomicKind::U64), word, &raw const signal) };
}

/// `shmem_put_signal_nbi`.
///
/// # Safety
/// As for [`put`].
pub(crate) unsafe fn put_nbi<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    sig_addr: *mut u64,
    signal: u64,
    sig_op: c_int,
    number: c_int,
) {
    // SAFETY: by the caller.
    unsafe { put(call, ctx, dest, source, nelems, sig_addr, signal, sig_op, number) }
}

/// `shmem_signal_fetch`: of the own word.
///
/// # Safety
/// None is needed: the word is checked.
pub(crate) unsafe fn fetch(call: Call, sig_addr: *const u64) -> u64 {
    let pe = Pe::of(call);
    symmetric(call, pe, "sig_addr", sig_addr, 1);
    // SAFETY: mapped, as it is symmetric; words of other alignments are not waited for.
    let value = unsafe { u64::load(sig_addr) };
    wait::pause();
    value
}

/// `shmem_signal_wait_until`: gives the value that ended the wait.
///
/// # Safety
/// As for [`fetch`].
pub(crate) unsafe fn wait_until(call: Call, sig_addr: *mut u64, cmp: c_int, value: u64) -> u64 {
    wait::value(call, sig_addr, cmp, value)
}
