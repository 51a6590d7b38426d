//! The part of OMPT, OpenMP's tool interface, that Farside uses (OpenMP 5.1, chapter 4; checked against `omp-tools.h`
//! of LLVM 14).

use std::ffi::{c_char, c_int, c_uint, c_void};

/// `ompt_data_t`: a word that belongs to the tool.
pub(super) type Word = *mut c_void;

/// `ompt_start_tool_result_t`.
#[repr(C)]
pub(super) struct StartToolResult {
    pub(super) initialize: unsafe extern "C" fn(Lookup, c_int, *mut Word) -> c_int,
    pub(super) finalize: unsafe extern "C" fn(*mut Word),
    pub(super) tool_data: Word,
}

/// `ompt_function_lookup_t`.
pub(super) type Lookup = unsafe extern "C" fn(*const c_char) -> *mut c_void;

/// `ompt_set_callback_t`.
pub(super) type SetCallback = unsafe extern "C" fn(c_int, *const c_void) -> c_int;

/// `ompt_callbacks_t`.
#[derive(Clone, Copy)]
#[repr(i32)]
pub(super) enum Callback {
    ParallelBegin = 3,
    ParallelEnd = 4,
    TaskCreate = 5,
    TaskSchedule = 6,
    ImplicitTask = 7,
    Dependences = 18,
    SyncRegion = 23,
}

/// `ompt_frame_t` (OpenMP 5.2 §19.4.4.29), of which only the beginning is read.
#[repr(C)]
pub(super) struct Frame {
    _exit: usize,
    enter: usize,
}

impl Frame {
    /// Where the task entered the runtime, if that is known: an address in the frame of the runtime's function.
    pub(super) fn entered(&self) -> Option<usize> {
        (self.enter != 0).then_some(self.enter)
    }
}

/// `ompt_callback_parallel_begin_t`: task, frame, region, threads, flags, code address.
pub(super) type ParallelBegin =
    unsafe extern "C" fn(*mut Word, *const Frame, *mut Word, c_uint, c_int, *const c_void);
/// `ompt_callback_parallel_end_t`: region, task, flags, code address.
pub(super) type ParallelEnd = unsafe extern "C" fn(*mut Word, *mut Word, c_int, *const c_void);
/// `ompt_callback_task_create_t`: task, frame, new task, flags, whether it has dependences, code address.
pub(super) type TaskCreate =
    unsafe extern "C" fn(*mut Word, *const c_void, *mut Word, c_int, c_int, *const c_void);
/// `ompt_callback_task_schedule_t`: task before, its status, task after.
pub(super) type TaskSchedule = unsafe extern "C" fn(*mut Word, c_int, *mut Word);
/// `ompt_callback_implicit_task_t`: begin or end, region, task, threads, number, flags.
pub(super) type ImplicitTask = unsafe extern "C" fn(c_int, *mut Word, *mut Word, c_uint, c_uint, c_int);
/// `ompt_callback_dependences_t`: task, array, its length.
pub(super) type Dependences = unsafe extern "C" fn(*mut Word, *const DependenceWord, c_int);
/// `ompt_callback_sync_region_t`: kind, begin or end, region, task, code address.
pub(super) type SyncRegion = unsafe extern "C" fn(c_int, c_int, *mut Word, *mut Word, *const c_void);

/// `ompt_dependence_t`.
#[repr(C)]
pub(super) struct DependenceWord {
    pub(super) variable: u64,
    pub(super) kind: c_int,
}

/// `ompt_dependence_type_t`: the kinds that matter.
pub(super) mod dependence_kind {
    pub(in super::super) const IN: i32 = 1;
    pub(in super::super) const SOURCE: i32 = 5;
    pub(in super::super) const SINK: i32 = 6;
}

/// `ompt_scope_endpoint_t`.
pub(super) mod endpoint {
    pub(in super::super) const BEGIN: i32 = 1;
    pub(in super::super) const END: i32 = 2;
}

/// `ompt_sync_region_t`: those that are not barriers.
pub(super) mod sync_region {
    pub(in super::super) const TASKWAIT: i32 = 5;
    pub(in super::super) const TASKGROUP: i32 = 6;
    pub(in super::super) const REDUCTION: i32 = 7;
}

/// `ompt_task_flag_t`.
pub(super) mod task_flag {
    pub(in super::super) const IMPLICIT: i32 = 2;
    pub(in super::super) const EXPLICIT: i32 = 4;
    pub(in super::super) const TASKWAIT: i32 = 0x10;
    pub(in super::super) const UNTIED: i32 = 0x1000_0000;
    pub(in super::super) const FINAL: i32 = 0x2000_0000;
}

/// `ompt_task_status_t`.
pub(super) mod task_status {
    pub(in super::super) const COMPLETE: i32 = 1;
    pub(in super::super) const YIELD: i32 = 2;
    pub(in super::super) const CANCEL: i32 = 3;
    pub(in super::super) const DETACH: i32 = 4;
    pub(in super::super) const LATE_FULFILL: i32 = 6;
    pub(in super::super) const SWITCH: i32 = 7;
    pub(in super::super) const TASKWAIT_COMPLETE: i32 = 8;
}
