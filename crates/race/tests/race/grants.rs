//! Random programs with lock epochs, recorded as by a library that returns from a lock call when the lock is granted,
//! and the same recordings as by one that returns at once: the findings are the same.
//!
//! Three variants of each recording:
//! 1. The locks' returns come directly after their calls. Nothing else changes: the findings are the same.
//! 2. What the process calls next, up to its first call that is no operation, comes early too: operations wait for the
//!    lock. The findings are the same, apart from those about an operation that came early and an access that no lock
//!    keeps apart from it: the standard gives these two no order, for the lock orders only what it protects.
//! 3. In addition the unlocks return late, so that of two epochs that only write nobody knows the order: accesses that
//!    locks keep apart are still not reported.

use crate::script::{Script, WIN, at, private};
use farside_built::cases;
use farside_events::{AccessKind, AccessRun, CommId};
use farside_events::{
    Assertions, Call, EventKind, LockKind, OperationKind, Outcome, PostId, Rank, SendMode, StackId, WinId,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const RANKS: u32 = 3;
/// A second window over the same memory, which all processes keep locked by `MPI_Win_lock_all`.
const OTHER: WinId = WinId(78);

/// Lines of two accesses.
type Pairs = BTreeSet<(u64, u64)>;

/// A lock that a process has or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lock {
    target: Option<u32>,
    kind: LockKind,
    granted: bool,
}

impl Lock {
    fn excludes(&self, other: &Lock) -> bool {
        (self.target == other.target || self.target.is_none() || other.target.is_none())
            && (self.kind == LockKind::Exclusive || other.kind == LockKind::Exclusive)
    }
}

/// A recording, and what its accesses are.
struct Recording {
    events: Vec<(u32, EventKind)>,
    locks: [Option<Lock>; RANKS as usize],
    next: u64,
    /// The locks under which an access was made that they protect, by its line.
    protected: BTreeMap<u64, (u32, Lock)>,
    script: Script,
}

impl Recording {
    fn enter(&mut self, rank: u32, call: Call) {
        self.next += 1;
        let stack = StackId(self.next);
        self.events.push((rank, EventKind::Enter { call, stack }));
    }

    fn call(&mut self, rank: u32, call: Call) {
        self.enter(rank, call);
        self.events.push((rank, EventKind::Leave(Outcome::Done)));
    }

    fn operation(&mut self, rank: u32, kind: OperationKind, target: u32, win: WinId, offset: i64) {
        self.next += 1;
        let line = self.next;
        // A buffer of its own for each.
        let mut op = self
            .script
            .op(kind, line, private(4096 + 256 * line), target, offset);
        op.win = win;
        self.events.push((rank, EventKind::Operation(op)));
        if let (true, Some(lock)) = (win == WIN, self.locks[rank as usize]) {
            self.protected.insert(line, (rank, lock));
        }
    }

    fn access(&mut self, rank: u32, kind: AccessKind, offset: u64) {
        self.next += 1;
        let line = self.next;
        let run = AccessRun::single(kind, at(rank, offset), 4, line, StackId(line));
        self.events.push((rank, EventKind::Accesses(vec![run])));
        if let Some(lock) =
            self.locks[rank as usize].filter(|lock| lock.target.is_none_or(|target| target == rank))
        {
            self.protected.insert(line, (rank, lock));
        }
    }

    fn message(&mut self, from: u32, to: u32) {
        let (comm, tag) = (CommId(1), i32::try_from(self.next).expect("few events"));
        let send = Call::Send {
            comm,
            dest: Some(Rank(to)),
            tag,
            mode: SendMode::Standard,
            request: None,
            name: "MPI_Send".into(),
        };
        self.call(from, send);
        let receive = Call::Receive {
            post: PostId(self.next),
            comm,
            source: Some(Rank(from)),
            tag: Some(tag),
            request: None,
            name: "MPI_Recv".into(),
        };
        self.enter(to, receive);
        let outcome = Outcome::Received {
            source: Some(Rank(from)),
            tag,
        };
        self.events.push((to, EventKind::Leave(outcome)));
    }

    /// Whether a process does not wait for a lock.
    fn runs(&self, rank: u32) -> bool {
        self.locks[rank as usize].is_none_or(|lock| lock.granted)
    }

