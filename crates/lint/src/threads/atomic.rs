//! Order by atomic accesses: what a release makes known at an address, an acquire at the same address learns.
//!
//! It does so whatever value it reads: the turns of the threads decide who comes first, so this is too much order at most.

use super::object;
use crate::ir::Ordering;
use crate::job::Job;
use crate::layout::SHARED;
use crate::site::At;
use farside_events::EventKind;

/// The address that stands for all fences: they order one another.
pub(crate) const FENCES: u64 = 8;

impl Job<'_> {
    /// An atomic access is about to happen.
    pub(crate) fn before_atomic(&mut self, at: At, address: u64, ordering: Option<Ordering>) {
        if self.notes.made_threads() && address < SHARED && ordering.is_some_and(Ordering::releases) {
            let object = object(4, address);
            self.emit(at, EventKind::Release { object });
        }
    }

    /// An atomic access happened.
    pub(crate) fn after_atomic(&mut self, at: At, address: u64, ordering: Option<Ordering>) {
        if self.notes.made_threads() && address < SHARED && ordering.is_some_and(Ordering::acquires) {
            let object = object(4, address);
            self.emit(at, EventKind::Acquire { object });
        }
    }
}
