//! Lock calls that return before the lock is granted, as those of Open MPI's osc/pt2pt do: the recorded times of epochs
//! that exclude each other overlap, and say nothing of their order (see `race/src/order/locks.rs`).

use crate::script::{Script, WIN, at, private};
use farside_events::{Assertions, Call, Interface, LockKind, OperationKind, Rank, WinId};
use farside_race::{CallKind, Ending, Misuse, Name, Wait, What};

const REMOTE: &str = "remote-race";
const EXCLUSIVE: LockKind = LockKind::Exclusive;
const SHARED: LockKind = LockKind::Shared;
/// A second window over the same memory, which all processes keep locked by `MPI_Win_lock_all`.
const OTHER: WinId = WinId(78);
/// Where the word lies that locks protect, and the data that only its value protects, at rank 2.
const WORD: i64 = 0;
const DATA: i64 = 64;

/// How a process locks rank 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    One(LockKind),
    All,
}

fn lock(s: &mut Script, rank: u32, lock: Lock) {
    match lock {
        Lock::One(kind) => s.lock(rank, 902, 2, kind),
        Lock::All => s.lock_all(rank),
    }
}

fn unlock_call(lock: Lock) -> Call {
    match lock {
        Lock::One(_) => Call::Unlock {
            win: WIN,
            target: Rank(2),
        },
        Lock::All => Call::UnlockAll { win: WIN },
    }
}

fn unlock(s: &mut Script, rank: u32, lock: Lock) {
    s.call(rank, 903, unlock_call(lock));
}

/// An operation on the word; the rank is the line.
fn operate(s: &mut Script, rank: u32, kind: OperationKind) {
    let op = s.op(kind, u64::from(rank), private(0), 2, WORD);
    s.issue(rank, op);
}

/// An operation on the data through the other window, complete at once.
fn use_data(s: &mut Script, rank: u32, kind: OperationKind) {
    let mut op = s.op(kind, 50 + u64::from(rank), private(128), 2, DATA);
    op.win = OTHER;
    s.issue(rank, op);
    let call = Call::Flush {
        win: OTHER,
        target: Some(Rank(2)),
        local: false,
        channel: None,
    };
    s.call(rank, 905, call);
}

/// Three ranks, two windows.
fn start() -> Script {
    let mut s = Script::new(3);
    s.window_of(OTHER, 0, &[0, 1, 2]);
    s
}

const OPERATIONS: [(OperationKind, OperationKind); 3] = [
    (OperationKind::Put, OperationKind::Put),
    (OperationKind::Put, OperationKind::Get),
    (OperationKind::Get, OperationKind::Put),
];

#[test]
fn epochs_that_exclude_each_other_are_never_concurrent() {
    let kinds = [
        (Lock::One(EXCLUSIVE), Lock::One(EXCLUSIVE)),
        (Lock::One(EXCLUSIVE), Lock::One(SHARED)),
        (Lock::One(SHARED), Lock::One(EXCLUSIVE)),
        (Lock::One(EXCLUSIVE), Lock::All),
        (Lock::All, Lock::One(EXCLUSIVE)),
    ];
    for (a, b) in kinds {
        for (first, second) in OPERATIONS {
            for flush in [false, true] {
                let mut s = start();
                lock(&mut s, 0, a);
                lock(&mut s, 1, b);
                operate(&mut s, 0, first);
                operate(&mut s, 1, second);
                if flush {
                    s.flush(0, 2);
                }
                unlock(&mut s, 0, a);
                if flush {
                    s.flush(1, 2);
                }
                unlock(&mut s, 1, b);
                s.expect(&[]);
            }
        }
    }
}

#[test]
fn shared_locks_exclude_nobody() {
    for (a, b) in [
        (Lock::One(SHARED), Lock::One(SHARED)),
        (Lock::All, Lock::One(SHARED)),
        (Lock::All, Lock::All),
    ] {
        let mut s = start();
        lock(&mut s, 0, a);
        lock(&mut s, 1, b);
        operate(&mut s, 0, OperationKind::Put);
        operate(&mut s, 1, OperationKind::Put);
        unlock(&mut s, 0, a);
        unlock(&mut s, 1, b);
        s.expect(&[(REMOTE, &[0, 1])]);
    }
}

#[test]
fn a_lock_of_one_side_or_of_another_window_excludes_nobody() {
    for locked in [false, true] {
        let mut s = start();
        s.lock(0, 902, 2, EXCLUSIVE);
        if locked {
            // Of another part of the same window.
            s.lock(1, 902, 0, EXCLUSIVE);
        }
        operate(&mut s, 0, OperationKind::Put);
        let mut op = s.op(OperationKind::Put, 1, private(0), 2, WORD);
        op.win = OTHER;
        s.issue(1, op);
        s.unlock(0, 2);
        s.expect(&[(REMOTE, &[0, 1])]);
    }
}

