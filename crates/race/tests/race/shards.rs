//! Several judges find what one finds: the findings, in their order, with counts, pictures and advice.
//!
//! Every script of these tests is judged so (`script/several.rs`). Here are random ones that mix everything: locks of
//! all kinds that are granted late, fences, exposure epochs, messages, threads, atomic operations with their values,
//! shared windows, clocks that cannot be compared. Many of them are wrong in many ways, which is meant.

use crate::script::{Script, WIN, at, private};
use farside_built::cases;
use farside_events::*;
use farside_race::{Ending, Options};
use proptest::prelude::*;

const RANKS: u32 = 4;

/// What a process does next.
#[derive(Clone, Debug)]
enum Step {
    Lock(u32, u32, LockKind),
    Unlock(u32, u32),
    LockAll(u32),
    UnlockAll(u32),
    /// An access under a lock: by put or get, or directly.
    Critical(u32, u32, bool, bool),
    /// The lock call returns later, if at all.
    Ask(u32, u32),
    Leave(u32),
    Flush(u32, u32, bool),
    Operation(u32, OperationKind, u32, u64, u64),
    Fetch(u32, u32, u64, u64),
    Access(u32, u32, AccessKind, Option<u32>, u64),
    Scattered(u32, AccessKind, Option<u64>),
    Message(u32, u32),
    Threads(u32),
    Barrier,
    Fence(u64),
    Post(u32, u32),
    Start(u32, u32),
    Complete(u32),
    Wait(u32),
    Signal(u32, u32),
    Seen(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let rank = || 0..RANKS;
    let kind = || prop::sample::select(vec![AccessKind::Load, AccessKind::Store]);
    let lock = prop::sample::select(vec![LockKind::Exclusive, LockKind::Exclusive, LockKind::Shared]);
    let operation = prop::sample::select(vec![
        OperationKind::Put,
        OperationKind::Put,
        OperationKind::Get,
        OperationKind::Get,
        OperationKind::Accumulate,
    ]);
    let access = (rank(), 0u32..2, kind(), prop::option::of(rank()), 0u64..4);
    prop_oneof![
        5 => (rank(), rank(), lock).prop_map(|(rank, target, kind)| Step::Lock(rank, target, kind)),
        5 => (rank(), rank()).prop_map(|(rank, target)| Step::Unlock(rank, target)),
        1 => rank().prop_map(Step::LockAll),
        1 => rank().prop_map(Step::UnlockAll),
        6 => (rank(), rank(), any::<bool>(), any::<bool>())
            .prop_map(|(rank, target, write, direct)| Step::Critical(rank, target, write, direct)),
        1 => (rank(), rank()).prop_map(|(rank, target)| Step::Ask(rank, target)),
        1 => rank().prop_map(Step::Leave),
        2 => (rank(), rank(), any::<bool>()).prop_map(|(rank, target, local)| Step::Flush(rank, target, local)),
        8 => (rank(), operation, rank(), 0u64..4, 0u64..4)
            .prop_map(|(rank, kind, target, to, from)| Step::Operation(rank, kind, target, to, from)),
        2 => (rank(), rank(), 0u64..2, 0u64..3)
            .prop_map(|(rank, target, place, value)| Step::Fetch(rank, target, place, value)),
        5 => access.prop_map(|(rank, thread, kind, owner, place)| Step::Access(rank, thread, kind, owner, place)),
        1 => (rank(), kind(), prop::option::of(0u64..3))
            .prop_map(|(rank, kind, places)| Step::Scattered(rank, kind, places)),
        2 => (rank(), rank()).prop_map(|(from, to)| Step::Message(from, to)),
        1 => rank().prop_map(Step::Threads),
        1 => Just(Step::Barrier),
        1 => (0u64..2).prop_map(Step::Fence),
        1 => (rank(), rank()).prop_map(|(rank, origin)| Step::Post(rank, origin)),
        1 => (rank(), rank()).prop_map(|(rank, target)| Step::Start(rank, target)),
        1 => rank().prop_map(Step::Complete),
        1 => rank().prop_map(Step::Wait),
        1 => (rank(), rank()).prop_map(|(rank, owner)| Step::Signal(rank, owner)),
        1 => rank().prop_map(Step::Seen),
    ]
}

/// Where the memory of `owner` lies for a process.
fn lies(shared: bool, rank: u32, owner: u32, offset: u64) -> u64 {
    match (shared, rank == owner) {
        (_, true) => at(rank, offset),
        (true, false) => at(owner, offset) + 0x1000_0000 * (u64::from(rank) + 1),
        (false, false) => private(64 + offset),
    }
}

/// A window of all; `shared` says that its memory lies in the address space of each.
fn open(script: &mut Script, shared: bool) {
    for rank in 0..RANKS {
        let others = (0..RANKS).filter(|owner| shared && *owner != rank);
        let segment = |owner| SharedSegment {
            owner: Rank(owner),
            base: lies(true, rank, owner, 0),
            size: 4096,
        };
        let window = Window {
            id: WIN,
            interface: script.interface(),
            comm: CommId(1),
            flavor: if shared {
                WindowFlavor::Shared
            } else {
                WindowFlavor::Allocate
            },
            base: at(rank, 0),
            size: 4096,
            disp_unit: 1,
            accumulates: AccumulateHints::default(),
            shared: others.map(segment).collect(),
            stack: StackId(1),
            handle: None,
        };
        script.kind(rank, 0, EventKind::Window(window));
    }
}

fn lock(target: u32, kind: LockKind) -> Call {
    Call::Lock {
        win: WIN,
        target: Rank(target),
        kind,
        assertions: Assertions::default(),
    }
}

/// Single accesses to units of 4 bytes of a page of private memory.
fn places(first: u64) -> Places {
    let mut places = Places::default();
    let bits: Vec<u64> = (0..16).map(|word| (word + first) % 3 * 0x11).collect();
    places.push(1, &bits);
    places
}

fn take(script: &mut Script, shared: bool, step: &Step) {
    match *step {
        Step::Lock(rank, target, kind) => script.lock(rank, 20, target, kind),
        Step::Unlock(rank, target) => script.unlock(rank, target),
        Step::LockAll(rank) => script.lock_all(rank),
        Step::UnlockAll(rank) => script.unlock_all(rank),
        Step::Critical(rank, target, write, direct) => {
            script.lock(rank, 22, target, LockKind::Exclusive);
            match (write, direct && rank == target) {
                (true, true) => script.store(rank, 23, at(rank, 0)),
                (false, true) => script.load(rank, 24, at(rank, 0)),
                (true, false) => script.put(rank, 25, private(128), target, 0),
                (false, false) => script.get(rank, 26, private(136), target, 0),
            }
            script.unlock(rank, target);
        }
        Step::Ask(rank, target) => script.enter(rank, 21, lock(target, LockKind::Exclusive)),
        Step::Leave(rank) => script.leave(rank),
        Step::Flush(rank, target, false) => script.flush(rank, target),
        Step::Flush(rank, target, true) => script.flush_local(rank, target),
        Step::Operation(rank, kind, target, to, from) => {
            // Of private memory, or of the window.
            let origin = if from < 2 {
                private(8 * from)
            } else {
                at(rank, 8 * from)
            };
            let mut op = script.op(kind, 30 + to, origin, target, 8 * to as i64);
            op.operator = (kind == OperationKind::Accumulate).then_some(AccumulateOp::Sum);
            script.issue(rank, op);
        }
        Step::Fetch(rank, target, place, value) => {
            script.fetch(rank, 40, target, 64 + 8 * place as i64, AccumulateOp::Sum, value);
        }
        Step::Access(rank, thread, kind, owner, place) => {
            let address = match owner {
                Some(owner) => lies(shared, rank, owner, 8 * place),
                None => private(8 * place),
            };
            script.access(rank, thread, 50 + place % 2, kind, address, 8);
        }
        Step::Scattered(rank, kind, first) => {
            let set = AccessSet {
                kind,
                source: AccessSource::Instruction,
                pc: 7,
                stack: StackId(60),
                unit: 2,
                places: first.map(places),
            };
            script.kind(rank, 0, EventKind::Scattered(vec![set]));
        }
        Step::Message(from, to) => {
            script.send(from, to, 7);
            script.receive(to, from, 7);
        }
        Step::Threads(rank) => {
            script.kind(rank, 0, EventKind::Release { object: ObjectId(1) });
            script.kind(rank, 1, EventKind::Acquire { object: ObjectId(1) });
        }
        Step::Barrier => script.barrier(),
        Step::Fence(assertion) => {
            let assertions = Assertions {
                noprecede: assertion == 1,
                nostore: assertion == 1,
                ..Assertions::default()
            };
            script.fence(70 + assertion, assertions);
        }
        Step::Post(rank, origin) => script.post(rank, 80, &[origin]),
        Step::Start(rank, target) => script.start(rank, 81, &[target]),
        Step::Complete(rank) => script.complete(rank),
        Step::Wait(rank) => script.wait(rank),
        Step::Signal(rank, owner) => {
            let mut run = AccessRun::single(
                AccessKind::Store,
                lies(shared, rank, owner, 96),
                8,
                9,
                StackId(90),
            );
            run.source = AccessSource::Atomic;
            script.kind(rank, 0, EventKind::Accesses(vec![run]));
        }
        Step::Seen(rank) => {
            let seen = EventKind::Seen {
                address: at(rank, 96),
                size: 8,
                value: 1,
                until: None,
            };
            script.kind(rank, 0, seen);
        }
    }
}

/// How the processes and the judges are.
#[derive(Clone, Copy, Debug)]
struct Setting {
    shared: bool,
    clocks: bool,
    first: bool,
    farside: bool,
}

fn setting() -> impl Strategy<Value = Setting> {
    let seldom = || prop::bool::weighted(0.25);
    (seldom(), seldom(), seldom(), seldom()).prop_map(|(shared, clocks, first, farside)| Setting {
        shared,
        clocks,
        first,
        farside,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(300)) })]

    #[test]
    fn random_programs(setting in setting(), late in any::<bool>(), steps in prop::collection::vec(step(), 1..80)) {
        let options = Options {
            first: setting.first,
            ..Options::default()
        };
        let mut script = Script::without_window_by(RANKS, options)
            .of(if setting.farside { Interface::Farside } else { Interface::Mpi });
        if setting.clocks {
            (0..RANKS).for_each(|rank| script.clock(rank, rank));
        }
        // A window may come when much has been done.
        let before = if late { steps.len() / 3 } else { 0 };
        steps[..before].iter().for_each(|step| take(&mut script, setting.shared, step));
        open(&mut script, setting.shared);
        steps[before..].iter().for_each(|step| take(&mut script, setting.shared, step));
        let ending = [Ending::Complete, Ending::Hanging, Ending::Broken][steps.len() % 3].clone();
        script.finish_by(ending);
    }
}

