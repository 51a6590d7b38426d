//! Event streams of small MPI programs, written call by call in one global order; the line numbers stand for places.
#![allow(unreachable_pub)] // Nothing outside of this test program.

mod operations;
mod several;
mod synchronisation;

use farside_events::*;
use farside_race::{Detector, Ending, Forgetting, Options, RawFinding};

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
    detector: Detector,
    options: Options,
    interface: Interface,
    clocks: Vec<u32>,
    /// All of it, for others to judge.
    events: Vec<(Rank, Event)>,
    size: u32,
    time: u64,
    next: u64,
    collectives: Vec<u64>,
}

impl Script {
    /// `size` processes with a window of 4,096 bytes each.
    pub fn new(size: u32) -> Self {
        Self::by(size, Options::default())
    }

    /// The same, judged so.
    pub fn by(size: u32, options: Options) -> Self {
        let mut script = Self::without_window_by(size, options);
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
                AccumulateHints::default(),
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
                interface: self.interface,
                id,
                comm,
                flavor: WindowFlavor::Create,
                base: at(rank, 0),
                size: 4096,
                disp_unit: 1,
                accumulates: AccumulateHints::default(),
                shared: Vec::new(),
                stack: StackId(1),
                handle: None,
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

    /// Its windows are used by calls of this interface.
    pub fn of(mut self, interface: Interface) -> Self {
        self.interface = interface;
        self
    }

    /// Whose calls its windows are used by.
    pub fn interface(&self) -> Interface {
        self.interface
    }

    pub fn without_window_by(size: u32, options: Options) -> Self {
        let detector = Detector::new(options);
        let mut script = Self {
            detector,
            options,
            interface: Interface::default(),
            clocks: vec![0; size as usize],
            events: Vec::new(),
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
        accumulates: AccumulateHints,
    ) {
        let window = Window {
            interface: self.interface,
            id,
            comm: WORLD,
            flavor,
            base,
            size,
            disp_unit,
            accumulates,
            shared: Vec::new(),
            stack: StackId(1),
            handle: None,
        };
        self.kind(rank, 0, EventKind::Window(window));
    }

    /// The process has this clock; before its first event.
    pub fn clock(&mut self, rank: u32, clock: u32) {
        self.clocks[rank as usize] = clock;
        self.detector.set_clock(Rank(rank), clock);
    }

    pub fn kind(&mut self, rank: u32, thread: u32, kind: EventKind) {
        self.time += 10;
        let event = Event {
            time: self.time,
            thread: ThreadId(thread),
            kind,
        };
        self.detector.event(Rank(rank), &event);
        self.events.push((Rank(rank), event));
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

    /// The largest number of records so far.
    pub fn records_kept(&self) -> u64 {
        self.detector.counts().records_kept
    }

    /// Ends the run; several judges find the same as one.
    #[track_caller]
    pub fn finish(self) -> Vec<RawFinding> {
        self.finish_by(Ending::Complete)
    }

    /// As [`Self::finish`], for a run that ended otherwise.
    #[track_caller]
    pub fn finish_by(self, ending: Ending) -> Vec<RawFinding> {
        let one = self.detector.finish(ending.clone());
        // Those that forget at every access forget what order follows from, too.
        if self.options.forgetting == Forgetting::WhenGrown {
            let run = (self.options, &self.clocks[..], &self.events[..]);
            several::judge_alike(run, &ending, &one);
        }
        one.0
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
