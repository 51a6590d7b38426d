//! Misuse of epochs: each rule fires, and its twin stays silent.

use crate::script::{Script, WIN, at, private};
use farside_events::{
    AccumulateHints, Assertions, Call, EventKind, LockKind, ObjectId, OperationKind, Outcome, Rank,
    RequestId, StackId, ThreadLevel, WinId, WindowFlavor, WindowPromises,
};
use farside_findings::Action;
use farside_race::{Argument, CallKind, Code, Ending, RawFinding, Spot};

#[test]
fn operations_outside_epochs() {
    let mut s = Script::new(2);
    s.put(0, 1, private(0), 1, 0);
    s.expect(&[("outside-epoch", &[1])]);

    let mut s = Script::new(3);
    s.lock(0, 2, 1, LockKind::Shared);
    s.put(0, 1, private(0), 2, 0);
    s.unlock(0, 1);
    s.expect(&[("wrong-target", &[1, 2])]);

    let mut s = Script::new(2);
    s.fence(
        2,
        Assertions {
            nosucceed: true,
            ..Assertions::default()
        },
    );
    s.put(0, 1, private(0), 1, 0);
    s.expect(&[("violated-assertion", &[1, 2])]);
}

/// The arguments that the only finding is told to have, and would rightly have.
fn arguments(s: Script) -> Option<[Code; 2]> {
    let found = s.finish();
    let [finding] = found.as_slice() else {
        panic!("{found:?}")
    };
    let advice = finding.suggestion.as_ref()?;
    Some([advice.instead_of?, *advice.code.first()?])
}

#[test]
fn one_open_epoch_tells_the_target() {
    let to = |given, right| Some([given, right].map(|rank| Code::Argument(Argument::Target(Rank(rank)))));
    let mut s = Script::new(3);
    s.lock(0, 2, 1, LockKind::Shared);
    s.put(0, 1, private(0), 2, 0);
    s.unlock(0, 1);
    assert_eq!(arguments(s), to(2, 1));

    let mut s = Script::new(3);
    s.post(1, 3, &[0]);
    s.start(0, 2, &[1]);
    s.put(0, 1, private(0), 2, 0);
    s.complete(0);
    s.wait(1);
    assert_eq!(arguments(s), to(2, 1));

    // Of two locks, either may be meant.
    let mut s = Script::new(4);
    s.lock(0, 2, 1, LockKind::Shared);
    s.lock(0, 3, 3, LockKind::Shared);
    s.put(0, 1, private(0), 2, 0);
    s.unlock(0, 1);
    s.unlock(0, 3);
    assert_eq!(arguments(s), None);
}

#[test]
fn who_started_tells_the_group_of_a_post() {
    let group = |given, right| Some([given, right].map(|ranks| Code::Argument(Argument::Group(ranks))));
    let mut s = Script::new(3);
    s.post(1, 1, &[2]);
    s.start(0, 2, &[1]);
    s.start(2, 3, &[1]);
    s.complete(2);
    s.wait(1);
    assert_eq!(arguments(s), group(0b100, 0b101));

    // Of two posts, either may be the one with another group.
    let mut s = Script::new(3);
    for (origin, line) in [(0, 1), (2, 3)] {
        s.post(1, line, &[origin]);
        s.start(0, line + 1, &[1]);
        s.complete(0);
        s.wait(1);
    }
    let codes = s.finish().into_iter().filter_map(|finding| finding.suggestion);
    assert!(codes.into_iter().all(|suggestion| suggestion.code.is_empty()));
}

#[test]
fn what_fits_into_the_window_is_told() {
    let reach = |displacement: i64, count: u64| {
        let mut s = Script::new(2);
        s.fence(2, Assertions::default());
        let mut put = s.op(farside_events::OperationKind::Put, 1, private(0), 1, 0);
        (put.displacement, put.target_count) = (displacement, count);
        s.issue(0, put);
        s.fence(3, Assertions::default());
        arguments(s)
    };
    let told = |given, right| Some([given, right].map(Code::Argument));
    let last = reach(1_000_000, 1);
    let Some(
        [
            Code::Argument(Argument::Displacement(1_000_000)),
            Code::Argument(Argument::Displacement(last)),
        ],
    ) = last
    else {
        panic!("{last:?}")
    };
    assert_eq!(
        reach(-1, 1),
        told(Argument::Displacement(-1), Argument::Displacement(0))
    );
    assert_eq!(reach(last, 3), told(Argument::Count(3), Argument::Count(1)));
}

