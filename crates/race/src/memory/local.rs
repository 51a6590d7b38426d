//! The records of loads and stores.

use crate::finding::{Name, RawParty};
use crate::memory::Place;
use crate::record::{HeldLocks, Moved, Record};
use farside_conflicts::{Access, Effect, Role};
use farside_events::{AccessKind, AccessSource, ChannelId, Rank, ThreadId};
use std::sync::Arc;

/// The record of what a process did by an instruction or call, which was repeated so often.
pub(crate) fn local_record(
    rank: Rank,
    place: &Place,
    repeats: u64,
    by: Moved,
    locks: HeldLocks,
    mark: u64,
) -> Record {
    let (access, name) = local_access(rank, place.kind(), place.source());
    Record::local(access, name, place.site(rank), by, locks, repeats, mark)
}

/// Loads or stores of a thread, as the party of a finding that is no race.
pub(crate) fn local_party(rank: Rank, place: &Place, thread: ThreadId) -> RawParty {
    let (_, name) = local_access(rank, place.kind(), place.source());
    RawParty::call(name, place.site(rank), thread, None)
}

/// What a process does by an instruction or call, and its name.
pub(crate) fn local_access(rank: Rank, kind: AccessKind, source: &AccessSource) -> (Access, Name) {
    let (effect, instruction) = match kind {
        AccessKind::Load => (Effect::Read, Name::Load),
        AccessKind::Store => (Effect::Write, Name::Store),
    };
    let (role, name) = match source {
        AccessSource::Instruction => (Role::Local, instruction),
        AccessSource::Atomic => (Role::LocalAtomic, instruction),
        AccessSource::Library(name) => (Role::Local, Name::Text(Arc::from(&**name))),
    };
    (
        Access {
            rank,
            role,
            effect,
            channel: ChannelId::DEFAULT,
        },
        name,
    )
}
