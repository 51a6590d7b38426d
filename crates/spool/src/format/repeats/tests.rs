use super::super::{Decoder, Encoder, Error, Records, encode};
use farside_events::{
    AccessKind, AccessRun, AccumulateOp, Buffer, Call, ChannelId, Event, EventKind, Operation, OperationId,
    OperationKind, Outcome, Rank, RequestId, StackId, ThreadId, TypeId, WinId, Notice,
};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..4, Just(u64::MAX), Just(1 << 63), any::<u64>()]
}

fn buffer() -> impl Strategy<Value = Option<Buffer>> {
    let some = (number(), 0_u32..2, 0_u64..2).prop_map(|(address, datatype, count)| Buffer {
        address,
        datatype: TypeId(datatype),
        count,
    });
    proptest::option::weighted(0.8, some)
}

fn operation() -> impl Strategy<Value = EventKind> {
    let call = (0_u64..3, 0_u64..2, proptest::option::of(any::<bool>()));
    let target = (proptest::option::weighted(0.9, any::<u32>()), number(), 0_u32..2);
    let rest = (
        (
            proptest::option::of(number()),
            proptest::option::weighted(0.3, number()),
        ),
        proptest::option::weighted(0.2, number()),
        proptest::option::weighted(0.1, 0_u32..2),
    );
    (number(), call, target, buffer(), buffer(), buffer(), rest).prop_map(
        |(id, (stack, win, kind), (target, displacement, datatype), origin, result, compare, rest)| {
            EventKind::Operation(Operation {
                id: OperationId(id),
                kind: if kind.is_some() {
                    OperationKind::Put
                } else {
                    OperationKind::FetchAndOp
                },
                win: WinId(win),
                target: target.map(Rank),
                origin,
                result,
                compare,
                displacement: displacement.cast_signed(),
                target_type: TypeId(datatype),
                target_count: 1,
                operator: kind.unwrap_or(false).then_some(AccumulateOp::Sum),
                operand: rest.0.0,
                expected: rest.0.1,
                request: rest.1.map(RequestId),
                channel: ChannelId(rest.2.unwrap_or(0) % 2),
                notice: rest.2.map(Notice::Counted),
                stack: StackId(stack),
            })
        },
    )
}

fn kind() -> impl Strategy<Value = EventKind> {
    let run = (number(), 0_u64..3, any::<bool>(), 0_u64..2).prop_map(|(base, size, store, stack)| {
        let kind = if store {
            AccessKind::Store
        } else {
            AccessKind::Load
        };
        AccessRun {
            repeats: base >> 3,
            ..AccessRun::single(kind, base, size, 7, StackId(stack))
        }
    });
    let flush = |(win, target, stack): (u64, u32, u64)| EventKind::Enter {
        call: Call::Flush {
            win: WinId(win),
            target: Some(Rank(target)),
            local: false,
            channel: None,
        },
        stack: StackId(stack),
    };
    prop_oneof![
        4 => operation(),
        2 => (0_u64..2, 0_u32..2, 0_u64..2).prop_map(flush),
        2 => prop_oneof![Just(Outcome::Done), (0..3).prop_map(Outcome::Failed)].prop_map(EventKind::Leave),
        1 => (number(), number()).prop_map(|(id, value)| EventKind::Fetched { operation: OperationId(id), value }),
        2 => prop::collection::vec(run, 1..3).prop_map(EventKind::Accesses),
        1 => Just(EventKind::ThreadEnd),
    ]
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = (0_u64..3, any::<bool>(), kind());
    prop::collection::vec(event, 0..60).prop_map(|all| {
        let mut time = 1_u64 << 50;
        let stamp = |(step, second, kind): (u64, bool, EventKind)| {
            // Mostly forward; a step back is possible where a clock is bad.
            time = (time + step * 100).saturating_sub(1);
            Event {
                time,
                thread: ThreadId(u32::from(second)),
                kind,
            }
        };
        all.into_iter().map(stamp).collect()
    })
}

/// A chunk's records, and where each one ends.
fn written(events: &[Event]) -> (Vec<u8>, Vec<usize>) {
    let (mut encoder, mut bytes, mut ends) = (Encoder::default(), Vec::new(), Vec::new());
    for event in events {
        let mut room = [0; 1024];
        let length = encoder.encode(event, &mut room).unwrap().unwrap();
        bytes.extend_from_slice(&room[..length]);
        ends.push(bytes.len());
    }
    (bytes, ends)
}

proptest! {
    #[test]
    fn what_was_written_is_read(events in events()) {
        let (bytes, _) = written(&events);
        let read: Result<Vec<_>, _> = Records::new(&bytes).collect();
        prop_assert_eq!(read, Ok(events));
    }

    #[test]
    fn a_cut_leaves_whole_events(events in events(), cut in any::<prop::sample::Index>()) {
        let (bytes, ends) = written(&events);
        let cut = cut.index(bytes.len() + 1);
        let read: Result<Vec<_>, _> = Records::new(&bytes[..cut]).collect();
        prop_assert_eq!(read.unwrap(), &events[..ends.iter().filter(|&&end| end <= cut).count()]);
    }

    #[test]
    fn no_room_is_no_write(events in events(), small in 0_usize..40) {
        // An event that does not fit is not remembered: the next ones are not told by their difference to it.
        let (mut encoder, mut bytes, mut fitted) = (Encoder::default(), Vec::new(), Vec::new());
        for event in &events {
            let mut room = vec![0; small];
            if let Some(length) = encoder.encode(event, &mut room).unwrap() {
                bytes.extend_from_slice(&room[..length]);
                fitted.push(event.clone());
            }
        }
        let read: Result<Vec<_>, _> = Records::new(&bytes).collect();
        prop_assert_eq!(read, Ok(fitted));
    }

    #[test]
    fn after_a_damaged_record_nothing_is_guessed(events in events(), at in any::<prop::sample::Index>()) {
        let (bytes, ends) = written(&events);
        let at = at.index(events.len() + 1);
        let start = if at == 0 { 0 } else { ends[at - 1] };
        let damaged = [&bytes[..start], &[1, 0, 0, 0, 0xff], &bytes[start..]].concat();
        let mut right = events.iter();
        for (i, read) in Records::new(&damaged).enumerate() {
            match read {
                Ok(event) => prop_assert!(right.any(|written| *written == event)),
                Err(error) => {
                    prop_assert!(i >= at);
                    let damaged = matches!(error, Error::Damaged { .. });
                    prop_assert!(damaged);
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), events in events()) {
        let (mut decoder, (known, _)) = (Decoder::default(), written(&events));
        for mut rest in [&known[..], &bytes[..]] {
            while decoder.next(&mut rest).is_some() {}
        }
    }
}

#[test]
fn what_repeats_is_short() {
    let flush = |time| Event {
        time,
        thread: ThreadId(0),
        kind: EventKind::Enter {
            call: Call::Flush {
                win: WinId(u64::MAX),
                target: None,
                local: false,
                channel: None,
            },
            stack: StackId(u64::MAX),
        },
    };
    let mut alone = Vec::new();
    encode(&flush(1 << 50), &mut alone).unwrap();
    let (bytes, ends) = written(&[flush(1 << 50), flush((1 << 50) + 1000)]);
    assert_eq!(ends[0], alone.len());
    assert_eq!(bytes.len() - ends[0], 4 + 9);
}
