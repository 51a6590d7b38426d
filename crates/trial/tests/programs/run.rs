//! Runs of programs: their events by a random schedule, and what the engine finds.

use crate::program::{Line, Program, Statement};
use crate::state::{State, Step};
use farside_events::{
    AccessKind, AccessRun, AccumulateHints, AccumulateOp, Assertions, Buffer, Call, ChannelId, CommId,
    Direction, Event, EventKind, Flag, Interface, LockKind, Notice, Operation, OperationId, OperationKind,
    Outcome, PostId, Rank, RequestId, SendMode, StackId, ThreadId, TypeId, TypeMap, WinId, Window,
    WindowFlavor,
};
use farside_findings::{Frame, Place};
use farside_race::{Detector, Ending, Options, Places, RawFinding, Site, WindowLabel};
use farside_trial::Recording;

const WORLD: CommId = CommId(1);
const WIN: WinId = WinId(7);
/// A window whose epochs are a lock.
const OF_LOCKS: WinId = WinId(8);
const INT: TypeId = TypeId(1);
/// What words are set to.
const VALUE: u64 = 1;
/// The line of the end.
const END: u64 = 1 << 20;

/// A run that came to its end.
pub(crate) struct Ran {
    pub(crate) recording: Recording,
    pub(crate) findings: Vec<RawFinding>,
    pub(crate) interface: Interface,
}

/// Stacks are lines of one function; what comes before the program and after it stands in others.
pub(crate) struct Lines;

impl Places for Lines {
    /// All stacks begin in `main`, which calls one function after the other; the program's own lines are in the second.
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let line = site.stack.0 as u32;
        let frame = |function: &str, line: u32| Frame {
            function: Some(function.into()),
            module: Some("program".into()),
            place: Some(Place {
                file: "program.c".into(),
                line,
                column: None,
            }),
            ..Frame::default()
        };
        match site.stack.0 {
            0..100 => vec![frame("begin", line), frame("main", 1)],
            END.. => vec![frame("end", line), frame("main", 3)],
            _ => vec![frame("exchange", line), frame("main", 2)],
        }
    }

    fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
        None
    }

    fn window(&mut self, _: WinId) -> Option<WindowLabel> {
        None
    }
}

struct Run<'p> {
    program: &'p Program,
    recording: Recording,
    detector: Detector,
    time: u64,
    next: u64,
    state: State,
}

/// Runs a program; `None` if it does not end.
pub(crate) fn run(program: &Program, seed: u64) -> Option<Ran> {
    let mut run = Run {
        program,
        recording: Recording::default(),
        detector: Detector::new(Options::default()),
        time: 0,
        next: 1,
        state: State::new(program),
    };
    run.begin();
    let mut random = seed;
    loop {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let first = (random >> 33) as u32 % program.ranks;
        let ranks = (0..program.ranks).map(|rank| (first + rank) % program.ranks);
        let Some(rank) = ranks.into_iter().find(|rank| run.state.can_go_on(program, *rank)) else {
            break;
        };
        run.step(rank);
    }
    let done = run.state.is_over(program);
    let findings = run.detector.finish(Ending::Complete).0;
    done.then_some(Ran {
        recording: run.recording,
        findings,
        interface: program.interface,
    })
}