    /// Grants the lock that the process waits for, if nobody has one that excludes it.
    fn grant(&mut self, rank: u32) {
        let Some(mine) = self.locks[rank as usize] else {
            return;
        };
        let taken = (0..RANKS)
            .filter(|other| *other != rank)
            .any(|other| self.locks[other as usize].is_some_and(|lock| lock.granted && lock.excludes(&mine)));
        if !taken {
            self.locks[rank as usize] = Some(Lock {
                granted: true,
                ..mine
            });
            self.events.push((rank, EventKind::Leave(Outcome::Done)));
        }
    }

    /// One step of one process; `choice` chooses.
    fn step(&mut self, rank: u32, choice: u32, other: u32, offset: u64) {
        if !self.runs(rank) {
            return self.grant(rank);
        }
        let kind = [OperationKind::Put, OperationKind::Get][(choice / 16 % 2) as usize];
        match (choice % 16, self.locks[rank as usize]) {
            (0..=5, None) => {
                let kind = if choice.is_multiple_of(3) {
                    LockKind::Shared
                } else {
                    LockKind::Exclusive
                };
                let (target, kind) = match choice % 6 {
                    5 => (None, LockKind::Shared),
                    _ => (Some(other), kind),
                };
                let assertions = Assertions::default();
                let call = match target {
                    Some(target) => Call::Lock {
                        win: WIN,
                        target: Rank(target),
                        kind,
                        assertions,
                    },
                    None => Call::LockAll { win: WIN, assertions },
                };
                self.enter(rank, call);
                self.locks[rank as usize] = Some(Lock {
                    target,
                    kind,
                    granted: false,
                });
                self.grant(rank);
            }
            (0..=5, Some(lock)) => {
                self.operation(rank, kind, lock.target.unwrap_or(other), WIN, offset as i64)
            }
            (6, Some(lock)) => {
                let target = Some(Rank(lock.target.unwrap_or(other)));
                self.call(
                    rank,
                    Call::Flush {
                        win: WIN,
                        target,
                        local: (choice / 16).is_multiple_of(4),
                        channel: None,
                    },
                );
            }
            (7..=9, Some(lock)) => {
                let call = match lock.target {
                    Some(target) => Call::Unlock {
                        win: WIN,
                        target: Rank(target),
                    },
                    None => Call::UnlockAll { win: WIN },
                };
                self.call(rank, call);
                self.locks[rank as usize] = None;
            }
            (10..=11, _) => {
                self.operation(rank, kind, other, OTHER, offset as i64);
                self.call(
                    rank,
                    Call::Flush {
                        win: OTHER,
                        target: Some(Rank(other)),
                        local: false,
                        channel: None,
                    },
                );
            }
            (12..=13, _) => {
                let kind = [AccessKind::Load, AccessKind::Store][(choice / 16 % 2) as usize];
                self.access(rank, kind, offset);
            }
            (14..=15, _) if other != rank && self.runs(other) => self.message(rank, other),
            _ => {}
        }
    }
}

fn begin() -> Script {
    let mut script = Script::new(RANKS);
    script.window_of(OTHER, 0, &[0, 1, 2]);
    script
}

fn record(steps: &[(u32, u32, u32, u64)]) -> Recording {
    let mut recording = Recording {
        events: Vec::new(),
        locks: [None; RANKS as usize],
        next: 1000,
        protected: BTreeMap::new(),
        script: begin(),
    };
    for &(rank, choice, other, offset) in steps {
        recording.step(rank, choice, other, offset);
    }
    recording
}

fn judge(events: &[(u32, EventKind)]) -> Pairs {
    let mut script = begin();
    for (rank, kind) in events {
        script.kind(*rank, 0, kind.clone());
    }
    let races = script
        .finish()
        .into_iter()
        .filter(|finding| finding.rule.id().ends_with("race"));
    let pairs = races.map(|finding| {
        let lines: Vec<u64> = finding.parties.iter().map(|party| party.site.stack.0).collect();
        (lines[0].min(lines[1]), lines[0].max(lines[1]))
    });
    pairs.collect()
}

fn is_lock(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Enter {
            call: Call::Lock { .. } | Call::LockAll { .. },
            ..
        }
    )
}

fn is_unlock(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Enter {
            call: Call::Unlock { .. } | Call::UnlockAll { .. },
            ..
        }
    )
}

