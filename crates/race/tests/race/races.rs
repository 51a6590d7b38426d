//! For each source of order, a program that must be reported and its twin that must not.
//! Sources: Ait Kaci 2022, Figures 3.4 to 3.9; Hoefler et al. 2014, Figures 7 to 10.

use crate::script::{Script, WIN, at, private};
use farside_events::{Assertions, Direction, LockKind, Rank};
use farside_race::{Options, Polling};

const REMOTE: &str = "remote-race";
const LOCAL: &str = "local-race";

#[test]
fn store_to_the_origin_buffer_after_a_put() {
    // Ait Kaci 2022, Figure 3.4; the order of program makes the store before the put harmless.
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.store(0, 1, private(0));
    s.put(0, 2, private(0), 1, 0);
    s.store(0, 3, private(0));
    s.expect(&[(LOCAL, &[2, 3])]);

    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.store(0, 1, private(0));
    s.put(0, 2, private(0), 1, 0);
    s.load(0, 3, private(0));
    s.flush_local(0, 1);
    s.store(0, 4, private(0));
    s.store(0, 5, private(8));
    s.expect(&[]);
}

#[test]
fn load_of_what_a_get_brings() {
    // Hoefler et al. 2014, Figure 9a.
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.get(0, 1, private(0), 1, 0);
    s.load(0, 2, private(0));
    s.flush_local(0, 1);
    s.load(0, 3, private(0));
    s.expect(&[(LOCAL, &[1, 2])]);
}

#[test]
fn neighbouring_bytes_do_not_meet() {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.get(0, 1, private(4), 1, 0);
    s.load(0, 2, private(0));
    s.load(0, 3, private(8));
    s.access(0, 0, 4, farside_events::AccessKind::Load, private(7), 1);
    s.expect(&[(LOCAL, &[1, 4])]);
}

#[test]
fn put_and_store_at_the_target() {
    // Ait Kaci 2022, Figure 3.8; Hoefler et al. 2014, Figure 10.
    for store_first in [true, false] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        if store_first {
            s.store(1, 2, at(1, 0));
        }
        s.put(0, 1, private(0), 1, 0);
        if !store_first {
            s.store(1, 2, at(1, 0));
        }
        s.expect(&[(REMOTE, &[1, 2])]);
    }
}

#[test]
fn put_flush_send_then_load() {
    // Hoefler et al. 2014, Figure 9b, and the same with one part missing.
    for (flush, send, wanted) in [(true, true, 0), (false, true, 1), (true, false, 1)] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        s.put(0, 1, private(0), 1, 0);
        if flush {
            s.flush(0, 1);
        }
        if send {
            s.send(0, 1, 5);
            s.receive(1, 0, 5);
        }
        s.load(1, 2, at(1, 0));
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[1, 2])];
        s.expect(&all[..wanted]);
    }
}

#[test]
fn a_local_flush_is_not_completion_at_the_target() {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.put(0, 1, private(0), 1, 0);
    s.flush_local(0, 1);
    s.barrier();
    s.load(1, 2, at(1, 0));
    s.expect(&[(REMOTE, &[1, 2])]);
}

#[test]
fn a_flush_after_the_message_comes_too_late() {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.put(0, 1, private(0), 1, 0);
    s.send(0, 1, 5);
    s.flush(0, 1);
    s.receive(1, 0, 5);
    s.load(1, 2, at(1, 0));
    s.expect(&[(REMOTE, &[1, 2])]);
}

#[test]
fn two_puts_of_two_origins() {
    // Ait Kaci 2022, Figure 3.7.
    let mut s = Script::new(3);
    s.fence(90, Assertions::default());
    s.put(0, 1, private(0), 2, 0);
    s.put(1, 2, private(0), 2, 2);
    s.fence(91, Assertions::default());
    s.put(0, 3, private(0), 2, 0);
    s.fence(92, Assertions::default());
    s.put(1, 4, private(0), 2, 0);
    s.expect(&[(REMOTE, &[1, 2])]);
}

#[test]
fn two_puts_of_one_origin_in_one_epoch() {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    for offset in [0, 4, 0] {
        s.put(0, 1, private(0), 1, offset);
    }
    s.expect(&[(REMOTE, &[1, 1])]);
}

