//! Critical and ordered regions, reductions, and chunks of loops of LLVM's libomp (entry points of its `kmp.h`,
//! version 14).

use super::super::object::Kind;
use super::super::{acquire, release};
use super::position::Position;
use super::worksharing::got;
use crate::interposed::interpose;
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

/// Steps of loops that have no static schedule: 0 is "no chunk".
macro_rules! steps {
    ($($name:ident)*) => {interpose! {$(
        fn $name(
            place: *mut c_void,
            thread: c_int,
            last: *mut c_int,
            lower: *mut c_void,
            upper: *mut c_void,
            stride: *mut c_void,
        ) -> c_int |real| {
            got(real())
        }
    )*}};
}

steps! { __kmpc_dispatch_next_4 __kmpc_dispatch_next_4u __kmpc_dispatch_next_8 __kmpc_dispatch_next_8u }
