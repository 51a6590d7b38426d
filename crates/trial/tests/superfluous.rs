//! Which synchronisation of small runs is said not to be needed. The stack of a call is its line.

use farside_events::*;
use farside_findings::{Frame, Holds, Lessening, Place, Reason, Silence, Superfluous};
use farside_race::{Options, Places, Site, WindowLabel};
use farside_trial::Work;
use farside_trial::{Recording, superfluous};

const WIN: WinId = WinId(7);
const WORLD: CommId = CommId(1);
const INT: TypeId = TypeId(1);

struct Lines;

impl Places for Lines {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let place = Place {
            file: "main.c".into(),
            line: site.stack.0 as u32,
            column: None,
        };
        vec![Frame {
            place: Some(place),
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
        None
    }

    fn window(&mut self, _: WinId) -> Option<WindowLabel> {
        None
    }
}

/// Two ranks with a window that both have locked.
struct Run {
    recording: Recording,
    time: u64,
    collectives: u64,
    next: u64,
}

impl Run {
    fn new() -> Self {
        let mut run = Self {
            recording: Recording::default(),
            time: 0,
            collectives: 0,
            next: 0,
        };
        for rank in 0..2 {
            let library = "test".into();
            run.event(
                rank,
                EventKind::Init {
                    rank: Rank(rank),
                    size: 2,
                    pid: rank,
                    library,
                },
            );
            let members = vec![Rank(0), Rank(1)];
            run.event(rank, EventKind::Comm { id: WORLD, members });
            let map = TypeMap::basic("MPI_INT", 4);
            run.event(rank, EventKind::Type { id: INT, map });
        }
        for rank in 0..2 {
            run.event(
                rank,
                EventKind::Window(Window {
                    interface: Interface::Mpi,
                    id: WIN,
                    comm: WORLD,
                    flavor: WindowFlavor::Allocate,
                    base: 0x10_0000 * u64::from(rank + 1),
                    size: 4096,
                    disp_unit: 1,
                    accumulates: AccumulateHints::default(),
                    shared: Vec::new(),
                    stack: StackId(1),
                    handle: None,
                }),
            );
            let assertions = Assertions::default();
            run.call(rank, 2, Call::LockAll { win: WIN, assertions });
        }
        run
    }

    fn event(&mut self, rank: u32, kind: EventKind) {
        self.time += 10;
        let event = Event {
            time: self.time,
            thread: ThreadId(0),
            kind,
        };
        self.recording.push(Rank(rank), &event);
    }

    fn enter(&mut self, rank: u32, line: u64, call: Call) {
        let stack = StackId(line);
        self.event(rank, EventKind::Enter { call, stack });
    }

    fn call(&mut self, rank: u32, line: u64, call: Call) {
        self.enter(rank, line, call);
        self.event(rank, EventKind::Leave(Outcome::Done));
    }

    fn collective(&mut self, line: u64, name: &str) {
        self.collectives += 1;
        for rank in 0..2 {
            let call = Call::Collective {
                comm: WORLD,
                sequence: self.collectives,
                direction: Direction::All,
                name: name.into(),
                request: None,
            };
            self.enter(rank, line, call);
        }
        for rank in 0..2 {
            self.event(rank, EventKind::Leave(Outcome::Done));
        }
    }

    /// An operation on the first word of rank 1.
    fn operation(&mut self, rank: u32, line: u64, kind: OperationKind) -> OperationId {
        self.next += 1;
        let buffer = Buffer {
            address: 0x1000 + 64 * self.next,
            datatype: INT,
            count: 1,
        };
        let fetches = !matches!(kind, OperationKind::Put | OperationKind::Accumulate);
        let operation = Operation {
            id: OperationId(self.next),
            kind,
            win: WIN,
            target: Some(Rank(1)),
            origin: Some(buffer).filter(|_| !fetches),
            result: Some(buffer).filter(|_| fetches),
            compare: None,
            displacement: 0,
            target_type: INT,
            target_count: 1,
            operator: Some(AccumulateOp::Sum),
            operand: None,
            expected: None,
            request: None,
            channel: ChannelId::DEFAULT,
            notice: None,
            stack: StackId(line),
        };
        self.event(rank, EventKind::Operation(operation));
        OperationId(self.next)
    }

    fn flush(&mut self, rank: u32, line: u64) {
        let (target, local, channel) = (Some(Rank(1)), false, None);
        let win = WIN;
        self.call(
            rank,
            line,
            Call::Flush {
                win,
                target,
                local,
                channel,
            },
        );
    }