/// Moves the return of each lock directly after its call, and with `operations` what the process issues next; gives the
/// lines of what was moved besides.
fn shift(events: &[(u32, EventKind)], operations: bool) -> (Vec<(u32, EventKind)>, BTreeSet<u64>) {
    let mut taken = vec![false; events.len()];
    let (mut shifted, mut moved) = (Vec::new(), BTreeSet::new());
    for (index, (rank, kind)) in events.iter().enumerate() {
        if std::mem::replace(&mut taken[index], true) {
            continue;
        }
        shifted.push((*rank, kind.clone()));
        if !is_lock(kind) {
            continue;
        }
        let rest = (index + 1..events.len()).filter(|&later| events[later].0 == *rank);
        for (place, later) in rest.enumerate() {
            let early = match &events[later].1 {
                EventKind::Leave(_) => place == 0,
                EventKind::Operation(op) if operations && op.win == WIN => {
                    moved.insert(op.stack.0);
                    true
                }
                _ => false,
            };
            if !early {
                break;
            }
            taken[later] = true;
            shifted.push(events[later].clone());
        }
    }
    (shifted, moved)
}

/// Moves the return of each unlock to just before what its process does next.
fn delay(events: &[(u32, EventKind)]) -> Vec<(u32, EventKind)> {
    let mut pending: [Option<(u32, EventKind)>; RANKS as usize] = Default::default();
    let mut last_was_unlock = [false; RANKS as usize];
    let mut delayed = Vec::new();
    for (rank, kind) in events {
        let index = *rank as usize;
        delayed.extend(pending[index].take());
        let leaves = last_was_unlock[index] && matches!(kind, EventKind::Leave(_));
        last_was_unlock[index] = is_unlock(kind);
        match leaves {
            true => pending[index] = Some((*rank, kind.clone())),
            false => delayed.push((*rank, kind.clone())),
        }
    }
    delayed.extend(pending.into_iter().flatten());
    delayed
}

fn holds(steps: &[(u32, u32, u32, u64)]) -> Result<(), TestCaseError> {
    let recording = record(steps);
    let expected = judge(&recording.events);
    prop_assert_eq!(
        &judge(&shift(&recording.events, false).0),
        &expected,
        "the locks return early"
    );

    let (early, moved) = shift(&recording.events, true);
    let apart = |a: &u64, b: &u64| match (recording.protected.get(a), recording.protected.get(b)) {
        (Some((rank, lock)), Some((other_rank, other))) => rank != other_rank && lock.excludes(other),
        _ => false,
    };
    let may_be_new = |(a, b): &(u64, u64)| (moved.contains(a) || moved.contains(b)) && !apart(a, b);
    let found = judge(&early);
    prop_assert!(
        found.is_superset(&expected),
        "missed: {:?}",
        expected.difference(&found)
    );
    let new: Vec<_> = found
        .difference(&expected)
        .filter(|pair| !may_be_new(pair))
        .collect();
    prop_assert!(
        new.is_empty(),
        "found only where operations come early: {:?}",
        new
    );

    let found = judge(&delay(&early));
    let invented: Vec<_> = found.difference(&expected).filter(|(a, b)| apart(a, b)).collect();
    prop_assert!(
        invented.is_empty(),
        "found where unlocks return late: {:?}",
        invented
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(250)) })]

    #[test]
    fn locks_that_return_before_they_are_granted(
        steps in prop::collection::vec((0..RANKS, 0u32..64, 0..RANKS, prop::sample::select(vec![0u64, 8])), 1..60)
    ) {
        holds(&steps)?;
    }
}

/// The random programs are about something: in most of them operations come early, and in some of them something races.
#[test]
fn the_random_programs_have_locks_that_are_waited_for() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, TestRunner};
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let steps = prop::collection::vec(
        (0..RANKS, 0u32..64, 0..RANKS, prop::sample::select(vec![0u64, 8])),
        30..60,
    );
    let (mut waited, mut racing) = (0, 0);
    for _ in 0..100 {
        let steps = steps.new_tree(&mut runner).expect("a program").current();
        let recording = record(&steps);
        let (early, _) = shift(&recording.events, true);
        waited += usize::from(format!("{early:?}") != format!("{:?}", recording.events));
        racing += usize::from(!judge(&recording.events).is_empty());
    }
    assert!(waited > 50 && racing > 20, "{waited} wait, {racing} race");
}
