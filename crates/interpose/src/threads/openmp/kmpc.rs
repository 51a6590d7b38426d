//! Critical and ordered regions and reductions of LLVM's libomp (entry points of its `kmp.h`, version 14).

use super::super::forward::interpose;
use super::super::object::Kind;
use super::super::{acquire, release};
use super::position::Position;
use std::ffi::{c_int, c_uint, c_void};

interpose! {
    fn __kmpc_critical(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        // SAFETY: the caller's arguments, unchanged; so in all functions of this file.
        unsafe { real(place, thread, name) };
        acquire(Kind::Critical.at(name));
    }

    fn __kmpc_critical_with_hint(place: *mut c_void, thread: c_int, name: *mut c_void, hint: c_uint) |real| {
        // SAFETY: as above.
        unsafe { real(place, thread, name, hint) };
        acquire(Kind::Critical.at(name));
    }

    fn __kmpc_end_critical(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        // SAFETY: as above.
        unsafe { real(place, thread, name) };
    }

    fn __kmpc_ordered(place: *mut c_void, thread: c_int) |real| {
        // SAFETY: as above.
        unsafe { real(place, thread) };
        acquire(Position::get().team.ordered());
    }

    fn __kmpc_end_ordered(place: *mut c_void, thread: c_int) |real| {
        release(Position::get().team.ordered());
        // SAFETY: as above.
        unsafe { real(place, thread) };
    }

    /// 1: the caller adds its part to the result now, alone.
    fn __kmpc_reduce(
        place: *mut c_void,
        thread: c_int,
        variables: c_int,
        size: usize,
        data: *mut c_void,
        combine: *mut c_void,
        name: *mut c_void,
    ) -> c_int |real| {
        release(Kind::Critical.at(name));
        // SAFETY: as above.
        let way = unsafe { real(place, thread, variables, size, data, combine, name) };
        if way == 1 {
            acquire(Kind::Critical.at(name));
        }
        way
    }

    fn __kmpc_reduce_nowait(
        place: *mut c_void,
        thread: c_int,
        variables: c_int,
        size: usize,
        data: *mut c_void,
        combine: *mut c_void,
        name: *mut c_void,
    ) -> c_int |real| {
        release(Kind::Critical.at(name));
        // SAFETY: as above.
        let way = unsafe { real(place, thread, variables, size, data, combine, name) };
        if way == 1 {
            acquire(Kind::Critical.at(name));
        }
        way
    }

    fn __kmpc_end_reduce(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        // SAFETY: as above.
        unsafe { real(place, thread, name) };
    }

    fn __kmpc_end_reduce_nowait(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        // SAFETY: as above.
        unsafe { real(place, thread, name) };
    }
}