#[test]
fn a_lock_does_not_protect_what_goes_through_another_window() {
    let mut s = start();
    s.lock(0, 902, 2, EXCLUSIVE);
    s.lock(1, 902, 2, EXCLUSIVE);
    use_data(&mut s, 0, OperationKind::Put);
    use_data(&mut s, 1, OperationKind::Put);
    s.unlock(0, 2);
    s.unlock(1, 2);
    s.expect(&[(REMOTE, &[50, 51])]);
}

/// A lock of rank 2 by another rank, with `MPI_MODE_NOCHECK`.
fn unchecked(kind: LockKind) -> Call {
    let assertions = Assertions {
        nocheck: true,
        ..Assertions::default()
    };
    Call::Lock {
        win: WIN,
        target: Rank(2),
        kind,
        assertions,
    }
}

const ASSERTION: &str = "violated-assertion";

/// Whatever the times of the two epochs: the promise is wrong, and what the locks would have kept apart is no second
/// finding.
#[test]
fn nocheck_is_wrong_where_nothing_orders_the_epochs() {
    for (by_both, turns) in [
        (true, "cCrRoOuU"),
        (true, "lLoOuU"),
        (true, "loLOuU"),
        (true, "louLOU"),
        (false, "lLoOuU"),
        (false, "louLOU"),
        (false, "LOUlou"),
    ] {
        for (first, second) in OPERATIONS {
            let mut s = start();
            for turn in turns.chars() {
                let rank = u32::from(turn.is_uppercase());
                match turn.to_ascii_lowercase() {
                    // A call that returns at `r`.
                    'c' => s.enter(rank, 902, unchecked(EXCLUSIVE)),
                    'r' => s.leave(rank),
                    'l' if by_both || rank == 1 => s.call(rank, 902, unchecked(EXCLUSIVE)),
                    'l' => s.lock(rank, 902, 2, EXCLUSIVE),
                    'o' => operate(&mut s, rank, if rank == 0 { first } else { second }),
                    _ => s.unlock(rank, 2),
                }
            }
            s.expect(&[(ASSERTION, &[902, 902])]);
        }
    }
}

/// A later epoch of the same process, which is no promise or excludes nobody, hides nothing.
#[test]
fn nocheck_is_wrong_for_earlier_epochs_too() {
    for later in [None, Some(SHARED)] {
        let mut s = start();
        s.call(0, 902, unchecked(EXCLUSIVE));
        operate(&mut s, 0, OperationKind::Put);
        s.unlock(0, 2);
        match later {
            None => s.lock(0, 904, 2, SHARED),
            Some(kind) => s.call(0, 904, unchecked(kind)),
        }
        s.unlock(0, 2);
        s.lock(1, 906, 2, SHARED);
        operate(&mut s, 1, OperationKind::Get);
        s.unlock(1, 2);
        s.expect(&[(ASSERTION, &[902, 906])]);
    }
}

#[test]
fn nocheck_is_right_where_a_barrier_orders_the_epochs() {
    let mut s = start();
    for rank in [0, 1] {
        s.call(rank, 902, unchecked(EXCLUSIVE));
        operate(&mut s, rank, OperationKind::Put);
        s.unlock(rank, 2);
        s.barrier();
    }
    s.expect(&[]);
}

/// The owner's own lock and its loads and stores, while another process waits for the lock.
#[test]
fn loads_and_stores_of_the_owner_under_its_lock() {
    for locked in [true, false] {
        let mut s = start();
        if locked {
            s.lock(2, 902, 2, EXCLUSIVE);
        }
        s.lock(0, 902, 2, EXCLUSIVE);
        operate(&mut s, 0, OperationKind::Put);
        s.store(2, 2, at(2, 0));
        if locked {
            s.unlock(2, 2);
        }
        s.unlock(0, 2);
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[0, 2])];
        s.expect(&all[..usize::from(!locked)]);
    }
}

/// Whoever comes second has seen what the first put.
#[test]
fn the_order_of_epochs_that_overlap_is_carried_on() {
    for (reader_first, wanted) in [(false, 0), (true, 1)] {
        let mut s = start();
        use_data(&mut s, 0, OperationKind::Put);
        s.lock(0, 902, 2, EXCLUSIVE);
        s.lock(1, 902, 2, EXCLUSIVE);
        operate(&mut s, 0, OperationKind::Put);
        operate(&mut s, 1, OperationKind::Get);
        let order = if reader_first { [1, 0] } else { [0, 1] };
        for rank in order {
            s.flush(rank, 2);
            s.unlock(rank, 2);
        }
        use_data(&mut s, 1, OperationKind::Get);
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[50, 51])];
        s.expect(&all[..wanted]);
    }
}