#[test]
fn locks() {
    let mut s = Script::new(2);
    s.lock(0, 1, 1, LockKind::Shared);
    s.lock(0, 2, 1, LockKind::Shared);
    s.unlock(0, 1);
    s.unlock(0, 1);
    s.expect(&[("double-lock", &[1, 2]), ("unmatched-close", &[903])]);

    let mut s = Script::new(2);
    s.flush(0, 1);
    s.expect(&[("unmatched-close", &[904])]);

    let mut s = Script::new(2);
    s.fence(1, Assertions::default());
    s.lock(0, 2, 1, LockKind::Shared);
    s.unlock(0, 1);
    s.expect(&[]);

    let mut s = Script::new(2);
    s.fence(1, Assertions::default());
    s.put(0, 3, private(0), 1, 0);
    s.lock(0, 2, 1, LockKind::Shared);
    s.unlock(0, 1);
    s.expect(&[("mixed-epochs", &[1, 2])]);
}

/// Found by comparing with the model of Hoefler et al. 2014 (§3.1 (4)) on random programs: nothing orders the two, but
/// in this run the window was locked and exposed at the same time (MPI-4.1 §12.5.3).
#[test]
fn a_window_that_is_locked_and_exposed() {
    let mut s = Script::new(2);
    s.post(1, 1, &[0]);
    s.start(0, 2, &[1]);
    s.complete(0);
    s.lock(0, 3, 1, LockKind::Exclusive);
    s.unlock(0, 1);
    s.wait(1);
    s.expect(&[("mixed-epochs", &[1, 3])]);

    let mut s = Script::new(2);
    s.lock(0, 3, 1, LockKind::Shared);
    s.post(1, 1, &[0]);
    s.unlock(0, 1);
    s.start(0, 2, &[1]);
    s.complete(0);
    s.wait(1);
    s.expect(&[("mixed-epochs", &[1, 3])]);

    // The same calls, not at the same time.
    let mut s = Script::new(2);
    s.post(1, 1, &[0]);
    s.start(0, 2, &[1]);
    s.complete(0);
    s.wait(1);
    s.lock(0, 3, 1, LockKind::Exclusive);
    s.unlock(0, 1);
    s.post(1, 1, &[0]);
    s.start(0, 2, &[1]);
    s.complete(0);
    s.wait(1);
    s.expect(&[]);
}

/// Found in the same way: a fence epoch has no other synchronisation before its operations (§3.1 (5)).
#[test]
fn an_operation_between_post_and_wait_is_not_covered_by_a_fence() {
    let mut s = Script::new(2);
    s.fence(9, Assertions::default());
    s.post(0, 1, &[1]);
    s.put(0, 2, private(0), 1, 0);
    s.start(1, 3, &[0]);
    s.complete(1);
    s.wait(0);
    s.expect(&[("outside-epoch", &[2])]);
}

#[test]
fn requests_in_active_epochs() {
    let mut s = Script::new(2);
    s.fence(2, Assertions::default());
    let mut put = s.op(farside_events::OperationKind::Put, 1, private(0), 1, 0);
    put.request = Some(RequestId(1));
    s.issue(0, put);
    s.expect(&[("request-outside-passive", &[1])]);
}

#[test]
fn assertions() {
    let mut s = Script::new(2);
    s.store(1, 1, at(1, 0));
    s.fence(
        2,
        Assertions {
            nostore: true,
            ..Assertions::default()
        },
    );
    s.expect(&[("violated-assertion", &[1, 2])]);

    let mut s = Script::new(2);
    s.store(1, 1, at(1, 0));
    s.fence(3, Assertions::default());
    s.fence(
        2,
        Assertions {
            nostore: true,
            ..Assertions::default()
        },
    );
    s.expect(&[]);

    let mut s = Script::new(2);
    s.fence(
        2,
        Assertions {
            noput: true,
            ..Assertions::default()
        },
    );
    s.put(0, 1, private(0), 1, 0);
    s.expect(&[("violated-assertion", &[1, 2])]);

    let mut s = Script::new(2);
    s.fence(3, Assertions::default());
    s.put(0, 1, private(0), 1, 0);
    s.fence(
        2,
        Assertions {
            noprecede: true,
            ..Assertions::default()
        },
    );
    s.expect(&[("violated-assertion", &[1, 2])]);
}

