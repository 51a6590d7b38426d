//! LLVM's OpenMP runtime tells what it does through OMPT.
//!
//! Each task, implicit or explicit, has a [`Record`] in the word that OMPT gives the tool; a region's word is its team.
//! Strands ([`super::strand`]) are explicit tasks, those that created them, and the chunks of loops ([`super::kmpc`]).
//! Which task its creator waits for, OMPT does not say: with one thread in the team, libomp executes each at once. So
//! [`super::kmpc`] says which the program wants to be so ([`UNDEFERRED`]).
//!
//! An untied task creates itself anew where it may go on elsewhere, and libomp tells that it switches to the task that
//! was executed before.
//!
//! Peculiarity of libomp (checked: version 14): a worker is told that it left the barrier at the end of a region, and
//! that its implicit task ended, only when it enters its next region, and without the region. By then the team's
//! objects may serve another region, so that such a departure acquires nothing; the worker sees what it needs by the
//! next fork.

use super::super::caller;
use super::super::object::Kind;
use super::super::{acquire, region_begins, region_ended, release, thread_number};
use super::dependence::{self, Dependence};
use super::ompt_abi::{
    Callback, DependenceWord, Dependences, Frame, ImplicitTask, Lookup, ParallelBegin, ParallelEnd,
    SetCallback, StartToolResult, SyncRegion, TaskCreate, TaskSchedule, Word, dependence_kind, endpoint,
    sync_region, task_flag, task_status,
};
use super::position::{Position, Team, current_task, fresh};
use super::synchronise::{arrive, leave};
use super::task::{Executor, Task};
use super::{memory, strand, thread_number, worksharing};
use crate::{machine, recorder};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::{mem, ptr};

/// A task as libomp knows it.
struct Record {
    /// For an implicit task, only the number counts.
    task: Task,
    dependences: Vec<Dependence>,
    /// Task groups that the task opened and did not close.
    groups: Vec<u64>,
    /// Tasks that it creates are executed before it goes on, and theirs.
    is_final: bool,
    execution: Execution,
}

/// Whether a thread executes a task.
enum Execution {
    /// None does.
    None,
    /// One does, which was this before.
    By(Executor),
    /// One does; the task is an implicit one. There the thread was before it, unless the task is the initial one.
    Implicit(Option<Position>),
}

impl Record {
    fn new(task: Task, execution: Execution) -> Box<Self> {
        Box::new(Self {
            task,
            dependences: Vec::new(),
            groups: Vec::new(),
            is_final: false,
            execution,
        })
    }

    /// A record for a task that libomp made without telling: the initial one.
    fn unannounced() -> Box<Self> {
        Self::new(Task::new((0, 0), Kind::TaskStart), Execution::Implicit(None))
    }

    /// The calling thread executes it from now on.
    fn begin(&mut self) {
        if let Execution::None = self.execution {
            self.execution = Execution::By(self.task.begin(&self.dependences, self.is_final));
        }
    }

    /// The calling thread does not execute it any more: it is over.
    fn end(&mut self) {
        if let Execution::By(executor) = mem::replace(&mut self.execution, Execution::None) {
            self.task.end(&self.dependences, executor);
            self.task.created();
        }
    }

    /// The calling thread does not execute it any more: another may.
    fn pause(&mut self) {
        match mem::replace(&mut self.execution, Execution::None) {
            Execution::By(executor) => self.task.pause(executor),
            other => self.execution = other,
        }
    }

    /// Whether a thread executes it.
    fn is_executed(&self) -> bool {
        !matches!(self.execution, Execution::None)
    }

    /// The innermost task group around the task's current place.
    fn group(&self) -> u64 {
        self.groups.last().copied().unwrap_or(self.task.group)
    }
}

/// The record in a task's word.
///
/// # Safety
/// `word` is a task's word or null. Only one thread executes a task at a time.
unsafe fn record<'a>(word: *mut Word) -> Option<&'a mut Record> {
    // SAFETY: by the contract.
    let word = unsafe { word.as_mut() }?;
    if word.is_null() {
        *word = Box::into_raw(Record::unannounced()).cast();
    }
    // SAFETY: nothing but records is ever written to a task's word.
    unsafe { word.cast::<Record>().as_mut() }
}

/// Frees the record in a task's word.
///
/// # Safety
/// As for [`record`], and nobody uses the record any more.
unsafe fn forget(word: *mut Word) -> Option<Box<Record>> {
    // SAFETY: by the contract.
    let word = unsafe { word.as_mut() }?;
    let record = mem::replace(word, ptr::null_mut()).cast::<Record>();
    // SAFETY: nothing but records is ever written to a task's word.
    (!record.is_null()).then(|| unsafe { Box::from_raw(record) })
}

