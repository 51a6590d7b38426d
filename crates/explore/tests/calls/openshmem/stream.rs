//! A schedule as the event stream that `crates/interpose` (its folder `shmem`) would record.

use crate::case::{Case, Role, call};
use crate::schedule::Step;
use crate::stream::{Stream, WIN, buffer, line, lines};
use farside_events::*;
use farside_litmus::ast::{Access, StatementKind, VariableId};
use farside_race::{Options, RawFinding};
use farside_trial::Recording;
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

/// The races that the detector finds on a schedule: the lines of both places.
pub(crate) fn races(case: &Case, steps: &[Step]) -> Vec<[u64; 2]> {
    lines(&found(case, steps))
}

/// What the detector finds on a schedule.
pub(crate) fn found(case: &Case, steps: &[Step]) -> Vec<RawFinding> {
    let mut calls = Calls::new(case);
    for step in steps {
        calls.step(step);
    }
    calls.end()
}

/// The events of a schedule.
pub(crate) fn recording(case: &Case, steps: &[Step]) -> Recording {
    let mut calls = Calls::new(case);
    for step in steps {
        calls.step(step);
    }
    calls.finalise();
    calls.stream.into_recording()
}

/// A stream, and what the library knows.
struct Calls<'c> {
    stream: Stream<'c>,
    next: u64,
    /// By PE: the contexts with open operations.
    open: Vec<BTreeSet<ChannelId>>,
    /// The context of the operation at hand.
    channel: ChannelId,
}

impl<'c> Deref for Calls<'c> {
    type Target = Stream<'c>;

    fn deref(&self) -> &Stream<'c> {
        &self.stream
    }
}

impl<'c> DerefMut for Calls<'c> {
    fn deref_mut(&mut self) -> &mut Stream<'c> {
        &mut self.stream
    }
}

impl<'c> Calls<'c> {
    fn new(case: &'c Case) -> Self {
        let mut stream = Stream::new(case, "OpenSHMEM 1.5", Interface::Shmem, Options::default());
        for rank in 0..stream.size() {
            let assertions = Assertions::default();
            stream.call(rank, 2, Call::LockAll { win: WIN, assertions });
        }
        Self {
            open: vec![BTreeSet::new(); stream.size() as usize],
            stream,
            next: 0,
            channel: ChannelId::DEFAULT,
        }
    }

    fn is_value(&self, access: &Access) -> bool {
        self.case().roles[access.variable.0 as usize] == Role::Value
    }

    fn step(&mut self, step: &Step) {
        let rank = step.rank;
        let at = line(rank, step.number);
        let statement = &self.case().program.processes[rank as usize].statements[step.number];
        let (queue, kind) = call(&statement.kind);
        let kind = kind.clone();
        self.channel = ChannelId(queue.0);
        match kind {
            StatementKind::Load { from, .. } => self.access(rank, at, AccessKind::Load, from.variable),
            StatementKind::Store { into, .. } => self.access(rank, at, AccessKind::Store, into.variable),
            StatementKind::Put { target, from } => {
                let request = self.put(rank, at, &target, &from, step.value);
                self.done(rank, request);
            }
            StatementKind::PutNotify {
                target,
                from,
                notification,
            } => {
                let request = self.put(rank, at, &target, &from, step.value);
                let channel = self.channel;
                self.event(
                    rank,
                    EventKind::Ordered {
                        channel,
                        latest: true,
                    },
                );
                let set = self.set(rank, at, notification.flag, notification.value);
                self.done(rank, request);
                self.done(rank, set);
            }
            StatementKind::Notify(notification) => {
                let request = self.set(rank, at, notification.flag, notification.value);
                self.done(rank, request);
            }
            StatementKind::Get { into, target } => {
                let buffer = buffer(self.address(into.variable));
                let operation = self.operation(rank, at, OperationKind::Get, target.variable, false);
                self.issue(
                    rank,
                    Operation {
                        result: Some(buffer),
                        ..operation
                    },
                );
            }
            StatementKind::GetNotify { into, target, .. } => {
                let result = (!self.is_value(&into)).then(|| buffer(self.address(into.variable)));
                let operation = self.operation(rank, at, OperationKind::Get, target.variable, true);
                let request = operation.request;
                self.issue(rank, Operation { result, ..operation });
                self.done(rank, request);
            }
            StatementKind::Rga { target, operand, .. } => {
                let add = self.case().program.variables[operand.variable.0 as usize].value;
                let operation = self.operation(rank, at, OperationKind::FetchAndOp, target.variable, true);
                let (id, request) = (operation.id, operation.request);
                let operation = Operation {
                    operator: Some(AccumulateOp::Sum),
                    operand: Some(add as u64),
                    ..operation
                };
                self.issue(rank, operation);
                let value = step.value as u64;
                self.event(rank, EventKind::Fetched { operation: id, value });
                self.done(rank, request);
            }
            StatementKind::Await(flag) => {
                if self.case().roles[flag.0 as usize] == Role::Flag {
                    let seen = EventKind::Seen {
                        address: self.address(flag),
                        size: 8,
                        value: step.value as u64,
                        until: None,
                    };
                    self.event(rank, seen);
                }
            }
            StatementKind::WaitQueue(queue) => self.quiet(rank, at, Some(ChannelId(queue.0))),
            StatementKind::Cas { .. } => {
                let channel = self.channel;
                if self.open[rank as usize].contains(&channel) {
                    self.event(
                        rank,
                        EventKind::Ordered {
                            channel,
                            latest: false,
                        },
                    );
                }
            }
            StatementKind::Barrier => self.barrier(rank, at, "shmem_sync_all"),
            other => panic!("not in these programs: {other:?}"),
        }
    }