#[test]
fn ends_of_windows() {
    let mut s = Script::new(2);
    s.lock(0, 1, 1, LockKind::Shared);
    s.enter(0, 2, Call::WinFree { win: WIN });
    s.expect(&[("freed-in-epoch", &[1, 2])]);

    let mut s = Script::new(2);
    s.lock_all(0);
    s.enter(0, 2, Call::Finalize);
    s.expect(&[("finalized-in-epoch", &[2, 900])]);

    let mut s = Script::new(2);
    s.put(0, 1, private(0), 1, 4093);
    s.expect(&[("outside-epoch", &[1])]);

    let mut s = Script::new(2);
    s.fence(2, Assertions::default());
    s.put(0, 1, private(0), 1, 4093);
    s.put(0, 3, private(0), 1, 4092);
    s.expect(&[("out-of-range", &[1])]);
}

#[test]
fn groups_of_post_and_start() {
    let mut s = Script::new(3);
    s.post(1, 1, &[2]);
    s.start(0, 2, &[1]);
    s.start(2, 3, &[1]);
    s.complete(2);
    s.wait(1);
    s.expect(&[("group-mismatch", &[1, 2])]);
}

#[test]
fn a_cycle_of_locks_is_named() {
    let mut s = Script::new(2);
    s.lock(0, 1, 0, LockKind::Exclusive);
    s.lock(1, 2, 1, LockKind::Exclusive);
    let exclusive = |target| Call::Lock {
        win: WIN,
        target: Rank(target),
        kind: LockKind::Exclusive,
        assertions: Assertions::default(),
    };
    s.enter(0, 3, exclusive(1));
    s.enter(1, 4, exclusive(0));
    let findings = s.finish_by(Ending::Hanging);
    let lines: Vec<u64> = findings[0]
        .parties
        .iter()
        .map(|party| party.site.stack.0)
        .collect();
    assert_eq!((findings[0].rule.id(), lines), ("deadlock", vec![3, 4]));
    // Rank 1 would have to unlock what rank 0 waits for before it asks for its second lock.
    assert_eq!(earlier(&findings[0]), (CallKind::Unlock, Some(2), 4));
}

/// The call that has to come earlier, the line of what it ends, and the line that it goes before.
fn earlier(finding: &RawFinding) -> (CallKind, Option<u64>, u64) {
    let suggestion = finding.suggestion.as_ref().expect("advice");
    assert_eq!(suggestion.action, Action::Move);
    let [Code::Call(call)] = suggestion.code[..] else {
        panic!("{suggestion:?}")
    };
    let line = |spot: &Spot| spot.site.stack.0;
    let before = suggestion.before.as_ref().map(line).expect("a place");
    (call, suggestion.after.as_ref().map(line), before)
}

/// Each waits for the other's complete, or for its post.
#[test]
fn what_comes_too_late_in_a_cycle_of_epochs_is_named() {
    let mut s = Script::new(2);
    for (rank, other) in [(0, 1), (1, 0)] {
        s.post(rank, 1, &[other]);
        s.start(rank, 2, &[other]);
    }
    for rank in [0, 1] {
        s.enter(
            rank,
            3,
            Call::Wait {
                win: WIN,
                test: false,
            },
        );
    }
    let findings = s.finish_by(Ending::Hanging);
    assert_eq!(earlier(&findings[0]), (CallKind::Complete, Some(2), 3));
    // A start may wait for its post, so that a post before the complete would be too late: it comes before the start.
    let mut s = Script::new(2);
    for (rank, other) in [(0, 1), (1, 0)] {
        s.start(rank, 2, &[other]);
    }
    for rank in [0, 1] {
        s.enter(rank, 3, Call::Complete { win: WIN });
    }
    let findings = s.finish_by(Ending::Hanging);
    let deadlock = findings.iter().find(|finding| finding.rule.id() == "deadlock");
    assert_eq!(earlier(deadlock.expect("a cycle")), (CallKind::Post, None, 2));
}