/// Called by an OpenMP runtime when it starts (OpenMP 5.1, §4.2.1). Declines when nothing is to be recorded, so that
/// another tool may have its turn.
#[unsafe(no_mangle)]
unsafe extern "C" fn ompt_start_tool(version: c_uint, name: *const c_char) -> *mut StartToolResult {
    type Start = unsafe extern "C" fn(c_uint, *const c_char) -> *mut StartToolResult;
    if !recorder::wanted() {
        // SAFETY: the string ends with a zero byte.
        let next = unsafe { ::libc::dlsym(::libc::RTLD_NEXT, c"ompt_start_tool".as_ptr()) };
        if next.is_null() {
            return ptr::null_mut();
        }
        // SAFETY: the standard gives the symbol this type.
        let next = unsafe { std::mem::transmute::<*mut c_void, Start>(next) };
        // SAFETY: the caller's arguments, unchanged.
        return unsafe { next(version, name) };
    }
    // Kept for ever, as the standard demands.
    Box::into_raw(Box::new(StartToolResult {
        initialize,
        finalize,
        tool_data: ptr::null_mut(),
    }))
}

unsafe extern "C" fn initialize(lookup: Lookup, _device: c_int, _data: *mut Word) -> c_int {
    caller::search();
    // SAFETY: the string ends with a zero byte.
    let set_callback = unsafe { lookup(c"ompt_set_callback".as_ptr()) };
    if set_callback.is_null() {
        return 0;
    }
    // SAFETY: the standard gives this entry point this type.
    let set_callback = unsafe { std::mem::transmute::<*mut c_void, SetCallback>(set_callback) };
    let callbacks = [
        (
            Callback::ParallelBegin,
            parallel_begin as ParallelBegin as *const c_void,
        ),
        (
            Callback::ParallelEnd,
            parallel_end as ParallelEnd as *const c_void,
        ),
        (Callback::TaskCreate, task_create as TaskCreate as *const c_void),
        (
            Callback::TaskSchedule,
            task_schedule as TaskSchedule as *const c_void,
        ),
        (
            Callback::ImplicitTask,
            implicit_task as ImplicitTask as *const c_void,
        ),
        (Callback::Dependences, dependences as Dependences as *const c_void),
        (Callback::SyncRegion, synchronise as SyncRegion as *const c_void),
    ];
    for (event, function) in callbacks {
        // SAFETY: each function has the type of its event.
        unsafe { set_callback(event as c_int, function) };
    }
    1
}

unsafe extern "C" fn finalize(_data: *mut Word) {}

unsafe extern "C" fn parallel_begin(
    _task: *mut Word,
    frame: *const Frame,
    region: *mut Word,
    _threads: c_uint,
    _flags: c_int,
    _code: *const c_void,
) {
    Position::change(|position| position.depth = position.depth.wrapping_add(1));
    let team = Team::made_by(thread_number(), Position::get().depth);
    let one = thread_number::one_is_asked_for(thread_number::take_asked());
    // SAFETY: the runtime's description of the task that begins the region, if it has one.
    let entered = unsafe { frame.as_ref() }.and_then(Frame::entered);
    let entered = entered.unwrap_or_else(machine::stack_pointer);
    let strands = !one && (Position::get().has_strands() || memory::is_told(entered));
    // SAFETY: the region's word is ours.
    unsafe { *region = team.into_word(strands) };
    region_begins();
    release(team.fork());
}

unsafe extern "C" fn parallel_end(region: *mut Word, _task: *mut Word, _flags: c_int, _code: *const c_void) {
    // SAFETY: the region's word is ours.
    let (team, _) = Team::from_word(unsafe { *region });
    // Its members arrived at its last barrier, whichever that was.
    for object in [team.barrier(0), team.barrier(1), team.join()] {
        acquire(object);
    }
    region_ended();
    Position::change(|position| position.depth = position.depth.wrapping_sub(1));
}

unsafe extern "C" fn implicit_task(
    scope: c_int,
    region: *mut Word,
    task: *mut Word,
    threads: c_uint,
    _number: c_uint,
    flags: c_int,
) {
    if flags & task_flag::IMPLICIT == 0 {
        return;
    }
    if scope != endpoint::BEGIN {
        // SAFETY: the task ended.
        let record = unsafe { forget(task) };
        if let Some(Execution::Implicit(Some(before))) = record.map(|record| record.execution) {
            worksharing::ends();
            strand::end_of_implicit_task();
            before.set();
        }
        return;
    }
    // SAFETY: both words are ours; the region's was written when it began.
    let (team, strands) =
        unsafe { region.as_ref() }.map_or((Team::NONE, false), |&word| Team::from_word(word));
    let before = Position::get();
    let itself = Task::new((0, 0), Kind::TaskStart).of(team);
    let record = Record::new(itself, Execution::Implicit(Some(before)));
    // SAFETY: the runtime passes a word of the new task, which is written here only.
    unsafe { *task = Box::into_raw(record).cast() };
    let is_parent = team.parent() == thread_number();
    if !is_parent {
        acquire(team.fork());
    }
    let depth = before.depth.wrapping_add(u16::from(!is_parent));
    Position::in_team(team, depth, strands).alone(threads == 1).set();
}

