//! The words of OpenSHMEM: operations that are ordered and not complete, flags, and calls that return complete.

use crate::script::{Script, WIN, at, private};
use farside_events::{
    AccumulateOp, Call, ChannelId, Comparison, Condition, EventKind, Interface, OperationKind, RequestId,
};

/// Where the data and the flag lie.
const DATA: i64 = 8;
const FLAG: i64 = 128;

fn openshmem(size: u32) -> Script {
    let mut script = Script::without_window(size).of(Interface::Shmem);
    script.window_of_all();
    script.everyone_locks_all();
    script
}

/// A put of a value that the call takes with it: its origin is not in memory.
fn put_value(script: &mut Script, rank: u32, line: u64, (target, place): (u32, i64), value: u64) {
    let mut op = script.op(OperationKind::Put, line, private(0), target, place);
    (op.origin, op.operand) = (None, Some(value));
    script.issue(rank, op);
}

/// The process of the flag has waited for it.
fn see(script: &mut Script, rank: u32, value: u64) {
    let seen = EventKind::Seen {
        address: at(rank, FLAG as u64),
        size: 4,
        value,
        until: None,
    };
    script.kind(rank, 0, seen);
}

#[test]
fn a_flag_after_a_fence_brings_what_was_sent_before() {
    for fence in [false, true] {
        let mut script = openshmem(2);
        put_value(&mut script, 0, 10, (1, DATA), 5);
        if fence {
            script.kind(
                0,
                0,
                EventKind::Ordered {
                    channel: ChannelId::DEFAULT,
                    latest: false,
                },
            );
        }
        put_value(&mut script, 0, 11, (1, FLAG), 1);
        // The origin goes on, and completes all of it before the target has looked.
        script.flush(0, 1);
        see(&mut script, 1, 1);
        script.load(1, 20, at(1, DATA as u64));
        match fence {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

#[test]
fn a_fence_orders_nothing_of_other_targets_and_nothing_later() {
    let mut script = openshmem(3);
    put_value(&mut script, 0, 10, (2, DATA), 5);
    script.kind(
        0,
        0,
        EventKind::Ordered {
            channel: ChannelId::DEFAULT,
            latest: false,
        },
    );
    put_value(&mut script, 0, 11, (1, DATA), 5);
    put_value(&mut script, 0, 12, (1, FLAG), 1);
    see(&mut script, 1, 1);
    script.load(1, 20, at(1, DATA as u64));
    put_value(&mut script, 1, 13, (2, FLAG), 1);
    see(&mut script, 2, 1);
    script.load(2, 21, at(2, DATA as u64));
    script.expect(&[("remote-race", &[11, 20]), ("remote-race", &[10, 21])]);
}

#[test]
fn a_signal_brings_its_own_data_only() {
    let mut script = openshmem(2);
    put_value(&mut script, 0, 10, (1, DATA), 5);
    put_value(&mut script, 0, 11, (1, DATA + 8), 5);
    script.kind(
        0,
        0,
        EventKind::Ordered {
            channel: ChannelId::DEFAULT,
            latest: true,
        },
    );
    put_value(&mut script, 0, 12, (1, FLAG), 1);
    see(&mut script, 1, 1);
    script.load(1, 20, at(1, DATA as u64));
    script.load(1, 21, at(1, DATA as u64 + 8));
    script.expect(&[("remote-race", &[10, 20])]);
}

#[test]
fn the_data_of_a_signal_are_before_no_later_flag() {
    let mut script = openshmem(2);
    put_value(&mut script, 0, 10, (1, DATA), 5);
    script.kind(
        0,
        0,
        EventKind::Ordered {
            channel: ChannelId::DEFAULT,
            latest: true,
        },
    );
    put_value(&mut script, 0, 11, (1, DATA + 64), 1);
    put_value(&mut script, 0, 12, (1, FLAG), 1);
    see(&mut script, 1, 1);
    script.load(1, 20, at(1, DATA as u64));
    script.expect(&[("remote-race", &[10, 20])]);
}

#[test]
fn a_fence_orders_no_get() {
    let mut script = openshmem(2);
    script.get(0, 10, private(0), 1, DATA);
    script.kind(
        0,
        0,
        EventKind::Ordered {
            channel: ChannelId::DEFAULT,
            latest: false,
        },
    );
    put_value(&mut script, 0, 11, (1, DATA), 5);
    script.expect(&[("remote-race", &[10, 11])]);
}

#[test]
fn a_fence_orders_two_puts_of_one_process() {
    for fence in [false, true] {
        let mut script = openshmem(2);
        put_value(&mut script, 0, 10, (1, DATA), 5);
        if fence {
            script.kind(
                0,
                0,
                EventKind::Ordered {
                    channel: ChannelId::DEFAULT,
                    latest: false,
                },
            );
        }
        put_value(&mut script, 0, 11, (1, DATA), 6);
        match fence {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 11])]),
        }
    }
}

