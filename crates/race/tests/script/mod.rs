//! Event streams of small MPI programs, written call by call in one global order; the line numbers stand for places.
#![allow(dead_code, unreachable_pub)] // Included by several test files, none of which uses every call.

use farside_events::*;
use farside_race::{Detector, Ending, Options, RawFinding};

/// The one window of most scripts.
pub const WIN: WinId = WinId(77);
const WORLD: CommId = CommId(1);
const INT: TypeId = TypeId(1);
const BYTE: TypeId = TypeId(2);
const LONG: TypeId = TypeId(3);

/// Address of byte `offset` of the window part of `rank`.
pub fn at(rank: u32, offset: u64) -> u64 {
    0x10_0000 * (u64::from(rank) + 1) + offset
}

/// Address of byte `offset` of private memory.
pub fn private(offset: u64) -> u64 {
    0x1000 + offset
}

/// A program run so far.
pub struct Script {
    pub detector: Detector,
    size: u32,
    time: u64,
    next: u64,
    collectives: Vec<u64>,
}

impl Script {
    /// `size` processes with a window of 4,096 bytes each.
    pub fn new(size: u32) -> Self {
        let mut script = Self::without_window(size);
        script.window_of_all();
        script
    }

    /// A window of 4,096 bytes of each process.
    pub fn window_of_all(&mut self) {
        for rank in 0..self.size {
            self.window(
                rank,
                WIN,
                WindowFlavor::Allocate,
                at(rank, 0),
                4096,
                1,
                AccumulateOps::SameOpNoOp,
            );
        }
    }

    /// The same memory in one more window, of some processes; they lock it all.
    pub fn window_of(&mut self, id: WinId, group: u64, members: &[u32]) {
        let comm = CommId(100 + group);
        let sequence = id.0;
        for &rank in members {
            let members = members.iter().copied().map(Rank).collect();
            self.kind(rank, 0, EventKind::Comm { id: comm, members });
            let call = Call::Collective {
                comm,
                sequence,
                direction: Direction::All,
                name: "MPI_Win_create".into(),
                request: None,
            };
            self.kind(
                rank,
                0,
                EventKind::Enter {
                    call,
                    stack: StackId(909),
                },
            );
        }
        for &rank in members {
            let window = Window {
                id,
                comm,
                flavor: WindowFlavor::Create,
                base: at(rank, 0),
                size: 4096,
                disp_unit: 1,
                accumulate_ops: AccumulateOps::SameOpNoOp,
                shared: Vec::new(),
                stack: StackId(1),
            };
            self.kind(rank, 0, EventKind::Window(window));
            self.kind(rank, 0, EventKind::Leave(Outcome::Done));
        }
        for &rank in members {
            self.call(
                rank,
                900,
                Call::LockAll {
                    win: id,
                    assertions: Assertions::default(),
                },
            );
        }
    }

    pub fn without_window(size: u32) -> Self {
        Self::without_window_by(size, Options::default())
    }

    pub fn without_window_by(size: u32, options: Options) -> Self {
        let detector = Detector::new(options);
        let mut script = Self {
            detector,
            size,
            time: 0,
            next: 0,
            collectives: vec![0; size as usize],
        };
        for rank in 0..size {
            script.kind(
                rank,
                0,
                EventKind::Init {
                    rank: Rank(rank),
                    size,
                    pid: rank,
                    library: "test".into(),
                },
            );
            script.kind(
                rank,
                0,
                EventKind::Comm {
                    id: WORLD,
                    members: (0..size).map(Rank).collect(),
                },
            );
            for (id, name, bytes) in [(INT, "MPI_INT", 4), (BYTE, "MPI_BYTE", 1), (LONG, "MPI_LONG", 8)] {
                script.kind(
                    rank,
                    0,
                    EventKind::Type {
                        id,
                        map: TypeMap::basic(name, bytes),
                    },
                );
            }
        }
        script
    }

    #[allow(clippy::too_many_arguments)]
    pub fn window(
        &mut self,
        rank: u32,
        id: WinId,
        flavor: WindowFlavor,
        base: u64,
        size: u64,
        disp_unit: u32,
        ops: AccumulateOps,
    ) {
        let window = Window {
            id,
            comm: WORLD,
            flavor,
            base,
            size,
            disp_unit,
            accumulate_ops: ops,
            shared: Vec::new(),
            stack: StackId(1),
        };
        self.kind(rank, 0, EventKind::Window(window));
    }

    pub fn kind(&mut self, rank: u32, thread: u32, kind: EventKind) {
        self.time += 10;
        self.detector.event(
            Rank(rank),
            &Event {
                time: self.time,
                thread: ThreadId(thread),
                kind,
            },
        );
    }