/// Both wait in their unlocks: the reader may have seen the writer's value, the writer has seen nothing.
#[test]
fn of_epochs_whose_unlocks_overlap_the_reader_learns() {
    for (reader, writer_unlocks_first) in [(1, true), (1, false), (0, true), (0, false)] {
        let mut s = start();
        let writer = 1 - reader;
        // Before its epoch the process that is learned of, after it the one that learns.
        use_data(&mut s, 0, OperationKind::Put);
        let one = Lock::One(EXCLUSIVE);
        lock(&mut s, 0, one);
        lock(&mut s, 1, one);
        operate(&mut s, reader, OperationKind::Get);
        operate(&mut s, writer, OperationKind::Put);
        let order = if writer_unlocks_first {
            [writer, reader]
        } else {
            [reader, writer]
        };
        for rank in order {
            s.enter(rank, 903, unlock_call(one));
        }
        for rank in order {
            s.leave(rank);
        }
        use_data(&mut s, 1, OperationKind::Get);
        // Rank 1 learns of rank 0 if it is the reader.
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[50, 51])];
        s.expect(&all[..usize::from(reader == 0)]);
    }
}

/// The writer locks itself, and has its lock while the reader waits in an unlock that was called before.
#[test]
fn a_flag_that_is_read_in_an_unlock_under_way() {
    let mut s = start();
    let mut op = s.op(OperationKind::Put, 52, private(128), 0, DATA);
    op.win = OTHER;
    s.issue(2, op);
    s.call(
        2,
        905,
        Call::Flush {
            win: OTHER,
            target: Some(Rank(0)),
            local: false,
            channel: None,
        },
    );
    s.lock(0, 902, 2, SHARED);
    operate(&mut s, 0, OperationKind::Get);
    s.enter(
        0,
        903,
        Call::Unlock {
            win: WIN,
            target: Rank(2),
        },
    );
    s.lock(2, 902, 2, EXCLUSIVE);
    s.store(2, 2, at(2, 0));
    s.unlock(2, 2);
    s.leave(0);
    s.load(0, 53, at(0, DATA as u64));
    s.expect(&[]);
}

/// The same call in a later epoch stands for the earlier one only once nobody can come between the two.
#[test]
fn an_epoch_between_two_of_one_process() {
    let mut s = start();
    use_data(&mut s, 0, OperationKind::Put);
    s.lock(0, 902, 2, EXCLUSIVE);
    operate(&mut s, 0, OperationKind::Put);
    s.unlock(0, 2);
    s.lock(0, 902, 2, EXCLUSIVE);
    operate(&mut s, 0, OperationKind::Put);
    s.lock(1, 902, 2, EXCLUSIVE);
    operate(&mut s, 1, OperationKind::Get);
    s.flush(1, 2);
    use_data(&mut s, 1, OperationKind::Get);
    s.unlock(1, 2);
    s.unlock(0, 2);
    s.expect(&[]);
}

/// Whoever waits for a lock that was not granted may wait in a later call.
#[test]
fn a_deadlock_of_locks_that_are_granted_late() {
    let mut s = start();
    for (rank, targets) in [(0, [2, 1]), (1, [1, 2])] {
        for target in targets {
            s.lock(rank, 902, target, EXCLUSIVE);
            s.put(rank, u64::from(rank), private(0), target, WORD);
        }
        s.flush(rank, targets[0]);
    }
    s.enter(
        0,
        30,
        Call::Flush {
            win: WIN,
            target: Some(Rank(1)),
            local: false,
            channel: None,
        },
    );
    s.enter(
        1,
        31,
        Call::Unlock {
            win: WIN,
            target: Rank(2),
        },
    );
    let found = s.finish_by(Ending::Hanging);
    let flush = Name::CallOf(
        Interface::Mpi,
        CallKind::Flush {
            all: false,
            local: false,
        },
    );
    let unlock = Name::CallOf(Interface::Mpi, CallKind::Unlock);
    let wait = |rank, call: &Name, whom| Wait {
        rank: Rank(rank),
        call: call.clone(),
        whom: Rank(whom),
    };
    let deadlock = Misuse::Deadlock {
        waits: vec![wait(0, &flush, 1), wait(1, &unlock, 0)],
        ended: false,
        collective: false,
    };
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].what, What::Misuse(deadlock));
    let parties = found[0].parties.iter();
    let calls: Vec<(&Name, u64)> = parties.map(|party| (&party.name, party.site.stack.0)).collect();
    let lock = (&Name::Call(CallKind::Lock), 902);
    assert_eq!(calls, [(&flush, 30), lock, (&unlock, 31), lock]);
}
