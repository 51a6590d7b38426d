//! Critical, atomic and ordered regions of libgomp.

use super::super::forward::interpose;
use super::super::object::Kind;
use super::super::{acquire, release};
use super::position::Position;
use std::ffi::c_void;

/// The unnamed critical region.
const UNNAMED: u64 = 0;
/// Atomic constructs that the compiler could not make of instructions.
const ATOMIC: u64 = 1;

interpose! {
    fn GOMP_critical_start() |real| {
        // SAFETY: the caller's call, unchanged; so in all functions of this file.
        unsafe { real() };
        acquire(Kind::Critical.number(UNNAMED));
    }

    fn GOMP_critical_end() |real| {
        release(Kind::Critical.number(UNNAMED));
        // SAFETY: as above.
        unsafe { real() };
    }

    fn GOMP_critical_name_start(name: *mut *mut c_void) |real| {
        // SAFETY: as above.
        unsafe { real(name) };
        acquire(Kind::Critical.at(name));
    }

    fn GOMP_critical_name_end(name: *mut *mut c_void) |real| {
        release(Kind::Critical.at(name));
        // SAFETY: as above.
        unsafe { real(name) };
    }

    fn GOMP_atomic_start() |real| {
        // SAFETY: as above.
        unsafe { real() };
        acquire(Kind::Critical.number(ATOMIC));
    }

    fn GOMP_atomic_end() |real| {
        release(Kind::Critical.number(ATOMIC));
        // SAFETY: as above.
        unsafe { real() };
    }

    /// Ordered regions are executed one after the other, in the order of their iterations.
    fn GOMP_ordered_start() |real| {
        // SAFETY: as above.
        unsafe { real() };
        acquire(Position::get().team.ordered());
    }

    fn GOMP_ordered_end() |real| {
        release(Position::get().team.ordered());
        // SAFETY: as above.
        unsafe { real() };
    }
}
