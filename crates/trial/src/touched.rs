//! The memory of its own process that a thread touches: of what is moved past each other, neither may need what the
//! other one leaves there. Who frees memory leaves nothing there, and before its window is made, or it is attached, it
//! need not be there: it is as if it were written.
//!
//! Limit: what stays in registers, and memory whose accesses are not recorded, is not seen.

use farside_events::{AccessKind, Buffer, Call, Event, EventKind, Rank, TypeId, WinId, WindowFlavor};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// The extents of datatypes, and the memory that comes and goes with windows, by process.
#[derive(Debug, Default)]
pub(crate) struct Types {
    extents: HashMap<(Rank, TypeId), u64>,
    allocated: HashMap<(Rank, WinId), Range<u64>>,
}

impl Types {
    /// Takes what an event says of a datatype, or of memory that a window brings.
    pub(crate) fn take(&mut self, rank: Rank, event: &Event) {
        match &event.kind {
            EventKind::Type { id, map } => {
                self.extents.insert((rank, *id), map.extent.unsigned_abs());
            }
            EventKind::Window(window)
                if matches!(window.flavor, WindowFlavor::Allocate | WindowFlavor::Shared) =>
            {
                let end = window.base.saturating_add(window.size);
                self.allocated.insert((rank, window.id), window.base..end);
            }
            _ => {}
        }
    }

    /// What a call frees (MPI-4.1 §12.2.5).
    fn freed(&self, rank: Rank, call: &Call) -> Option<Range<u64>> {
        match call {
            Call::WinFree { win } | Call::WinWithdraw { win } => self.allocated.get(&(rank, *win)).cloned(),
            _ => None,
        }
    }

    /// The bytes of a buffer, those between its elements included; all, if its type is not known.
    pub(crate) fn range(&self, rank: Rank, buffer: &Buffer) -> Range<u64> {
        match self.extents.get(&(rank, buffer.datatype)) {
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
            EventKind::Enter { call, .. } => {
                let attached = match call {
                    Call::Attach { address, size, .. } => Some(*address..address.saturating_add(*size)),
                    _ => None,
                };
                let made = types.freed(rank, call).or(attached);
                made.map(|range| (range, true)).into_iter().collect()
            }
            EventKind::Window(window) => {
                let parts = window.shared.iter().map(|part| (part.base, part.size));
                let parts = parts.chain([(window.base, window.size)]);
                parts
                    .map(|(base, size)| (base..base.saturating_add(size), true))
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
    use farside_events::{AccessRun, AccumulateHints, CommId, Interface, SharedSegment, StackId, Window};

    fn touched(kind: AccessKind, address: u64) -> Touched {
        let run = AccessRun::single(kind, address, 4, 0, StackId::UNKNOWN);
        Touched::of(Rank(0), &EventKind::Accesses(vec![run]), &Types::default())
    }

    #[test]
    fn what_is_freed_is_not_touched_later() {
        let mut types = Types::default();
        let event = |kind| Event {
            time: 1,
            thread: farside_events::ThreadId(0),
            kind,
        };
        for (win, flavor) in [(1, WindowFlavor::Allocate), (2, WindowFlavor::Create)] {
            let window = Window {
                interface: Interface::Mpi,
                id: WinId(win),
                comm: CommId(1),
                flavor,
                base: 8,
                size: 16,
                disp_unit: 1,
                accumulates: AccumulateHints::default(),
                shared: Vec::new(),
                stack: StackId::UNKNOWN,
                handle: None,
            };
            types.take(Rank(0), &event(EventKind::Window(window)));
        }
        let free = |rank: u32, win: u64| {
            let (call, stack) = (Call::WinFree { win: WinId(win) }, StackId::UNKNOWN);
            Touched::of(Rank(rank), &EventKind::Enter { call, stack }, &types)
        };
        let load = touched(AccessKind::Load, 12);
        assert!(load.needs_order(&free(0, 1)));
        // Memory of the program's own outlives the window; that of another process is another one.
        assert!(!load.needs_order(&free(0, 2)) && !load.needs_order(&free(1, 1)));
        assert!(!touched(AccessKind::Load, 24).needs_order(&free(0, 1)));
    }

    #[test]
    fn what_a_window_brings_is_not_touched_earlier() {
        let shared = vec![SharedSegment {
            owner: Rank(1),
            base: 100,
            size: 8,
        }];
        let window = Window {
            interface: Interface::Mpi,
            id: WinId(1),
            comm: CommId(1),
            flavor: WindowFlavor::Shared,
            base: 8,
            size: 16,
            disp_unit: 1,
            accumulates: AccumulateHints::default(),
            shared,
            stack: StackId::UNKNOWN,
            handle: None,
        };
        let made = Touched::of(Rank(0), &EventKind::Window(window), &Types::default());
        let (win, address, size, stack) = (WinId(2), 200, 4, StackId::UNKNOWN);
        let call = Call::Attach { win, address, size };
        let attached = Touched::of(Rank(0), &EventKind::Enter { call, stack }, &Types::default());
        let needs = |made: &Touched, address| touched(AccessKind::Load, address).needs_order(made);
        assert!(needs(&made, 8) && needs(&made, 104) && !needs(&made, 24) && !needs(&made, 200));
        assert!(needs(&attached, 200) && !needs(&attached, 204));
    }

    #[test]
    fn loads_of_the_same_may_pass_each_other_and_a_store_may_not() {
        let (load, store) = (touched(AccessKind::Load, 8), touched(AccessKind::Store, 8));
        assert!(!load.needs_order(&load));
        assert!(load.needs_order(&store) && store.needs_order(&load) && store.needs_order(&store));
        assert!(!store.needs_order(&touched(AccessKind::Store, 12)));
    }
}
