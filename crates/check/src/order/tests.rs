use super::*;
use farside_events::{
    AccumulateOp, Assertions, Call, ChannelId, CommId, Direction, EventKind, Interface, LockKind, Operation,
    OperationId, OperationKind, Outcome, PostId, SendMode, StackId, ThreadId, TypeId, TypeMap, WinId, Window,
    WindowFlavor,
};
use farside_spool::format::{encode, image};
use farside_spool::processes::recording;
use farside_spool::reader::Next;

const WORLD: CommId = CommId(1);
const WIN: WinId = WinId(7);
const INT: TypeId = TypeId(1);
/// The clock of each host is this far ahead of that of the one before.
const AHEAD: u64 = 5_000_000_000;

/// An event, by rank and true time.
type Place = (u32, u64);

/// What one process does, in true times; each process is on a host of its own.
struct Process {
    rank: u32,
    events: Vec<(u64, EventKind)>,
    sealed: bool,
}

impl Process {
    /// The beginning of one of `size`.
    fn of(rank: u32, size: u32) -> Self {
        let mut process = Self {
            rank,
            events: Vec::new(),
            sealed: true,
        };
        process.does(
            1,
            EventKind::Init {
                rank: Rank(rank),
                size,
                pid: 1,
                library: "MPI".into(),
            },
        );
        let members = (0..size).map(Rank).collect();
        process.does(1, EventKind::Comm { id: WORLD, members });
        let map = TypeMap::basic("MPI_INT", 4);
        process.does(1, EventKind::Type { id: INT, map });
        process
    }

    /// With a window, that all have.
    fn with_window(rank: u32, size: u32) -> Self {
        let mut process = Self::of(rank, size);
        process.enters(2, collective(Direction::All));
        process.does(3, EventKind::Window(window()));
        process.leaves(4);
        process
    }

    fn does(&mut self, time: u64, kind: EventKind) {
        self.events.push((time, kind));
    }

    fn enters(&mut self, time: u64, call: Call) {
        let stack = StackId::UNKNOWN;
        self.does(time, EventKind::Enter { call, stack });
    }

    fn leaves(&mut self, time: u64) {
        self.does(time, EventKind::Leave(Outcome::Done));
    }
}

fn window() -> Window {
    Window {
        id: WIN,
        interface: Interface::Mpi,
        comm: WORLD,
        flavor: WindowFlavor::Allocate,
        base: 4096,
        size: 64,
        disp_unit: 4,
        accumulates: farside_events::AccumulateHints::default(),
        shared: Vec::new(),
        stack: StackId::UNKNOWN,
        handle: None,
    }
}

fn collective(direction: Direction) -> Call {
    Call::Collective {
        comm: WORLD,
        sequence: 0,
        direction,
        name: "MPI_Barrier".into(),
        request: None,
    }
}

/// An operation on the first element of a process.
fn operation(
    id: u64,
    kind: OperationKind,
    target: u32,
    operator: Option<AccumulateOp>,
    operand: Option<u64>,
) -> EventKind {
    EventKind::Operation(Operation {
        id: OperationId(id),
        kind,
        win: WIN,
        target: Some(Rank(target)),
        origin: None,
        result: None,
        compare: None,
        displacement: 0,
        target_type: INT,
        target_count: 1,
        operator,
        operand,
        expected: None,
        request: None,
        channel: ChannelId::DEFAULT,
        notice: None,
        stack: StackId::UNKNOWN,
    })
}

fn fetched(id: u64, value: u64) -> EventKind {
    let operation = OperationId(id);
    EventKind::Fetched { operation, value }
}