#[test]
fn collectives_order_in_their_own_direction() {
    type Case = (fn(u32) -> Direction, &'static [(u32, u32)]);
    // Which (earlier, later) pairs of ranks are ordered.
    let cases: [Case; 4] = [
        (
            |_| Direction::All,
            &[(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)],
        ),
        (|_| Direction::FromRoot(Rank(1)), &[(1, 0), (1, 2)]),
        (|_| Direction::ToRoot(Rank(1)), &[(0, 1), (2, 1)]),
        (|_| Direction::Prefix, &[(0, 1), (0, 2), (1, 2)]),
    ];
    for (direction, ordered) in cases {
        for writer in 0..3 {
            for reader in (0..3).filter(|reader| *reader != writer) {
                let mut s = Script::new(3);
                s.everyone_locks_all();
                s.put(writer, 1, private(0), 2, 64);
                s.flush(writer, 2);
                s.collective(direction);
                s.get(reader, 2, private(100), 2, 64);
                let wanted: &[(&str, &[u64])] = if ordered.contains(&(writer, reader)) {
                    &[]
                } else {
                    &[(REMOTE, &[1, 2])]
                };
                s.expect(wanted);
            }
        }
    }
}

#[test]
fn exclusive_locks_exclude_and_pass_on_what_is_seen() {
    for (first, second, wanted) in [
        (LockKind::Exclusive, LockKind::Exclusive, 0),
        (LockKind::Shared, LockKind::Exclusive, 0),
        (LockKind::Shared, LockKind::Shared, 1),
    ] {
        let mut s = Script::new(3);
        s.lock(0, 90, 2, first);
        s.put(0, 1, private(0), 2, 0);
        s.unlock(0, 2);
        s.lock(1, 91, 2, second);
        s.get(1, 2, private(0), 2, 0);
        s.unlock(1, 2);
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[1, 2])];
        s.expect(&all[..wanted]);
    }
}

#[test]
fn the_accidental_order_of_locks_hides_no_race() {
    // The get of line 2 is not protected; that the lock epochs happened in this order is chance.
    let mut s = Script::new(3);
    s.store(0, 1, at(0, 64));
    s.lock(0, 90, 2, LockKind::Exclusive);
    s.put(0, 3, private(0), 2, 0);
    s.unlock(0, 2);
    s.lock(1, 91, 2, LockKind::Exclusive);
    s.put(1, 4, private(0), 2, 32);
    s.unlock(1, 2);
    s.lock(1, 92, 0, LockKind::Shared);
    s.get(1, 2, private(0), 0, 64);
    s.unlock(1, 0);
    s.expect(&[(REMOTE, &[1, 2])]);

    // With a flag passed through the lock, the order is real.
    let mut s = Script::new(3);
    s.store(0, 1, at(0, 64));
    s.lock(0, 90, 2, LockKind::Exclusive);
    s.put(0, 3, private(0), 2, 0);
    s.unlock(0, 2);
    s.lock(1, 91, 2, LockKind::Exclusive);
    s.get(1, 4, private(0), 2, 0);
    s.unlock(1, 2);
    s.lock(1, 92, 0, LockKind::Shared);
    s.get(1, 2, private(8), 0, 64);
    s.unlock(1, 0);
    s.expect(&[]);
}

#[test]
fn post_start_complete_wait() {
    let mut s = Script::new(2);
    s.store(1, 1, at(1, 0));
    s.start(0, 90, &[1]);
    // Issued before the target posts: it takes effect after the post only.
    s.put(0, 2, private(0), 1, 0);
    s.store(1, 3, at(1, 0));
    s.post(1, 91, &[0]);
    s.complete(0);
    s.store(0, 4, private(0));
    s.wait(1);
    s.load(1, 5, at(1, 0));
    s.expect(&[]);

    let mut s = Script::new(2);
    s.post(1, 91, &[0]);
    s.start(0, 90, &[1]);
    s.put(0, 2, private(0), 1, 0);
    s.load(1, 5, at(1, 0));
    s.complete(0);
    s.wait(1);
    s.expect(&[(REMOTE, &[2, 5])]);
}

#[test]
fn a_fence_without_preceding_operations_is_no_barrier() {
    let opening = Assertions {
        noprecede: true,
        ..Assertions::default()
    };
    let mut s = Script::new(3);
    s.lock(0, 80, 2, LockKind::Shared);
    s.put(0, 1, private(0), 2, 0);
    s.unlock(0, 2);
    s.fence(90, opening);
    // The target's own accesses before its fence are ordered, those of a third process are not.
    s.get(1, 2, private(0), 2, 0);
    s.fence(91, Assertions::default());
    s.expect(&[(REMOTE, &[1, 2])]);

    let mut s = Script::new(2);
    s.enter(
        0,
        90,
        farside_events::Call::Fence {
            win: WIN,
            assertions: opening,
        },
    );
    s.leave(0);
    s.put(0, 1, private(0), 1, 0);
    s.store(1, 2, at(1, 0));
    s.enter(
        1,
        90,
        farside_events::Call::Fence {
            win: WIN,
            assertions: opening,
        },
    );
    s.leave(1);
    s.fence(91, Assertions::default());
    s.load(1, 3, at(1, 0));
    s.expect(&[]);
}

