//! Order between the threads of one process: POSIX and C11 threads, GCC's and LLVM's OpenMP.
//!
//! Every synchronising call of the program is interposed, forwarded unchanged, and told as
//! [`EventKind::Release`] of an object before the real call or [`EventKind::Acquire`] of it after the call returned,
//! so that every edge goes forward in time. How an object is named is in [`object`].
//!
//! | file | calls |
//! |---|---|
//! | `lifetime`, `lifetime_c11` | `pthread_create`, `pthread_join`, `thrd_create`, `thrd_join`, ends of threads of any kind |
//! | `mutex`, `condition`, `rwlock`, `spin`, `semaphore`, `barrier`, `once` | the POSIX and C11 objects of these names |
//! | `blocks` | `free` and the allocations after it |
//! | `told` | what of the above an interpreter does over and over, and need not be said again |
//! | `openmp` | OpenMP: `GOMP_*`, `omp_*_lock`, `__kmpc_*`, OMPT |
//!
//! Nothing is recorded while recording is off, inside an MPI library, before the program has a second thread, or for
//! the locks of runtimes ([`caller`]).
//!
//! Promise: no edge is missing that the standards give, so that no race is reported for want of one. Deviations:
//! 1. An object has one clock: a waiter sees all posts of a semaphore so far, not only the one that it consumed; tasks
//!    that run on one thread one after the other are ordered. Such order is too much: a race may be missed.
//! 2. An object that is destroyed and made again at the same address keeps its clock.
//! 3. Named semaphores and process-shared objects order the threads of one process only.
//! 4. `omp_fulfill_event` gives no order to the detached task's successors.
//! 5. What a cleanup handler or a thread-specific destructor does after a thread's end is recorded without its join.
//! 6. Memory that one thread frees and another allocates orders them as [`blocks`] says, its limits too.

mod barrier;
pub(crate) mod blocks;
mod caller;
mod condition;
mod lifetime;
mod lifetime_c11;
mod mutex;
mod object;
mod once;
mod openmp;
mod rwlock;
mod semaphore;
mod spin;
mod told;

use crate::{recorder, speeds, stacks};
use farside_events::{EventKind, ObjectId};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Set when the program makes its second thread; never cleared.
static SECOND_THREAD: AtomicBool = AtomicBool::new(false);
/// Threads of the program that were made and not yet joined, workers of an OpenMP runtime not counted. A thread that
/// ended still counts, because what it released through atomic variables is yet to be acquired.
static RUNNING: AtomicU32 = AtomicU32::new(0);
/// Parallel regions that are open.
static REGIONS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// A number for the thread, used to name the objects of its parallel regions; 0 is "none yet".
    static NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// Called once, when recording starts (in `MPI_Init`), on the thread that initialises MPI.
pub(crate) fn initialise() {
    caller::search();
    stacks::find_interpreter();
    tell_memory();
}

/// Whether the calling thread's synchronisation is to be recorded.
#[inline]
fn observing() -> bool {
    recorder::active() && SECOND_THREAD.load(Ordering::Relaxed) && !recorder::inside_mpi()
}

/// Whether what the calling thread does with `object` is to be recorded: in memory that processes share, also where
/// there is one thread.
#[inline]
fn observes(object: ObjectId) -> bool {
    let orders = || SECOND_THREAD.load(Ordering::Relaxed) || object::is_in_window(object);
    recorder::active() && orders() && !recorder::inside_mpi()
}

/// Other threads may take `object` first, where the run is to go in another order. Call before the real call.
#[inline]
fn takes(object: ObjectId) {
    if speeds::are_told() && observes(object) {
        recorder::observe(speeds::wait);
    }
}

/// What the calling thread did so far becomes visible through `object`. Call before the real call.
#[inline]
fn release(object: ObjectId) {
    if observes(object) {
        say(EventKind::Release { object });
    }
}

/// The calling thread sees what was released through `object`. Call after the real call.
#[inline]
fn acquire(object: ObjectId) {
    if observes(object) {
        say(EventKind::Acquire { object });
    }
}

/// The calling thread does nothing any more.
fn ends() {
    if observing() {
        say(EventKind::ThreadEnd);
    }
}

#[cold]
fn say(kind: EventKind) {
    recorder::observe(|| recorder::record(kind));
}

/// The calling thread's number among those that this module met; never reused.
fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

/// A thread of the program, or a worker of its OpenMP runtime, is about to start.
fn thread_starts(worker: bool) {
    SECOND_THREAD.store(true, Ordering::Relaxed);
    if !worker {
        RUNNING.fetch_add(1, Ordering::Relaxed);
        tell_memory();
    }
}

/// It was joined, or could not be started.
fn thread_is_gone(worker: bool) {
    if !worker {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
        tell_memory();
    }
}

/// A parallel region is about to begin.
fn region_begins() {
    REGIONS.fetch_add(1, Ordering::Relaxed);
    tell_memory();
}

/// It ended: its workers wait in the runtime.
fn region_ended() {
    REGIONS.fetch_sub(1, Ordering::Relaxed);
    tell_memory();
}

fn tell_memory() {
    crate::memory::set_multithreaded(
        RUNNING.load(Ordering::Relaxed) != 0 || REGIONS.load(Ordering::Relaxed) != 0,
    );
}
