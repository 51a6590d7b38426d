//! Threads: POSIX and C11 threads, those of C++, and OpenMP.
//!
//! Threads take turns; what orders them is told to the detector by objects that are released and acquired.
//!
//! | what | file |
//! |---|---|
//! | start and end of threads | here |
//! | what they wait for | `exclusion` |
//! | atomic accesses | `atomic` |
//! | what each thread keeps under a key | `specific` |
//! | C++'s runtime, exceptions | `cxx` |
//! | OpenMP: regions, loops, tasks | `openmp`, `worksharing`, `task` |

mod atomic;
mod cxx;
mod exclusion;
mod openmp;
mod specific;
mod task;
mod worksharing;

use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::ir::Ordering;
use crate::layout::{SHARED, function_at};
use crate::process::{Membership, Process, Team, Thread};
use crate::value::{Scalar, Value};
use farside_events::{Call, EventKind, ObjectId};

pub(crate) use atomic::{FENCES, acquired, acquired_by_fence, released, released_by_fence};
pub(crate) use cxx::CAUGHT;

/// Numbers of objects: the kind in the upper bits.
fn object(kind: u64, number: u64) -> ObjectId {
    ObjectId(kind << 56 | number & ((1 << 56) - 1))
}

/// What orders at an address: in shared memory, threads of all processes.
fn object_at(kind: u64, address: u64) -> ObjectId {
    named_at(address, (kind, address))
}

/// Likewise, of this kind and number in memory that is not shared.
fn named_at(address: u64, (kind, number): (u64, u64)) -> ObjectId {
    match address >= SHARED {
        true => ObjectId(address),
        false => object(kind, number),
    }
}

/// A call is a fence to the loads and stores of its thread.
pub(crate) fn pass_fence(caller: &mut Caller<'_>) {
    let seen = acquired_by_fence(caller.own_mut().relaxed_mut(), Ordering::Both);
    seen.into_iter().for_each(|kind| caller.emit(kind));
}

/// A function of a thread library; `None` if it is none.
pub(crate) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let followed = exclusion::call(caller, name, a)
        .or_else(|| openmp::call(caller, name, a))
        .or_else(|| cxx::call(caller, name, a))
        .or_else(|| specific::call(caller, name, a));
    if followed.is_some() {
        return followed;
    }
    Some(match name {
        "pthread_create" => create(caller, (name, at(0).bits), at(2).bits, at(3))?,
        "thrd_create" => create(caller, (name, at(0).bits), at(1).bits, at(2))?,
        "pthread_join" | "thrd_join" => {
            let (thread, to) = (at(0).bits as usize, at(1).bits);
            let flow = join(caller, name, thread);
            let gives =
                matches!(flow, Flow::Return(_)) && to != 0 && thread < caller.process().thread_count();
            if gives {
                let size = if name == "pthread_join" { 8 } else { 4 };
                let result = caller.process().thread(thread).result();
                caller.put(to, size, result);
            }
            flow
        }
        "pthread_exit" | "thrd_exit" => {
            if let Some(kind) = end(caller.thread()) {
                caller.emit(kind);
            }
            caller.own_mut().end_with(at(0));
            Flow::Ended
        }
        "pthread_self" | "thrd_current" => Flow::Return(Scalar::known(caller.thread() as u64)),
        "pthread_equal" | "thrd_equal" => Flow::Return(Scalar::known(u64::from(at(0).bits == at(1).bits))),
        "thrd_yield" | "thrd_sleep" | "pthread_yield" => Flow::Poll(Scalar::known(0)),
        _ if SILENT.contains(&name) || sets_attributes(name) => NOTHING,
        // They say something of threads, and order nothing.
        _ if name.starts_with("pthread_get") => return None,
        _ if [
            "__kmpc_",
            "pthread_",
            "sem_",
            "thrd_",
            "mtx_",
            "cnd_",
            "_ZNSt6thread15",
        ]
        .iter()
        .any(|start| name.starts_with(start)) =>
        {
            return Some(caller.unknown_call(name));
        }
        _ => return None,
    })
}