    pub fn enter(&mut self, rank: u32, line: u64, call: Call) {
        self.kind(
            rank,
            0,
            EventKind::Enter {
                call,
                stack: StackId(line),
            },
        );
    }

    pub fn leave(&mut self, rank: u32) {
        self.kind(rank, 0, EventKind::Leave(Outcome::Done));
    }

    pub fn call(&mut self, rank: u32, line: u64, call: Call) {
        self.enter(rank, line, call);
        self.leave(rank);
    }

    pub fn access(&mut self, rank: u32, thread: u32, line: u64, kind: AccessKind, address: u64, size: u64) {
        let mut run = AccessRun::single(kind, address, size, line, StackId::UNKNOWN);
        run.stack = StackId(line);
        self.kind(rank, thread, EventKind::Accesses(vec![run]));
    }

    pub fn load(&mut self, rank: u32, line: u64, address: u64) {
        self.access(rank, 0, line, AccessKind::Load, address, 4);
    }

    pub fn store(&mut self, rank: u32, line: u64, address: u64) {
        self.access(rank, 0, line, AccessKind::Store, address, 4);
    }

    /// A blank operation with an int at the origin and displacement.
    pub fn op(
        &mut self,
        kind: OperationKind,
        line: u64,
        origin: u64,
        target: u32,
        displacement: i64,
    ) -> Operation {
        self.next += 1;
        let buffer = |address| {
            Some(Buffer {
                address,
                datatype: INT,
                count: 1,
            })
        };
        let fetching = matches!(
            kind,
            OperationKind::GetAccumulate | OperationKind::FetchAndOp | OperationKind::CompareAndSwap
        );
        Operation {
            id: OperationId(self.next),
            kind,
            win: WIN,
            target: Some(Rank(target)),
            origin: if kind == OperationKind::Get {
                None
            } else {
                buffer(origin)
            },
            result: if kind == OperationKind::Get {
                buffer(origin)
            } else if fetching {
                buffer(origin + 64)
            } else {
                None
            },
            compare: None,
            displacement,
            target_type: INT,
            target_count: 1,
            operator: matches!(
                kind,
                OperationKind::Accumulate | OperationKind::GetAccumulate | OperationKind::FetchAndOp
            )
            .then_some(AccumulateOp::Sum),
            operand: None,
            request: None,
            notice: None,
            stack: StackId(line),
        }
    }

    pub fn issue(&mut self, rank: u32, operation: Operation) {
        self.kind(rank, 0, EventKind::Operation(operation));
    }

    pub fn put(&mut self, rank: u32, line: u64, origin: u64, target: u32, displacement: i64) {
        let op = self.op(OperationKind::Put, line, origin, target, displacement);
        self.issue(rank, op);
    }

    pub fn get(&mut self, rank: u32, line: u64, origin: u64, target: u32, displacement: i64) {
        let op = self.op(OperationKind::Get, line, origin, target, displacement);
        self.issue(rank, op);
    }

    pub fn accumulate(
        &mut self,
        rank: u32,
        line: u64,
        target: u32,
        displacement: i64,
        operator: AccumulateOp,
    ) {
        let mut op = self.op(
            OperationKind::Accumulate,
            line,
            private(512 * u64::from(rank)),
            target,
            displacement,
        );
        op.operator = Some(operator);
        op.operand = Some(1);
        self.issue(rank, op);
    }

    /// A fetch_and_op; completed by flush, it brings `value`.
    pub fn fetch(
        &mut self,
        rank: u32,
        line: u64,
        target: u32,
        displacement: i64,
        operator: AccumulateOp,
        value: u64,
    ) {
        let mut op = self.op(
            OperationKind::FetchAndOp,
            line,
            private(2048 + 128 * self.next),
            target,
            displacement,
        );
        op.operator = Some(operator);
        let id = op.id;
        self.issue(rank, op);
        self.enter(
            rank,
            line,
            Call::Flush {
                win: WIN,
                target: Some(Rank(target)),
                local: true,
            },
        );
        self.kind(rank, 0, EventKind::Fetched { operation: id, value });
        self.leave(rank);
    }

