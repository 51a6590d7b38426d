//! What kind of race two accesses are, and which order between them is missing.

use crate::finding::{Incomplete, Missing};
use crate::record::Record;
use farside_clocks::VectorClock;
use farside_conflicts::{Conflict, Role};
use farside_findings::Rule;

/// A load is a polling loop from this many returns to the same place on.
const POLLING_VISITS: u64 = 2;

/// The rule that two conflicting accesses break which nothing orders.
pub(super) fn rule_of(old: &Record, new: &Record, kind: Conflict) -> Rule {
    let polls = |load: &Record, update: &Record| {
        load.role() == Role::Local
            && !load.writes()
            && load.visits() >= POLLING_VISITS
            && update.rank() != load.rank()
            && (update.role() == Role::Target || kind == Conflict::SharedMemory)
    };
    match kind {
        _ if polls(old, new) || polls(new, old) => Rule::Polling,
        Conflict::AtOrigin => Rule::LocalRace,
        Conflict::AtTarget => Rule::RemoteRace,
        Conflict::Accumulates => Rule::AccumulateMismatch,
        Conflict::SharedMemory => Rule::SharedMemoryRace,
    }
}

/// What is missing between two accesses, of which the second knows `clock`.
pub(super) fn missing(old: &Record, clock: &VectorClock) -> Missing {
    Missing {
        happens_before: !old.is_issued_before(clock),
        completion: incomplete(old),
    }
}

/// What is missing between two accesses, of which the second knows nothing of the first.
pub(super) fn everything_missing(old: &Record) -> Missing {
    Missing {
        happens_before: true,
        completion: incomplete(old),
    }
}

fn incomplete(old: &Record) -> Option<Incomplete> {
    let op = old.operation()?;
    Some(match old.role() {
        Role::Target if op.remote().is_some() => Incomplete::UnknownAtTarget,
        Role::Target => Incomplete::OpenAtTarget,
        _ if op.local().is_some() => Incomplete::UnknownAtOrigin,
        _ => Incomplete::OpenAtOrigin,
    })
}
