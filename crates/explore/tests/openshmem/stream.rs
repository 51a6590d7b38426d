//! A schedule as the event stream that `crates/interpose` (its folder `shmem`) would record.

use crate::generate::{Case, Role, call};
use crate::schedule::Step;
use farside_events::*;
use farside_findings::Rule;
use farside_litmus::ast::{Access, StatementKind, VariableId};
use farside_race::{Detector, Ending, Options};
use std::collections::BTreeSet;

const WIN: WinId = WinId(77);
const WORLD: CommId = CommId(1);
const LONG: TypeId = TypeId(1);

/// The line that stands for a statement.
pub(crate) fn line(rank: u32, number: usize) -> u64 {
    1000 * (u64::from(rank) + 1) + number as u64
}

/// The races that the detector finds on a schedule: the lines of both places.
pub(crate) fn races(case: &Case, steps: &[Step]) -> Vec<[u64; 2]> {
    let mut stream = Stream::new(case);
    for step in steps {
        stream.step(step);
    }
    stream.end()
}

struct Stream<'c> {
    case: &'c Case,
    detector: Detector,
    time: u64,
    next: u64,
    /// By PE: the contexts with open operations, and how many barriers it has come to.
    open: Vec<BTreeSet<ChannelId>>,
    barriers: Vec<u64>,
    /// The context of the operation at hand.
    channel: ChannelId,
    /// PEs in the barrier of the moment.
    inside: Vec<u32>,
}

impl<'c> Stream<'c> {
    fn new(case: &'c Case) -> Self {
        let size = case.program.processes.len() as u32;
        let mut stream = Self {
            case,
            detector: Detector::new(Options {
                interface: Interface::Shmem,
                ..Options::default()
            }),
            time: 0,
            next: 0,
            open: vec![BTreeSet::new(); size as usize],
            channel: ChannelId::DEFAULT,
            barriers: vec![0; size as usize],
            inside: Vec::new(),
        };
        for rank in 0..size {
            let init = EventKind::Init {
                rank: Rank(rank),
                size,
                pid: rank,
                library: "OpenSHMEM 1.5".into(),
            };
            stream.event(rank, init);
            let members = (0..size).map(Rank).collect();
            stream.event(rank, EventKind::Comm { id: WORLD, members });
            let map = TypeMap::basic("integer", 8);
            stream.event(rank, EventKind::Type { id: LONG, map });
        }
        for rank in 0..size {
            let window = Window {
                id: WIN,
                interface: Interface::Shmem,
                comm: WORLD,
                flavor: WindowFlavor::Create,
                base: base(rank),
                size: 4096,
                disp_unit: 1,
                accumulates: AccumulateHints::default(),
                shared: Vec::new(),
                stack: StackId(1),
                handle: None,
            };
            stream.event(rank, EventKind::Window(window));
        }
        for rank in 0..size {
            let assertions = Assertions::default();
            stream.call(rank, 2, Call::LockAll { win: WIN, assertions });
        }
        stream
    }

    fn event(&mut self, rank: u32, kind: EventKind) {
        self.time += 10;
        let event = Event {
            time: self.time,
            thread: ThreadId(0),
            kind,
        };
        self.detector.event(Rank(rank), &event);
    }

    fn enter(&mut self, rank: u32, line: u64, call: Call) {
        let stack = StackId(line);
        self.event(rank, EventKind::Enter { call, stack });
    }

    fn leave(&mut self, rank: u32) {
        self.event(rank, EventKind::Leave(Outcome::Done));
    }

    fn call(&mut self, rank: u32, line: u64, call: Call) {
        self.enter(rank, line, call);
        self.leave(rank);
    }

    fn address(&self, variable: VariableId) -> u64 {
        let owner = self.case.program.variables[variable.0 as usize].owner;
        // Values of calls are no symmetric memory.
        let place = match self.case.roles[variable.0 as usize] {
            Role::Data | Role::Flag => base(owner.0),
            Role::Value | Role::Returned => PRIVATE,
        };
        place + offset(variable)
    }

    fn is_value(&self, access: &Access) -> bool {
        self.case.roles[access.variable.0 as usize] == Role::Value
    }

