//! The words of GASPI: queues, flags after data, calls that failed, and segments that come and go.

use crate::script::{Script, WIN, at, private};
use farside_events::{
    AccumulateHints, AccumulateOp, Call, ChannelId, EventKind, Flag, Interface, Mistake, Notice, OperationId,
    OperationKind, Rank, RequestId, StackId, WindowFlavor,
};
use farside_race::{Gaspi, Options, RawLaneEvent};

const DATA: i64 = 8;
/// Two queues.
const ONE: ChannelId = ChannelId(1);
const OTHER: ChannelId = ChannelId(2);

fn gaspi_by(size: u32, gaspi: Gaspi) -> Script {
    let options = Options {
        gaspi,
        ..Options::default()
    };
    let mut script = Script::without_window_by(size, options).of(Interface::Gaspi);
    script.window_of_all();
    script
}

fn gaspi(size: u32) -> Script {
    gaspi_by(size, Gaspi::Strict)
}

/// The flag of this number; `follows` says whether it comes after all earlier writes of its queue.
fn flag(number: u32, follows: bool) -> Notice {
    Notice::Flag(Flag {
        win: WIN,
        number,
        value: 1,
        last: true,
        follows,
    })
}

/// A request of rank 0, with or without a flag; gives its number.
fn post(
    script: &mut Script,
    kind: OperationKind,
    line: u64,
    (target, place): (u32, i64),
    channel: ChannelId,
    notice: Option<Notice>,
) -> OperationId {
    let mut op = script.op(kind, line, private(64 * line), target, place);
    (op.channel, op.notice) = (channel, notice);
    let id = op.id;
    script.issue(0, op);
    id
}

fn write(script: &mut Script, line: u64, to: (u32, i64), channel: ChannelId) {
    post(script, OperationKind::Put, line, to, channel, None);
}

/// A flag without data.
fn notify(script: &mut Script, line: u64, target: u32, number: u32, channel: ChannelId) -> OperationId {
    let mut op = script.op(OperationKind::Put, line, private(0), target, 0);
    (op.origin, op.target_count) = (None, 0);
    (op.channel, op.notice) = (channel, Some(flag(number, true)));
    let id = op.id;
    script.issue(0, op);
    id
}

fn wait(script: &mut Script, channel: ChannelId) {
    let call = Call::Flush {
        win: WIN,
        target: None,
        local: true,
        channel: Some(channel),
    };
    script.call(0, 900, call);
}

fn see(script: &mut Script, rank: u32, number: u32) {
    let seen = |taken| EventKind::FlagSeen {
        win: WIN,
        number,
        taken,
    };
    script.kind(rank, 0, seen(None));
    script.kind(rank, 0, seen(Some(1)));
}

