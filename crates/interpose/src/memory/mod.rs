//! Which memory is watched, and the loads and stores of it.
//!
//! A program that was compiled with `-fsanitize=thread` calls `__tsan_read8(address)` before it loads eight bytes, and
//! so on ([`callbacks`], [`atomics`]). A callback asks the [`page_table`] whether the page is watched and returns if it is not. Else
//! the access goes to the thread's [`segment`], where it most often only extends a run. Where the compiler had our plugin,
//! a whole loop comes as one call ([`loops`]), and single accesses only if their page is watched. The recorder takes the runs with
//! [`drain`] before each event that synchronises.
//!
//! Promise: of the memory that is watched, exactly the accessed bytes are recorded, each with kind and source.
//!
//! Limits:
//! 1. While the process has one thread, accesses before [`track`] are not seen; nothing can be concurrent with them.
//!    While it has more ([`set_multithreaded`]), all accesses are recorded, because memory can become the buffer of an
//!    operation of another thread after the access and still concurrently with it. Missed are only accesses to memory
//!    that was never watched, in segments of more than 65,536 runs of such memory.
//! 2. An access that a signal handler makes while the same thread is in the slow path is left out.
//! 3. x86-64 and aarch64 only: the callbacks need their return address and cheap thread-local storage, for which stable
//!    Rust has assembly ([`crate::machine`]).
//! 4. Accesses to memory of other processes' shared segments are seen if they are tracked here.

mod annotations;
mod atomics;
mod callbacks;
mod dense;
pub(crate) mod given;
mod handed_on;
mod log;
mod loops;
mod page_table;
mod run;
mod seen;
mod segment;
mod shared_words;
pub(crate) mod slots;
mod thread;

pub(crate) use handed_on::hand_on;
pub(crate) use page_table::{PAGE, PAGE_SHIFT};
pub(crate) use thread::{
    Accesses, drain, end_operations, has_accesses, library_access, library_run, may_wait, thread_begin,
    thread_end,
};

use farside_events::{AccessKind, StackId};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// `__tsan_init` ran.
static INSTRUMENTED: AtomicBool = AtomicBool::new(false);

/// Reserves the page table; called once, when recording starts (in `MPI_Init`). Always succeeds: where the whole table
/// cannot be reserved, a smaller one serves, which is slower.
pub(crate) fn initialise() -> bool {
    page_table::initialise();
    true
}

/// Whether an address lies in window memory, as far as pages tell.
pub(crate) fn is_of_window(address: u64) -> bool {
    shared_words::are_at(address)
}

/// Whether any module of the program calls the load and store callbacks (`__tsan_init` ran).
pub(crate) fn instrumented() -> bool {
    INSTRUMENTED.load(Ordering::Relaxed)
}

/// Something was watched, or several threads ran: calls of the C library must be looked at. Stays set. Assembly reads
/// it.
pub(crate) static OBSERVING: AtomicBool = AtomicBool::new(false);

/// Whether calls of the C library must be looked at.
pub(crate) fn observing() -> bool {
    OBSERVING.load(Ordering::Relaxed)
}

/// Who is told which memory is watched, and does something about its pages.
pub(crate) trait Watcher: Sync {
    /// These bytes are watched, one time more.
    fn watch(&self, address: usize, length: usize);
    /// And one time less.
    fn unwatch(&self, address: usize, length: usize);
    /// More than one thread of the program runs.
    fn several_threads(&self);
    /// Nothing is recorded any more.
    fn stop(&self);
    /// Does what takes long, in code of ours that the program has called.
    fn unfollowed(&self, work: &mut dyn FnMut());
}

static WATCHER: OnceLock<&'static dyn Watcher> = OnceLock::new();

/// From now on, `watcher` is told. There is one.
pub(crate) fn tell(watcher: &'static dyn Watcher) {
    let _ = WATCHER.set(watcher);
    if multithreaded() {
        watcher.several_threads();
    }
}

fn watcher() -> Option<&'static dyn Watcher> {
    WATCHER.get().copied()
}

/// Starts to watch the pages of `len` bytes at `address` (counted: as many [`untrack`] calls end it).
pub(crate) fn track(address: usize, len: usize) {
    OBSERVING.store(true, Ordering::Relaxed);
    page_table::track(address, len);
    watcher().inspect(|watcher| watcher.watch(address, len));
}

/// Ends one [`track`] of the same range.
pub(crate) fn untrack(address: usize, len: usize) {
    watcher().inspect(|watcher| watcher.unwatch(address, len));
    page_table::untrack(address, len);
}

/// More than one thread of the program runs from now on, or one only. While there are more, accesses are recorded
/// whether or not their page is watched yet.
pub(crate) fn set_multithreaded(multithreaded: bool) {
    OBSERVING.store(true, Ordering::Relaxed);
    if multithreaded && let Some(watcher) = watcher() {
        watcher.several_threads();
    }
    thread::set_multithreaded(multithreaded);
}

/// The calling thread makes its view of shared windows the same as that of others, by a call that is recorded next.
pub(crate) fn synchronise_view() {
    shared_words::fence_by_call();
}

/// Whether more than one thread of the program runs.
pub(crate) fn multithreaded() -> bool {
    thread::multithreaded()
}

/// Stops all recording in this process, for good (a forked child, after a failure of ours).
pub(crate) fn stop() {
    page_table::stop();
    watcher().inspect(|watcher| watcher.stop());
}

/// The program is about to access memory of a guarded page, by an instruction before `pc`, whose callers are `callers`.
pub(crate) fn guarded_access(
    kind: AccessKind,
    atomic: bool,
    (address, len): (usize, usize),
    pc: usize,
    callers: impl FnOnce() -> StackId,
) {
    if page_table::watched(address, len) {
        let source = if atomic { run::Code::ATOMIC } else { 0 };
        thread::access(kind, source, address as u64, len as u64, pc as u64, callers);
    }
}

/// Whether one of the pages of this memory was watched at any time, or they are very many.
pub(crate) fn was_ever_watched(address: usize, len: usize) -> bool {
    page_table::ever_watched(address, len)
}

/// Whether a window or an operation has this memory, and not only several threads.
pub(crate) fn watched_itself(address: usize, len: usize) -> bool {
    page_table::watched_itself(address, len)
}

/// Whether an access to this range would be recorded. Cheap.
#[inline]
pub(crate) fn watched(address: usize, len: usize) -> bool {
    page_table::watched(address, len)
}
