//! Rules of calls that one process alone can break (OpenSHMEM 1.5 annex C and the sections of the calls).
//!
//! Promise: a call that is told here is wrong whatever the library makes of it, and is not followed further. Limits:
//! numbers of processes that do not exist are taken for a sign that the program is meant for more, unless they grow
//! with the number of processes; that a lock is held at the end is not seen.

use super::elements::Elements;
use super::symmetric::Object;
use super::{Call, Shmem};
use farside_calls::shmem::{Collective, Meaning};
use farside_events::{EventKind, Mistake, StackId, WinId};
use std::ops::Range;

/// A call, by its name and where it was made.
pub(super) type Earlier = (&'static str, StackId);

/// Bytes of a lock, which is a `long`.
const LOCK_SIZE: u64 = 8;

/// Two arguments of more elements than these are compared by the first.
const COMPARED: u64 = 1 << 10;

impl Shmem<'_, '_> {
    /// A call is wrong, for an earlier call if there is one.
    pub(super) fn mistaken(&mut self, call: &Call<'_>, mistake: Mistake, earlier: Option<Earlier>) {
        let stack = self.caller.stack();
        self.caller.emit(EventKind::Mistaken {
            mistake,
            name: call.name().into(),
            stack,
            earlier: earlier.map(|(name, stack)| (name.into(), stack)),
        });
    }

    /// Whether the context or the team that a call is made on was not destroyed before; it is told if it was.
    pub(super) fn is_there(&mut self, call: &Call<'_>) -> bool {
        let first = call.given.first().map_or(0, |handle| handle.bits);
        let (argument, by) = match call.function.meaning() {
            Meaning::Team
            | Meaning::TeamDestroy
            | Meaning::TeamCollective(_)
            | Meaning::ContextCreate { of_team: true } => ("team", self.pe().team_destroyed(first)),
            Meaning::ContextDestroy => ("ctx", self.pe().context_destroyed(first)),
            _ if call.function.has_context() => ("ctx", self.pe().context_destroyed(first)),
            _ => return true,
        };
        if by.is_some() {
            let argument = argument.into();
            self.mistaken(call, Mistake::Destroyed { argument }, by);
        }
        by.is_none()
    }

    /// The object that an argument of a call lies in; it is told if there is none.
    pub(super) fn object_of(&mut self, call: &Call<'_>, argument: &str, address: u64) -> Option<Object> {
        let found = self.pe().object(address);
        if found.is_none() {
            let argument = argument.into();
            match self.pe().freed(address) {
                Some((_, by)) => self.mistaken(call, Mistake::Freed { argument }, Some(by)),
                None => self.mistaken(call, Mistake::NotSymmetric { argument }, None),
            }
        }
        found
    }

    /// The allocation that begins at an address; it is told if there is none.
    pub(super) fn allocation_at(&mut self, call: &Call<'_>, base: u64) -> Option<Object> {
        let found = self
            .pe()
            .object(base)
            .filter(|object| object.is_allocated_at(base));
        if found.is_none() {
            match self.pe().freed(base) {
                Some((start, by)) if start == base => self.mistaken(call, Mistake::FreedTwice, Some(by)),
                _ => self.mistaken(call, Mistake::NotAllocated, None),
            }
        }
        found
    }

    /// Whether two arguments of a call, of which one is written, have no byte in common; it is told if they have.
    pub(super) fn are_apart(&mut self, call: &Call<'_>, one: Argument, other: Argument) -> bool {
        let apart = !one.overlaps(&other);
        if !apart {
            let arguments = [one.name.into(), other.name.into()];
            self.mistaken(call, Mistake::Overlap { arguments }, None);
        }
        apart
    }

    /// Whether the arguments of a collective call on so many processes may go together.
    pub(super) fn may_exchange(
        &mut self,
        call: &Call<'_>,
        what: Collective,
        (destination, source): (Elements, Elements),
        (written, read): (u64, u64),
    ) -> bool {
        let size = call.size();
        if written > 0 && self.object_of(call, "dest", destination.address()).is_none() {
            return false;
        }
        if read > 0 && self.object_of(call, "source", source.address()).is_none() {
            return false;
        }
        // A reduction may be in place (§9.9.4).
        let in_place = what == Collective::Reduce && destination.address() == source.address();
        let argument = |name, elements, count| Argument::new(name, elements, count, size);
        in_place
            || self.are_apart(
                call,
                argument("dest", destination, written),
                argument("source", source, read),
            )
    }

    /// Whether elements of an object that are written are no lock that the process has; it is told if they are.
    pub(super) fn is_no_lock(&mut self, call: &Call<'_>, object: Object, written: &Argument) -> bool {
        let word = |distance| {
            let address = object.address(distance, LOCK_SIZE)?;
            Some(Argument::new("lock", Elements::at(address), 1, LOCK_SIZE))
        };
        let is_written = |distance| word(distance).is_some_and(|word| written.overlaps(&word));
        let by = self.pe().lock_held_in(object.win(), is_written);
        if by.is_some() {
            let argument = written.name.into();
            self.mistaken(call, Mistake::OnLock { argument }, by);
        }
        by.is_none()
    }

    /// Whether the thread may wait for a lock: not if it has it already, which is told.
    pub(super) fn may_lock(&mut self, call: &Call<'_>, lock: (WinId, i64)) -> bool {
        let Some((thread, by)) = self.pe().lock_held(lock) else {
            return true;
        };
        let is_own = thread == self.caller.thread();
        if is_own {
            self.mistaken(call, Mistake::LockHeld, Some(by));
        }
        !is_own
    }
}

/// Elements that an argument of a call names, in the memory of the caller.
pub(super) struct Argument {
    name: &'static str,
    elements: Elements,
    count: u64,
    size: u64,
}

impl Argument {
    pub(super) fn new(name: &'static str, elements: Elements, count: u64, size: u64) -> Self {
        Self {
            name,
            elements,
            count,
            size,
        }
    }

    fn span(&self) -> Range<u64> {
        let start = self.elements.address();
        start..start.saturating_add(self.elements.span(self.count, self.size))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let meet = |one: &Range<u64>, two: &Range<u64>| one.start < two.end && two.start < one.end;
        let pieces = |argument: &Self| {
            let pieces = argument
                .elements
                .pieces(argument.count.min(COMPARED), argument.size);
            pieces
                .map(|(at, length)| at..at.saturating_add(length))
                .collect::<Vec<_>>()
        };
        let is_whole = |argument: &Self| argument.elements.stride() <= 1;
        if !meet(&self.span(), &other.span()) {
            return false;
        }
        if is_whole(self) && is_whole(other) {
            return true;
        }
        let others = pieces(other);
        pieces(self)
            .iter()
            .any(|one| others.iter().any(|two| meet(one, two)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interleaved_elements_do_not_overlap() {
        let argument =
            |address, stride, count| Argument::new("dest", Elements::new(address, stride), count, 4);
        assert!(argument(64, 1, 4).overlaps(&argument(76, 1, 2)));
        assert!(!argument(64, 1, 4).overlaps(&argument(80, 1, 2)));
        assert!(!argument(64, 2, 4).overlaps(&argument(68, 2, 4)));
        assert!(argument(64, 2, 4).overlaps(&argument(72, 3, 4)));
        assert!(!argument(64, 1, 0).overlaps(&argument(64, 1, 4)));
    }
}
