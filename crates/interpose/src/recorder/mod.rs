//! The one way for hooks to say what happened.
//!
//! Every hook asks [`active`] first (cheap), is inert when [`inside_mpi`] (the call comes from within an MPI library
//! or from within ourselves), and reports through [`record`] or [`define`]. Hooks must not unwind into the program:
//! they run their observing part in [`observe`].
//!
//! A process may *stop* in mid-run (the spool is full, a bug of ours). It has then still [`agreed`] with the others to
//! make the calls that Farside adds.
//!
//! Promise: times never decrease in a process' stream; a record is in the spool, safe from the death of the process,
//! when [`record`] returns; a process that ends itself (`libc/ends.rs`) leaves what its ending thread did since. Limit:
//! what other threads hold in unfinished segments dies with the process, and all of that if a signal ends it.

mod guard;

pub(crate) use guard::{MpiGuard, become_strand, inside_mpi, known_thread, observe, thread_id};

use crate::memory::Accesses;
use farside_collect::node::Home;
use farside_events::{Event, EventKind, Shortfall, ThreadId};
use farside_spool::pace::Pace;
use farside_spool::{Spool, now};
use guard::claim_first_thread;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError};

/// How often a thread that is about to end its process looks whether nobody else writes to the spool.
const LOOKS_FOR_THE_SPOOL: u32 = 1000;

/// Runs in one record, which stay below 1 MiB. Most often a segment is one record, and compared with an earlier one as a
/// whole.
const RUNS_PER_RECORD: usize = 5000;
/// Sets in one record.
const SETS_PER_RECORD: usize = 64;

static ACTIVE: AtomicBool = AtomicBool::new(false);
static AGREED: AtomicBool = AtomicBool::new(false);
/// All is recorded, but the recording is not at its end: see [`pause`].
static PAUSED: AtomicBool = AtomicBool::new(false);
static SPOOL: Mutex<Option<Spool>> = Mutex::new(None);
/// How far this process may be ahead of who judges it; taken before the spool's lock, and only under an [`MpiGuard`].
static PACE: Mutex<Option<Pace>> = Mutex::new(None);
static FORK_HANDLER: Once = Once::new();

thread_local! {
    /// How often the calling thread recorded something that is no definition and no release.
    static SAID: Cell<u64> = const { Cell::new(0) };
    /// How often it recorded something by which it may have learned of others.
    static LEARNED: Cell<u64> = const { Cell::new(0) };
}

/// Whether events are recorded: from the return of `MPI_Init` to `MPI_Finalize`, not in forked children, not after a
/// failure of ours.
#[inline]
pub(crate) fn active() -> bool {
    ACTIVE.load(Ordering::Relaxed)
}

/// Whether the user asked for recording at all.
pub(crate) fn wanted() -> bool {
    farside_spool::folder().is_some()
}

/// Whether this process and all others of its job have agreed to record, and so to make the calls that Farside adds. It
/// holds from `MPI_Init` on, also where recording has stopped since; not in forked children.
#[inline]
pub(crate) fn agreed() -> bool {
    AGREED.load(Ordering::Relaxed)
}

/// Makes the place to record to, before MPI is initialised. `false`: there is none, or it was made before.
pub(crate) fn open() -> bool {
    let Some(home) = farside_collect::node::home() else {
        return false;
    };
    let mut spool = spool_lock();
    if spool.is_some() {
        return false;
    }
    let folder = home.folder().to_path_buf();
    *spool = Spool::create(folder, farside_spool::processes::recording(std::process::id(), 0));
    spool.is_some()
}

/// Starts recording, with the calling thread as thread 0: all processes of the job do.
pub(crate) fn start(first: EventKind) {
    FORK_HANDLER.call_once(|| {
        // SAFETY: the handler only stores to atomics, which is allowed in a forked child.
        unsafe { ::libc::pthread_atfork(None, None, Some(stop_in_child)) };
    });
    guard::silence_panics();
    claim_first_thread();
    if let EventKind::Init { size, .. } = &first {
        *PACE.lock().unwrap_or_else(PoisonError::into_inner) = Pace::of(*size, collector());
    }
    AGREED.store(true, Ordering::SeqCst);
    ACTIVE.store(say([first]), Ordering::SeqCst);
}

/// Who stands for the judge on this host, if that is another one.
fn collector() -> Option<(u32, u64)> {
    farside_collect::node::home()?.collector()
}