/// The order in which their events come, by rank and true time, and how many were forced.
fn merge(processes: &[Process], ties: Ties) -> (Vec<Place>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut order = Order::new(ties);
    for process in processes {
        let mut recording = recording(5_000_000 + process.rank, 0);
        recording.machine.boot = u128::from(process.rank) + 1;
        let mut bytes = Vec::new();
        for (time, kind) in &process.events {
            let event = Event {
                time: time + u64::from(process.rank) * AHEAD,
                thread: ThreadId(0),
                kind: kind.clone(),
            };
            encode(&event, &mut bytes).unwrap();
        }
        let sealed = if process.sealed { 2 } else { 0 };
        let chunk = image(&bytes, bytes.len() as u64, sealed);
        std::fs::write(folder.path().join(recording.chunk_name(0)), chunk).unwrap();
        let mut stream = Stream::new(folder.path(), recording, 0, false);
        let Next::Event(first) = stream.poll() else {
            panic!("no event")
        };
        if !process.sealed {
            stream.cut_now(0);
        }
        assert_eq!(
            order.add(Rank(process.rank), stream, first),
            process.rank as usize
        );
    }
    let merged = std::iter::from_fn(|| order.next().map(|(rank, event)| (rank, event.clone())));
    let merged = merged
        .map(|(rank, event)| (rank.0, event.time - u64::from(rank.0) * AHEAD))
        .collect();
    assert!(order.finished());
    (merged, order.forced())
}

/// Checks, whoever goes first, that of each pair of events (rank, true time) the first comes first, and that nothing is
/// forced.
fn check(processes: &[Process], pairs: &[(Place, Place)]) {
    let mut rising: Vec<_> = processes.iter().map(|process| Rank(process.rank)).collect();
    let falling = rising.iter().rev().copied().collect();
    rising.sort_unstable();
    for ties in [Ties::Estimated, Ties::InOrder(rising), Ties::InOrder(falling)] {
        let (merged, forced) = merge(processes, ties.clone());
        let place = |event: Place| merged.iter().position(|other| *other == event).unwrap();
        for (cause, effect) in pairs {
            assert!(
                place(*cause) < place(*effect),
                "{ties:?}: {cause:?} {effect:?} {merged:?}"
            );
        }
        let events: usize = processes.iter().map(|process| process.events.len()).sum();
        assert_eq!((merged.len(), forced), (events, 0), "{ties:?}");
    }
}

#[test]
fn who_leaves_a_barrier_knows_that_all_have_entered_it() {
    let mut processes = [0, 1, 2].map(|rank| Process::of(rank, 3));
    for (process, time) in processes.iter_mut().zip([10, 12, 14]) {
        process.enters(time, collective(Direction::All));
        process.leaves(time + 20);
    }
    let entered = [(0, 10), (1, 12), (2, 14)];
    let left = [(0, 30), (1, 32), (2, 34)];
    let pairs: Vec<_> = entered.into_iter().flat_map(|a| left.map(|b| (a, b))).collect();
    check(&processes, &pairs);
}

#[test]
fn a_collective_waits_in_its_own_direction() {
    for (direction, cause, effect) in [
        (Direction::FromRoot(Rank(1)), (1, 12), (0, 30)),
        (Direction::ToRoot(Rank(0)), (1, 12), (0, 30)),
        (Direction::Prefix, (0, 10), (1, 32)),
    ] {
        let mut processes = [0, 1].map(|rank| Process::of(rank, 2));
        for (process, time) in processes.iter_mut().zip([10, 12]) {
            process.enters(time, collective(direction.clone()));
            process.leaves(time + 20);
        }
        check(&processes, &[(cause, effect)]);
    }
    // The root of a broadcast waits for nobody: all of it may come first.
    let mut processes = [0, 1].map(|rank| Process::of(rank, 2));
    for (process, time) in processes.iter_mut().zip([10, 12]) {
        process.enters(time, collective(Direction::FromRoot(Rank(0))));
        process.leaves(time + 20);
    }
    let (merged, forced) = merge(&processes, Ties::InOrder(vec![Rank(0), Rank(1)]));
    assert_eq!((merged[4], forced), ((0, 30), 0));
}

#[test]
fn a_window_is_used_after_all_have_announced_it() {
    let mut processes = [0, 1].map(|rank| Process::of(rank, 2));
    for (process, time) in processes.iter_mut().zip([10, 12]) {
        process.enters(time, collective(Direction::All));
        process.does(time + 10, EventKind::Window(window()));
        process.leaves(time + 20);
    }
    check(&processes, &[((0, 20), (1, 32)), ((1, 22), (0, 30))]);
}