#[test]
fn a_negative_count_is_refused() {
    for at_target in [false, true] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        s.store(0, 2, private(0));
        let mut op = s.op(farside_events::OperationKind::Put, 1, private(0), 1, 0);
        let count = (-1i64).cast_unsigned();
        match (at_target, &mut op.origin) {
            (false, Some(buffer)) => buffer.count = count,
            _ => op.target_count = count,
        }
        s.issue(0, op);
        // Nothing is transferred.
        s.store(0, 3, private(0));
        s.expect(&[("out-of-range", &[1])]);
    }
}

/// Who waits for a word waits for whoever writes it: for ever only if none of the others comes on.
#[test]
fn a_wait_for_a_word_is_for_ever_if_nobody_is_left_to_write() {
    let found = |third_waits: bool| {
        let mut s = Script::new(3);
        let name = || "shmem_long_wait_until".into();
        s.enter(
            0,
            1,
            Call::Await {
                name: name(),
                of: None,
            },
        );
        s.enter(1, 2, Call::Finalize);
        if third_waits {
            s.enter(
                2,
                3,
                Call::Await {
                    name: name(),
                    of: None,
                },
            );
        }
        let findings = s.finish_by(Ending::Hanging);
        let ids = findings.iter().map(|finding| finding.rule.id());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(found(true), ["deadlock"]);
    assert_eq!(found(false), Vec::<&str>::new());
}

/// Rank 0 posts to rank 1, which has not started when the run is ended: it may, unless it waits for ever itself.
#[test]
fn what_a_process_has_not_come_to_is_not_missing() {
    let found = |second_ends: bool| {
        let mut s = Script::new(2);
        s.post(0, 1, &[1]);
        let (win, test) = (WIN, false);
        s.enter(0, 2, Call::Wait { win, test });
        if second_ends {
            s.enter(1, 3, Call::Finalize);
        }
        let findings = s.finish_by(Ending::Hanging);
        let ids = findings.iter().map(|finding| finding.rule.id());
        ids.collect::<Vec<_>>()
    };
    assert!(found(true).contains(&"group-mismatch"));
    assert_eq!(found(false), Vec::<&str>::new());
}

/// Rank 0 accesses the window that rank 1 exposes, and rank 1 asks at line 20 whether that is over.
fn tested(over: bool) -> Script {
    let mut s = Script::new(2);
    s.post(1, 3, &[0]);
    s.start(0, 2, &[1]);
    s.put(0, 1, private(0), 1, 0);
    s.complete(0);
    let test = Call::Wait { win: WIN, test: true };
    s.enter(1, 20, test);
    s.kind(1, 0, EventKind::Leave(Outcome::Flag(over)));
    s
}

#[test]
fn a_test_that_says_no_is_to_be_a_wait() {
    type Next = fn(&mut Script);
    let next: [(&str, Next); 3] = [
        ("remote-race", |s| s.load(1, 5, at(1, 0))),
        ("mixed-epochs", |s| s.post(1, 6, &[0])),
        ("freed-in-epoch", |s| {
            (0..2).for_each(|rank| s.enter(rank, 7, Call::WinFree { win: WIN }));
        }),
    ];
    for (rule, next) in next {
        let mut s = tested(false);
        next(&mut s);
        let found = s.finish();
        let finding = found.iter().find(|finding| finding.rule.id() == rule);
        let advice = finding.and_then(|finding| finding.suggestion.as_ref());
        let advice = advice.unwrap_or_else(|| panic!("{rule}: {found:?}"));
        assert_eq!(
            (advice.action, advice.code.as_slice()),
            (Action::Replace, &[Code::Wait][..])
        );
        assert_eq!(advice.instead_of, Some(Code::Call(CallKind::Test)));
        assert_eq!(advice.at.as_ref().map(|spot| spot.site.stack.0), Some(20));
    }
    let mut s = tested(true);
    s.load(1, 5, at(1, 0));
    s.expect(&[]);
}

const OTHER: WinId = WinId(78);

/// Two processes with one more window, of which their infos promise this, with these units.
fn promised(promises: WindowPromises, units: [u32; 2]) -> Script {
    let mut s = Script::new(2);
    for (rank, unit) in (0..).zip(units) {
        let (flavor, base) = (WindowFlavor::Create, at(rank, 2048));
        s.window(rank, OTHER, flavor, base, 64, unit, AccumulateHints::default());
        s.kind(rank, 0, EventKind::WindowPromises { win: OTHER, promises });
    }
    s
}

const NO_LOCKS: WindowPromises = WindowPromises {
    no_locks: Some(true),
    same_disp_unit: None,
};

#[test]
fn a_window_without_locks_is_not_locked() {
    for (no_locks, wanted) in [(true, 2), (false, 0)] {
        let promises = WindowPromises {
            no_locks: Some(no_locks),
            same_disp_unit: None,
        };
        let mut s = promised(promises, [1, 1]);
        let (win, assertions) = (OTHER, Assertions::default());
        let (target, kind) = (Rank(1), LockKind::Shared);
        let lock = Call::Lock {
            win,
            target,
            kind,
            assertions,
        };
        s.call(0, 30, lock);
        s.call(0, 31, Call::Unlock { win, target });
        s.call(1, 32, Call::LockAll { win, assertions });
        s.call(1, 33, Call::UnlockAll { win });
        let all: [(&str, &[u64]); 2] = [("violated-assertion", &[30]), ("violated-assertion", &[32])];
        s.expect(&all[..wanted]);
    }
}

/// Its info lets the library free it without waiting for others (MPI-4.1 §12.2.5).
#[test]
fn the_end_of_a_window_without_locks_orders_nothing() {
    for (promises, wanted) in [(NO_LOCKS, 1), (WindowPromises::default(), 0)] {
        let mut s = promised(promises, [1, 1]);
        s.everyone_locks_all();
        s.put(0, 1, private(0), 1, 0);
        s.flush(0, 1);
        (0..2).for_each(|rank| s.enter(rank, 40, Call::WinFree { win: OTHER }));
        (0..2).for_each(|rank| s.leave(rank));
        s.load(1, 2, at(1, 0));
        let all: [(&str, &[u64]); 1] = [("remote-race", &[1, 2])];
        s.expect(&all[..wanted]);
    }
}

#[test]
fn units_that_are_promised_to_be_the_same_are() {
    for (same_disp_unit, units, wanted) in [(true, [4, 1], 1), (true, [4, 4], 0), (false, [4, 1], 0)] {
        let promises = WindowPromises {
            no_locks: None,
            same_disp_unit: Some(same_disp_unit),
        };
        let all: [(&str, &[u64]); 1] = [("violated-assertion", &[1, 1])];
        promised(promises, units).expect(&all[..wanted]);
    }
}

/// Two threads of rank 0 put under a level of thread support; the second one comes after the first, or not.
fn puts_of_two_threads(level: ThreadLevel, ordered: bool) -> Script {
    let mut s = Script::new(2);
    let (name, stack) = ("MPI_Init_thread".into(), StackId(1));
    s.kind(0, 0, EventKind::ThreadLevel { level, name, stack });
    s.everyone_locks_all();
    let start = ObjectId(1);
    s.kind(0, 0, EventKind::Release { object: start });
    s.kind(0, 1, EventKind::Acquire { object: start });
    s.put(0, 2, private(0), 1, 0);
    if ordered {
        s.kind(0, 0, EventKind::Release { object: ObjectId(2) });
        s.kind(0, 1, EventKind::Acquire { object: ObjectId(2) });
    }
    for cell in [8, 16] {
        let put = s.op(OperationKind::Put, 3, private(8), 1, cell);
        s.kind(0, 1, EventKind::Operation(put));
    }
    s
}

#[test]
fn threads_call_mpi_as_the_level_allows() {
    let rule = "thread-level";
    for level in [ThreadLevel::Single, ThreadLevel::Funneled] {
        puts_of_two_threads(level, true).expect(&[(rule, &[1, 3])]);
    }
    puts_of_two_threads(ThreadLevel::Serialized, true).expect(&[]);
    puts_of_two_threads(ThreadLevel::Serialized, false).expect(&[(rule, &[2, 3])]);
}
