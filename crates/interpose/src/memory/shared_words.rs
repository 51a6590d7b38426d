//! Atomic operations on window memory, which other processes may have mapped: what is released there, a process that
//! acquires it learns.
//!
//! Promise: each operation that may have seen what another process released since this thread's last one is recorded.
//! A thread that finds the same value again has seen nothing new, unless it has changed a word, or learned of others
//! by something else, in the meantime; so a loop that spins records one event, not millions. It might miss a word that
//! was changed and changed back between two looks; the process that did so waited for nobody's answer then.
//!
//! A fence, and `MPI_Win_sync`, which is one (MPI-4.1 §12.5.4), make an order of relaxed accesses (C17 §7.17.4): after
//! one, each store releases what its thread did before the fence, and one acquires what was found before it.

use super::page_table;
use crate::recorder;
use farside_events::{EventKind, ObjectId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

thread_local! {
    /// What this thread found at a word last, and what it had learned by then.
    static FOUND: RefCell<HashMap<u64, (u128, u64)>> = RefCell::new(HashMap::new());
    /// Words that it has loaded with relaxed order since the last fence, with what it found there.
    static LOADED: RefCell<HashMap<u64, u128>> = RefCell::new(HashMap::new());
    /// Whether it has recorded a fence.
    static FENCED: Cell<bool> = const { Cell::new(false) };
    /// How much of what the thread has recorded as learned was recorded here.
    static ACQUIRED: Cell<u64> = const { Cell::new(0) };
}

/// Whether other processes may see what is done at an address.
pub(super) fn are_at(address: u64) -> bool {
    page_table::watched_itself(address as usize, 1)
}

/// Whether the thread has found this value there before, and nothing has happened since.
pub(super) fn is_known(address: u64, value: u128) -> bool {
    let known = FOUND.try_with(|found| found.borrow().get(&address) == Some(&(value, learned())));
    known.unwrap_or(false)
}

/// The thread passes a fence of these two kinds. As long as no window is there, nothing was done that it could release.
pub(super) fn fence(releases: bool, acquires: bool) {
    if acquires {
        acquire_loaded();
    }
    if releases && page_table::tracked_bytes() > 0 && recorder::active() {
        recorder::observe(|| recorder::record(EventKind::Fence));
        has_fenced();
    }
}

/// The thread passes a fence of both kinds by a call that is recorded after this.
pub(super) fn fence_by_call() {
    acquire_loaded();
    has_fenced();
}

fn acquire_loaded() {
    let loaded = LOADED.try_with(RefCell::take).unwrap_or_default();
    for (address, value) in loaded {
        acquire(address, value);
    }
}

fn has_fenced() {
    let _ = FENCED.try_with(|fenced| fenced.set(true));
}

/// What the thread did before its last fence that releases can be seen by whoever acquires the word. Call before the
/// operation.
pub(super) fn release_fenced(address: u64) {
    if FENCED.try_with(Cell::get).unwrap_or(false) && recorder::active() {
        let object = ObjectId(address);
        recorder::observe(|| recorder::record(EventKind::ReleaseFenced { object }));
    }
}

/// The thread has found this value there by a relaxed access.
pub(super) fn loaded(address: u64, value: u128) {
    let _ = LOADED.try_with(|loaded| loaded.borrow_mut().insert(address, value));
}

/// What the thread did so far can be seen by whoever acquires the word. Call before the operation.
pub(super) fn release(address: u64) {
    if recorder::active() {
        let object = ObjectId(address);
        recorder::observe(|| recorder::record(EventKind::Release { object }));
    }
}

/// The thread has found this value there, and sees what was released by it. Call after the operation.
pub(super) fn acquire(address: u64, value: u128) {
    if recorder::active() && !is_known(address, value) {
        let object = ObjectId(address);
        recorder::observe(|| {
            recorder::record(EventKind::Acquire { object });
            let _ = ACQUIRED.try_with(|count| count.set(count.get() + 1));
            let now = (value, learned());
            let _ = FOUND.try_with(|found| found.borrow_mut().insert(address, now));
        });
    }
}

/// The thread has changed a word: others may answer by values that it has found before.
pub(super) fn changed() {
    let _ = FOUND.try_with(|found| found.borrow_mut().clear());
}

fn learned() -> u64 {
    let own = ACQUIRED.try_with(Cell::get).unwrap_or(0);
    recorder::learned().wrapping_sub(own)
}
