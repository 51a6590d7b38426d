//! Critical and ordered regions and reductions of LLVM's libomp (entry points of its `kmp.h`, version 14).

use super::super::forward::interpose;
use super::super::object::Kind;
use super::super::{acquire, release};
use super::position::Position;
use std::ffi::{c_int, c_uint, c_void};

interpose! {
    fn __kmpc_critical(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        real();
        acquire(Kind::Critical.at(name));
    }

    fn __kmpc_critical_with_hint(place: *mut c_void, thread: c_int, name: *mut c_void, hint: c_uint) |real| {
        real();
        acquire(Kind::Critical.at(name));
    }

    fn __kmpc_end_critical(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }

    fn __kmpc_ordered(place: *mut c_void, thread: c_int) |real| {
        real();
        acquire(Position::get().team.ordered());
    }

    fn __kmpc_end_ordered(place: *mut c_void, thread: c_int) |real| {
        release(Position::get().team.ordered());
        real();
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
        let way = real();
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
        let way = real();
        if way == 1 {
            acquire(Kind::Critical.at(name));
        }
        way
    }

    fn __kmpc_end_reduce(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }

    fn __kmpc_end_reduce_nowait(place: *mut c_void, thread: c_int, name: *mut c_void) |real| {
        release(Kind::Critical.at(name));
        real();
    }
}
