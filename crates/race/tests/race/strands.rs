//! Strands: parts of a thread's work that its language does not order.

use crate::script::{Script, WIN, at, private};
use farside_events::{AccessKind, Call, EventKind, ObjectId, OperationKind, Outcome, StackId, ThreadId};

const REMOTE: &str = "remote-race";
const LOCAL: &str = "local-race";
/// What comes before all strands, and after them.
const FORK: ObjectId = ObjectId(1);
const JOIN: ObjectId = ObjectId(2);

/// Strands of thread 0.
const ONE: u32 = ThreadId(0).strand(1).0;
const OTHER: u32 = ThreadId(0).strand(2).0;

fn forked() -> Script {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.kind(0, 0, EventKind::Release { object: FORK });
    s
}

fn acquire(s: &mut Script, thread: u32, object: ObjectId) {
    s.kind(0, thread, EventKind::Acquire { object });
}

fn release(s: &mut Script, thread: u32, object: ObjectId) {
    s.kind(0, thread, EventKind::Release { object });
}

/// A put of what lies at an address to a place of rank 1, and its flush.
fn put(s: &mut Script, thread: u32, line: u64, origin: u64, place: i64) {
    let put = s.op(OperationKind::Put, line, origin, 1, place);
    s.kind(0, thread, EventKind::Operation(put));
    let call = Call::Flush {
        win: WIN,
        target: Some(farside_events::Rank(1)),
        local: false,
        channel: None,
    };
    let stack = StackId(90 + line);
    s.kind(0, thread, EventKind::Enter { call, stack });
    s.kind(0, thread, EventKind::Leave(Outcome::Done));
}

fn store(s: &mut Script, thread: u32, line: u64, address: u64) {
    s.access(0, thread, line, AccessKind::Store, address, 4);
}

#[test]
fn strands_of_one_thread_race_at_a_window() {
    for ordered in [false, true] {
        let mut s = forked();
        acquire(&mut s, ONE, FORK);
        put(&mut s, ONE, 1, private(0), 0);
        if ordered {
            release(&mut s, ONE, ObjectId(5));
        }
        acquire(&mut s, OTHER, FORK);
        if ordered {
            acquire(&mut s, OTHER, ObjectId(5));
        }
        put(&mut s, OTHER, 2, private(64), 0);
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[1, 2])];
        s.expect(&all[..usize::from(!ordered)]);
    }
}

#[test]
fn a_thread_knows_its_strands_after_the_join_only() {
    for joined in [false, true] {
        let mut s = forked();
        s.kind(0, 0, EventKind::Common(vec![(private(0), private(64))]));
        acquire(&mut s, OTHER, FORK);
        acquire(&mut s, ONE, FORK);
        put(&mut s, ONE, 1, private(0), 0);
        release(&mut s, ONE, JOIN);
        s.kind(0, ONE, EventKind::ThreadEnd);
        if joined {
            acquire(&mut s, OTHER, JOIN);
        }
        store(&mut s, OTHER, 2, private(0));
        let all: [(&str, &[u64]); 1] = [(LOCAL, &[1, 2])];
        s.expect(&all[..usize::from(!joined)]);
    }
}

#[test]
fn memory_of_the_thread_is_judged_by_threads() {
    // The same bytes: named as common, the strands race there; else they ran on one thread one after the other.
    for common in [false, true] {
        let mut s = forked();
        if common {
            s.kind(0, 0, EventKind::Common(vec![(private(0), private(64))]));
        }
        acquire(&mut s, ONE, FORK);
        store(&mut s, ONE, 1, private(0));
        put(&mut s, ONE, 2, private(0), 0);
        acquire(&mut s, OTHER, FORK);
        store(&mut s, OTHER, 3, private(0));
        put(&mut s, OTHER, 4, private(0), 8);
        let all: [(&str, &[u64]); 2] = [(LOCAL, &[1, 4]), (LOCAL, &[2, 3])];
        s.expect(&all[..2 * usize::from(common)]);
    }
}

#[test]
fn an_open_operation_races_in_memory_of_the_thread() {
    let mut s = forked();
    acquire(&mut s, ONE, FORK);
    let open = s.op(OperationKind::Put, 1, private(0), 1, 0);
    s.kind(0, ONE, EventKind::Operation(open));
    acquire(&mut s, OTHER, FORK);
    store(&mut s, OTHER, 2, private(0));
    s.expect(&[(LOCAL, &[1, 2])]);
}

#[test]
fn a_flush_completes_what_its_thread_issued() {
    // In a strand of another thread it need not come after the put.
    for (thread, completes) in [(0, true), (1, false)] {
        let other = ThreadId(thread).strand(3).0;
        let mut s = forked();
        acquire(&mut s, other, FORK);
        acquire(&mut s, ONE, FORK);
        let open = s.op(OperationKind::Put, 1, private(0), 1, 0);
        s.kind(0, ONE, EventKind::Operation(open));
        release(&mut s, ONE, JOIN);
        put(&mut s, other, 2, private(64), 64);
        release(&mut s, other, JOIN);
        acquire(&mut s, 0, JOIN);
        store(&mut s, 0, 3, private(0));
        let all: [(&str, &[u64]); 1] = [(LOCAL, &[1, 3])];
        s.expect(&all[..usize::from(!completes)]);
    }
}

#[test]
fn a_strand_that_flushes_knows_although_another_one_did() {
    let mut s = forked();
    s.kind(0, 0, EventKind::Common(vec![(private(0), private(128))]));
    acquire(&mut s, ONE, FORK);
    let open = s.op(OperationKind::Put, 1, private(0), 1, 0);
    s.kind(0, ONE, EventKind::Operation(open));
    acquire(&mut s, OTHER, FORK);
    put(&mut s, OTHER, 2, private(64), 64);
    put(&mut s, ONE, 3, private(32), 32);
    store(&mut s, ONE, 4, private(0));
    s.expect(&[]);
}

#[test]
fn memory_of_another_thread_is_judged_by_threads() {
    let of_another = ThreadId(1).strand(1).0;
    for known in [false, true] {
        let mut s = forked();
        acquire(&mut s, ONE, FORK);
        put(&mut s, ONE, 1, private(0), 0);
        // The thread itself goes on, and another one learns from it: by that it knows what the strand did.
        if known {
            release(&mut s, 0, JOIN);
            acquire(&mut s, of_another, JOIN);
        } else {
            acquire(&mut s, of_another, FORK);
        }
        store(&mut s, of_another, 2, private(0));
        let all: [(&str, &[u64]); 1] = [(LOCAL, &[1, 2])];
        s.expect(&all[..usize::from(!known)]);
    }
}

#[test]
fn a_strand_that_comes_to_its_turn_again_knows_what_it_did() {
    let mut s = forked();
    for line in [1, 2] {
        acquire(&mut s, ONE, FORK);
        put(&mut s, ONE, line, at(0, 64), 0);
        s.kind(0, ONE, EventKind::ThreadEnd);
        acquire(&mut s, OTHER, FORK);
        s.kind(0, OTHER, EventKind::ThreadEnd);
    }
    s.expect(&[]);
}
