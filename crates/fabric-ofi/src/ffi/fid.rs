//! What every object of libfabric begins with.

// Fields are there for their places.
#![allow(dead_code)]

use std::ffi::{c_int, c_void};

/// `struct fid`: what every object begins with.
#[repr(C)]
pub(crate) struct Fid {
    pub(crate) class: usize,
    pub(crate) context: *mut c_void,
    pub(crate) ops: *const FidOperations,
}

/// `struct fi_ops`.
#[repr(C)]
pub(crate) struct FidOperations {
    pub(crate) size: usize,
    pub(crate) close: Option<unsafe extern "C" fn(*mut Fid) -> c_int>,
    pub(crate) bind: Option<unsafe extern "C" fn(*mut Fid, *mut Fid, u64) -> c_int>,
    pub(crate) control: Option<unsafe extern "C" fn(*mut Fid, c_int, *mut c_void) -> c_int>,
}