#[test]
fn a_flag_brings_earlier_writes_of_its_queue() {
    for (channel, races) in [(ONE, false), (OTHER, true)] {
        let mut script = gaspi(2);
        write(&mut script, 10, (1, DATA), ONE);
        notify(&mut script, 11, 1, 3, channel);
        see(&mut script, 1, 3);
        script.load(1, 20, at(1, DATA as u64));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

/// What is drawn: who waited, and which notification reached whom, once.
#[test]
fn the_timeline_leads_from_the_notification_to_the_wait_for_it() {
    let mut script = gaspi(2);
    write(&mut script, 10, (1, DATA), ONE);
    notify(&mut script, 11, 1, 3, OTHER);
    let name = "gaspi_notify_waitsome".into();
    script.enter(1, 15, Call::Await { name, of: None });
    see(&mut script, 1, 3);
    script.leave(1);
    script.load(1, 20, at(1, DATA as u64));
    let found = script.finish();
    let timeline = found[0].timeline.as_ref().expect("a race has one");
    let lines = |lane: &Vec<RawLaneEvent>| {
        lane.iter()
            .filter(|event| event.site.stack.0 >= 10)
            .map(|event| (event.site.stack.0, event.order, event.party))
            .collect::<Vec<_>>()
    };
    let lanes: Vec<_> = timeline.lanes.iter().map(|(_, lane)| lines(lane)).collect();
    let [(_, data, _), (_, notification, _)] = lanes[0][..] else {
        panic!("{lanes:?}")
    };
    let [(_, awaited, _), (_, load, _)] = lanes[1][..] else {
        panic!("{lanes:?}")
    };
    assert_eq!(lanes[0], [(10, data, Some(0)), (11, notification, None)]);
    assert_eq!(lanes[1], [(15, awaited, None), (20, load, Some(1))]);
    let arrows: Vec<_> = timeline
        .arrows
        .iter()
        .map(|arrow| (arrow.from, arrow.to))
        .collect();
    assert_eq!(arrows, [((Rank(0), notification), (Rank(1), awaited))]);
}

#[test]
fn a_flag_brings_no_later_write_and_none_of_another_target() {
    let mut script = gaspi(3);
    write(&mut script, 10, (2, DATA), ONE);
    notify(&mut script, 11, 1, 3, ONE);
    write(&mut script, 12, (1, DATA), ONE);
    see(&mut script, 1, 3);
    script.load(1, 20, at(1, DATA as u64));
    script.expect(&[("remote-race", &[12, 20])]);
}

#[test]
fn a_write_with_a_flag_covers_earlier_ones_until_16_1_only() {
    for (rules, races) in [
        (Gaspi::Strict, true),
        (Gaspi::Old, false),
        (Gaspi::Relaxed, false),
    ] {
        let mut script = gaspi_by(2, rules);
        write(&mut script, 10, (1, DATA), ONE);
        post(
            &mut script,
            OperationKind::Put,
            11,
            (1, DATA + 8),
            ONE,
            Some(flag(3, false)),
        );
        see(&mut script, 1, 3);
        script.load(1, 20, at(1, DATA as u64));
        script.load(1, 21, at(1, DATA as u64 + 8));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

#[test]
fn waiting_is_local_unless_the_rules_are_relaxed() {
    for (rules, races) in [(Gaspi::Strict, true), (Gaspi::Old, true), (Gaspi::Relaxed, false)] {
        let mut script = gaspi_by(2, rules);
        write(&mut script, 10, (1, DATA), ONE);
        wait(&mut script, ONE);
        script.barrier();
        script.load(1, 20, at(1, DATA as u64));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

#[test]
fn two_writes_of_one_queue_keep_their_order_if_the_rules_are_relaxed() {
    for (rules, channel, races) in [
        (Gaspi::Strict, ONE, true),
        (Gaspi::Relaxed, ONE, false),
        (Gaspi::Relaxed, OTHER, true),
    ] {
        let mut script = gaspi_by(2, rules);
        write(&mut script, 10, (1, DATA), ONE);
        write(&mut script, 11, (1, DATA), channel);
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 11])]),
        }
    }
}

#[test]
fn a_read_after_a_write_has_no_order_by_a_queue() {
    let mut script = gaspi_by(2, Gaspi::Relaxed);
    write(&mut script, 10, (1, DATA), ONE);
    post(&mut script, OperationKind::Get, 11, (1, DATA), ONE, None);
    script.expect(&[("remote-race", &[10, 11])]);
}

#[test]
fn waiting_completes_its_own_queue_at_the_origin() {
    for (channel, races) in [(ONE, false), (OTHER, true)] {
        let mut script = gaspi(2);
        post(&mut script, OperationKind::Get, 10, (1, DATA), ONE, None);
        wait(&mut script, channel);
        script.load(0, 20, private(640));
        match races {
            false => script.expect(&[]),
            true => script.expect(&[("local-race", &[10, 20])]),
        }
    }
}

#[test]
fn a_completed_read_has_left_its_target() {
    for waits in [false, true] {
        let mut script = gaspi(2);
        post(&mut script, OperationKind::Get, 10, (1, DATA), ONE, None);
        if waits {
            wait(&mut script, ONE);
        }
        notify(&mut script, 11, 1, 3, ONE);
        see(&mut script, 1, 3);
        script.store(1, 20, at(1, DATA as u64));
        match waits {
            true => script.expect(&[]),
            // A flag comes after writes only.
            false => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

#[test]
fn a_read_with_a_flag_is_complete_when_its_own_process_sees_it() {
    for sees in [false, true] {
        let mut script = gaspi(2);
        post(
            &mut script,
            OperationKind::Get,
            10,
            (1, DATA),
            ONE,
            Some(flag(3, false)),
        );
        if sees {
            see(&mut script, 0, 3);
        }
        script.load(0, 20, private(640));
        match sees {
            true => script.expect(&[]),
            false => script.expect(&[("local-race", &[10, 20])]),
        }
    }
}

#[test]
fn data_that_have_arrived_were_read_at_their_origin() {
    for answers in [false, true] {
        let mut script = gaspi(2);
        write(&mut script, 10, (1, DATA), ONE);
        notify(&mut script, 11, 1, 3, ONE);
        see(&mut script, 1, 3);
        if answers {
            script.barrier();
        }
        script.store(0, 20, private(640));
        match answers {
            true => script.expect(&[]),
            false => script.expect(&[("local-race", &[10, 20])]),
        }
    }
}

#[test]
fn a_call_that_failed_has_done_nothing() {
    for fails in [false, true] {
        let mut script = gaspi(2);
        let id = post(
            &mut script,
            OperationKind::Put,
            10,
            (1, DATA),
            ONE,
            Some(flag(3, false)),
        );
        if fails {
            script.kind(0, 0, EventKind::Withdrawn { operation: id });
        }
        script.store(0, 20, private(640));
        script.barrier();
        script.load(1, 21, at(1, DATA as u64));
        match fails {
            true => script.expect(&[]),
            false => script.expect(&[("local-race", &[10, 20]), ("remote-race", &[10, 21])]),
        }
    }
}

#[test]
fn a_flag_of_a_call_that_failed_is_not_lost() {
    let mut script = gaspi(2);
    let id = notify(&mut script, 10, 1, 3, ONE);
    script.kind(0, 0, EventKind::Withdrawn { operation: id });
    notify(&mut script, 11, 1, 3, ONE);
    see(&mut script, 1, 3);
    script.expect(&[]);
}

#[test]
fn a_flag_that_was_not_taken_may_be_lost() {
    for answers in [false, true] {
        let mut script = gaspi(2);
        notify(&mut script, 10, 1, 3, ONE);
        see(&mut script, 1, 3);
        if answers {
            script.barrier();
        }
        notify(&mut script, 11, 1, 3, ONE);
        match answers {
            true => script.expect(&[]),
            false => script.expect(&[("lost-notification", &[10, 11])]),
        }
    }
}

#[test]
fn a_fetch_that_failed_was_seen_by_nobody() {
    for fails in [false, true] {
        let mut script = gaspi(2);
        let fetch = |script: &mut Script, line: u64, request: u64| {
            let mut op = script.op(OperationKind::FetchAndOp, line, private(0), 1, 128);
            (op.origin, op.result) = (None, None);
            (op.operator, op.operand) = (Some(AccumulateOp::Sum), Some(1));
            op.request = Some(RequestId(request));
            op
        };
        script.store(0, 10, at(0, DATA as u64));
        let op = fetch(&mut script, 11, 900);
        let id = op.id;
        script.issue(0, op);
        match fails {
            true => script.kind(0, 0, EventKind::Withdrawn { operation: id }),
            false => {
                script.kind(
                    0,
                    0,
                    EventKind::Fetched {
                        operation: id,
                        value: 0,
                    },
                );
                let request = RequestId(900);
                script.kind(0, 0, EventKind::OperationRequestDone { request });
            }
        }
        let op = fetch(&mut script, 12, 901);
        let id = op.id;
        script.issue(1, op);
        script.kind(
            1,
            0,
            EventKind::Fetched {
                operation: id,
                value: 1,
            },
        );
        let request = RequestId(901);
        script.kind(1, 0, EventKind::OperationRequestDone { request });
        let mut op = script.op(OperationKind::Get, 13, private(0), 0, DATA);
        op.channel = ONE;
        script.issue(1, op);
        match fails {
            false => script.expect(&[]),
            true => script.expect(&[("remote-race", &[10, 13])]),
        }
    }
}

#[test]
fn memory_of_a_part_that_is_no_more_is_other_memory() {
    for waits in [false, true] {
        let mut script = gaspi(2);
        write(&mut script, 10, (1, DATA), ONE);
        if waits {
            wait(&mut script, ONE);
        }
        script.barrier();
        script.call(1, 11, Call::WinWithdraw { win: WIN });
        let hints = AccumulateHints::default();
        script.window(1, WIN, WindowFlavor::Allocate, at(1, 0), 4096, 1, hints);
        script.store(1, 20, at(1, DATA as u64));
        match waits {
            true => script.expect(&[]),
            false => script.expect(&[("freed-in-epoch", &[10, 11])]),
        }
    }
}

#[test]
fn what_the_library_refused_is_told() {
    let mut script = gaspi(1);
    let refused = EventKind::Mistaken {
        mistake: Mistake::Refused {
            reason: "returned GASPI_ERR_INV_RANK".into(),
            nearest: None,
        },
        name: "gaspi_write".into(),
        stack: StackId(10),
        earlier: None,
    };
    script.kind(0, 0, refused);
    script.expect(&[("refused-call", &[10])]);
}

/// Whether a request is over at the end of the job does not depend on what its target happens to have seen by then.
#[test]
fn a_request_is_open_at_the_end_unless_its_process_knows_that_it_came() {
    for (is_seen_first, is_known) in [(true, true), (true, false), (false, false)] {
        let mut script = gaspi(2);
        write(&mut script, 10, (1, DATA), ONE);
        notify(&mut script, 11, 1, 3, ONE);
        if is_seen_first {
            see(&mut script, 1, 3);
        }
        if is_known {
            script.barrier();
        }
        script.enter(0, 30, Call::Finalize);
        if !is_seen_first {
            see(&mut script, 1, 3);
        }
        match is_known {
            true => script.expect(&[]),
            false => script.expect(&[("finalized-in-epoch", &[10, 30])]),
        }
    }
}
