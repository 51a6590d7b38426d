//! Order by atomic accesses: what a release makes known at an address, an acquire at the same address learns; in shared
//! memory, that of another process, too.
//!
//! It does so whatever value it reads: the turns of the threads decide who comes first, so this is too much order at most.

use super::object;
use crate::ir::Ordering;
use crate::layout::SHARED;
use crate::notes::Notes;
use farside_events::{EventKind, ObjectId};
use std::collections::BTreeSet;

/// The address that stands for all fences: they order one another.
pub(crate) const FENCES: u64 = 8;

/// Relaxed accesses of a thread to shared memory, of which a fence makes an order (C17 §7.17.4); `MPI_Win_sync` is one
/// (MPI-4.1 §12.5.4).
#[derive(Debug, Default)]
pub(crate) struct Relaxed {
    /// The thread has passed a fence that releases, and has stored nothing to shared memory since but by atomic
    /// accesses.
    is_fenced: bool,
    /// Words that were loaded since the last fence that acquires.
    loaded: BTreeSet<u64>,
}

impl Relaxed {
    /// The thread passes a fence; what it acquires.
    pub(crate) fn fence(&mut self, ordering: Ordering) -> Vec<EventKind> {
        self.is_fenced |= ordering.releases();
        let loaded = match ordering.acquires() {
            true => std::mem::take(&mut self.loaded),
            false => BTreeSet::new(),
        };
        let acquire = |address| EventKind::Acquire {
            object: object_at(address),
        };
        loaded.into_iter().map(acquire).collect()
    }

    /// What a relaxed access tells before it stores.
    pub(crate) fn stores(&self, address: u64) -> Option<EventKind> {
        let object = object_at(address);
        (self.is_fenced && address >= SHARED).then_some(EventKind::Release { object })
    }

    /// The thread stores something that is no atomic variable.
    pub(crate) fn stores_plainly(&mut self, address: u64) {
        self.is_fenced &= address < SHARED;
    }

    /// The thread has loaded a word.
    pub(crate) fn loads(&mut self, address: u64) {
        if address >= SHARED {
            self.loaded.insert(address);
        }
    }
}

/// What an atomic access tells before it happens.
pub(crate) fn released(notes: &Notes, address: u64, ordering: Option<Ordering>) -> Option<EventKind> {
    let orders = is_seen(notes, address) && ordering.is_some_and(Ordering::releases);
    let object = object_at(address);
    orders.then_some(EventKind::Release { object })
}

/// What an atomic access tells after it has happened.
pub(crate) fn acquired(notes: &Notes, address: u64, ordering: Option<Ordering>) -> Option<EventKind> {
    let orders = is_seen(notes, address) && ordering.is_some_and(Ordering::acquires);
    let object = object_at(address);
    orders.then_some(EventKind::Acquire { object })
}

/// Whether other threads or processes may see an access.
fn is_seen(notes: &Notes, address: u64) -> bool {
    address >= SHARED || notes.made_threads()
}

fn object_at(address: u64) -> ObjectId {
    match address >= SHARED {
        true => ObjectId(address),
        false => object(4, address),
    }
}
