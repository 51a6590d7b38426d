//! Mutexes, condition variables, semaphores, readers' and writers' locks, barriers, and what is done once.

use super::{defined, named_at, object, object_at};
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::layout::function_at;
use crate::matching::{Kind, MeetingKey};
use crate::process::{Entered, Holder};
use crate::value::Scalar;
use farside_events::EventKind;

/// `EBUSY` of Linux.
const BUSY: u64 = 16;
/// `thrd_busy` of glibc.
const THREAD_BUSY: u64 = 1;
/// `PTHREAD_BARRIER_SERIAL_THREAD` of Linux, an `int`.
const SERIAL_THREAD: u64 = u32::MAX as u64;

/// A function that makes threads wait for each other; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    Some(match name {
        "pthread_mutex_lock"
        | "pthread_mutex_timedlock"
        | "pthread_mutex_clocklock"
        | "mtx_timedlock"
        | "mtx_lock"
        | "omp_set_lock"
        | "omp_set_nest_lock"
        | "pthread_spin_lock" => lock(caller, at(0)),
        "pthread_mutex_trylock" | "pthread_spin_trylock" => at_once(lock(caller, at(0)), BUSY),
        "mtx_trylock" => at_once(lock(caller, at(0)), THREAD_BUSY),
        "omp_test_lock" | "omp_test_nest_lock" => at_once(lock(caller, at(0)).map_return(1), 0),
        "pthread_mutex_unlock"
        | "mtx_unlock"
        | "omp_unset_lock"
        | "omp_unset_nest_lock"
        | "pthread_spin_unlock" => unlock(caller, at(0)),
        "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_wait" => {
            wait_for_condition(caller, at(0), at(1))
        }
        "pthread_cond_signal" | "pthread_cond_broadcast" | "cnd_signal" | "cnd_broadcast" => {
            signal_condition(caller, at(0))
        }
        "sem_init" => {
            caller.locks(at(0)).set_count(at(0), at(2) as u32);
            NOTHING
        }
        "sem_getvalue" => {
            let count = caller.locks(at(0)).count(at(0));
            caller.put(at(1), 4, Scalar::known(u64::from(count)));
            NOTHING
        }
        "sem_wait" | "sem_timedwait" | "sem_clockwait" | "sem_trywait" => {
            if caller.locks(at(0)).take(at(0)) {
                acquire(caller, at(0));
                NOTHING
            } else if name == "sem_trywait" {
                Flow::Poll(Scalar::known(u64::from(u32::MAX)))
            } else {
                Flow::Block
            }
        }
        "sem_post" => {
            release(caller, at(0));
            caller.locks(at(0)).add(at(0));
            NOTHING
        }
        "pthread_rwlock_rdlock" | "pthread_rwlock_timedrdlock" | "pthread_rwlock_clockrdlock" => {
            read_lock(caller, at(0))
        }
        "pthread_rwlock_tryrdlock" => at_once(read_lock(caller, at(0)), BUSY),
        "pthread_rwlock_wrlock" | "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => {
            lock(caller, at(0))
        }
        "pthread_rwlock_trywrlock" => at_once(lock(caller, at(0)), BUSY),
        "pthread_rwlock_unlock" => {
            release(caller, at(0));
            caller.locks(at(0)).end_read_or_write(at(0));
            NOTHING
        }
        "pthread_barrier_init" => {
            caller.locks(at(0)).set_barrier(at(0), at(2) as u32);
            NOTHING
        }
        "pthread_barrier_wait" => wait_at_barrier(caller, at(0)),
        "pthread_once" | "call_once" => once(caller, at(0), at(1)),
        _ => return None,
    })
}

fn holder(caller: &Caller<'_>) -> Holder {
    Holder::new(caller.rank(), caller.thread())
}

fn acquire(caller: &mut Caller<'_>, address: u64) {
    let object = object_at(3, address);
    caller.emit(EventKind::Acquire { object });
}

fn release(caller: &mut Caller<'_>, address: u64) {
    let object = object_at(3, address);
    caller.emit(EventKind::Release { object });
}

pub(super) fn lock(caller: &mut Caller<'_>, address: u64) -> Flow {
    let thread = holder(caller);
    if !caller.locks(address).lock(address, thread) {
        return Flow::Block;
    }
    acquire(caller, address);
    NOTHING
}

/// Takes a lock together with other readers.
fn read_lock(caller: &mut Caller<'_>, address: u64) -> Flow {
    if !caller.locks(address).read(address) {
        return Flow::Block;
    }
    acquire(caller, address);
    NOTHING
}

/// What a call does that does not wait: where it would have to, it answers this.
fn at_once(flow: Flow, busy: u64) -> Flow {
    match flow {
        Flow::Block => Flow::Poll(Scalar::known(busy)),
        flow => flow,
    }
}

pub(super) fn unlock(caller: &mut Caller<'_>, address: u64) -> Flow {
    release(caller, address);
    caller.locks(address).unlock(address);
    NOTHING
}