#[test]
fn a_fetch_is_done_at_its_target_when_its_value_is_there() {
    for (interface, races) in [(Interface::Shmem, false), (Interface::Mpi, true)] {
        let mut script = Script::without_window(2).of(interface);
        script.window_of_all();
        script.everyone_locks_all();
        let mut op = script.op(OperationKind::GetAccumulate, 10, private(0), 1, DATA);
        (op.origin, op.result) = (None, None);
        (op.operator, op.operand) = (Some(AccumulateOp::Sum), Some(1));
        op.request = Some(RequestId(900));
        script.issue(0, op);
        script.kind(
            0,
            0,
            EventKind::OperationRequestDone {
                request: RequestId(900),
            },
        );
        script.barrier();
        script.store(1, 20, at(1, DATA as u64));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

/// A put on a channel.
fn put_on(
    script: &mut Script,
    channel: ChannelId,
    rank: u32,
    line: u64,
    (target, place): (u32, i64),
    value: u64,
) {
    let mut op = script.op(OperationKind::Put, line, private(0), target, place);
    (op.origin, op.operand, op.channel) = (None, Some(value), channel);
    script.issue(rank, op);
}

const OTHER: ChannelId = ChannelId(1);

#[test]
fn a_fence_of_one_channel_orders_nothing_of_another() {
    // Which channel the data, the fence and the flag are on.
    for (data, fence, flag, races) in [
        (OTHER, OTHER, OTHER, false),
        (OTHER, ChannelId::DEFAULT, OTHER, true),
        (OTHER, OTHER, ChannelId::DEFAULT, true),
        (ChannelId::DEFAULT, OTHER, OTHER, true),
    ] {
        let mut script = openshmem(2);
        put_on(&mut script, data, 0, 10, (1, DATA), 5);
        let channel = fence;
        script.kind(
            0,
            0,
            EventKind::Ordered {
                channel,
                latest: false,
            },
        );
        put_on(&mut script, flag, 0, 11, (1, FLAG), 1);
        see(&mut script, 1, 1);
        script.load(1, 20, at(1, DATA as u64));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

#[test]
fn a_fence_of_one_channel_orders_no_two_puts_of_two() {
    for (second, races) in [(OTHER, false), (ChannelId::DEFAULT, true)] {
        let mut script = openshmem(2);
        put_on(&mut script, OTHER, 0, 10, (1, DATA), 5);
        let channel = OTHER;
        script.kind(
            0,
            0,
            EventKind::Ordered {
                channel,
                latest: false,
            },
        );
        put_on(&mut script, second, 0, 11, (1, DATA), 6);
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 11])]),
        }
    }
}