#[test]
fn fences_are_barriers_unless_nothing_precedes() {
    for noprecede in [false, true] {
        let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
        for (process, time) in processes.iter_mut().zip([10, 50]) {
            let assertions = Assertions {
                noprecede,
                ..Assertions::default()
            };
            process.enters(time, Call::Fence { win: WIN, assertions });
            process.leaves(time + if noprecede { 20 } else { 60 });
            process.enters(time + 100, Call::WinFree { win: WIN });
            process.leaves(time + 200);
        }
        let freed = ((1, 150), (0, 210));
        match noprecede {
            false => check(&processes, &[((1, 50), (0, 70)), freed]),
            true => {
                check(&processes, &[freed]);
                let (merged, _) = merge(&processes, Ties::InOrder(vec![Rank(0), Rank(1)]));
                let place = |event| merged.iter().position(|other| *other == event).unwrap();
                assert!(place((0, 30)) < place((1, 50)));
            }
        }
    }
}

#[test]
fn a_message_is_received_after_it_was_sent() {
    let send = |mode| Call::Send {
        comm: WORLD,
        dest: Some(Rank(0)),
        tag: 3,
        mode,
        request: None,
        name: "MPI_Send".into(),
    };
    for mode in [SendMode::Standard, SendMode::Synchronous] {
        let mut processes = [0, 1].map(|rank| Process::of(rank, 2));
        let receive = Call::Receive {
            post: PostId(0),
            comm: WORLD,
            source: None,
            tag: None,
            request: None,
            name: "MPI_Recv".into(),
        };
        processes[0].enters(30, receive);
        let received = Outcome::Received {
            source: Some(Rank(1)),
            tag: 3,
        };
        processes[0].does(50, EventKind::Leave(received));
        processes[1].enters(10, send(mode));
        processes[1].leaves(40);
        let sent = ((1, 10), (0, 50));
        match mode {
            SendMode::Standard | SendMode::Buffered => check(&processes, &[sent]),
            SendMode::Synchronous => check(&processes, &[sent, ((0, 30), (1, 40))]),
        }
    }
}

#[test]
fn wait_returns_after_complete_and_complete_after_the_post_that_it_read_from() {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    let assertions = Assertions::default();
    processes[0].enters(
        10,
        Call::Post {
            win: WIN,
            group: vec![Rank(1)],
            assertions,
        },
    );
    processes[0].leaves(11);
    processes[0].enters(
        12,
        Call::Wait {
            win: WIN,
            test: false,
        },
    );
    processes[0].leaves(60);
    processes[1].enters(
        5,
        Call::Start {
            win: WIN,
            group: vec![Rank(0)],
            assertions,
        },
    );
    processes[1].leaves(6);
    processes[1].does(7, operation(0, OperationKind::Get, 0, None, None));
    processes[1].enters(8, Call::Complete { win: WIN });
    processes[1].leaves(50);
    check(&processes, &[((1, 8), (0, 60)), ((0, 10), (1, 50))]);
}

/// Locks a part of rank 0 exclusively; the operation is flushed, so that the lock is known to be had.
fn under_lock(process: &mut Process, time: u64, operation: EventKind, value: Option<(u64, u64)>) {
    let target = Rank(0);
    let assertions = Assertions::default();
    let kind = LockKind::Exclusive;
    process.enters(
        time,
        Call::Lock {
            win: WIN,
            target,
            kind,
            assertions,
        },
    );
    process.leaves(time + 1);
    process.does(time + 2, operation);
    process.enters(
        time + 3,
        Call::Flush {
            win: WIN,
            target: Some(target),
            local: false,
            channel: None,
        },
    );
    if let Some((id, value)) = value {
        process.does(time + 4, fetched(id, value));
    }
    process.leaves(time + 5);
    process.enters(time + 6, Call::Unlock { win: WIN, target });
    process.leaves(time + 7);
}

