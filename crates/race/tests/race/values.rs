//! Order by the values that atomic operations bring (see `race/src/order/atomics.rs`).

use crate::script::{Script, WIN, private};
use farside_events::{AccumulateOp, Call, EventKind, OperationId, OperationKind, Rank};

/// The word that is fetched, and the data that it guards, at rank 0.
const WORD: i64 = 0;
const DATA: i64 = 8;

/// Starts an atomic operation on the word.
fn start(
    script: &mut Script,
    rank: u32,
    kind: OperationKind,
    change: (Option<AccumulateOp>, u64),
) -> OperationId {
    let mut op = script.op(kind, 10 + u64::from(rank), private(4096), 0, WORD);
    // A buffer of its own for each, so that only the order at the target is judged.
    let buffer = private(8192 + 256 * op.id.0);
    for place in [&mut op.origin, &mut op.result].into_iter().flatten() {
        place.address = buffer;
    }
    if let Some(result) = &mut op.result {
        result.address += 64;
    }
    (op.operator, op.operand) = (change.0, Some(change.1));
    let id = op.id;
    script.issue(rank, op);
    id
}

/// Its result is there. Nothing says that it is done at the target.
fn arrive(script: &mut Script, rank: u32, operation: OperationId, value: u64) {
    let call = Call::Flush {
        win: WIN,
        target: Some(Rank(0)),
        local: true,
        channel: None,
    };
    script.enter(rank, 900, call);
    script.kind(rank, 0, EventKind::Fetched { operation, value });
    script.leave(rank);
}

fn fetch(
    script: &mut Script,
    rank: u32,
    kind: OperationKind,
    change: (Option<AccumulateOp>, u64),
    value: u64,
) {
    let operation = start(script, rank, kind, change);
    arrive(script, rank, operation, value);
}

fn swap(script: &mut Script, rank: u32, replacement: u64, value: u64) {
    fetch(
        script,
        rank,
        OperationKind::CompareAndSwap,
        (None, replacement),
        value,
    );
}

fn sum(script: &mut Script, rank: u32, operand: u64, value: u64) {
    let change = (Some(AccumulateOp::Sum), operand);
    fetch(script, rank, OperationKind::FetchAndOp, change, value);
}

fn look(script: &mut Script, rank: u32, value: u64) {
    let change = (Some(AccumulateOp::NoOp), 0);
    fetch(script, rank, OperationKind::FetchAndOp, change, value);
}

/// Puts to the data, and waits until it is done.
fn put(script: &mut Script, rank: u32) {
    script.put(rank, u64::from(rank), private(16), 0, DATA);
    script.flush(rank, 0);
}

/// The word has its first value again: that is what the lock is given back by.
#[test]
fn a_lock_by_compare_and_swap() {
    let mut script = Script::new(3);
    script.everyone_locks_all();
    swap(&mut script, 1, 1, 0);
    put(&mut script, 1);
    let release = start(&mut script, 1, OperationKind::CompareAndSwap, (None, 0));
    swap(&mut script, 2, 1, 0);
    arrive(&mut script, 1, release, 1);
    put(&mut script, 2);
    script.expect(&[]);
}

/// Likewise by sums; another process has looked before.
#[test]
fn a_lock_by_sums() {
    let mut script = Script::new(3);
    script.everyone_locks_all();
    look(&mut script, 2, 0);
    sum(&mut script, 1, 1, 0);
    put(&mut script, 1);
    sum(&mut script, 1, u64::MAX, 1);
    sum(&mut script, 2, 1, 0);
    put(&mut script, 2);
    script.expect(&[]);
}

/// The word still has the value that it had before: the sum was not done yet, whatever it is to say.
#[test]
fn a_flag_that_is_not_up_yet() {
    let mut script = Script::new(3);
    script.everyone_locks_all();
    look(&mut script, 2, 0);
    put(&mut script, 1);
    script.accumulate(1, 11, 0, WORD, AccumulateOp::Sum);
    look(&mut script, 2, 0);
    put(&mut script, 2);
    script.expect(&[("remote-race", &[1, 2])]);
}

/// And when it is up, the data may be used.
#[test]
fn a_flag_that_is_up() {
    let mut script = Script::new(3);
    script.everyone_locks_all();
    look(&mut script, 2, 0);
    put(&mut script, 1);
    script.accumulate(1, 11, 0, WORD, AccumulateOp::Sum);
    look(&mut script, 2, 1);
    put(&mut script, 2);
    script.expect(&[]);
}

/// A look that was under way when the sum came brought the same value: it says nothing of what was there before.
#[test]
fn a_flag_that_another_process_saw_come_up() {
    let mut script = Script::new(4);
    script.everyone_locks_all();
    let early = start(
        &mut script,
        3,
        OperationKind::FetchAndOp,
        (Some(AccumulateOp::NoOp), 0),
    );
    put(&mut script, 1);
    script.accumulate(1, 11, 0, WORD, AccumulateOp::Sum);
    arrive(&mut script, 3, early, 1);
    look(&mut script, 2, 1);
    put(&mut script, 2);
    script.expect(&[]);
}

/// Two accumulates of one call; between them its process learns of the put of another one.
fn learns_between_accumulates(script: &mut Script) {
    script.everyone_locks_all();
    put(script, 3);
    script.accumulate(3, 13, 0, WORD, AccumulateOp::Sum);
    let change = (Some(AccumulateOp::NoOp), 0);
    let operation = start(script, 1, OperationKind::FetchAndOp, change);
    script.accumulate(1, 21, 0, EARLY, AccumulateOp::Sum);
    script.kind(1, 0, EventKind::Fetched { operation, value: 1 });
    script.accumulate(1, 21, 0, LATE, AccumulateOp::Sum);
}

/// Words that a call changes before and after its process has learned something.
const EARLY: i64 = 24;
const LATE: i64 = 32;

/// The later one shows the put, though one operation stands for both.
#[test]
fn a_later_accumulate_of_a_call_shows_what_was_learned() {
    let mut script = Script::new(4);
    learns_between_accumulates(&mut script);
    script.fetch(2, 22, 0, LATE, AccumulateOp::NoOp, 1);
    put(&mut script, 2);
    script.expect(&[]);
}

#[test]
fn an_earlier_accumulate_of_a_call_does_not_show_it() {
    let mut script = Script::new(4);
    learns_between_accumulates(&mut script);
    script.fetch(2, 22, 0, EARLY, AccumulateOp::NoOp, 1);
    put(&mut script, 2);
    script.expect(&[("remote-race", &[2, 3])]);
}
