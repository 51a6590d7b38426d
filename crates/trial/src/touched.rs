//! The memory of its own process that a thread touches: of what is moved past each other, neither may need what the
//! other one leaves there.
//!
//! Limit: what stays in registers, and memory whose accesses are not recorded, is not seen.

use farside_events::{AccessKind, Buffer, Event, EventKind, Rank, TypeId};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// The extents of datatypes, by process.
#[derive(Debug, Default)]
pub(crate) struct Types(HashMap<(Rank, TypeId), u64>);

impl Types {
    /// Takes what an event says of a datatype.
    pub(crate) fn take(&mut self, rank: Rank, event: &Event) {
        if let EventKind::Type { id, map } = &event.kind {
            self.0.insert((rank, *id), map.extent.unsigned_abs());
        }
    }

    /// The bytes of a buffer, those between its elements included; all, if its type is not known.
    pub(crate) fn range(&self, rank: Rank, buffer: &Buffer) -> Range<u64> {
        match self.0.get(&(rank, buffer.datatype)) {
            Some(extent) => {
                let length = extent.saturating_mul(buffer.count);
                buffer.address..buffer.address.saturating_add(length)
            }
            None => 0..u64::MAX,
        }
    }
}

/// Stretches that are touched, and whether they are written; those between the places of a run included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched(Vec<(Range<u64>, bool)>);

impl Touched {
    /// What a process touches in an event.
    pub(crate) fn of(rank: Rank, kind: &EventKind, types: &Types) -> Self {
        let writes = |kind: AccessKind| kind == AccessKind::Store;
        Self(match kind {
            EventKind::Accesses(runs) => runs.iter().map(|run| (run.span(), writes(run.kind))).collect(),
            // Where the places are those of an earlier segment, they may be anywhere.
            EventKind::Scattered(sets) => sets.iter().map(|set| (0..u64::MAX, writes(set.kind))).collect(),
            EventKind::Operation(operation) => {
                let reads = [operation.origin, operation.compare].map(|buffer| (buffer, false));
                let all = reads.into_iter().chain([(operation.result, true)]);
                all.filter_map(|(buffer, writes)| Some((types.range(rank, &buffer?), writes)))
                    .collect()
            }
            EventKind::Exchange(exchange) => {
                let destination = exchange.destination.iter();
                destination
                    .map(|buffer| (types.range(rank, buffer), true))
                    .collect()
            }
            _ => Vec::new(),
        })
    }

    /// That, too.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether one of both writes what the other touches.
    pub(crate) fn needs_order(&self, other: &Self) -> bool {
        let meets = |(a, writes): &(Range<u64>, bool), (b, also): &(Range<u64>, bool)| {
            (*writes || *also) && a.start < b.end && b.start < a.end
        };
        self.0
            .iter()
            .any(|own| other.0.iter().any(|other| meets(own, other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{AccessRun, StackId};

    fn touched(kind: AccessKind, address: u64) -> Touched {
        let run = AccessRun::single(kind, address, 4, 0, StackId::UNKNOWN);
        Touched::of(Rank(0), &EventKind::Accesses(vec![run]), &Types::default())
    }

    #[test]
    fn loads_of_the_same_may_pass_each_other_and_a_store_may_not() {
        let (load, store) = (touched(AccessKind::Load, 8), touched(AccessKind::Store, 8));
        assert!(!load.needs_order(&load));
        assert!(load.needs_order(&store) && store.needs_order(&load) && store.needs_order(&store));
        assert!(!store.needs_order(&touched(AccessKind::Store, 12)));
    }
}
