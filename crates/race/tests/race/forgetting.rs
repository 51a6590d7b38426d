//! What nobody can race with any more is not kept, so that analysis takes time in proportion to what happened.

use crate::script::{Script, WIN, at, private};
use farside_events::{
    AccumulateOp, Call, ChannelId, EventKind, Interface, ObjectId, OperationKind, Outcome, Rank, RequestId,
    StackId, WinId,
};

/// More than are kept before anything is forgotten.
const OPERATIONS: u64 = 10_000;
/// What may be kept: a few times the number from which on records are looked through.
const FEW: u64 = 4_096;

/// Each from a place of its own, each complete before the next.
fn operation(script: &mut Script, thread: u32, win: WinId, line: u64) {
    let mut put = script.op(OperationKind::Put, 1000 + line, private(0), 0, 0);
    put.win = win;
    script.kind(0, thread, EventKind::Operation(put));
    let call = Call::Flush {
        win,
        target: Some(Rank(0)),
        local: false,
        channel: None,
    };
    let stack = StackId(904);
    script.kind(0, thread, EventKind::Enter { call, stack });
    script.kind(0, thread, EventKind::Leave(Outcome::Done));
}

/// Rank 1 does nothing; it cannot reach the memory either.
#[test]
fn a_process_by_itself() {
    let mut script = Script::without_window(2);
    let win = WinId(5);
    script.window_of(win, 0, &[0]);
    for line in 0..OPERATIONS {
        operation(&mut script, 0, win, line);
    }
    let kept = script.records_kept();
    assert!(kept < FEW, "{kept} records");
}

/// Rank 1 can reach the memory, and has learned nothing: everything must be kept.
#[test]
fn a_process_that_another_can_meet() {
    let mut script = Script::new(2);
    script.everyone_locks_all();
    for line in 0..OPERATIONS / 10 {
        operation(&mut script, 0, WIN, line);
    }
    let kept = script.records_kept();
    assert!(kept >= OPERATIONS / 10, "{kept} records");
}

/// Threads that have ended learn nothing any more, and are not waited for.
#[test]
fn threads_that_come_and_go() {
    let mut script = Script::without_window(1);
    let win = WinId(5);
    script.window_of(win, 0, &[0]);
    for line in 0..OPERATIONS / 10 {
        let thread = 1 + line as u32;
        let (start, end) = (ObjectId(2 * line), ObjectId(2 * line + 1));
        script.kind(0, 0, EventKind::Release { object: start });
        script.kind(0, thread, EventKind::Acquire { object: start });
        for part in 0..4 {
            operation(&mut script, thread, win, 4 * line + part);
        }
        script.kind(0, thread, EventKind::Release { object: end });
        script.kind(0, thread, EventKind::ThreadEnd);
        script.kind(0, 0, EventKind::Acquire { object: end });
    }
    let kept = script.records_kept();
    assert!(kept < FEW, "{kept} records");
}

/// The memory of two windows is reached by the members of both.
#[test]
fn memory_in_two_windows() {
    let mut script = Script::without_window(3);
    let (pair, alone) = (WinId(5), WinId(6));
    script.window_of(pair, 0, &[0, 1]);
    script.window_of(alone, 1, &[0]);
    for line in 0..OPERATIONS / 10 {
        operation(&mut script, 0, alone, line);
    }
    let kept = script.records_kept();
    assert!(kept >= OPERATIONS / 10, "{kept} records: rank 1 may come");
    // And rank 1 does come.
    let mut put = script.op(OperationKind::Put, 7, private(0), 0, 0);
    put.win = pair;
    script.issue(1, put);
    let found = script.finish();
    assert!(found.iter().any(|finding| finding.rule.id() == "remote-race"));
}

/// Rank 0 puts to one place again and again, each time in order after the last, and completes nothing: one record of
/// them stands for all. Rank 1 looks in the end, without having heard of any of them.
#[test]
fn what_is_ordered_and_never_complete() {
    let mut script = Script::without_window(2).of(Interface::Shmem);
    script.window_of_all();
    script.everyone_locks_all();
    for number in 0..OPERATIONS {
        let mut put = script.op(OperationKind::Put, 10, private(0), 1, 8);
        let request = RequestId(number);
        put.request = Some(request);
        script.issue(0, put);
        script.kind(0, 0, EventKind::OperationRequestDone { request });
        let channel = ChannelId::DEFAULT;
        let latest = false;
        script.kind(0, 0, EventKind::Ordered { channel, latest });
    }
    script.load(1, 20, at(1, 8));
    let kept = script.records_kept();
    script.expect(&[("remote-race", &[10, 20])]);
    assert!(kept < 16, "{kept} records");
}

/// Rank 0 adds to one word again and again, by calls that return when the operand may be used again.
#[test]
fn what_adds_to_one_word() {
    let mut script = Script::without_window(2).of(Interface::Shmem);
    script.window_of_all();
    script.everyone_locks_all();
    for number in 0..OPERATIONS {
        let mut add = script.op(OperationKind::Accumulate, 10, private(0), 1, 8);
        let request = RequestId(number);
        (add.request, add.operator) = (Some(request), Some(AccumulateOp::Sum));
        script.issue(0, add);
        script.kind(0, 0, EventKind::OperationRequestDone { request });
    }
    script.load(1, 20, at(1, 8));
    let kept = script.records_kept();
    script.expect(&[("remote-race", &[10, 20])]);
    assert!(kept < 16, "{kept} records");
}

/// Rank 0 takes tickets from one word again and again, and waits for the request of each: what it fetches is there, and
/// what it adds is complete only with the epoch.
#[test]
fn what_takes_tickets_by_requests() {
    for operator in [AccumulateOp::Sum, AccumulateOp::Replace] {
        let mut script = Script::without_window(2);
        script.window_of_all();
        script.everyone_locks_all();
        for number in 0..OPERATIONS {
            let mut fetch = script.op(OperationKind::GetAccumulate, 10, private(0), 1, 8);
            let request = RequestId(number);
            (fetch.request, fetch.operator) = (Some(request), Some(operator));
            script.issue(0, fetch);
            script.kind(0, 0, EventKind::OperationRequestDone { request });
        }
        script.load(1, 20, at(1, 8));
        let kept = script.records_kept();
        script.expect(&[("remote-race", &[10, 20])]);
        assert!(kept < 16, "{kept} records");
    }
}