    /// An operation on a word, without buffers here; `returns`: it is complete when its call returns.
    fn operation(
        &mut self,
        rank: u32,
        line: u64,
        kind: OperationKind,
        target: VariableId,
        returns: bool,
    ) -> Operation {
        self.next += 1;
        self.open[rank as usize].insert(self.channel);
        Operation {
            id: OperationId(self.next),
            kind,
            channel: self.channel,
            request: returns.then_some(RequestId(self.next)),
            stack: StackId(line),
            ..self.stream.operation(target)
        }
    }

    /// A put; its request, if its source is free when it returns.
    fn put(&mut self, rank: u32, line: u64, target: &Access, from: &Access, value: i64) -> Option<RequestId> {
        let returns = self.is_value(from);
        let origin = buffer(self.address(from.variable));
        let operation = self.operation(rank, line, OperationKind::Put, target.variable, returns);
        let request = operation.request;
        let operation = Operation {
            origin: Some(origin),
            operand: Some(value as u64),
            ..operation
        };
        self.issue(rank, operation);
        request
    }

    /// An atomic set of a flag, or the update of a signal.
    fn set(&mut self, rank: u32, line: u64, flag: VariableId, value: i64) -> Option<RequestId> {
        let operation = self.operation(rank, line, OperationKind::Accumulate, flag, true);
        let request = operation.request;
        let operation = Operation {
            operator: Some(AccumulateOp::Replace),
            operand: Some(value as u64),
            ..operation
        };
        self.issue(rank, operation);
        request
    }

    /// Of a context, or of all.
    fn quiet(&mut self, rank: u32, line: u64, channel: Option<ChannelId>) {
        let open = &mut self.open[rank as usize];
        let any = match channel {
            Some(channel) => open.remove(&channel),
            None => !std::mem::take(open).is_empty(),
        };
        if any {
            let flush = Call::Flush {
                win: WIN,
                target: None,
                channel,
                local: false,
            };
            self.call(rank, line, flush);
        }
    }

    /// All PEs finalise.
    fn end(mut self) -> Vec<RawFinding> {
        self.finalise();
        self.stream.end()
    }

    fn finalise(&mut self) {
        let ranks = 0..self.size();
        for rank in ranks.clone() {
            self.quiet(rank, 3, None);
            self.call(rank, 3, Call::UnlockAll { win: WIN });
            self.enter(rank, 3, Call::Finalize);
        }
        for rank in ranks {
            self.leave(rank);
        }
    }
}
