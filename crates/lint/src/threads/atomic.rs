//! Order by atomic accesses: what a release makes known at an address, an acquire at the same address learns; in shared
//! memory, that of another process, too.
//!
//! It does so whatever value it reads: the turns of the threads decide who comes first, so this is too much order at most.

use super::object_at;
use crate::ir::Ordering;
use crate::layout::SHARED;
use crate::notes::Notes;
use crate::process::Relaxed;
use farside_events::{EventKind, ObjectId};

/// The address that stands for all fences: they order one another.
pub(crate) const FENCES: u64 = 8;

/// What a relaxed access tells before it stores, if its thread has passed a fence.
pub(crate) fn released_by_fence(relaxed: &Relaxed, address: u64) -> Option<EventKind> {
    let object = variable(address);
    (relaxed.is_fenced() && address >= SHARED).then_some(EventKind::ReleaseFenced { object })
}

/// What a thread acquires by passing a fence.
pub(crate) fn acquired_by_fence(relaxed: &mut Relaxed, ordering: Ordering) -> Vec<EventKind> {
    let loaded = relaxed.fence(ordering.releases(), ordering.acquires());
    let acquire = |address| EventKind::Acquire {
        object: variable(address),
    };
    loaded.into_iter().map(acquire).collect()
}

/// What an atomic access tells before it happens.
pub(crate) fn released(notes: &Notes, address: u64, ordering: Option<Ordering>) -> Option<EventKind> {
    let orders = is_seen(notes, address) && ordering.is_some_and(Ordering::releases);
    let object = variable(address);
    orders.then_some(EventKind::Release { object })
}

/// What an atomic access tells after it has happened.
pub(crate) fn acquired(notes: &Notes, address: u64, ordering: Option<Ordering>) -> Option<EventKind> {
    let orders = is_seen(notes, address) && ordering.is_some_and(Ordering::acquires);
    let object = variable(address);
    orders.then_some(EventKind::Acquire { object })
}

/// Whether other threads or processes may see an access.
fn is_seen(notes: &Notes, address: u64) -> bool {
    address >= SHARED || notes.made_threads()
}

fn variable(address: u64) -> ObjectId {
    object_at(4, address)
}