impl Run<'_> {
    fn begin(&mut self) {
        for rank in 0..self.program.ranks {
            let size = self.program.ranks;
            let library = "MPI".into();
            self.tell(
                rank,
                EventKind::Init {
                    rank: Rank(rank),
                    size,
                    pid: 1,
                    library,
                },
            );
            let members = (0..size).map(Rank).collect();
            self.tell(rank, EventKind::Comm { id: WORLD, members });
            self.tell(
                rank,
                EventKind::Type {
                    id: INT,
                    map: TypeMap::basic("MPI_INT", 4),
                },
            );
        }
        for rank in 0..self.program.ranks {
            self.enter(rank, 1, barrier(1 << 40));
        }
        for rank in 0..self.program.ranks {
            let window = window(rank, self.program.interface);
            let of_locks = Window {
                id: OF_LOCKS,
                base: window.base + 0x4_0000,
                ..window.clone()
            };
            self.tell(rank, EventKind::Window(of_locks));
            self.tell(rank, EventKind::Window(window));
            self.tell(rank, EventKind::Leave(Outcome::Done));
            if !self.has_epochs() {
                continue;
            }
            let assertions = Assertions::default();
            self.enter(rank, 2, Call::LockAll { win: WIN, assertions });
            self.tell(rank, EventKind::Leave(Outcome::Done));
        }
    }

    fn has_epochs(&self) -> bool {
        self.program.interface != Interface::Gaspi
    }

    fn step(&mut self, rank: u32) {
        let Step { left, made, ends } = self.state.step(self.program, rank);
        if left {
            self.tell(rank, EventKind::Leave(Outcome::Done));
        }
        if let Some(line) = made {
            self.perform(rank, &line);
        }
        if ends {
            if self.has_epochs() {
                self.enter(rank, END, Call::UnlockAll { win: WIN });
                self.tell(rank, EventKind::Leave(Outcome::Done));
            }
            self.enter(rank, END + 1, Call::Finalize);
            self.tell(rank, EventKind::Leave(Outcome::Done));
        }
    }

    fn perform(&mut self, rank: u32, line: &Line) {
        let number = line.number;
        match line.statement {
            Statement::Put { target, offset } => {
                self.issue(rank, number, OperationKind::Put, (target, offset))
            }
            Statement::CopiedPut { target, offset } => {
                let copy = copy(rank, number);
                self.access(rank, number, AccessKind::Load, buffer(rank));
                self.access(rank, number, AccessKind::Store, copy);
                self.issue_from(rank, number, OperationKind::Put, (target, offset), copy);
            }
            Statement::AtomicPut { target, offset } => {
                self.issue(rank, number, OperationKind::Accumulate, (target, offset))
            }
            Statement::Get { target, offset } => {
                self.issue(rank, number, OperationKind::Get, (target, offset))
            }
            Statement::Load { offset } => self.access(rank, number, AccessKind::Load, base(rank) + offset),
            Statement::Store { offset } => self.access(rank, number, AccessKind::Store, base(rank) + offset),
            Statement::Use { store } => {
                let kind = if store {
                    AccessKind::Store
                } else {
                    AccessKind::Load
                };
                self.access(rank, number, kind, buffer(rank));
            }
            Statement::Flush { local } => self.flush((rank, number), None, local),
            Statement::FlushOne { target, local } => self.flush((rank, number), Some(Rank(target)), local),
            Statement::Notify { target, number: flag } => {
                let flag = Flag {
                    win: WIN,
                    number: flag,
                    value: 1,
                    last: true,
                    follows: true,
                };
                let put = self.operation(number, OperationKind::Put, (target, 0), buffer(rank));
                let note = Operation {
                    origin: None,
                    target_count: 0,
                    notice: Some(Notice::Flag(flag)),
                    ..put
                };
                self.tell(rank, EventKind::Operation(note));
            }
            Statement::See { number: flag } | Statement::Find { number: flag } => {
                let is_set_back = matches!(line.statement, Statement::See { .. });
                let seen = |taken| EventKind::FlagSeen {
                    win: WIN,
                    number: flag,
                    taken,
                };
                self.enter(rank, number, wait("gaspi_notify_waitsome"));
                self.tell(rank, seen(None));
                self.tell(rank, EventKind::Leave(Outcome::Done));
                if is_set_back {
                    self.tell(rank, seen(Some(1)));
                }
            }
            Statement::Set { target, word } => {
                let kind = OperationKind::Accumulate;
                let put = self.operation(number, kind, (target, place(word)), buffer(rank));
                let set = Operation {
                    operand: Some(VALUE),
                    ..put
                };
                self.tell(rank, EventKind::Operation(set));
            }
            Statement::Until { word } => {
                self.enter(rank, number, wait("shmem_wait_until"));
                let seen = EventKind::Seen {
                    address: base(rank) + place(word),
                    size: 4,
                    value: VALUE,
                    until: None,
                };
                self.tell(rank, seen);
                self.tell(rank, EventKind::Leave(Outcome::Done));
            }
            Statement::Lock { lock } => self.lock(rank, number, (lock, true)),
            Statement::Unlock { lock } => self.lock(rank, number, (lock, false)),
            Statement::Barrier => {
                let sequence = self.state.barriers(rank) - 1;
                self.enter(rank, number, barrier(sequence));
            }
            Statement::Send { to } => {
                let call = Call::Send {
                    comm: WORLD,
                    dest: Some(Rank(to)),
                    tag: 0,
                    mode: SendMode::Standard,
                    request: None,
                    name: "MPI_Send".into(),
                };
                self.enter(rank, number, call);
                self.tell(rank, EventKind::Leave(Outcome::Done));
            }
            Statement::Receive { from } => {
                let call = Call::Receive {
                    post: PostId(self.number()),
                    comm: WORLD,
                    source: Some(Rank(from)),
                    tag: Some(0),
                    request: None,
                    name: "MPI_Recv".into(),
                };
                self.enter(rank, number, call);
                let source = Some(Rank(from));
                self.tell(rank, EventKind::Leave(Outcome::Received { source, tag: 0 }));
            }
        }
    }

    /// A lock is taken or given back: a lock of OpenSHMEM, an epoch of a window of its own, or a word that is compared
    /// and swapped.
    fn lock(&mut self, rank: u32, line: u64, (lock, takes): (u32, bool)) {
        if self.program.interface == Interface::Mpi && lock == 1 {
            let (win, target) = (OF_LOCKS, Rank(0));
            let call = match takes {
                true => Call::Lock {
                    win,
                    target,
                    kind: LockKind::Exclusive,
                    assertions: Assertions::default(),
                },
                false => Call::Unlock { win, target },
            };
            self.enter(rank, line, call);
            return self.tell(rank, EventKind::Leave(Outcome::Done));
        }
        let kind = OperationKind::FetchAndOp;
        let request = RequestId(self.number());
        let base = self.operation(line, kind, (0, place(100 + lock)), buffer(rank));
        let base = Operation {
            origin: None,
            result: None,
            request: Some(request),
            ..base
        };
        let (operation, value) = match self.program.interface {
            Interface::Shmem => (
                Operation {
                    id: OperationId::of_lock(base.id.0),
                    operator: Some(if takes {
                        AccumulateOp::NoOp
                    } else {
                        AccumulateOp::Sum
                    }),
                    ..base
                },
                takes.then_some(base.id.0),
            ),
            _ => {
                let own = u64::from(rank) + 1;
                let (expected, left) = if takes { (0, own) } else { (own, 0) };
                let swap = Operation {
                    kind: OperationKind::CompareAndSwap,
                    expected: Some(expected),
                    operand: Some(left),
                    ..base
                };
                (swap, Some(expected))
            }
        };
        let id = operation.id;
        self.tell(rank, EventKind::Operation(operation));
        if let Some(value) = value {
            self.tell(rank, EventKind::Fetched { operation: id, value });
        }
        self.tell(rank, EventKind::OperationRequestDone { request });
    }

    fn flush(&mut self, (rank, line): (u32, u64), target: Option<Rank>, local: bool) {
        let call = Call::Flush {
            win: WIN,
            target,
            local,
            channel: None,
        };
        self.enter(rank, line, call);
        self.tell(rank, EventKind::Leave(Outcome::Done));
    }

    fn issue(&mut self, rank: u32, line: u64, kind: OperationKind, to: (u32, u64)) {
        self.issue_from(rank, line, kind, to, buffer(rank));
    }

    fn issue_from(
        &mut self,
        rank: u32,
        line: u64,
        kind: OperationKind,
        (target, offset): (u32, u64),
        address: u64,
    ) {
        let operation = self.operation(line, kind, (target, offset), address);
        self.tell(rank, EventKind::Operation(operation));
    }

    fn operation(
        &mut self,
        line: u64,
        kind: OperationKind,
        (target, offset): (u32, u64),
        address: u64,
    ) -> Operation {
        let own = Some(Buffer {
            address,
            datatype: INT,
            count: 1,
        });
        let puts = kind != OperationKind::Get;
        Operation {
            id: OperationId(self.number()),
            kind,
            win: WIN,
            target: Some(Rank(target)),
            origin: own.filter(|_| puts),
            result: own.filter(|_| !puts),
            compare: None,
            displacement: offset as i64,
            target_type: INT,
            target_count: 1,
            operator: (kind == OperationKind::Accumulate).then_some(AccumulateOp::Replace),
            operand: None,
            expected: None,
            request: None,
            channel: match self.program.interface {
                Interface::Gaspi => ChannelId(1),
                _ => ChannelId::DEFAULT,
            },
            notice: None,
            stack: StackId(line),
        }
    }

    fn access(&mut self, rank: u32, line: u64, kind: AccessKind, address: u64) {
        let run = AccessRun::single(kind, address, 4, line, StackId(line));
        self.tell(rank, EventKind::Accesses(vec![run]));
    }

    fn enter(&mut self, rank: u32, line: u64, call: Call) {
        self.tell(
            rank,
            EventKind::Enter {
                call,
                stack: StackId(line),
            },
        );
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn tell(&mut self, rank: u32, kind: EventKind) {
        self.time += 1;
        let (time, thread) = (self.time, ThreadId(0));
        let event = Event { time, thread, kind };
        self.recording.push(Rank(rank), &event);
        self.detector.event(Rank(rank), &event);
    }
}

fn base(rank: u32) -> u64 {
    0x10_0000 * (u64::from(rank) + 1)
}

/// Where in its window a word is.
fn place(word: u32) -> u64 {
    1024 + 4 * u64::from(word)
}

fn wait(name: &str) -> Call {
    Call::Await {
        name: name.into(),
        of: None,
    }
}

fn buffer(rank: u32) -> u64 {
    base(rank) + 0x8_0000
}

/// What a line copies the buffer to.
fn copy(rank: u32, line: u64) -> u64 {
    base(rank) + 0x9_0000 + 8 * line
}

fn barrier(sequence: u64) -> Call {
    Call::Collective {
        comm: WORLD,
        sequence,
        direction: Direction::All,
        name: "MPI_Barrier".into(),
        request: None,
    }
}

fn window(rank: u32, interface: Interface) -> Window {
    Window {
        id: WIN,
        interface,
        comm: WORLD,
        flavor: WindowFlavor::Allocate,
        base: base(rank),
        size: 4096,
        disp_unit: 1,
        accumulates: AccumulateHints::default(),
        shared: Vec::new(),
        stack: StackId(1),
        handle: None,
    }
}