/// Whether the calling thread made the team that it is in.
fn is_parent() -> bool {
    Position::get().team.parent() == thread_number()
}

unsafe extern "C" fn synchronise(
    kind: c_int,
    scope: c_int,
    region: *mut Word,
    task: *mut Word,
    _code: *const c_void,
) {
    let begins = scope == endpoint::BEGIN;
    match kind {
        sync_region::TASKWAIT => {
            // SAFETY: the word of the task that waits.
            if let (false, Some(record)) = (begins, unsafe { record(task) }) {
                acquire(Kind::TaskChildren.number(record.task.number));
            }
        }
        sync_region::TASKGROUP => {
            // SAFETY: the word of the task that opens or closes the group.
            let Some(record) = (unsafe { record(task) }) else {
                return;
            };
            if begins {
                record.groups.push(fresh());
            } else if let Some(group) = record.groups.pop() {
                acquire(Kind::TaskGroup.number(group));
            }
        }
        sync_region::REDUCTION => {}
        _ if begins => arrive(),
        _ if scope == endpoint::END && (!region.is_null() || is_parent()) => leave(),
        _ => {}
    }
}

unsafe extern "C" fn task_create(
    parent: *mut Word,
    _frame: *const c_void,
    task: *mut Word,
    flags: c_int,
    _has_dependences: c_int,
    _code: *const c_void,
) {
    if flags & (task_flag::EXPLICIT | task_flag::TASKWAIT) == 0 {
        return;
    }
    // SAFETY: the word of the creating task.
    let creator = unsafe { record(parent) };
    let within = creator.map_or((0, 0), |creator| (creator.task.number, creator.group()));
    let itself = match flags & (task_flag::EXPLICIT | task_flag::UNTIED) {
        0 => Task::new(within, Kind::TaskStart),
        task_flag::EXPLICIT => Task::create(within, Kind::TaskStart, is_undeferred()),
        _ => Task::create(within, Kind::TaskPartStart, is_undeferred()),
    };
    let mut record = Record::new(itself, Execution::None);
    record.is_final = flags & task_flag::FINAL != 0 || Position::get().is_final();
    // SAFETY: the runtime passes a word of the new task, which is written here only.
    unsafe { *task = Box::into_raw(record).cast() };
}

thread_local! {
    /// The number of the task whose new tasks are undeferred, as the program wants; 0 is "none".
    static UNDEFERRED: Cell<u64> = const { Cell::new(0) };
}

/// The program wants that those tasks which the current task creates in `create` are executed before it goes on.
pub(super) fn undeferred<R>(create: impl FnOnce() -> R) -> R {
    let before = UNDEFERRED.replace(current_task());
    let result = create();
    UNDEFERRED.set(before);
    result
}

/// Whether the task that the current task creates is one of them.
fn is_undeferred() -> bool {
    UNDEFERRED.get() != 0 && UNDEFERRED.get() == current_task()
}

unsafe extern "C" fn dependences(task: *mut Word, array: *const DependenceWord, length: c_int) {
    // SAFETY: the word of the task that has these dependences; libomp passes an array of this length.
    unsafe {
        let Some(record) = record(task) else { return };
        for index in 0..usize::try_from(length).unwrap_or(0) {
            let dependence = &*array.add(index);
            // Source and sink are the loops of `doacross`.
            if !matches!(dependence.kind, dependence_kind::SOURCE | dependence_kind::SINK) {
                let writes = dependence.kind != dependence_kind::IN;
                record.dependences.push(Dependence {
                    address: dependence.variable,
                    writes,
                });
            }
        }
    }
}

unsafe extern "C" fn task_schedule(prior: *mut Word, status: c_int, next: *mut Word) {
    match status {
        task_status::COMPLETE | task_status::CANCEL => {
            // SAFETY: the task is over, and its record with it.
            if let Some(mut record) = unsafe { forget(prior) } {
                record.end();
            }
        }
        task_status::DETACH => {
            // SAFETY: the word of the task that ran to its end.
            if let Some(record) = unsafe { record(prior) } {
                record.end();
            }
        }
        task_status::LATE_FULFILL => {
            // SAFETY: the task is over.
            drop(unsafe { forget(prior) });
        }
        task_status::TASKWAIT_COMPLETE => {
            // SAFETY: the pseudo-task of a `taskwait depend` is over.
            if let Some(record) = unsafe { forget(prior) } {
                dependence::start(&record.dependences, record.task.parent);
            }
        }
        task_status::SWITCH | task_status::YIELD => {
            // SAFETY: the words of two tasks, which the calling thread alone executes.
            unsafe {
                if record(next).is_some_and(|record| record.is_executed())
                    && let Some(record) = record(prior)
                {
                    record.pause();
                }
            }
        }
        _ => {}
    }
    // SAFETY: the word of the task that the thread goes on with.
    if let Some(record) = unsafe { record(next) } {
        record.begin();
    }
}
