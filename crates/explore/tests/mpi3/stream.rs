//! A schedule as the event stream that `crates/interpose` would record.

use farside_events::*;
use farside_explore::mpi3::schedules::{End, Observed, Schedule};
use farside_findings::Rule;
use farside_litmus::ast::{self, Program, StatementKind, VariableId};
use farside_models::mpi3::action::Half;
use farside_race::{Detector, Ending, Options, RawFinding};
use std::collections::BTreeMap;

const WIN: WinId = WinId(77);
const WORLD: CommId = CommId(1);
const INT: TypeId = TypeId(1);

/// What the detector says of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Races: the lines of both places.
    pub races: Vec<[u64; 2]>,
    /// Misuse, by rule.
    pub misuse: Vec<String>,
}

/// The line that stands for a statement in a stream.
pub fn line(rank: ast::Rank, number: usize) -> u64 {
    1000 * (u64::from(rank.0) + 1) + number as u64
}

/// Runs the detector over a schedule.
pub fn detect(program: &Program, schedule: &Schedule<'_>) -> Said {
    said(&raw(program, schedule))
}

/// What the detector finds in a schedule.
pub fn raw(program: &Program, schedule: &Schedule<'_>) -> Vec<RawFinding> {
    let mut stream = Stream::new(program);
    for (index, observed) in schedule.seen.iter().enumerate() {
        stream.observe(observed, schedule.seen.get(index + 1));
    }
    stream.end(schedule)
}

struct Stream<'p> {
    program: &'p Program,
    detector: Detector,
    time: u64,
    next: u64,
    collectives: BTreeMap<u32, u64>,
    /// Processes in a call, left before their next event.
    inside: BTreeMap<u32, Outcome>,
    calls: BTreeMap<usize, OperationId>,
    /// The last call that each process entered and has not left.
    entered: BTreeMap<u32, u64>,
}

