//! Operations that a process has not completed where it waits for others.
//!
//! No rule of MPI says that an operation reaches its target before a call that completes it (MPI-4.1 §12.7.3). Who
//! waits for what it leaves, and who waits without having completed it, may wait for each other for ever. So a call is
//! not moved where that leaves such an operation open that was complete there.
//!
//! Limit: which word is awaited is not looked at, only whether values are. Operations that bring a value have reached
//! their target when they are complete at their origin.

use farside_events::{
    AccessSource, AccumulateOp, Call, ChannelId, Event, EventKind, Operation, OperationId, OperationKind,
    Rank, RequestId, WinId,
};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// See the module's head.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOpen {
    pending: HashMap<Rank, Vec<Pending>>,
    /// What was open where its process waited.
    waited: BTreeSet<(Rank, OperationId)>,
    /// Somebody looks at a value that others leave.
    values: bool,
}

#[derive(Clone, Debug)]
struct Pending {
    id: OperationId,
    win: WinId,
    target: Rank,
    channel: ChannelId,
    request: Option<RequestId>,
    /// Completion at the origin is enough.
    fetches: bool,
}

impl LeftOpen {
    /// Whether an operation is left open that is not in another run, and values are awaited.
    pub(crate) fn is_more_than(&self, other: &Self) -> bool {
        self.values && !self.waited.is_subset(&other.waited)
    }

    /// Takes the next event of a process.
    pub(crate) fn take(&mut self, rank: Rank, event: &Event) {
        match &event.kind {
            EventKind::Operation(operation) => self.begin(rank, operation),
            EventKind::OperationRequestDone { request } => {
                self.complete(rank, |op| op.fetches && op.request == Some(*request));
            }
            EventKind::Fetched { .. } | EventKind::Seen { .. } => self.look(rank),
            EventKind::Accesses(runs) if runs.iter().any(|run| run.source == AccessSource::Atomic) => {
                self.look(rank);
            }
            EventKind::Enter { call, .. } => self.enter(rank, call),
            _ => {}
        }
    }

    fn begin(&mut self, rank: Rank, operation: &Operation) {
        let writes = operation.kind != OperationKind::Get && operation.operator != Some(AccumulateOp::NoOp);
        if let Some(target) = operation.target.filter(|_| writes) {
            self.pending.entry(rank).or_default().push(Pending {
                id: operation.id,
                win: operation.win,
                target,
                channel: operation.channel,
                request: operation.request,
                fetches: !matches!(operation.kind, OperationKind::Put | OperationKind::Accumulate),
            });
        }
    }

    fn complete(&mut self, rank: Rank, done: impl Fn(&Pending) -> bool) {
        if let Some(pending) = self.pending.get_mut(&rank) {
            pending.retain(|op| !done(op));
        }
    }

    fn enter(&mut self, rank: Rank, call: &Call) {
        match call {
            Call::Flush {
                win,
                target,
                local,
                channel,
            } => self.complete(rank, |op| {
                op.win == *win
                    && (op.fetches || !*local)
                    && target.is_none_or(|target| op.target == target)
                    && channel.is_none_or(|channel| op.channel == channel)
            }),
            Call::Unlock { win, target } => {
                self.complete(rank, |op| op.win == *win && op.target == *target);
            }
            Call::UnlockAll { win } | Call::Complete { win } | Call::WinFree { win } => {
                self.complete(rank, |op| op.win == *win);
            }
            Call::Fence { win, .. } => {
                self.complete(rank, |op| op.win == *win);
                self.wait(rank);
            }
            Call::Send { .. } | Call::Attach { .. } | Call::Sync { .. } => {}
            _ => self.wait(rank),
        }
    }

    fn look(&mut self, rank: Rank) {
        self.values = true;
        self.wait(rank);
    }

    fn wait(&mut self, rank: Rank) {
        let open = self.pending.get(&rank).into_iter().flatten();
        self.waited.extend(open.map(|op| (rank, op.id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{StackId, ThreadId, TypeId};

    const WIN: WinId = WinId(7);

    fn run(calls: &[Option<Call>]) -> LeftOpen {
        let mut open = LeftOpen::default();
        let mut take = |kind| {
            let (time, thread) = (0, ThreadId(0));
            open.take(Rank(0), &Event { time, thread, kind });
        };
        for call in calls {
            take(match call.clone() {
                Some(call) => EventKind::Enter {
                    call,
                    stack: StackId(1),
                },
                None => EventKind::Operation(update()),
            });
        }
        open.look(Rank(1));
        open
    }

    fn update() -> Operation {
        Operation {
            id: OperationId(1),
            kind: OperationKind::Accumulate,
            win: WIN,
            target: Some(Rank(1)),
            origin: None,
            result: None,
            compare: None,
            displacement: 0,
            target_type: TypeId(1),
            target_count: 1,
            operator: Some(AccumulateOp::Replace),
            operand: None,
            expected: None,
            request: None,
            channel: ChannelId::default(),
            notice: None,
            stack: StackId(1),
        }
    }

    #[test]
    fn a_flush_behind_a_barrier_leaves_an_operation_open() {
        let flush = || Call::Flush {
            win: WIN,
            target: Some(Rank(1)),
            local: false,
            channel: None,
        };
        let barrier = || Call::Wait {
            win: WIN,
            test: false,
        };
        let before = run(&[None, Some(flush()), Some(barrier())]);
        let behind = run(&[None, Some(barrier()), Some(flush())]);
        let earlier = run(&[Some(flush()), None, Some(barrier())]);
        assert!(behind.is_more_than(&before) && earlier.is_more_than(&before));
        assert!(!before.is_more_than(&behind) && !behind.is_more_than(&earlier));
    }
}
