//! Collective calls of active sets (OpenSHMEM 1.5 §9.9, deprecated there): as those of teams, with the `pSync` array of
//! the program for a block. `pWrk` is not used.

use crate::call::Call;
use crate::collective;
use crate::element::{Combination, Combine};
use crate::meet::Group;
use crate::reduce;
use std::ffi::{c_int, c_long};

/// The PEs of a set.
fn group(call: Call, start: c_int, log_stride: c_int, size: c_int, sync: *mut c_long) -> Group {
    Group::of_active_set(call, (start, log_stride, size), sync)
}

/// `shmem_alltoall32` and `64`.
///
/// # Safety
/// As for [`collective::all_to_all`], as all below; `sync` is a symmetric array of `SHMEM_SYNC_SIZE` words of 0.
pub(crate) unsafe fn alltoall<T>(
    call: Call,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    start: c_int,
    log_stride: c_int,
    size: c_int,
    sync: *mut c_long,
) {
    // SAFETY: by the caller.
    unsafe { collective::all_to_all(&group(call, start, log_stride, size, sync), dest, source, nelems) }
}

/// `shmem_alltoalls32` and `64`.
///
/// # Safety
/// As for [`alltoall`].
pub(crate) unsafe fn alltoalls<T>(
    call: Call,
    dest: *mut T,
    source: *const T,
    dst: isize,
    sst: isize,
    nelems: usize,
    start: c_int,
    log_stride: c_int,
    size: c_int,
    sync: *mut c_long,
) {
    let group = group(call, start, log_stride, size, sync);
    // SAFETY: by the caller.
    unsafe { collective::all_to_all_strided(&group, dest, source, (dst, sst), nelems) }
}

/// `shmem_broadcast32` and `64`: root's own destination is not written.
///
/// # Safety
/// As for [`alltoall`].
pub(crate) unsafe fn broadcast<T>(
    call: Call,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    root: c_int,
    start: c_int,
    log_stride: c_int,
    size: c_int,
    sync: *mut c_long,
) {
    let group = group(call, start, log_stride, size, sync);
    // SAFETY: by the caller.
    unsafe { collective::broadcast_from(&group, dest, source, nelems, root, false) }
}

/// `shmem_collect32` and `64`.
///
/// # Safety
/// As for [`alltoall`].
pub(crate) unsafe fn collect<T>(
    call: Call,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    start: c_int,
    log_stride: c_int,
    size: c_int,
    sync: *mut c_long,
) {
    // SAFETY: by the caller.
    unsafe { collective::concatenate(&group(call, start, log_stride, size, sync), dest, source, nelems) }
}

/// `shmem_fcollect32` and `64`.
///
/// # Safety
/// As for [`alltoall`].
pub(crate) unsafe fn fcollect<T>(
    call: Call,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    start: c_int,
    log_stride: c_int,
    size: c_int,
    sync: *mut c_long,
) {
    let group = group(call, start, log_stride, size, sync);
    // SAFETY: by the caller.
    unsafe { collective::concatenate_equal(&group, dest, source, nelems) }
}

macro_rules! reductions {
    ($($name:ident, $combination:ident;)*) => {$(
        #[doc = concat!("`shmem_TYPE_", stringify!($name), "_to_all`.")]
        ///
        /// # Safety
        /// As for [`reduce::all`] and [`alltoall`].
        pub(crate) unsafe fn $name<T: Combine>(
            call: Call,
            dest: *mut T,
            source: *const T,
            count: c_int,
            start: c_int,
            log_stride: c_int,
            size: c_int,
            _work: *mut T,
            sync: *mut c_long,
        ) {
            let group = group(call, start, log_stride, size, sync);
            let Ok(count) = usize::try_from(count) else {
                call.misuse(format_args!("nreduce is {count}"));
            };
            // SAFETY: by the caller.
            unsafe { reduce::all(&group, Combination::$combination, dest, source, count) }
        }
    )*};
}

reductions! { and, And; or, Or; xor, Xor; min, Min; max, Max; sum, Sum; prod, Product; }
