//! The events that every pattern is made of.

use farside_events::{
    AccessKind, AccessRun, AccumulateHints, Buffer, Call, ChannelId, CommId, Direction, Event, EventKind,
    Interface, Operation, OperationId, OperationKind, Outcome, Rank, StackId, ThreadId, TypeId, TypeMap,
    WinId, Window, WindowFlavor,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

pub(super) const WORLD: CommId = CommId(1);
pub(super) const WIN: WinId = WinId(1);
pub(super) const WORD: TypeId = TypeId(1);
pub(super) const THREAD: ThreadId = ThreadId(0);
/// Where the window memory of every rank lies, and memory that is no window.
pub(super) const WINDOW_BASE: u64 = 0x10_0000;
pub(super) const BUFFERS: u64 = 0x80_0000;

/// The job whose events are made.
pub(super) struct Job<'a> {
    pub(super) ranks: u32,
    time: u64,
    /// Operations issued so far, for each rank.
    operations: Vec<u64>,
    /// Collectives on the world so far.
    collectives: u64,
    sink: &'a mut dyn FnMut(Rank, &Event),
}

/// An operation on `count` words at word `place` of `target`'s window.
pub(super) struct Words {
    pub(super) kind: OperationKind,
    pub(super) target: u32,
    pub(super) place: u64,
    pub(super) count: u64,
    /// Address at the origin.
    pub(super) buffer: u64,
    pub(super) stack: u64,
}

impl<'a> Job<'a> {
    /// All ranks.
    pub(super) fn all(&self) -> std::ops::Range<u32> {
        0..self.ranks
    }

    /// Hands out an event of `rank`, one nanosecond after the last.
    pub(super) fn emit(&mut self, rank: u32, kind: EventKind) {
        self.time += 1;
        (self.sink)(
            Rank(rank),
            &Event {
                time: self.time,
                thread: THREAD,
                kind,
            },
        );
    }

    /// A call is entered.
    pub(super) fn enter(&mut self, rank: u32, call: Call, stack: u64) {
        self.emit(
            rank,
            EventKind::Enter {
                call,
                stack: StackId(stack),
            },
        );
    }

    /// The call that was entered last is left.
    pub(super) fn leave(&mut self, rank: u32) {
        self.emit(rank, EventKind::Leave(Outcome::Done));
    }

    /// A call that waits for nobody: entered and left at once.
    pub(super) fn call(&mut self, rank: u32, call: Call, stack: u64) {
        self.enter(rank, call, stack);
        self.leave(rank);
    }

    /// A collective that all ranks enter before any leaves.
    pub(super) fn together(&mut self, name: &str, stack: u64) {
        let sequence = self.collectives;
        self.collectives += 1;
        for rank in self.all() {
            let call = Call::Collective {
                comm: WORLD,
                sequence,
                direction: Direction::All,
                name: name.into(),
                request: None,
            };
            self.enter(rank, call, stack);
        }
        if name == "MPI_Win_allocate" {
            self.all()
                .for_each(|rank| self.emit(rank, EventKind::Window(window())));
        }
        self.all().for_each(|rank| self.leave(rank));
    }

    /// Initialises all processes, and creates the window.
    pub(super) fn start(ranks: u32, sink: &'a mut dyn FnMut(Rank, &Event)) -> Self {
        let mut job = Self {
            ranks,
            time: 0,
            operations: vec![0; ranks as usize],
            collectives: 0,
            sink,
        };
        let mut comm = EventKind::Comm {
            id: WORLD,
            members: job.all().map(Rank).collect(),
        };
        for rank in job.all() {
            let init = EventKind::Init {
                rank: Rank(rank),
                size: ranks,
                pid: rank + 1,
                library: "generated".into(),
            };
            job.emit(rank, init);
            // The member list is long: one serves all ranks.
            job.time += 1;
            let event = Event {
                time: job.time,
                thread: THREAD,
                kind: comm,
            };
            (job.sink)(Rank(rank), &event);
            comm = event.kind;
            job.emit(
                rank,
                EventKind::Type {
                    id: WORD,
                    map: TypeMap::basic("MPI_LONG", 8),
                },
            );
        }
        job.together("MPI_Win_allocate", 1);
        job
    }

    /// Frees the window, and finalises all processes.
    pub(super) fn end(&mut self) {
        for rank in self.all() {
            self.enter(rank, Call::WinFree { win: WIN }, 2);
        }
        self.all().for_each(|rank| self.leave(rank));
        for rank in self.all() {
            self.enter(rank, Call::Finalize, 3);
        }
        for rank in self.all() {
            self.leave(rank);
            self.emit(rank, EventKind::Exit);
        }
    }

    /// Issues an operation; returns its number.
    pub(super) fn operation(&mut self, rank: u32, words: Words) -> OperationId {
        let issued = &mut self.operations[rank as usize];
        let id = OperationId(*issued);
        *issued += 1;
        let buffer = |address| {
            Some(Buffer {
                address,
                datatype: WORD,
                count: words.count,
            })
        };
        let fetches = matches!(
            words.kind,
            OperationKind::FetchAndOp | OperationKind::CompareAndSwap
        );
        let operation = Operation {
            id,
            kind: words.kind,
            win: WIN,
            target: Some(Rank(words.target)),
            origin: if words.kind == OperationKind::Get {
                None
            } else {
                buffer(words.buffer)
            },
            result: match words.kind {
                OperationKind::Get => buffer(words.buffer),
                _ if fetches => buffer(words.buffer + 64),
                _ => None,
            },
            compare: if words.kind == OperationKind::CompareAndSwap {
                buffer(words.buffer + 128)
            } else {
                None
            },
            displacement: words.place as i64,
            target_type: WORD,
            target_count: words.count,
            operator: matches!(words.kind, OperationKind::Accumulate | OperationKind::FetchAndOp)
                .then_some(farside_events::AccumulateOp::Sum),
            operand: fetches.then_some(1),
            expected: None,
            request: None,
            channel: ChannelId::DEFAULT,
            notice: None,
            stack: StackId(words.stack),
        };
        self.emit(rank, EventKind::Operation(operation));
        id
    }

    /// Loads or stores of `count` consecutive words.
    pub(super) fn accesses(&mut self, rank: u32, runs: &[(AccessKind, u64, u64, u64)]) {
        let run = |&(kind, base, count, pc): &(AccessKind, u64, u64, u64)| AccessRun {
            inner_count: count,
            inner_stride: 8,
            ..AccessRun::single(kind, base, 8, pc, StackId(4))
        };
        self.emit(rank, EventKind::Accesses(runs.iter().map(run).collect()));
    }
}

/// The window, the same on all ranks.
fn window() -> Window {
    Window {
        id: WIN,
        interface: Interface::Mpi,
        comm: WORLD,
        flavor: WindowFlavor::Allocate,
        base: WINDOW_BASE,
        size: 8 * 4096,
        disp_unit: 8,
        accumulates: AccumulateHints::default(),
        shared: Vec::new(),
        stack: StackId(1),
        handle: None,
    }
}

/// Numbers that look random.
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0.next_u64() % end
    }
}