    fn step(&mut self, step: &Step) {
        let rank = step.rank;
        let at = line(rank, step.number);
        let statement = &self.case.program.processes[rank as usize].statements[step.number];
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
                let buffer = self.buffer(into.variable);
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
                let result = (!self.is_value(&into)).then(|| self.buffer(into.variable));
                let operation = self.operation(rank, at, OperationKind::Get, target.variable, true);
                let request = operation.request;
                self.issue(rank, Operation { result, ..operation });
                self.done(rank, request);
            }
            StatementKind::Rga { target, operand, .. } => {
                let add = self.case.program.variables[operand.variable.0 as usize].value;
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
                if self.case.roles[flag.0 as usize] == Role::Flag {
                    let seen = EventKind::Seen {
                        address: self.address(flag),
                        size: 8,
                        value: step.value as u64,
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
            StatementKind::Barrier => self.barrier(rank, at),
            other => panic!("not in these programs: {other:?}"),
        }
    }

    fn access(&mut self, rank: u32, line: u64, kind: AccessKind, variable: VariableId) {
        let mut run = AccessRun::single(kind, self.address(variable), 8, line, StackId::UNKNOWN);
        run.stack = StackId(line);
        self.event(rank, EventKind::Accesses(vec![run]));
    }

    fn buffer(&self, variable: VariableId) -> Buffer {
        Buffer {
            address: self.address(variable),
            datatype: LONG,
            count: 1,
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
            win: WIN,
            target: Some(Rank(self.case.program.variables[target.0 as usize].owner.0)),
            origin: None,
            result: None,
            compare: None,
            displacement: offset(target) as i64,
            target_type: LONG,
            target_count: 1,
            operator: None,
            operand: None,
            expected: None,
            request: returns.then_some(RequestId(self.next)),
            notice: None,
            stack: StackId(line),
        }
    }

    fn issue(&mut self, rank: u32, operation: Operation) {
        self.event(rank, EventKind::Operation(operation));
    }

    fn done(&mut self, rank: u32, request: Option<RequestId>) {
        if let Some(request) = request {
            self.event(rank, EventKind::OperationRequestDone { request });
        }
    }

    /// A put; its request, if its source is free when it returns.
    fn put(&mut self, rank: u32, line: u64, target: &Access, from: &Access, value: i64) -> Option<RequestId> {
        let returns = self.is_value(from);
        let origin = self.buffer(from.variable);
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

    fn barrier(&mut self, rank: u32, line: u64) {
        let count = &mut self.barriers[rank as usize];
        *count += 1;
        let call = Call::Collective {
            comm: WORLD,
            sequence: *count,
            direction: Direction::All,
            name: "shmem_sync_all".into(),
            request: None,
        };
        self.enter(rank, line, call);
        self.inside.push(rank);
        if self.inside.len() == self.barriers.len() {
            for rank in std::mem::take(&mut self.inside) {
                self.leave(rank);
            }
        }
    }

    /// All PEs finalise.
    fn end(mut self) -> Vec<[u64; 2]> {
        let ranks = 0..self.barriers.len() as u32;
        for rank in ranks.clone() {
            self.quiet(rank, 3, None);
            self.call(rank, 3, Call::UnlockAll { win: WIN });
            self.enter(rank, 3, Call::Finalize);
        }
        for rank in ranks {
            self.leave(rank);
        }
        let (findings, _) = self.detector.finish(Ending::Complete);
        let is_race = |rule| {
            matches!(
                rule,
                Rule::LocalRace | Rule::RemoteRace | Rule::AccumulateMismatch | Rule::Polling
            )
        };
        let mut races = Vec::new();
        for finding in findings.iter().filter(|finding| is_race(finding.rule)) {
            let line = |index: usize| finding.parties.get(index).map_or(0, |party| party.site.stack.0);
            let mut lines = [line(0), line(1)];
            lines.sort_unstable();
            races.push(lines);
        }
        races
    }
}

/// Memory that is of no window.
const PRIVATE: u64 = 0x1000;

/// Where the symmetric memory of a PE begins.
fn base(rank: u32) -> u64 {
    0x10_0000 * (u64::from(rank) + 1)
}

fn offset(variable: VariableId) -> u64 {
    8 * u64::from(variable.0)
}
