//! The records of loads and stores.

use crate::finding::{Name, Site};
use crate::record::{HeldLocks, Moved, Record};
use farside_conflicts::{Access, Effect, Role};
use farside_events::{AccessKind, AccessRun, AccessSource, Rank};
use std::sync::Arc;

/// The record of a run of accesses of a process.
pub(crate) fn local_record(rank: Rank, run: &AccessRun, by: Moved, locks: HeldLocks, mark: u64) -> Record {
    let (effect, instruction) = match run.kind {
        AccessKind::Load => (Effect::Read, Name::Load),
        AccessKind::Store => (Effect::Write, Name::Store),
    };
    let (role, name) = match &run.source {
        AccessSource::Instruction => (Role::Local, instruction),
        AccessSource::Atomic => (Role::LocalAtomic, instruction),
        AccessSource::Library(name) => (Role::Local, Name::Text(Arc::from(&**name))),
    };
    let site = Site {
        rank,
        pc: Some(run.pc),
        stack: run.stack,
    };
    Record::local(
        Access { rank, role, effect },
        name,
        site,
        by,
        locks,
        run.repeats,
        mark,
    )
}