/// Gives the mutex up, waits until somebody signals, and takes the mutex again, which is all the order that it gives.
/// Where nobody could go on otherwise it returns unasked, as the standard allows.
pub(super) fn wait_for_condition(caller: &mut Caller<'_>, condition: u64, mutex: u64) -> Flow {
    match caller.entered() {
        Some(Entered::Signal(before)) => {
            if before == caller.locks(condition).signals(condition) && !caller.is_stalled() {
                return Flow::Block;
            }
            let flow = lock(caller, mutex);
            if let Flow::Return(_) = flow {
                caller.clear_entered();
            }
            flow
        }
        _ => {
            let before = caller.locks(condition).signals(condition);
            unlock(caller, mutex);
            caller.set_entered(Entered::Signal(before));
            Flow::Again
        }
    }
}

pub(super) fn signal_condition(caller: &mut Caller<'_>, condition: u64) -> Flow {
    caller.locks(condition).signal(condition);
    NOTHING
}

/// Calls a function at the first call with this control word; the others wait for its end.
fn once(caller: &mut Caller<'_>, control: u64, function: u64) -> Flow {
    const RUNNING: u64 = 1;
    const DONE: u64 = 2;
    let (state, thread) = (caller.memory(control).load(control, 4).bits, holder(caller));
    match state {
        DONE => {
            acquire(caller, control);
            NOTHING
        }
        RUNNING if caller.locks(control).did_once(control, thread) => {
            release(caller, control);
            caller.put(control, 4, Scalar::known(DONE));
            NOTHING
        }
        RUNNING => Flow::Block,
        _ => {
            caller.locks(control).begin_once(control, thread);
            caller.put(control, 4, Scalar::known(RUNNING));
            let Some(index) = once_function(caller, function) else {
                return once(caller, control, function);
            };
            caller.enter_function(caller.thread(), index, Vec::new(), true);
            Flow::Entered
        }
    }
}

/// What is called: `std::call_once` of libstdc++ leaves it in a thread-local variable and names a proxy.
fn once_function(caller: &mut Caller<'_>, function: u64) -> Option<u32> {
    let module = caller.module();
    module.functions.get(function_at(function)? as usize)?;
    if let Some(index) = defined(caller, function) {
        return Some(index);
    }
    let mut globals = module.globals.iter();
    let variable = globals.position(|global| global.name == "_ZSt11__once_call")?;
    let at = thread_local(caller, caller.globals().addresses()[variable]);
    defined(caller, caller.long_at(at))
}

/// Waits until as many threads came as the barrier is for; the last one gets another answer than the others.
fn wait_at_barrier(caller: &mut Caller<'_>, address: u64) -> Flow {
    // Generations of a barrier of one process are apart; of a shared one, the address is the name of all.
    let object = |times: u32| named_at(address, (5, address.wrapping_mul(31) ^ u64::from(times)));
    if let Some(Entered::Barrier(times)) = caller.entered() {
        if caller.locks(address).times(address) == times {
            return Flow::Block;
        }
        caller.emit(EventKind::Acquire {
            object: object(times),
        });
        caller.clear_entered();
        return NOTHING;
    }
    let (times, is_full) = caller.locks(address).arrive(address);
    caller.emit(EventKind::Release {
        object: object(times),
    });
    if !is_full {
        caller.set_entered(Entered::Barrier(times));
        return Flow::Again;
    }
    caller.emit(EventKind::Acquire {
        object: object(times),
    });
    Flow::Return(Scalar::known(SERIAL_THREAD))
}

/// The threads of a team wait for each other; which team by its number.
pub(super) fn team_barrier(caller: &mut Caller<'_>, number: u64, count: usize) -> Flow {
    // Ranks are apart: the number of the process is part of the object.
    let object = |key: MeetingKey, rank: u32| {
        let number = key.1 ^ u64::from(rank) << 48;
        object(5, number.wrapping_mul(31) ^ key.2)
    };
    let (rank, thread) = (caller.rank(), caller.thread() as u32);
    let key = match caller.entered() {
        Some(Entered::Meeting(key)) => key,
        _ => {
            let key = (Kind::Team, number, caller.own_mut().next_step());
            let object = object(key, rank);
            caller.emit(EventKind::Release { object });
            let barriers = caller.process_mut().barriers();
            barriers.arrive(key, thread, Vec::new(), Vec::new());
            caller.set_entered(Entered::Meeting(key));
            key
        }
    };
    if caller.process_mut().barriers().so_far(key) < count {
        return Flow::Block;
    }
    let object = object(key, rank);
    caller.emit(EventKind::Acquire { object });
    caller.clear_entered();
    NOTHING
}

/// This thread's copy of a thread-local variable; the first thread has the original.
pub(super) fn thread_local(caller: &mut Caller<'_>, original: u64) -> u64 {
    let (thread, module, globals) = (caller.thread(), caller.module(), caller.globals());
    if thread == 0 {
        return original;
    }
    let process = caller.process_mut();
    if let Some(copy) = process.thread_local(thread, original) {
        return copy;
    }
    let Some(index) = globals.at(original) else {
        return original;
    };
    let global = &module.globals[index];
    let copy = process.memory_mut().allocate(global.size.max(8), &global.name);
    process.set_thread_local(thread, original, copy);
    globals.initialize(module, process.memory_mut(), index, copy);
    copy
}
