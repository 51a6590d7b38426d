//! Operations that send a copy of their buffer.
//!
//! The copy is made by the statement right before its call, into one place for all rounds of it: a load of the buffer,
//! and a store to bytes that nothing else has. So a round that comes before the operation of the last one is complete
//! stores to what is still sent.

use super::{Editor, Moment};
use crate::edit::Edit;
use crate::spots::Spot;
use farside_events::{AccessKind, AccessRun, EventKind, Operation};
use farside_race::Places;

/// Where a copy is: no program has memory there.
const COPY: u64 = 1 << 60;

impl<P: Places> Editor<'_, P> {
    /// Lets an operation send a copy, if the statement that issues it is to make one.
    pub(super) fn copy(&mut self, at: Moment, spot: Spot, operation: &mut Operation) {
        let is_there = |edit: &Edit| match edit {
            Edit::Copy(copied) => self.spots.are_one_statement(*copied, spot),
            _ => false,
        };
        if !self.edits.iter().any(is_there) {
            return;
        }
        let Some(origin) = &mut operation.origin else {
            return;
        };
        let from = self.known.types.range(at.rank, origin);
        let size = from.end - from.start;
        if size == 0 {
            return;
        }
        origin.address = COPY;
        let stack = operation.stack;
        let run = |kind, base| AccessRun::single(kind, base, size, 0, stack);
        let both = [run(AccessKind::Load, from.start), run(AccessKind::Store, COPY)];
        for access in both {
            self.put(at, EventKind::Accesses(vec![access]));
        }
    }
}