#[test]
fn a_fence_covers_what_came_before_it() {
    use farside_events::{AccessKind, EventKind, ObjectId};
    // One thread completes a put, passes a fence before or after that, and releases by a relaxed store.
    for (before, after, by_call) in [
        (true, true, false),
        (true, false, false),
        (false, true, false),
        (true, true, true),
        (true, false, true),
    ] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        let fence = |s: &mut Script| match by_call {
            true => s.call(0, 3, farside_events::Call::Sync { win: WIN }),
            false => s.kind(0, 0, EventKind::Fence),
        };
        if before {
            fence(&mut s);
        }
        s.put(0, 1, private(0), 1, 0);
        s.flush(0, 1);
        if after {
            fence(&mut s);
        }
        let object = ObjectId(1);
        s.kind(0, 0, EventKind::ReleaseFenced { object });
        s.kind(0, 1, EventKind::Acquire { object });
        s.access(0, 1, 2, AccessKind::Store, private(0), 4);
        let all: [(&str, &[u64]); 1] = [(LOCAL, &[1, 2])];
        s.expect(&all[..usize::from(!after)]);
    }
}

#[test]
fn clocks_belong_to_threads() {
    use farside_events::{EventKind, ObjectId};
    // Another thread's barrier neither completes nor orders this thread's put.
    for joined in [false, true] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        s.kind(0, 0, EventKind::Release { object: ObjectId(1) });
        s.kind(0, 1, EventKind::Acquire { object: ObjectId(1) });
        let put = s.op(farside_events::OperationKind::Put, 1, private(0), 1, 0);
        s.kind(0, 1, EventKind::Operation(put));
        if joined {
            s.kind(0, 1, EventKind::Release { object: ObjectId(2) });
            s.kind(0, 0, EventKind::Acquire { object: ObjectId(2) });
        }
        s.flush(0, 1);
        s.barrier();
        s.load(1, 2, at(1, 0));
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[1, 2])];
        s.expect(&all[..usize::from(!joined)]);
    }
}

#[test]
fn each_thread_may_complete_what_another_one_has_completed() {
    use farside_events::{Call, EventKind, ObjectId, Outcome, StackId};
    // Two threads flush the same put, which both know of; then the second one writes its buffer.
    for (flushes, known) in [(true, true), (false, true), (true, false)] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        s.put(0, 1, private(0), 1, 0);
        if known {
            s.kind(0, 0, EventKind::Release { object: ObjectId(1) });
            s.kind(0, 1, EventKind::Acquire { object: ObjectId(1) });
        }
        s.flush(0, 1);
        if flushes {
            let call = Call::Flush {
                win: WIN,
                target: Some(Rank(1)),
                local: false,
                channel: None,
            };
            let stack = StackId(905);
            s.kind(0, 1, EventKind::Enter { call, stack });
            s.kind(0, 1, EventKind::Leave(Outcome::Done));
        }
        s.access(0, 1, 2, farside_events::AccessKind::Store, private(0), 4);
        let all: [(&str, &[u64]); 1] = [(LOCAL, &[1, 2])];
        s.expect(&all[..usize::from(!(flushes && known))]);
    }
}

#[test]
fn messages_match_in_posting_order() {
    // Two messages with one envelope: the first receive takes the one sent before the put was complete.
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.send(0, 1, 5);
    s.put(0, 1, private(0), 1, 0);
    s.flush(0, 1);
    s.send(0, 1, 5);
    s.receive(1, 0, 5);
    s.load(1, 2, at(1, 0));
    s.expect(&[(REMOTE, &[1, 2])]);
}

#[test]
fn polling_is_a_class_of_its_own() {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    for _ in 0..4 {
        s.load(1, 2, at(1, 0));
        s.call(1, 3, farside_events::Call::Sync { win: WIN });
    }
    s.put(0, 1, private(0), 1, 0);
    s.expect(&[("polling", &[1, 2])]);
}