#[test]
fn who_has_a_lock_has_it_alone() {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    under_lock(
        &mut processes[0],
        100,
        operation(0, OperationKind::Accumulate, 0, Some(AccumulateOp::Bxor), Some(1)),
        None,
    );
    under_lock(
        &mut processes[1],
        200,
        operation(0, OperationKind::Accumulate, 0, Some(AccumulateOp::Bxor), Some(1)),
        None,
    );
    for ranks in [[0, 1], [1, 0]] {
        let (merged, forced) = merge(&processes, Ties::InOrder(ranks.map(Rank).to_vec()));
        let place = |event| merged.iter().position(|other| *other == event).unwrap();
        // From the first flush to the unlock nothing of the other's is known to be done.
        let [first, second] = ranks.map(|rank| if rank == 0 { (0, 100) } else { (1, 200) });
        assert!(place((first.0, first.1 + 6)) < place((second.0, second.1 + 5)));
        assert_eq!(forced, 0);
    }
    // The clocks do not say it, but messages would; without any, both began together.
    let (merged, _) = merge(&processes, Ties::Estimated);
    assert_eq!(merged.last(), Some(&(1, 207)));
}

#[test]
fn a_value_that_was_got_under_a_lock_was_put_before() {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    under_lock(
        &mut processes[1],
        100,
        operation(0, OperationKind::Put, 0, None, Some(9)),
        None,
    );
    for (round, value) in [(50, 0), (200, 9)] {
        let get = operation(round, OperationKind::Get, 0, None, None);
        under_lock(&mut processes[0], round, get, Some((round, value)));
    }
    check(&processes, &[((1, 102), (0, 204)), ((1, 106), (0, 205))]);
}

/// The same of so many elements.
fn of_many(event: EventKind, count: u64) -> EventKind {
    let EventKind::Operation(operation) = event else {
        panic!("no operation")
    };
    EventKind::Operation(Operation {
        target_count: count,
        ..operation
    })
}

#[test]
fn a_record_that_was_got_under_a_lock_was_put_before() {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    let put = operation(0, OperationKind::Put, 0, None, Some(0x1234_5678_9abc_def0));
    under_lock(&mut processes[1], 100, of_many(put, 16), None);
    for (round, value) in [(50, 0), (200, 0x1234_5678_9abc_def0)] {
        let get = of_many(operation(round, OperationKind::Get, 0, None, None), 16);
        under_lock(&mut processes[0], round, get, Some((round, value)));
    }
    check(&processes, &[((1, 102), (0, 204)), ((1, 106), (0, 205))]);
}

#[test]
fn a_part_of_a_record_may_have_any_value() {
    for [put, got] in [[16, 1], [1, 16], [16, 8]] {
        let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
        let operation = |kind, count, operand| of_many(operation(0, kind, 0, None, operand), count);
        under_lock(
            &mut processes[1],
            100,
            operation(OperationKind::Put, put, Some(77)),
            None,
        );
        let get = operation(OperationKind::Get, got, None);
        under_lock(&mut processes[0], 200, get, Some((0, 99)));
        // Once the record is there, nothing is waited for.
        let (merged, forced) = merge(&processes, Ties::Estimated);
        assert_eq!(merged.last(), Some(&(0, 207)), "{put}, {got}");
        assert_eq!(forced, 0, "{put}, {got}");
    }
}

#[test]
fn a_count_was_added_up_before_it_was_seen() {
    let mut processes = [0, 1, 2].map(|rank| Process::with_window(rank, 3));
    for (rank, time) in [(1, 10), (2, 20)] {
        let add = operation(0, OperationKind::Accumulate, 0, Some(AccumulateOp::Sum), Some(1));
        processes[rank].does(time, add);
    }
    let fetch = |id| operation(id, OperationKind::FetchAndOp, 0, Some(AccumulateOp::NoOp), None);
    for (id, value) in [(1, 0), (2, 2)] {
        processes[0].does(5 + 30 * (id - 1), fetch(id));
        processes[0].does(6 + 30 * (id - 1), fetched(id, value));
    }
    check(&processes, &[((1, 10), (0, 36)), ((2, 20), (0, 36))]);
}