    fn judge(mut self) -> Superfluous {
        for rank in 0..2 {
            self.call(rank, 3, Call::UnlockAll { win: WIN });
        }
        let work = Work::ALL;
        superfluous(&self.recording, Options::default(), &mut Lines, work)
    }

    /// What can be done at which lines.
    #[track_caller]
    fn expect(self, expected: &[(u32, Lessening, Holds)]) -> Superfluous {
        let found = self.judge();
        assert_eq!(found.refused, None);
        let mut calls: Vec<_> = found
            .calls
            .iter()
            .map(|call| {
                (
                    call.places().next().map_or(0, |place| place.line),
                    call.change.clone(),
                    call.holds,
                )
            })
            .collect();
        calls.sort_by_key(|(line, ..)| *line);
        assert_eq!(calls, expected, "{found:?}");
        found
    }
}

#[test]
fn a_barrier_and_a_flush_between_two_puts_are_needed_and_others_are_not() {
    let mut run = Run::new();
    run.operation(0, 10, OperationKind::Put);
    run.flush(0, 11);
    run.flush(0, 12);
    run.collective(13, "MPI_Barrier");
    run.operation(1, 14, OperationKind::Put);
    run.flush(1, 15);
    run.collective(16, "MPI_Barrier");
    // One of the two flushes, which do the same.
    let found = run.expect(&[
        (11, Lessening::Remove, Holds::ThisPath),
        (15, Lessening::Remove, Holds::ThisInput),
        (16, Lessening::Remove, Holds::ThisInput),
    ]);
    let instead: Vec<u32> = found
        .instead
        .iter()
        .flat_map(|call| call.places())
        .map(|place| place.line)
        .collect();
    assert_eq!(instead, [12]);
}

#[test]
fn what_orders_values_is_needed_though_nothing_races() {
    let mut run = Run::new();
    let kind = OperationKind::FetchAndOp;
    for (rank, line) in [(0, 10), (1, 14)] {
        let operation = run.operation(rank, line, kind);
        run.flush(rank, line + 1);
        let value = u64::from(rank);
        run.event(rank, EventKind::Fetched { operation, value });
        run.collective(line + 2, "MPI_Barrier");
    }
    // The last barrier orders nothing, nor does anybody see what is done at the target after it.
    let local = Lessening::Weaken("MPI_Win_flush_local".into());
    run.expect(&[
        (15, local, Holds::ThisInput),
        (16, Lessening::Remove, Holds::ThisInput),
    ]);
}

#[test]
fn what_work_arrays_need_stays() {
    let mut run = Run::new();
    run.collective(10, "shmem_barrier_all");
    run.collective(11, "shmem_barrier_all");
    run.collective(12, "shmem_int_sum_to_all");
    let found = run.expect(&[
        (2, Lessening::Remove, Holds::ThisInput),
        (10, Lessening::Remove, Holds::ThisInput),
    ]);
    assert!(found.kept.iter().any(|kept| kept.reason == Reason::WorkArrays));
}

#[test]
fn who_receives_from_any_source_keeps_what_orders_the_senders() {
    let mut run = Run::new();
    let tag = 0;
    for (source, line) in [(1, 10), (0, 13)] {
        let (dest, mode, name) = (Some(Rank(0)), SendMode::Standard, "MPI_Send".into());
        let request = None;
        let comm = WORLD;
        run.call(
            source,
            line,
            Call::Send {
                comm,
                dest,
                tag,
                mode,
                request,
                name,
            },
        );
        let receive = Call::Receive {
            post: PostId(line),
            comm,
            source: None,
            tag: None,
            request,
            name: "MPI_Recv".into(),
        };
        run.enter(0, line + 1, receive);
        let source = Some(Rank(source));
        run.event(0, EventKind::Leave(Outcome::Received { source, tag }));
        run.collective(line + 2, "MPI_Barrier");
    }
    let found = run.expect(&[(2, Lessening::Remove, Holds::ThisInput)]);
    assert!(found.kept.iter().any(|kept| kept.reason == Reason::AnySource));
}

#[test]
fn nothing_is_said_of_a_recording_that_is_not_whole() {
    let mut run = Run::new();
    run.event(0, EventKind::Withheld { runs: 1 });
    assert_eq!(run.judge().refused, Some(Silence::TooLarge));
}
