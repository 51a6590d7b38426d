//! Fetches of which the stream does not tell what they have seen.

use farside_explore::mpi3::schedules::{Observed, Schedule};
use farside_litmus::ast::{Operation, Rank, StatementKind, VariableId};
use std::collections::HashMap;

/// A fetch of a location, or an update of it.
fn atomic(kind: &StatementKind) -> Option<(VariableId, Option<Operation>, bool)> {
    match kind {
        StatementKind::Accumulate {
            target, operation, ..
        } => Some((target.variable, Some(*operation), false)),
        StatementKind::GetAccumulate {
            target, operation, ..
        }
        | StatementKind::FetchAndOp {
            target, operation, ..
        } => Some((target.variable, Some(*operation), true)),
        StatementKind::CompareAndSwap { target, .. } => Some((target.variable, None, true)),
        _ => None,
    }
}

/// Whether a fetch brings a value from a location that another process has updated, otherwise than by replacing, and of
/// which no value from before the update is known. The detector takes such an update for seen (`atomics`, deviation 2),
/// and need not show a race of just this schedule.
pub(crate) fn may_have_been_seen(schedule: &Schedule<'_>) -> bool {
    let mut updates: Vec<(usize, Rank, VariableId)> = Vec::new();
    let mut fetches: HashMap<usize, (usize, VariableId)> = HashMap::new();
    let mut known: Vec<(usize, VariableId)> = Vec::new();
    for (index, observed) in schedule.seen.iter().enumerate() {
        match *observed {
            Observed::Statement { rank, kind, .. } => {
                let Some((location, operation, is_fetch)) = atomic(kind) else {
                    continue;
                };
                if !matches!(operation, Some(Operation::NoOp | Operation::Replace)) {
                    updates.push((index, rank, location));
                }
                if let (true, Some(Observed::Issued { call, .. })) = (is_fetch, schedule.seen.get(index + 1))
                {
                    fetches.insert(*call, (index, location));
                }
            }
            Observed::Fetched { call, rank, .. } => {
                let Some(&(issued, location)) = fetches.get(&call) else {
                    continue;
                };
                let open = |&(update, by, there): &(usize, Rank, VariableId)| {
                    let before = |&(fetch, place): &(usize, VariableId)| place == location && fetch < update;
                    by != rank && there == location && !known.iter().any(before)
                };
                if updates.iter().any(open) {
                    return true;
                }
                known.push((issued, location));
            }
            Observed::Issued { .. } => {}
        }
    }
    false
}