/// Leaves a recording that only says why nothing is recorded.
pub(crate) fn refuse(said: impl IntoIterator<Item = EventKind>) {
    if say(said) {
        seal();
    }
}

fn say(kinds: impl IntoIterator<Item = EventKind>) -> bool {
    let mut lock = spool_lock();
    let Some(spool) = lock.as_mut() else { return false };
    kinds.into_iter().all(|kind| {
        spool.append(&Event {
            time: now(),
            thread: thread_id(),
            kind,
        })
    })
}

/// Ends recording properly: after this nothing is recorded, and the spool says that nothing is missing.
pub(crate) fn finish() {
    record(EventKind::Exit);
    switch_off();
    seal();
}

/// Records what `said` records, and ends: the processes of the job have not agreed to record.
pub(crate) fn say_alone(first: EventKind, said: impl FnOnce()) {
    claim_first_thread();
    ACTIVE.store(say([first]), Ordering::SeqCst);
    said();
    finish();
}

/// The library is finalised. The recording is complete, but for what must not be called any more; the end of the
/// process ends it.
pub(crate) fn pause() {
    extern "C" fn at_exit() {
        conclude();
    }
    record(EventKind::Exit);
    switch_off();
    PAUSED.store(true, Ordering::SeqCst);
    // SAFETY: the handler may run at any exit.
    if unsafe { ::libc::atexit(at_exit) } != 0 {
        conclude();
    }
}

/// Records what `said` records, after [`pause`].
pub(crate) fn resume(said: impl FnOnce()) {
    if PAUSED.load(Ordering::SeqCst) {
        ACTIVE.store(true, Ordering::SeqCst);
        said();
        switch_off();
    }
}

/// Ends a recording that waits for the end of its process.
pub(crate) fn conclude() {
    if PAUSED.swap(false, Ordering::SeqCst) {
        seal();
    }
}

/// Ends the recording, and sees that it is where it can be judged when this process is gone.
fn seal() {
    let Some(spool) = spool_lock().take() else { return };
    let last = spool.chunk();
    spool.seal();
    if let Some(home) = farside_collect::node::home() {
        home.deliver(&last);
    }
}

/// Records an event of the calling thread, stamped now, after its loads and stores since the last one.
#[inline]
pub(crate) fn record(kind: EventKind) {
    record_all(std::slice::from_ref(&kind));
}

/// As [`record`], for several events of one moment.
pub(crate) fn record_all(kinds: &[EventKind]) {
    if !active() {
        return;
    }
    let _guard = MpiGuard::enter();
    crate::memory::end_operations();
    let accesses = crate::memory::drain();
    let is_release = |kind: &EventKind| {
        matches!(
            kind,
            EventKind::Release { .. } | EventKind::Fence | EventKind::ReleaseFenced { .. }
        )
    };
    let all_releases = kinds.iter().all(is_release);
    if accesses.is_some() || !all_releases {
        count();
    }
    if !all_releases {
        learn();
    }
    append(accesses, kinds);
}

/// The calling thread records something that others may have to know.
fn count() {
    SAID.with(|said| said.set(said.get() + 1));
}

/// The calling thread records something by which it may learn of others.
fn learn() {
    LEARNED.with(|learned| learned.set(learned.get() + 1));
}

/// A number that grows with all that the calling thread records but definitions, releases, loads and stores.
pub(crate) fn learned() -> u64 {
    LEARNED.with(Cell::get)
}

/// A number that grows with all that the calling thread records but definitions and releases; `None` while it has loads
/// or stores that are yet to be recorded.
pub(crate) fn said() -> Option<u64> {
    (!crate::memory::has_accesses()).then(|| SAID.with(Cell::get))
}

/// Records an event on behalf of another thread of the process, without that thread's loads and stores that are yet to
/// be recorded.
pub(crate) fn record_for(thread: ThreadId, kind: &EventKind) {
    if !active() {
        return;
    }
    let _guard = MpiGuard::enter();
    let whole = spool_lock()
        .as_mut()
        .is_none_or(|spool| spool.append_kind((now(), thread), kind));
    if !whole {
        switch_off();
    }
}

/// As [`record`], for an operation. `apart` says what it uses of this process, if that is known: loads and stores of other
/// memory need not be recorded before it.
pub(crate) fn record_operation(kind: &EventKind, apart: Option<&[(usize, usize)]>) {
    if !active() {
        return;
    }
    let _guard = MpiGuard::enter();
    let accesses = match apart.is_some_and(crate::memory::may_wait) {
        true => None,
        false => crate::memory::drain(),
    };
    count();
    learn();
    append(accesses, std::slice::from_ref(kind));
}