#[test]
fn sums_of_floating_point_numbers_are_not_those_of_their_bits() {
    for name in ["MPI_DOUBLE", "f64"] {
        let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
        for process in &mut processes {
            for (_, event) in &mut process.events {
                if let EventKind::Type { map, .. } = event {
                    *map = TypeMap::basic(name, 8);
                }
            }
        }
        let half = Some(0.5_f64.to_bits());
        let add = |id| operation(id, OperationKind::Accumulate, 0, Some(AccumulateOp::Sum), half);
        processes[1].does(10, add(0));
        processes[1].does(20, add(1));
        let fetch = |id| operation(id, OperationKind::FetchAndOp, 0, Some(AccumulateOp::NoOp), None);
        for (id, value) in [(0, 0.0_f64), (1, 1.0)] {
            processes[0].does(5 + 30 * id, fetch(id));
            processes[0].does(6 + 30 * id, fetched(id, value.to_bits()));
        }
        processes[1].does(70, add(2));
        // What the sums are is not known: whoever saw a value waits for nobody after the first addition.
        let (merged, forced) = merge(&processes, Ties::InOrder(vec![Rank(0), Rank(1)]));
        let place = |event: Place| merged.iter().position(|other| *other == event).unwrap();
        assert!(place((0, 36)) < place((1, 70)), "{name}: {merged:?}");
        assert_eq!(forced, 0, "{name}");
    }
}

/// Two processes of the crate `farside` that leave their names at a place in turns, by `swap`, and find the other's: it
/// was left anew each time. `in_vain` is done between the turns, finds the own name, and leaves nothing.
fn names_in_turns(
    swap: impl Fn(u64, u64, u64) -> EventKind,
    in_vain: impl Fn(u64, u64) -> Option<EventKind>,
) {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    for process in &mut processes {
        if let EventKind::Init { library, .. } = &mut process.events[0].1 {
            *library = "farside 1 shm".into();
        }
    }
    let mut pairs = Vec::new();
    for turn in 0..6_u64 {
        let (rank, other, time) = (turn % 2, 1 - turn % 2, 100 * (turn + 1));
        let (own, before) = (10 + rank, if turn == 0 { 0 } else { 10 + other });
        let process = &mut processes[rank as usize];
        process.does(time, swap(2 * turn, before, own));
        process.does(time + 10, fetched(2 * turn, before));
        if let Some(in_vain) = in_vain(2 * turn + 1, 10 + other) {
            process.does(time + 20, in_vain);
            process.does(time + 30, fetched(2 * turn + 1, own));
        }
        if turn > 0 {
            pairs.push(((other as u32, time - 100), (rank as u32, time + 10)));
        }
    }
    check(&processes, &pairs);
}

#[test]
fn a_value_that_was_swapped_away_was_left_anew() {
    let swap = |id, _, own| {
        operation(
            id,
            OperationKind::FetchAndOp,
            0,
            Some(AccumulateOp::Replace),
            Some(own),
        )
    };
    names_in_turns(swap, |_, _| None);
}

#[test]
fn a_value_that_was_compared_and_swapped_away_was_left_anew() {
    let swap = |id, expected, own| {
        let mut swap = operation(id, OperationKind::CompareAndSwap, 0, None, Some(own));
        if let EventKind::Operation(operation) = &mut swap {
            operation.expected = Some(expected);
        }
        swap
    };
    names_in_turns(swap, |id, name| Some(swap(id, 99, name)));
}

#[test]
fn a_value_that_nobody_left_lay_there() {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    let fetch = |id| operation(id, OperationKind::FetchAndOp, 0, Some(AccumulateOp::Sum), Some(1));
    for (rank, id, value) in [(1, 0, 70), (0, 0, 71), (1, 1, 72)] {
        processes[rank].does(10 + 10 * value, fetch(id));
        processes[rank].does(11 + 10 * value, fetched(id, value));
    }
    check(&processes, &[((1, 710), (0, 721)), ((0, 720), (1, 731))]);
}

#[test]
fn nobody_waits_for_a_process_that_was_lost() {
    let mut processes = [0, 1].map(|rank| Process::of(rank, 2));
    processes[0].enters(10, collective(Direction::All));
    processes[0].leaves(20);
    processes[1].sealed = false;
    check(&processes, &[]);
}

#[test]
fn what_cannot_be_is_forced_and_counted() {
    let mut processes = [0, 1].map(|rank| Process::with_window(rank, 2));
    let notice = EventKind::Notice {
        win: WIN,
        source: None,
        number: 1,
    };
    processes[0].does(10, notice);
    let (merged, forced) = merge(&processes, Ties::Estimated);
    let events: usize = processes.iter().map(|process| process.events.len()).sum();
    assert_eq!((merged.len(), forced), (events, 1));
}