impl<'p> Stream<'p> {
    fn new(program: &'p Program) -> Self {
        let size = program.processes.len() as u32;
        let mut stream = Self {
            program,
            detector: Detector::new(Options::default()),
            time: 0,
            next: 0,
            collectives: BTreeMap::new(),
            inside: BTreeMap::new(),
            calls: BTreeMap::new(),
            entered: BTreeMap::new(),
        };
        for rank in 0..size {
            let library = "test".into();
            let (pid, rank_id) = (rank, Rank(rank));
            stream.event(
                rank,
                EventKind::Init {
                    rank: rank_id,
                    size,
                    pid,
                    library,
                },
            );
            let members = (0..size).map(Rank).collect();
            stream.event(rank, EventKind::Comm { id: WORLD, members });
            let map = TypeMap::basic("MPI_INT", 4);
            stream.event(rank, EventKind::Type { id: INT, map });
        }
        for rank in 0..size {
            let window = Window {
                id: WIN,
                interface: Interface::Mpi,
                comm: WORLD,
                flavor: WindowFlavor::Allocate,
                base: base(rank),
                size: 4096,
                disp_unit: 1,
                // The model's window does not restrict the operators that meet.
                accumulates: AccumulateHints {
                    ops: Some(AccumulateOps::Any),
                    ..AccumulateHints::default()
                },
                shared: Vec::new(),
                stack: StackId(1),
                handle: None,
            };
            stream.event(rank, EventKind::Window(window));
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

    fn leave(&mut self, rank: u32, outcome: Outcome) {
        self.event(rank, EventKind::Leave(outcome));
    }

    fn address(&self, variable: VariableId) -> u64 {
        let owner = self.program.variables[variable.0 as usize].owner;
        base(owner.0) + self.offset(variable)
    }

    fn offset(&self, variable: VariableId) -> u64 {
        4 * u64::from(variable.0)
    }

    fn observe(&mut self, observed: &Observed<'_>, next: Option<&Observed<'_>>) {
        match *observed {
            Observed::Fetched { call, rank, value } => {
                if let Some(&operation) = self.calls.get(&call) {
                    let value = value as u64;
                    self.event(rank.0, EventKind::Fetched { operation, value });
                }
            }
            Observed::Issued { .. } => {}
            Observed::Statement {
                rank,
                number,
                kind,
                half,
            } => {
                match half {
                    Half::Start => {
                        self.entered.insert(rank.0, line(rank, number));
                    }
                    _ => {
                        self.entered.remove(&rank.0);
                    }
                }
                self.statement(rank.0, line(rank, number), kind, half, next);
            }
        }
        let brings_result = matches!(next, Some(Observed::Fetched { .. }));
        if !brings_result {
            for (rank, outcome) in std::mem::take(&mut self.inside) {
                self.leave(rank, outcome);
            }
        }
    }

    fn statement(
        &mut self,
        rank: u32,
        line: u64,
        kind: &StatementKind,
        half: Half,
        next: Option<&Observed<'_>>,
    ) {
        match kind {
            StatementKind::Load { from, .. } => self.access(rank, line, AccessKind::Load, from.variable),
            StatementKind::Store { into, .. } => self.access(rank, line, AccessKind::Store, into.variable),
            _ if half == Half::End => {
                self.inside.insert(rank, Outcome::Done);
            }
            _ => match self.call(rank, kind) {
                Some(call) => {
                    let outcome = match &call {
                        Call::Receive { source, tag, .. } => Outcome::Received {
                            source: *source,
                            tag: tag.unwrap_or(0),
                        },
                        _ => Outcome::Done,
                    };
                    self.enter(rank, line, call);
                    if half == Half::Whole {
                        self.inside.insert(rank, outcome);
                    }
                }
                None => self.operation(rank, line, kind, next),
            },
        }
    }

    fn access(&mut self, rank: u32, line: u64, kind: AccessKind, variable: VariableId) {
        let mut run = AccessRun::single(kind, self.address(variable), 4, line, StackId::UNKNOWN);
        run.stack = StackId(line);
        self.event(rank, EventKind::Accesses(vec![run]));
    }

    fn operation(&mut self, rank: u32, line: u64, kind: &StatementKind, next: Option<&Observed<'_>>) {
        self.next += 1;
        let id = OperationId(self.next);
        let mut operand = None;
        if let Some(Observed::Issued { call, operand: value }) = next {
            self.calls.insert(*call, id);
            operand = value.map(|value| value as u64);
        }
        let buffer = |access: &ast::Access| {
            Some(Buffer {
                address: self.address(access.variable),
                datatype: INT,
                count: 1,
            })
        };
        let (kind, target, origin, result, compare, operator) = match kind {
            StatementKind::Put { target, from } => {
                (OperationKind::Put, target, buffer(from), None, None, None)
            }
            StatementKind::Get { into, target } => {
                (OperationKind::Get, target, None, buffer(into), None, None)
            }
            StatementKind::Accumulate {
                target,
                operand,
                operation,
            } => (
                OperationKind::Accumulate,
                target,
                buffer(operand),
                None,
                None,
                Some(operator(*operation)),
            ),
            StatementKind::GetAccumulate {
                into,
                target,
                operand,
                operation,
            } => (
                OperationKind::GetAccumulate,
                target,
                buffer(operand).filter(|_| *operation != ast::Operation::NoOp),
                buffer(into),
                None,
                Some(operator(*operation)),
            ),
            StatementKind::CompareAndSwap {
                into,
                target,
                compare,
                swap,
            } => (
                OperationKind::CompareAndSwap,
                target,
                buffer(swap),
                buffer(into),
                buffer(compare),
                None,
            ),
            other => panic!("not in these programs: {other:?}"),
        };
        let operation = Operation {
            id,
            kind,
            win: WIN,
            target: Some(Rank(self.program.variables[target.variable.0 as usize].owner.0)),
            origin,
            result,
            compare,
            displacement: self.offset(target.variable) as i64,
            target_type: INT,
            target_count: 1,
            operator,
            operand: operand.filter(|_| operator != Some(AccumulateOp::NoOp)),
            expected: None,
            channel: ChannelId::DEFAULT,
            notice: None,
            request: None,
            stack: StackId(line),
        };
        self.event(rank, EventKind::Operation(operation));
    }

    fn call(&mut self, rank: u32, kind: &StatementKind) -> Option<Call> {
        let (win, assertions) = (WIN, Assertions::default());
        let rank_of = |rank: &ast::Rank| Rank(rank.0);
        let group = |group: &[ast::Rank]| group.iter().map(rank_of).collect();
        let flush = |target: Option<&ast::Rank>, local| Call::Flush {
            win,
            target: target.map(rank_of),
            local,
            channel: None,
        };
        let lock = |target: &ast::Rank, kind| Call::Lock {
            win,
            target: rank_of(target),
            kind,
            assertions,
        };
        Some(match kind {
            StatementKind::Flush(target) => flush(Some(target), false),
            StatementKind::FlushLocal(target) => flush(Some(target), true),
            StatementKind::FlushAll => flush(None, false),
            StatementKind::FlushLocalAll => flush(None, true),
            StatementKind::Fence(given) => Call::Fence {
                win,
                assertions: Assertions {
                    nocheck: false,
                    nostore: given.contains(&ast::Assertion::NoStore),
                    noput: given.contains(&ast::Assertion::NoPut),
                    noprecede: given.contains(&ast::Assertion::NoPrecede),
                    nosucceed: given.contains(&ast::Assertion::NoSucceed),
                },
            },
            StatementKind::LockShared(target) => lock(target, LockKind::Shared),
            StatementKind::LockExclusive(target) => lock(target, LockKind::Exclusive),
            StatementKind::Unlock(target) => Call::Unlock {
                win,
                target: rank_of(target),
            },
            StatementKind::LockAll => Call::LockAll { win, assertions },
            StatementKind::UnlockAll => Call::UnlockAll { win },
            StatementKind::Post(ranks) => Call::Post {
                win,
                group: group(ranks),
                assertions,
            },
            StatementKind::Start(ranks) => Call::Start {
                win,
                group: group(ranks),
                assertions,
            },
            StatementKind::Complete => Call::Complete { win },
            StatementKind::Wait => Call::Wait { win, test: false },
            StatementKind::Sync => Call::Sync { win },
            StatementKind::Barrier => {
                let sequence = self.collectives.entry(rank).or_default();
                *sequence += 1;
                Call::Collective {
                    comm: WORLD,
                    sequence: *sequence,
                    direction: Direction::All,
                    name: "MPI_Barrier".into(),
                    request: None,
                }
            }
            StatementKind::Send(to) => Call::Send {
                comm: WORLD,
                dest: Some(rank_of(to)),
                tag: 0,
                mode: SendMode::Standard,
                request: None,
                name: "MPI_Send".into(),
            },
            StatementKind::Receive(from) => {
                self.next += 1;
                Call::Receive {
                    post: PostId(self.next),
                    comm: WORLD,
                    source: Some(rank_of(from)),
                    tag: Some(0),
                    request: None,
                    name: "MPI_Recv".into(),
                }
            }
            _ => return None,
        })
    }

    /// Processes that are done call `MPI_Finalize`; those that wait have entered their call.
    fn end(mut self, schedule: &Schedule<'_>) -> Vec<RawFinding> {
        let mut ending = Ending::Complete;
        for (rank, end) in (0u32..).zip(&schedule.ends) {
            match end {
                End::Complete => self.enter(rank, 999, Call::Finalize),
                // What follows in the beginning of an execution is not told.
                End::Stopped | End::Cut => ending = Ending::Broken,
                End::Waits(number) => {
                    if ending == Ending::Complete {
                        ending = Ending::Hanging;
                    }
                    let rank_id = ast::Rank(rank);
                    let kind = statement(self.program, rank_id, *number);
                    let entered = self.entered.get(&rank) == Some(&line(rank_id, *number));
                    let call = kind.filter(|_| !entered).and_then(|kind| self.call(rank, kind));
                    if let Some(call) = call {
                        self.enter(rank, line(rank_id, *number), call);
                    }
                }
            }
        }
        if ending == Ending::Complete {
            for rank in 0..schedule.ends.len() as u32 {
                self.leave(rank, Outcome::Done);
            }
        }
        self.detector.finish(ending).0
    }
}

fn said(findings: &[RawFinding]) -> Said {
    let is_race = |rule| {
        matches!(
            rule,
            Rule::LocalRace | Rule::RemoteRace | Rule::AccumulateMismatch | Rule::Polling
        )
    };
    let lines = |finding: &RawFinding| {
        let line = |index: usize| finding.parties.get(index).map_or(0, |party| party.site.stack.0);
        let mut lines = [line(0), line(1)];
        lines.sort_unstable();
        lines
    };
    Said {
        races: findings.iter().filter(|f| is_race(f.rule)).map(lines).collect(),
        misuse: findings
            .iter()
            .filter(|f| !is_race(f.rule))
            .map(|f| f.rule.id().to_owned())
            .collect(),
    }
}

/// The statement with this number, counted as the engines do: as written, loops and branches left out.
fn statement(program: &Program, rank: ast::Rank, number: usize) -> Option<&StatementKind> {
    fn flatten<'p>(block: &'p [ast::Statement], all: &mut Vec<&'p StatementKind>) {
        for statement in block {
            match &statement.kind {
                StatementKind::While { body, .. } => flatten(body, all),
                StatementKind::If { then, otherwise, .. } => {
                    flatten(then, all);
                    flatten(otherwise, all);
                }
                kind => all.push(kind),
            }
        }
    }
    let mut all = Vec::new();
    flatten(&program.processes[rank.0 as usize].statements, &mut all);
    all.get(number).copied()
}

fn operator(operation: ast::Operation) -> AccumulateOp {
    match operation {
        ast::Operation::Sum => AccumulateOp::Sum,
        ast::Operation::Product => AccumulateOp::Prod,
        ast::Operation::Minimum => AccumulateOp::Min,
        ast::Operation::Maximum => AccumulateOp::Max,
        ast::Operation::And => AccumulateOp::Band,
        ast::Operation::Or => AccumulateOp::Bor,
        ast::Operation::Xor => AccumulateOp::Bxor,
        ast::Operation::Replace => AccumulateOp::Replace,
        ast::Operation::NoOp => AccumulateOp::NoOp,
    }
}

fn base(rank: u32) -> u64 {
    0x10_0000 * (u64::from(rank) + 1)
}