/// The first load is not known to poll yet.
#[test]
fn a_load_that_polls_is_allowed_from_its_first_round_on() {
    let script = |polling| {
        let mut s = Script::by(
            2,
            Options {
                polling,
                ..Options::default()
            },
        );
        s.everyone_locks_all();
        s.load(1, 2, at(1, 0));
        s.put(0, 1, private(0), 1, 0);
        s.flush(0, 1);
        for _ in 0..4 {
            s.call(1, 3, farside_events::Call::Sync { win: WIN });
            s.load(1, 2, at(1, 0));
        }
        s
    };
    script(Polling::Report).expect(&[(REMOTE, &[1, 2]), ("polling", &[1, 2])]);
    script(Polling::Allow).expect(&[]);
}

/// A line that loads several places comes back to each of them once a round, and not as often as it has places.
#[test]
fn places_of_one_run_are_not_visits() {
    use farside_events::{AccessKind, AccessRun, EventKind, StackId};
    let mut s = Script::new(2);
    s.everyone_locks_all();
    for _ in 0..2 {
        let mut run = AccessRun::single(AccessKind::Load, at(1, 0), 4, 2, StackId(2));
        run.inner_count = 3;
        run.inner_stride = 16;
        s.kind(1, 0, EventKind::Accesses(vec![run]));
        s.call(1, 3, farside_events::Call::Sync { win: WIN });
    }
    s.put(0, 1, private(0), 1, 0);
    s.expect(&[(REMOTE, &[1, 2])]);
}

/// A comparison that sorts comes back to each of many places, and waits for none.
#[test]
fn a_line_that_comes_to_many_places_polls_none() {
    use farside_events::{AccessKind, AccessRun, EventKind, StackId};
    let polling: &[(&str, &[u64])] = &[("polling", &[1, 2])];
    let race: &[(&str, &[u64])] = &[(REMOTE, &[1, 2])];
    for (places, repeats, expected) in [
        (1, 3, polling),
        (4, 3, race),
        (4, 30, polling),
        (9, 3, race),
        (9, 30, polling),
    ] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        let place = |number: u64| {
            let mut run = AccessRun::single(AccessKind::Load, at(1, 0) + 4 * number, 4, 2, StackId(2));
            run.repeats = repeats;
            run
        };
        s.kind(1, 0, EventKind::Accesses((0..places).map(place).collect()));
        s.put(0, 1, private(0), 1, 0);
        s.expect(expected);
    }
}

/// A loop in a loop comes back to each of several places by a pattern, and waits for none.
#[test]
fn a_pattern_of_several_places_polls_none() {
    use farside_events::{AccessKind, AccessRun, EventKind, StackId};
    let mut s = Script::new(2);
    s.everyone_locks_all();
    let mut run = AccessRun::single(AccessKind::Load, at(1, 0), 8, 2, StackId(2));
    (run.inner_count, run.inner_stride, run.repeats) = (6, 32, 17);
    s.kind(1, 0, EventKind::Accesses(vec![run]));
    s.put(0, 1, private(0), 1, 0);
    s.expect(&[(REMOTE, &[1, 2])]);
}

#[test]
fn a_pending_request_is_not_forgotten_for_a_completed_one() {
    use farside_events::{EventKind, OperationKind, RequestId};
    let mut s = Script::new(2);
    s.everyone_locks_all();
    for (request, origin) in [(1, private(0)), (2, private(64))] {
        let mut get = s.op(OperationKind::Get, 1, origin, 1, 0);
        get.request = Some(RequestId(request));
        s.issue(0, get);
    }
    s.kind(
        0,
        0,
        EventKind::OperationRequestDone {
            request: RequestId(2),
        },
    );
    s.barrier();
    s.store(1, 2, at(1, 0));
    s.expect(&[(REMOTE, &[1, 2])]);
}

#[test]
fn a_repeated_run_is_entered_again_where_another_has_displaced_it() {
    use farside_events::{AccessKind, AccessRun, EventKind, StackId};
    let wide = |s: &mut Script, offset| {
        let mut run = AccessRun::single(AccessKind::Store, at(0, offset), 4, 1, StackId(1));
        (run.inner_count, run.inner_stride) = (2, 4);
        s.kind(0, 0, EventKind::Accesses(vec![run]));
    };
    let mut s = Script::new(2);
    s.everyone_locks_all();
    wide(&mut s, 0);
    wide(&mut s, 4);
    s.send(0, 1, 5);
    s.receive(1, 0, 5);
    wide(&mut s, 0);
    s.get(1, 2, private(0), 0, 4);
    s.expect(&[(REMOTE, &[1, 2])]);
}
