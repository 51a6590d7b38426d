//! Event streams of many ranks, made as they are consumed.
//!
//! Promise: the events of a rank are those that the preloaded library would make of a correct program with that
//! pattern; times rise strictly, and every release comes before what acquires it. Limits: all ranks go at one pace,
//! so that no rank is more than one phase ahead of a neighbour; one thread a rank; stacks are numbers without frames.

mod halo;
mod stealing;
mod updates;

use farside_events::{
    AccessKind, AccessRun, AccumulateOps, Buffer, Call, CommId, Direction, Event, EventKind, Operation,
    OperationId, OperationKind, Outcome, Rank, StackId, ThreadId, TypeId, TypeMap, WinId, Window,
    WindowFlavor,
};
use serde::Serialize;

const WORLD: CommId = CommId(1);
const WIN: WinId = WinId(1);
const WORD: TypeId = TypeId(1);
const THREAD: ThreadId = ThreadId(0);
/// Where the window memory of every rank lies, and memory that is no window.
const WINDOW_BASE: u64 = 0x10_0000;
const BUFFERS: u64 = 0x80_0000;

/// A communication pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Pattern {
    /// Nearest neighbours, fence and put: all ranks meet twice in every iteration.
    HaloFence,
    /// Nearest neighbours, post/start/put/complete/wait: nothing that all ranks take part in.
    HaloPscw,
    /// Nearest neighbours, put and flush under lock_all, then messages: nothing that all ranks take part in.
    HaloMessages,
    /// Accumulates to random ranks under lock_all with flushes, and a barrier now and then.
    RandomUpdates,
    /// Queues that their owners and thieves pop by compare-and-swap: order comes from atomic operations only.
    WorkStealing,
}

impl Pattern {
    /// Makes the whole stream of `ranks` processes and `iterations` rounds.
    pub(crate) fn generate(self, ranks: u32, iterations: u32, sink: &mut dyn FnMut(Rank, &Event)) {
        let mut job = Job {
            ranks,
            time: 0,
            operations: vec![0; ranks as usize],
            collectives: 0,
            sink,
        };
        job.start();
        match self {
            Self::HaloFence => halo::fence(&mut job, iterations),
            Self::HaloPscw => halo::pscw(&mut job, iterations),
            Self::HaloMessages => halo::messages(&mut job, iterations),
            Self::RandomUpdates => updates::random(&mut job, iterations),
            Self::WorkStealing => stealing::steal(&mut job, iterations),
        }
        job.end();
    }
}

/// The job whose events are made.
struct Job<'a> {
    ranks: u32,
    time: u64,
    /// Operations issued so far, for each rank.
    operations: Vec<u64>,
    /// Collectives on the world so far.
    collectives: u64,
    sink: &'a mut dyn FnMut(Rank, &Event),
}

/// An operation on `count` words at word `place` of `target`'s window.
struct Words {
    kind: OperationKind,
    target: u32,
    place: u64,
    count: u64,
    /// Address at the origin.
    buffer: u64,
    stack: u64,
}

impl Job<'_> {
    fn all(&self) -> std::ops::Range<u32> {
        0..self.ranks
    }

    fn emit(&mut self, rank: u32, kind: EventKind) {
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

    fn enter(&mut self, rank: u32, call: Call, stack: u64) {
        self.emit(
            rank,
            EventKind::Enter {
                call,
                stack: StackId(stack),
            },
        );
    }

    fn leave(&mut self, rank: u32) {
        self.emit(rank, EventKind::Leave(Outcome::Done));
    }

    /// A call that waits for nobody: entered and left at once.
    fn call(&mut self, rank: u32, call: Call, stack: u64) {
        self.enter(rank, call, stack);
        self.leave(rank);
    }

    /// A collective that all ranks enter before any leaves.
    fn together(&mut self, name: &str, stack: u64) {
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

    fn start(&mut self) {
        let members: Vec<Rank> = self.all().map(Rank).collect();
        let mut comm = EventKind::Comm { id: WORLD, members };
        for rank in self.all() {
            let size = self.ranks;
            self.emit(
                rank,
                EventKind::Init {
                    rank: Rank(rank),
                    size,
                    pid: rank + 1,
                    library: "generated".into(),
                },
            );
            // The member list is long: one serves all ranks.
            self.time += 1;
            let event = Event {
                time: self.time,
                thread: THREAD,
                kind: comm,
            };
            (self.sink)(Rank(rank), &event);
            comm = event.kind;
            self.emit(
                rank,
                EventKind::Type {
                    id: WORD,
                    map: TypeMap::basic("MPI_LONG", 8),
                },
            );
        }
        self.together("MPI_Win_allocate", 1);
    }

    fn end(&mut self) {
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
    fn operation(&mut self, rank: u32, words: Words) -> OperationId {
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
            request: None,
            stack: StackId(words.stack),
        };
        self.emit(rank, EventKind::Operation(operation));
        id
    }

    /// Loads or stores of `count` consecutive words.
    fn accesses(&mut self, rank: u32, runs: &[(AccessKind, u64, u64, u64)]) {
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
        comm: WORLD,
        flavor: WindowFlavor::Allocate,
        base: WINDOW_BASE,
        size: 8 * 4096,
        disp_unit: 8,
        accumulate_ops: AccumulateOps::SameOpNoOp,
        shared: Vec::new(),
        stack: StackId(1),
    }
}

/// A small generator of pseudo-random numbers (Steele, Lea, Flood: SplitMix64, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;
    use farside_race::{Detector, Ending, Options};

    #[test]
    fn times_rise_and_calls_are_left_before_the_next_is_entered() {
        for &pattern in Pattern::value_variants() {
            let (mut last, mut inside, mut events) = (0, [false; 5], 0_u32);
            pattern.generate(5, 6, &mut |rank, event| {
                assert!(event.time > last, "{pattern:?}");
                last = event.time;
                events += 1;
                let inside = &mut inside[rank.0 as usize];
                match event.kind {
                    EventKind::Enter { .. } => {
                        assert!(!std::mem::replace(inside, true), "{pattern:?} {event:?}")
                    }
                    EventKind::Leave(_) => assert!(std::mem::replace(inside, false), "{pattern:?} {event:?}"),
                    _ => {}
                }
            });
            assert!(events > 5 * 6 && inside == [false; 5], "{pattern:?}");
        }
    }

    #[test]
    fn every_pattern_is_clean_by_the_engine() {
        for &pattern in Pattern::value_variants() {
            for ranks in [2, 5, 16] {
                let mut detector = Detector::new(Options::default());
                pattern.generate(ranks, 10, &mut |rank, event| detector.event(rank, event));
                let (findings, _) = detector.finish(Ending::Complete);
                assert!(
                    findings.is_empty(),
                    "{pattern:?} on {ranks} ranks: {:?}",
                    findings[0]
                );
            }
        }
    }
}