/// Where a flag and its data lie.
const FLAG: u32 = 1;
const DATA: u32 = 2;

/// Rank 0 puts data to one rank, and says so by a flag at another, under a lock.
fn data_and_flag() -> Script {
    let mut script = Script::new(RANKS);
    script.lock(0, 10, DATA, LockKind::Shared);
    script.put(0, 11, private(0), DATA, 0);
    script.unlock(0, DATA);
    script.lock(0, 12, FLAG, LockKind::Exclusive);
    script.put(0, 13, private(8), FLAG, 0);
    script.unlock(0, FLAG);
    script
}

/// A program without a race: data lie at rank 2, and a flag at rank 1 under a lock says that they are there. Who has
/// the memory of rank 2 alone cannot know it.
#[test]
fn data_at_one_rank_and_the_flag_at_another() {
    let (flag, data) = (FLAG, DATA);
    let mut script = data_and_flag();
    script.lock(3, 20, flag, LockKind::Exclusive);
    script.get(3, 21, private(0), flag, 0);
    script.unlock(3, flag);
    script.lock(3, 22, data, LockKind::Shared);
    script.get(3, 23, private(8), data, 0);
    script.unlock(3, data);
    script.expect(&[]);
}

/// As before, the flag being loaded and stored by its owner.
#[test]
fn the_flag_in_the_memory_of_its_reader() {
    let (flag, data) = (FLAG, DATA);
    let mut script = data_and_flag();
    script.lock(flag, 20, flag, LockKind::Exclusive);
    script.load(flag, 21, at(flag, 0));
    script.unlock(flag, flag);
    script.lock(flag, 22, data, LockKind::Shared);
    script.get(flag, 23, private(8), data, 0);
    script.unlock(flag, data);
    script.expect(&[]);
}
