//! The functions that end the process: what the calling thread did since its last event is written before.
//!
//! Open MPI ends the process in the same way when a call of the program is refused, be it one that makes no event of
//! its own (`MPI_Type_contiguous` with a negative count). A failed `assert` ends it by `__assert_fail`, which calls
//! `abort` within the C library, where no name can be interposed.
//!
//! Limits: the return from `main`, signals, and calls without an event that MPICH refuses.

// `_Exit` is the name of ISO C.
#![allow(non_snake_case)]

use super::forward::find_first;
use super::jump::{Arguments, observed};
use crate::recorder;

observed! {
    exit => ends, find_first;
    _exit => ends, find_first;
    _Exit => ends, find_first;
    quick_exit => ends, find_first;
    abort => ends, find_first;
    __assert_fail => ends, find_first;
}

unsafe extern "C" fn ends(_arguments: &Arguments, _pc: usize) {
    recorder::flush();
    recorder::conclude();
}
