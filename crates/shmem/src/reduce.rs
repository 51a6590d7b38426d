//! Reductions (OpenSHMEM 1.5 §9.9.9).
//!
//! Each member combines one block of all sources, in the order of the members, and then puts the result to all. So all
//! have the same bytes, of floating point, too; and `dest` may be `source`: nothing is written before all sources were
//! read. Three synchronisations a call.

use crate::call::Call;
use crate::collective::within;
use crate::element::{Combination, Combine};
use crate::handle::Team;
use crate::meet::Group;
use crate::rma::symmetric;
use std::ffi::c_int;

/// Combines the sources of all members, element by element.
///
/// # Safety
/// `dest` and `source` are symmetric objects of `count` elements, equal or apart; `source` is not written by others.
pub(crate) unsafe fn all<T: Combine>(
    group: &Group,
    combination: Combination,
    dest: *mut T,
    source: *const T,
    count: usize,
) {
    let to = symmetric(group.call(), group.pe(), "dest", dest, count);
    let from = symmetric(group.call(), group.pe(), "source", source, count);
    let (size, width) = (group.size(), size_of::<T>());
    let begin = |member: usize| (count as u128 * member as u128 / size as u128) as usize;
    let (first, own) = (begin(group.me()), begin(group.me() + 1) - begin(group.me()));
    group.sync();
    let mut result = Vec::<T>::with_capacity(own);
    let mut other = Vec::<T>::with_capacity(own);
    for member in 0..if own > 0 { size } else { 0 } {
        let target = group.target(member);
        let into = if member == 0 {
            result.as_mut_ptr()
        } else {
            other.as_mut_ptr()
        };
        // SAFETY: both have room for the block, the sources are there, as was checked, and each get is complete before
        // its elements are combined.
        unsafe {
            target.complete(target.get(into.cast(), from + first * width, own * width));
            if member > 0 {
                T::combine(combination, result.as_mut_ptr(), other.as_ptr(), own);
            }
        }
    }
    group.sync();
    for step in 1..=if own > 0 { size } else { 0 } {
        let target = group.target((group.me() + step) % size);
        // SAFETY: the result lives until it is complete at all.
        unsafe { target.put(to + first * width, result.as_ptr().cast(), own * width) };
    }
    group.complete();
}

macro_rules! reductions {
    ($($name:ident, $combination:ident;)*) => {$(
        #[doc = concat!("`shmem_", stringify!($name), "_reduce`: not 0 for `SHMEM_TEAM_INVALID`.")]
        ///
        /// # Safety
        /// As for [`all`].
        pub(crate) unsafe fn $name<T: Combine>(
            call: Call,
            team: Team,
            dest: *mut T,
            source: *const T,
            count: usize,
        ) -> c_int {
            // SAFETY: by the caller.
            within(call, team, |group| unsafe { all(group, Combination::$combination, dest, source, count) })
        }
    )*};
}

reductions! { and, And; or, Or; xor, Xor; min, Min; max, Max; sum, Sum; prod, Product; }
