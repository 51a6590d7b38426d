//! What programs tell the thread sanitizer by themselves (`sanitizer/tsan_interface.h`, `Annotate...`): locks and
//! happens-before edges of their own making order threads here, too. The rest is accepted and means nothing.

use super::thread;
use crate::recorder;
use farside_events::{EventKind, ObjectId};
use std::ffi::c_void;

fn releases(object: u64) {
    if thread::multithreaded() && recorder::active() {
        recorder::observe(|| {
            recorder::record(EventKind::Release {
                object: ObjectId(object),
            });
        });
    }
}

fn acquires(object: u64) {
    if thread::multithreaded() && recorder::active() {
        recorder::observe(|| {
            recorder::record(EventKind::Acquire {
                object: ObjectId(object),
            });
        });
    }
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_release(object: u64) {
    releases(object);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_acquire(object: u64) {
    acquires(object);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_mutex_post_lock(object: u64, _flags: u32, _recursion: i32) {
    acquires(object);
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_mutex_pre_unlock(object: u64, _flags: u32) -> i32 {
    releases(object);
    0
}

#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __tsan_mutex_pre_signal(object: u64, _flags: u32) {
    releases(object);
}

#[allow(non_snake_case)] // The name that programs call.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn AnnotateHappensBefore(_file: *const c_void, _line: i32, object: u64) {
    releases(object);
}

#[allow(non_snake_case)] // The name that programs call.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn AnnotateHappensAfter(_file: *const c_void, _line: i32, object: u64) {
    acquires(object);
}