/// Whether a function is about the attributes that a thread or what orders threads is to have: `pthread_attr_init`,
/// `pthread_mutexattr_setpshared`.
fn sets_attributes(name: &str) -> bool {
    let kind = name
        .strip_prefix("pthread_")
        .and_then(|rest| rest.split_once('_'));
    kind.is_some_and(|(kind, what)| kind.ends_with("attr") && !what.starts_with("get"))
}

/// A function of the program that has an address, if its code is there.
fn defined(caller: &Caller<'_>, address: u64) -> Option<u32> {
    let index = function_at(address)?;
    let function = caller.module().functions.get(index as usize)?;
    (!function.blocks.is_empty()).then_some(index)
}

/// Starts a thread of a team that runs a function; its number.
fn start(caller: &mut Caller<'_>, function: u64, values: Vec<Value>, team: Membership) -> Option<usize> {
    function_at(function)?;
    let Some(index) = defined(caller, function) else {
        caller.unknown_call("a thread's function, by a pointer that is not known,");
        return None;
    };
    let thread = caller.add_thread(Thread::of(team));
    let object = object(1, thread as u64);
    caller.emit(EventKind::Release { object });
    caller.enter_function(thread, index, values, false);
    caller.emit_of(thread, EventKind::Acquire { object });
    Some(thread)
}

/// Starts a thread of no team by the call of this name; its number.
fn start_alone(caller: &mut Caller<'_>, name: &str, function: u64, value: Value) -> Option<usize> {
    caller.enter(Call::Completion { name: name.into() });
    let thread = start(caller, function, vec![value], Membership::default());
    caller.done();
    thread
}

/// Starts a thread of no team, whose number the caller is given.
fn create(
    caller: &mut Caller<'_>,
    (name, result): (&str, u64),
    function: u64,
    argument: Scalar,
) -> Option<Flow> {
    let thread = start_alone(caller, name, function, Value::Scalar(argument))?;
    caller.put_long(result, thread as u64);
    Some(NOTHING)
}

/// What the end of a thread tells: who joins it knows what it did.
pub(crate) fn end(thread: usize) -> Option<EventKind> {
    let object = object(2, thread as u64);
    (thread != 0).then_some(EventKind::Release { object })
}

/// What the start of a thread tells that comes after others: it knows what they did. `None` if not all of them have
/// ended.
pub(crate) fn begin(process: &mut Process, thread: usize) -> Option<Vec<EventKind>> {
    let after = process.thread(thread).after();
    if !after.iter().all(|other| process.has_ended(*other)) {
        return None;
    }
    let after = process.thread_mut(thread).take_after().into_iter();
    let object = |other: usize| object(2, other as u64);
    Some(
        after
            .map(|other| EventKind::Acquire {
                object: object(other),
            })
            .collect(),
    )
}

/// Waits for the end of a thread by the call of this name.
fn join(caller: &mut Caller<'_>, name: &str, thread: usize) -> Flow {
    if !caller.process().has_ended(thread) {
        return Flow::Block;
    }
    if thread < caller.process().thread_count() {
        caller.enter(Call::Completion { name: name.into() });
        learn_ends(caller, [thread]);
        caller.done();
    }
    NOTHING
}

fn all_ended(caller: &Caller<'_>, threads: &[usize]) -> bool {
    threads.iter().all(|thread| caller.process().has_ended(*thread))
}

/// What the threads of the caller's team share.
fn team<'c>(caller: &'c mut Caller<'_>) -> &'c mut Team {
    let thread = caller.thread();
    caller.process_mut().team(thread)
}

/// The thread comes after all that these did.
fn learn_ends(caller: &mut Caller<'_>, threads: impl IntoIterator<Item = usize>) {
    for thread in threads {
        let object = object(2, thread as u64);
        caller.emit(EventKind::Acquire { object });
    }
}

/// Functions that order nothing and whose result, zero, means success.
const SILENT: [&str; 29] = [
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_barrier_destroy",
    "pthread_detach",
    "pthread_mutex_consistent",
    "pthread_atfork",
    "pthread_setname_np",
    "pthread_setaffinity_np",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_setconcurrency",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_testcancel",
    "pthread_sigmask",
    "sem_destroy",
    "sem_close",
    "sem_unlink",
    "mtx_init",
    "mtx_destroy",
    "cnd_init",
    "cnd_destroy",
    "thrd_detach",
];
