//! OpenMP's lock routines, in C and Fortran, of both runtimes: an unset comes before the next set.

use super::super::object;
use super::super::{acquire, release, takes};
use crate::interposed::interpose;
use std::ffi::{c_int, c_void};

macro_rules! locks {
    (set: $($set:ident)*; unset: $($unset:ident)*; test: $($test:ident)*;) => {interpose! {
        $(fn $set(lock: *mut c_void) |real| {
            takes(object::lock(lock));
            real();
            acquire(object::lock(lock));
        })*

        $(fn $unset(lock: *mut c_void) |real| {
            release(object::lock(lock));
            real();
        })*

        $(fn $test(lock: *mut c_void) -> c_int |real| {
            takes(object::lock(lock));
            let result = real();
            if result != 0 {
                acquire(object::lock(lock));
            }
            result
        })*
    }};
}

locks! {
    set: omp_set_lock omp_set_nest_lock omp_set_lock_ omp_set_nest_lock_;
    unset: omp_unset_lock omp_unset_nest_lock omp_unset_lock_ omp_unset_nest_lock_;
    test: omp_test_lock omp_test_nest_lock omp_test_lock_ omp_test_nest_lock_;
}