/// Records a definition (a stack, a module, a datatype, ...): does not end the thread's segment of loads and stores.
pub(crate) fn define(kind: EventKind) {
    if !active() {
        return;
    }
    let _guard = MpiGuard::enter();
    append(None, std::slice::from_ref(&kind));
}

/// Writes the calling thread's loads and stores so far: the process is about to end. It may end from a signal handler
/// that has interrupted a record of the same thread; then they stay unwritten.
pub(crate) fn flush() {
    if !active() {
        return;
    }
    let _guard = MpiGuard::enter();
    for _ in 0..LOOKS_FOR_THE_SPOOL {
        match SPOOL.try_lock() {
            Ok(mut lock) => return append_to(&mut lock, crate::memory::drain(), &[]),
            Err(TryLockError::Poisoned(poison)) => {
                return append_to(&mut poison.into_inner(), crate::memory::drain(), &[]);
            }
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
}

/// Says that a bug of ours was met, and switches recording off in this process.
pub(crate) fn fail(reason: &str) {
    define(EventKind::Shortfall(Shortfall::Internal(reason.into())));
    switch_off();
}

/// Says once per process and name that a call is not understood.
pub(crate) fn unknown_call(name: &str) {
    static SAID: Mutex<Vec<Box<str>>> = Mutex::new(Vec::new());
    {
        let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
        if said.iter().any(|known| **known == *name) {
            return;
        }
        said.push(name.into());
    }
    define(EventKind::Shortfall(Shortfall::UnknownCall(name.into())));
}

fn append(accesses: Option<Accesses>, kinds: &[EventKind]) {
    let turned = {
        let mut lock = spool_lock();
        append_to(&mut lock, accesses, kinds);
        lock.as_mut().is_some_and(Spool::has_turned)
    };
    if turned {
        keep_pace();
    }
}

/// A chunk was begun: does not go further ahead of who reads than it may.
#[cold]
fn keep_pace() {
    if !farside_collect::node::home().is_some_and(Home::is_read) {
        // It would fill the disk for nobody.
        return switch_off();
    }
    // Not under the lock of the spool: the process may end meanwhile, and then writes what is left.
    if let Some(pace) = PACE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        pace.keep(|| spool_lock().as_mut().map_or(0, Spool::unread));
    }
}

fn append_to(lock: &mut Option<Spool>, accesses: Option<Accesses>, kinds: &[EventKind]) {
    let Some(spool) = lock.as_mut() else { return };
    let at = (now(), thread_id());
    let mut whole = true;
    if let Some(mut accesses) = accesses {
        accesses.leave_out_handed_on();
        whole = append_accesses(spool, at, accesses);
    }
    for kind in kinds {
        whole &= spool.append_kind(at, kind);
    }
    if !whole {
        // The spool has said so itself, in the space that it keeps for this.
        switch_off();
    }
}

#[inline(never)]
fn append_accesses(spool: &mut Spool, at: (u64, ThreadId), accesses: Accesses) -> bool {
    let mut whole = true;
    let mut write = |kind| whole &= spool.append_kind(at, &kind);
    let Accesses { runs, sets } = accesses;
    in_parts(runs, RUNS_PER_RECORD, |runs| write(EventKind::Accesses(runs)));
    in_parts(sets, SETS_PER_RECORD, |sets| write(EventKind::Scattered(sets)));
    whole
}

/// Hands on the elements in vectors of so many. Nearly always there are none, or few.
fn in_parts<T>(all: Vec<T>, most: usize, mut each: impl FnMut(Vec<T>)) {
    if all.len() > most {
        let mut all = all.into_iter();
        while !all.as_slice().is_empty() {
            each(all.by_ref().take(most).collect());
        }
    } else if !all.is_empty() {
        each(all);
    }
}

fn spool_lock() -> MutexGuard<'static, Option<Spool>> {
    SPOOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A forked child shares the parent's spool mapping: it must never write to it.
extern "C" fn stop_in_child() {
    AGREED.store(false, Ordering::SeqCst);
    PAUSED.store(false, Ordering::SeqCst);
    if active() {
        switch_off();
    }
}

fn switch_off() {
    ACTIVE.store(false, Ordering::SeqCst);
    crate::memory::stop();
}
