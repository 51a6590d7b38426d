//! Critical, atomic and ordered regions of libgomp.

use super::super::object::Kind;
use super::super::{acquire, release, takes};
use super::position::Position;
use crate::interposed::interpose;
use std::ffi::c_void;

/// The unnamed critical region.
const UNNAMED: u64 = 0;
/// Atomic constructs that the compiler could not make of instructions.
const ATOMIC: u64 = 1;

interpose! {
    fn GOMP_critical_start() |real| {
        takes(Kind::Critical.number(UNNAMED));
        real();
        acquire(Kind::Critical.number(UNNAMED));
    }

    fn GOMP_critical_end() |real| {
        release(Kind::Critical.number(UNNAMED));
        real();
    }

    fn GOMP_critical_name_start(name: *mut *mut c_void) |real| {
        takes(Kind::Critical.at(name));
        real();
        acquire(Kind::Critical.at(name));
    }

    fn GOMP_critical_name_end(name: *mut *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }

    fn GOMP_atomic_start() |real| {
        takes(Kind::Critical.number(ATOMIC));
        real();
        acquire(Kind::Critical.number(ATOMIC));
    }

    fn GOMP_atomic_end() |real| {
        release(Kind::Critical.number(ATOMIC));
        real();
    }

    /// Ordered regions are executed one after the other, in the order of their iterations.
    fn GOMP_ordered_start() |real| {
        real();
        acquire(Position::get().team.ordered());
    }

    fn GOMP_ordered_end() |real| {
        release(Position::get().team.ordered());
        real();
    }
}
