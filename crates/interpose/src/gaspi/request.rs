//! Requests (GASPI 17.1 §8.2 to §8.4): writes and reads, alone and in lists, and notifications.

use super::{After, Call, SUCCESS, queue, segment, session, types};
use crate::mpi::Counter;
use crate::recorder::record;
use farside_calls::gaspi::{Direction, Notifies};
use farside_events::{Buffer, EventKind, Flag, Notice, Operation, OperationId, OperationKind, Rank};

static NEXT: Counter = Counter::new();

/// The next operation of this process.
pub(super) fn next_operation() -> OperationId {
    OperationId(NEXT.next())
}

/// A place in a segment.
#[derive(Clone, Copy)]
struct Place {
    segment: u8,
    offset: u64,
}

/// One piece of data on its way.
#[derive(Clone, Copy)]
struct Piece {
    local: Place,
    remote: Place,
    size: u64,
}

/// Where a request goes.
#[derive(Clone, Copy)]
struct Way {
    direction: Direction,
    rank: u32,
    queue: u8,
}

/// `(local segment, offset, rank, remote segment, offset, size, [notification, [value]], queue, timeout)`.
pub(super) fn one(call: &Call, direction: Direction, notifies: Notifies) -> After {
    let piece = Piece {
        local: Place {
            segment: call.small(0),
            offset: call.word(1),
        },
        remote: Place {
            segment: call.small(3),
            offset: call.word(4),
        },
        size: call.word(5),
    };
    let way = |place: usize| Way {
        direction,
        rank: call.number(2),
        queue: call.small(place),
    };
    match notifies {
        Notifies::No => after_success(way(6), vec![piece]),
        Notifies::Remote => {
            let flag = flag(piece.remote.segment, call.number(6), call.number(7));
            at_once(call, way(8), &[piece], flag)
        }
        Notifies::Local => {
            let flag = flag(piece.local.segment, call.number(6), 1);
            at_once(call, way(7), &[piece], flag)
        }
    }
}

/// `(number, local segments, offsets, rank, remote segments, offsets, sizes, [segment, notification, [value]], queue,
/// timeout)`.
pub(super) fn list(call: &Call, direction: Direction, notifies: Notifies) -> After {
    let number = call.number(0) as usize;
    let place = |at: usize, first: usize| {
        // SAFETY: the arrays of the call have so many elements.
        let (segment, offset) =
            unsafe { (call.element::<u8>(first, at), call.element::<u64>(first + 1, at)) };
        Some(Place {
            segment: segment?,
            offset: offset?,
        })
    };
    let piece = |at: usize| {
        Some(Piece {
            local: place(at, 1)?,
            remote: place(at, 4)?,
            // SAFETY: so has this one.
            size: unsafe { call.element::<u64>(6, at) }?,
        })
    };
    let pieces: Option<Vec<Piece>> = (0..number).map(piece).collect();
    let way = |place: usize| Way {
        direction,
        rank: call.number(3),
        queue: call.small(place),
    };
    let pieces = pieces?;
    match notifies {
        Notifies::No => after_success(way(7), pieces),
        Notifies::Remote => at_once(
            call,
            way(10),
            &pieces,
            flag(call.small(7), call.number(8), call.number(9)),
        ),
        Notifies::Local => at_once(call, way(9), &pieces, flag(call.small(7), call.number(8), 1)),
    }
}

/// `gaspi_notify(remote segment, rank, notification, value, queue, timeout)`: after all earlier writes of its queue.
pub(super) fn notify(call: &Call) -> After {
    let way = Way {
        direction: Direction::Write,
        rank: call.number(1),
        queue: call.small(4),
    };
    at_once(
        call,
        way,
        &[],
        flag(call.small(0), call.number(2), call.number(3)),
    )
}

fn flag(segment: u8, number: u32, value: u32) -> (u8, Flag) {
    let flag = Flag {
        win: segment::window(segment),
        number,
        value: value.into(),
        last: true,
        follows: false,
    };
    (segment, flag)
}

/// Requests of which nobody else can know while their call goes on.
fn after_success(way: Way, pieces: Vec<Piece>) -> After {
    Some(Box::new(move |call: &Call, code| {
        if code == SUCCESS {
            for piece in &pieces {
                post(call, way, piece, None);
            }
        }
    }))
}

/// Requests that somebody may learn of before their call returns: a notification goes with them. It comes after all of
/// the data, and so with all of the requests, of which each counts for itself.
fn at_once(call: &Call, way: Way, pieces: &[Piece], (segment, flag): (u8, Flag)) -> After {
    if way.rank >= session::size() {
        return None;
    }
    let pieces: Vec<&Piece> = pieces.iter().filter(|piece| piece.size > 0).collect();
    let mut posted = Vec::new();
    if let Some((last, others)) = pieces.split_last() {
        for piece in others {
            posted.extend(post(call, way, piece, Some(Flag { last: false, ..flag })));
        }
        posted.extend(post(call, way, last, Some(flag)));
    } else {
        // Nothing goes with it. In GPI-2 a request of no bytes is this, too.
        posted.push(post_flag(call, way, segment, flag));
    }
    Some(Box::new(move |_, code| {
        if code != SUCCESS {
            for operation in posted {
                record(EventKind::Withdrawn { operation });
            }
        }
    }))
}

/// Records a request that moves data; `None` if it moves nothing, or if the library refuses it.
fn post(call: &Call, way: Way, piece: &Piece, flag: Option<Flag>) -> Option<OperationId> {
    let local = segment::address(piece.local.segment, piece.local.offset, piece.size)?;
    if piece.size == 0 || way.rank >= session::size() {
        return None;
    }
    let id = next_operation();
    let buffer = Buffer {
        address: local as u64,
        datatype: types::byte(),
        count: piece.size,
    };
    let (kind, origin, result) = match way.direction {
        Direction::Write => (OperationKind::Put, Some(buffer), None),
        Direction::Read => (OperationKind::Get, None, Some(buffer)),
    };
    queue::used(way.queue, piece.remote.segment);
    record(EventKind::Operation(Operation {
        id,
        kind,
        win: segment::window(piece.remote.segment),
        target: Some(Rank(way.rank)),
        origin,
        result,
        compare: None,
        displacement: piece.remote.offset as i64,
        target_type: types::byte(),
        target_count: piece.size,
        operator: None,
        operand: None,
        expected: None,
        request: None,
        channel: queue::channel(way.queue),
        notice: flag.map(Notice::Flag),
        stack: call.stack(),
    }));
    Some(id)
}

/// Records a notification without data.
fn post_flag(call: &Call, way: Way, segment: u8, flag: Flag) -> OperationId {
    let id = next_operation();
    queue::used(way.queue, segment);
    // What is notified of a read is this rank.
    let rank = match way.direction {
        Direction::Write => way.rank,
        Direction::Read => session::rank().map_or(way.rank, |Rank(rank)| rank),
    };
    record(EventKind::Operation(Operation {
        id,
        kind: OperationKind::Put,
        win: flag.win,
        target: Some(Rank(rank)),
        origin: None,
        result: None,
        compare: None,
        displacement: 0,
        target_type: types::byte(),
        target_count: 0,
        operator: None,
        operand: None,
        expected: None,
        request: None,
        channel: queue::channel(way.queue),
        notice: Some(Notice::Flag(Flag {
            follows: way.direction == Direction::Write,
            ..flag
        })),
        stack: call.stack(),
    }));
    id
}