    pub fn lock_all(&mut self, rank: u32) {
        self.call(
            rank,
            900,
            Call::LockAll {
                win: WIN,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn unlock_all(&mut self, rank: u32) {
        self.call(rank, 901, Call::UnlockAll { win: WIN });
    }

    pub fn everyone_locks_all(&mut self) {
        for rank in 0..self.size {
            self.lock_all(rank);
        }
    }

    pub fn lock(&mut self, rank: u32, line: u64, target: u32, kind: LockKind) {
        self.call(
            rank,
            line,
            Call::Lock {
                win: WIN,
                target: Rank(target),
                kind,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn unlock(&mut self, rank: u32, target: u32) {
        self.call(
            rank,
            903,
            Call::Unlock {
                win: WIN,
                target: Rank(target),
            },
        );
    }

    pub fn flush(&mut self, rank: u32, target: u32) {
        self.call(
            rank,
            904,
            Call::Flush {
                win: WIN,
                target: Some(Rank(target)),
                local: false,
            },
        );
    }

    pub fn flush_local(&mut self, rank: u32, target: u32) {
        self.call(
            rank,
            905,
            Call::Flush {
                win: WIN,
                target: Some(Rank(target)),
                local: true,
            },
        );
    }

    /// A fence by all ranks.
    pub fn fence(&mut self, line: u64, assertions: Assertions) {
        for rank in 0..self.size {
            self.enter(rank, line, Call::Fence { win: WIN, assertions });
        }
        for rank in 0..self.size {
            self.leave(rank);
        }
    }

    /// A collective by all ranks, entered and left in rank order.
    pub fn collective(&mut self, direction: impl Fn(u32) -> Direction) {
        self.collective_by(0, direction);
    }

    /// The same, called by the given thread of each rank.
    pub fn collective_by(&mut self, thread: u32, direction: impl Fn(u32) -> Direction) {
        for rank in 0..self.size {
            let sequence = self.collectives[rank as usize];
            self.collectives[rank as usize] += 1;
            let (direction, name) = (direction(rank), "MPI_Collective".into());
            let call = Call::Collective {
                comm: WORLD,
                sequence,
                direction,
                name,
                request: None,
            };
            self.kind(
                rank,
                thread,
                EventKind::Enter {
                    call,
                    stack: StackId(906),
                },
            );
        }
        for rank in 0..self.size {
            self.kind(rank, thread, EventKind::Leave(Outcome::Done));
        }
    }

    pub fn barrier(&mut self) {
        self.collective(|_| Direction::All);
    }

    pub fn send(&mut self, rank: u32, dest: u32, tag: i32) {
        let call = Call::Send {
            comm: WORLD,
            dest: Some(Rank(dest)),
            tag,
            mode: SendMode::Standard,
            request: None,
            name: "MPI_Send".into(),
        };
        self.call(rank, 907, call);
    }

    pub fn receive(&mut self, rank: u32, source: u32, tag: i32) {
        self.next += 1;
        let call = Call::Receive {
            post: PostId(self.next),
            comm: WORLD,
            source: Some(Rank(source)),
            tag: Some(tag),
            request: None,
            name: "MPI_Recv".into(),
        };
        self.enter(rank, 908, call);
        self.kind(
            rank,
            0,
            EventKind::Leave(Outcome::Received {
                source: Some(Rank(source)),
                tag,
            }),
        );
    }

    pub fn post(&mut self, rank: u32, line: u64, group: &[u32]) {
        let group = group.iter().copied().map(Rank).collect();
        self.call(
            rank,
            line,
            Call::Post {
                win: WIN,
                group,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn start(&mut self, rank: u32, line: u64, group: &[u32]) {
        let group = group.iter().copied().map(Rank).collect();
        self.call(
            rank,
            line,
            Call::Start {
                win: WIN,
                group,
                assertions: Assertions::default(),
            },
        );
    }

    pub fn complete(&mut self, rank: u32) {
        self.call(rank, 909, Call::Complete { win: WIN });
    }

    pub fn wait(&mut self, rank: u32) {
        self.call(
            rank,
            910,
            Call::Wait {
                win: WIN,
                test: false,
            },
        );
    }

    /// The largest number of records so far.
    pub fn records_kept(&self) -> u64 {
        self.detector.counts().records_kept
    }

    pub fn finish(self) -> Vec<RawFinding> {
        self.detector.finish(Ending::Complete).0
    }

    /// Ends the run and expects these findings: rule id and the lines of its parties.
    #[track_caller]
    pub fn expect(self, expected: &[(&str, &[u64])]) {
        let mut found: Vec<(String, Vec<u64>)> = self
            .finish()
            .into_iter()
            .map(|finding| {
                let mut lines: Vec<u64> = finding.parties.iter().map(|party| party.site.stack.0).collect();
                lines.sort_unstable();
                (finding.rule.id().to_owned(), lines)
            })
            .collect();
        found.sort();
        let mut wanted: Vec<(String, Vec<u64>)> = expected
            .iter()
            .map(|(rule, lines)| ((*rule).to_owned(), lines.to_vec()))
            .collect();
        wanted.sort();
        assert_eq!(found, wanted);
    }
}