#[test]
fn a_flush_of_one_channel_completes_nothing_of_another() {
    for (flushed, races) in [
        (None, false),
        (Some(OTHER), false),
        (Some(ChannelId::DEFAULT), true),
    ] {
        let mut script = openshmem(2);
        put_on(&mut script, OTHER, 0, 10, (1, DATA), 5);
        let call = Call::Flush {
            win: WIN,
            target: None,
            local: false,
            channel: flushed,
        };
        script.call(0, 900, call);
        script.barrier();
        script.load(1, 20, at(1, DATA as u64));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

fn ordered(script: &mut Script, rank: u32, latest: bool) {
    let channel = ChannelId::DEFAULT;
    script.kind(rank, 0, EventKind::Ordered { channel, latest });
}

/// Of programs by `crates/explore/tests/calls`: what comes after a signal is not ordered after its data.
#[test]
fn data_of_a_signal_are_not_before_a_later_put() {
    for fence in [false, true] {
        let mut script = openshmem(2);
        put_value(&mut script, 0, 10, (1, DATA), 5);
        ordered(&mut script, 0, true);
        put_value(&mut script, 0, 11, (1, FLAG), 1);
        if fence {
            ordered(&mut script, 0, false);
        }
        put_value(&mut script, 0, 12, (1, DATA), 6);
        match fence {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 12])]),
        }
    }
}

#[test]
fn a_fence_orders_no_gets() {
    let mut script = openshmem(2);
    put_value(&mut script, 0, 10, (1, DATA), 5);
    ordered(&mut script, 0, false);
    script.get(0, 11, private(64), 1, DATA);
    script.expect(&[("remote-race", &[10, 11])]);

    let mut script = openshmem(2);
    script.get(0, 10, private(64), 1, DATA);
    ordered(&mut script, 0, false);
    put_value(&mut script, 0, 11, (1, DATA), 5);
    script.expect(&[("remote-race", &[10, 11])]);
}

/// A process sends to itself, and waits.
#[test]
fn a_process_sees_its_own_flag() {
    for waits in [false, true] {
        let mut script = openshmem(1);
        put_value(&mut script, 0, 10, (0, DATA), 5);
        ordered(&mut script, 0, true);
        put_value(&mut script, 0, 11, (0, FLAG), 1);
        if waits {
            see(&mut script, 0, 1);
        }
        script.store(0, 20, at(0, DATA as u64));
        match waits {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

/// What has arrived was read where it came from.
#[test]
fn a_source_is_free_for_who_has_seen_what_came_from_it() {
    for waits in [false, true] {
        let mut script = openshmem(2);
        script.put(0, 10, at(0, DATA as u64), 1, DATA);
        ordered(&mut script, 0, true);
        put_value(&mut script, 0, 11, (1, FLAG), 1);
        if waits {
            see(&mut script, 1, 1);
        }
        put_value(&mut script, 1, 12, (0, DATA), 7);
        match waits {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 12])]),
        }
    }
}

/// The value of a fetch is there: so is what a fence ordered before it. Who waits for the flag later has seen it, too.
#[test]
fn a_fetch_shows_that_what_was_ordered_before_it_has_arrived() {
    for (fence, waits) in [(false, false), (true, false), (true, true)] {
        let mut script = openshmem(2);
        put_value(&mut script, 0, 10, (1, DATA), 5);
        ordered(&mut script, 0, true);
        put_value(&mut script, 0, 11, (1, FLAG), 1);
        if fence {
            ordered(&mut script, 0, false);
        }
        let mut op = script.op(OperationKind::FetchAndOp, 12, private(0), 1, DATA + 64);
        (op.origin, op.result, op.operand) = (None, None, Some(1));
        (op.operator, op.request) = (Some(AccumulateOp::Sum), Some(RequestId(900)));
        script.issue(0, op);
        let done = EventKind::OperationRequestDone {
            request: RequestId(900),
        };
        script.kind(0, 0, done);
        if waits {
            see(&mut script, 1, 1);
        } else {
            script.barrier();
        }
        script.load(1, 20, at(1, DATA as u64));
        match fence {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

/// An atomic operation adds to the flag of process 2.
fn add(script: &mut Script, rank: u32, line: u64, addend: u64) {
    add_at(script, (rank, 2), line, addend);
}

/// An atomic operation of a process adds to the flag of another one.
fn add_at(script: &mut Script, (rank, target): (u32, u32), line: u64, addend: u64) {
    let mut op = script.op(OperationKind::Accumulate, line, private(0), target, FLAG);
    (op.origin, op.operator, op.operand) = (None, Some(AccumulateOp::Sum), Some(addend));
    script.issue(rank, op);
}

/// Process 2 waits until its flag compares so, finds a value, and reads what the others put there before.
fn wait_and_read(script: &mut Script, (comparison, with): (Comparison, u64), value: u64) {
    let until = Some(Condition {
        comparison,
        with,
        is_unsigned: false,
    });
    let seen = EventKind::Seen {
        address: at(2, FLAG as u64),
        size: 4,
        value,
        until,
    };
    script.kind(2, 0, seen);
    script.load(2, 20, at(2, DATA as u64));
    script.load(2, 21, at(2, DATA as u64 + 8));
}

#[test]
fn who_waits_for_less_than_a_counter_comes_to_may_go_on_before() {
    // What the waiter wants of a counter that two others add to, and which of their puts it does not know then.
    let neither: &[(&str, &[u64])] = &[("remote-race", &[10, 20]), ("remote-race", &[11, 21])];
    let both: &[(&str, &[u64])] = &[];
    let waits = [
        (Comparison::Ge, 2, both),
        (Comparison::Gt, 1, both),
        (Comparison::Eq, 2, both),
        (Comparison::Ge, 1, neither),
        (Comparison::Ne, 0, neither),
        (Comparison::Lt, 9, neither),
    ];
    for (comparison, with, expected) in waits {
        let mut script = openshmem(3);
        for rank in [0, 1] {
            put_value(
                &mut script,
                rank,
                10 + u64::from(rank),
                (2, DATA + 8 * i64::from(rank)),
                5,
            );
            script.flush(rank, 2);
            add(&mut script, rank, 12, 1);
        }
        wait_and_read(&mut script, (comparison, with), 2);
        script.expect(expected);
    }
}

#[test]
fn what_comes_before_the_least_that_was_waited_for_is_known() {
    let mut script = openshmem(3);
    put_value(&mut script, 0, 10, (2, DATA), 5);
    script.flush(0, 2);
    add(&mut script, 0, 12, 1);
    script.flush(0, 2);
    script.send(0, 1, 7);
    script.receive(1, 0, 7);
    put_value(&mut script, 1, 11, (2, DATA + 8), 5);
    script.flush(1, 2);
    add(&mut script, 1, 13, 1);
    // Process 1 adds after process 0, so that 1 is the value that process 0 leaves.
    wait_and_read(&mut script, (Comparison::Ge, 1), 2);
    script.expect(&[("remote-race", &[11, 21])]);
}

#[test]
fn who_waits_for_the_first_of_many_knows_it() {
    // More than are kept of a thread.
    for many in [1, 2, 9] {
        let mut script = openshmem(3);
        put_value(&mut script, 0, 10, (2, DATA), 5);
        for _ in 0..many {
            script.flush(0, 2);
            add(&mut script, 0, 12, 1);
        }
        wait_and_read(&mut script, (Comparison::Ge, 1), many);
        script.expect(&[]);
    }
}

#[test]
fn who_waits_for_the_first_of_two_does_not_know_the_second() {
    let mut script = openshmem(3);
    for (line, place) in [(10, DATA), (11, DATA + 8)] {
        put_value(&mut script, 0, line, (2, place), 5);
        script.flush(0, 2);
        add(&mut script, 0, 12, 1);
        script.flush(0, 2);
    }
    wait_and_read(&mut script, (Comparison::Ge, 1), 2);
    script.expect(&[("remote-race", &[11, 21])]);
}

/// A word that is set to 1 and to 2, after data of each: by one process, by one after the other, by two at any time.
#[test]
fn who_waits_for_less_than_a_word_is_set_to_may_go_on_before() {
    let second: &[(&str, &[u64])] = &[("remote-race", &[11, 21])];
    // Two that do not know of each other race for the word, too.
    let sets: (&str, &[u64]) = ("remote-race", &[12, 13]);
    let neither: &[(&str, &[u64])] = &[("remote-race", &[10, 20]), ("remote-race", &[11, 21]), sets];
    let both: &[(&str, &[u64])] = &[];
    let first: &[(&str, &[u64])] = &[("remote-race", &[10, 20]), sets];
    // Who sets it for the second time, whether that one knows of the first, and what is not known to who waits.
    let cases = [
        (0, true, (Comparison::Ge, 1), second),
        (0, true, (Comparison::Ne, 0), second),
        (0, true, (Comparison::Ge, 2), both),
        (0, true, (Comparison::Eq, 2), both),
        (1, true, (Comparison::Ge, 1), second),
        (1, true, (Comparison::Gt, 1), both),
        (1, false, (Comparison::Ge, 1), neither),
        (1, false, (Comparison::Ge, 2), first),
    ];
    for (other, knows, until, expected) in cases {
        let mut script = openshmem(3);
        put_value(&mut script, 0, 10, (2, DATA), 5);
        script.flush(0, 2);
        put_value(&mut script, 0, 12, (2, FLAG), 1);
        script.flush(0, 2);
        if knows && other != 0 {
            script.send(0, other, 7);
            script.receive(other, 0, 7);
        }
        put_value(&mut script, other, 11, (2, DATA + 8), 5);
        script.flush(other, 2);
        put_value(&mut script, other, 13, (2, FLAG), 2);
        wait_and_read(&mut script, until, 2);
        script.expect(expected);
    }
}

/// A word that is set to 1 in each of two rounds, which its owner answers: the second wait knows the second round.
#[test]
fn what_is_known_already_is_not_what_was_waited_for() {
    let mut script = openshmem(3);
    put_value(&mut script, 0, 10, (2, DATA), 5);
    script.flush(0, 2);
    put_value(&mut script, 0, 12, (2, FLAG), 1);
    see(&mut script, 2, 1);
    script.send(2, 0, 7);
    script.receive(0, 2, 7);
    put_value(&mut script, 0, 11, (2, DATA + 8), 5);
    script.flush(0, 2);
    put_value(&mut script, 0, 13, (2, FLAG), 1);
    wait_and_read(&mut script, (Comparison::Ne, 0), 1);
    script.expect(&[]);
}

#[test]
fn what_each_of_two_shows_is_known() {
    let mut script = openshmem(3);
    put_value(&mut script, 0, 10, (2, DATA), 5);
    script.flush(0, 2);
    add_at(&mut script, (0, 1), 12, 1);
    see(&mut script, 1, 1);
    put_value(&mut script, 1, 11, (2, DATA + 8), 5);
    script.flush(1, 2);
    add(&mut script, 1, 13, 1);
    add(&mut script, 0, 14, 1);
    // Whichever of both came first, the put of process 0 was complete; that of process 1 need not be.
    wait_and_read(&mut script, (Comparison::Ge, 1), 2);
    script.expect(&[("remote-race", &[11, 21])]);
}

/// A process frees its part of the window, at this line.
fn free(script: &mut Script, rank: u32, line: u64) {
    script.call(rank, line, Call::UnlockAll { win: WIN });
    script.call(rank, line, Call::WinFree { win: WIN });
}

#[test]
fn memory_is_freed_after_the_operations_of_contexts_on_it() {
    for quiet in [false, true] {
        let mut script = openshmem(2);
        let mut op = script.op(OperationKind::Put, 10, private(0), 1, DATA);
        (op.origin, op.operand, op.channel) = (None, Some(5), ChannelId(1));
        script.issue(0, op);
        if quiet {
            let call = Call::Flush {
                win: WIN,
                target: None,
                local: false,
                channel: Some(ChannelId(1)),
            };
            script.call(0, 11, call);
        }
        script.barrier();
        free(&mut script, 0, 12);
        free(&mut script, 1, 12);
        match quiet {
            true => script.expect(&[]),
            false => script.expect(&[("freed-in-epoch", &[10, 12])]),
        }
    }
}

#[test]
fn what_was_freed_is_nobodys_until_it_is_handed_out_again() {
    let mut script = openshmem(2);
    script.load(0, 20, at(0, 8));
    script.barrier();
    free(&mut script, 0, 10);
    free(&mut script, 1, 10);
    script.load(0, 20, at(0, 8));
    script.load(1, 21, at(1, 4096));
    script.window_of_all();
    script.load(0, 22, at(0, 8));
    script.expect(&[("use-after-free", &[10, 20])]);
}
