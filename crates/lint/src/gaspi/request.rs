//! Requests (GASPI 17.1 §8.2 to §8.4): writes and reads, alone and in lists, and notifications.

use super::segment::window;
use super::state::{NOTIFICATIONS, QUEUE_SIZE};
use super::{Call, Gaspi, code};
use crate::flow::Flow;
use farside_calls::gaspi::{Direction, Notifies};
use farside_events::{
    Buffer, ChannelId, EventKind, Flag, Notice, Operation, OperationKind, Rank, TypeId, TypeMap,
};

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

/// A notification that a request brings: the segment that it belongs to, its number and value.
#[derive(Clone, Copy)]
struct Notification {
    segment: u8,
    number: u32,
    value: u32,
}

/// More pieces of a list than these are not followed.
const MOST_PIECES: u32 = 1 << 12;

impl Gaspi<'_, '_> {
    /// `(local segment, offset, rank, remote segment, offset, size, [notification, [value]], queue, timeout)`.
    pub(super) fn one(&mut self, call: &Call<'_>, direction: Direction, notifies: Notifies) -> Flow {
        let place = |at: usize| Place {
            segment: call.small(at),
            offset: call.word(at + 1),
        };
        let piece = Piece {
            local: place(0),
            remote: place(3),
            size: call.word(5),
        };
        let notification = |segment: u8, value: u32| Notification {
            segment,
            number: call.number(6),
            value,
        };
        let (queue, notification) = match notifies {
            Notifies::No => (6, None),
            Notifies::Remote => (8, Some(notification(piece.remote.segment, call.number(7)))),
            Notifies::Local => (7, Some(notification(piece.local.segment, 1))),
        };
        let way = Way {
            direction,
            rank: call.number(2),
            queue: call.small(queue),
        };
        self.request(way, &[piece], notification)
    }

    /// `(number, local segments, offsets, rank, remote segments, offsets, sizes, [segment, notification, [value]],
    /// queue, timeout)`.
    pub(super) fn list(&mut self, call: &Call<'_>, direction: Direction, notifies: Notifies) -> Flow {
        let place = |at: u64, first: usize| {
            let (segments, offsets) = (call.word(first) + at, call.word(first + 1) + 8 * at);
            Place {
                segment: self.caller.memory(segments).load(segments, 1).bits as u8,
                offset: self.caller.long_at(offsets),
            }
        };
        let piece = |at: u64| Piece {
            local: place(at, 1),
            remote: place(at, 4),
            size: self.caller.long_at(call.word(6) + 8 * at),
        };
        let pieces: Vec<Piece> = (0..u64::from(call.number(0).min(MOST_PIECES)))
            .map(piece)
            .collect();
        let notification = |value: u32| Notification {
            segment: call.small(7),
            number: call.number(8),
            value,
        };
        let (queue, notification) = match notifies {
            Notifies::No => (7, None),
            Notifies::Remote => (10, Some(notification(call.number(9)))),
            Notifies::Local => (9, Some(notification(1))),
        };
        let way = Way {
            direction,
            rank: call.number(3),
            queue: call.small(queue),
        };
        self.request(way, &pieces, notification)
    }

    /// `gaspi_notify(remote segment, rank, notification, value, queue, timeout)`: it comes after all earlier
    /// writes of its queue.
    pub(super) fn notify(&mut self, call: &Call<'_>) -> Flow {
        let way = Way {
            direction: Direction::Write,
            rank: call.number(1),
            queue: call.small(4),
        };
        let notification = Notification {
            segment: call.small(0),
            number: call.number(2),
            value: call.number(3),
        };
        self.request(way, &[], Some(notification))
    }

    /// Requests of a call, and the notification that comes after all of their data.
    fn request(&mut self, way: Way, pieces: &[Piece], notification: Option<Notification>) -> Flow {
        if !self.is_rank(way.rank) {
            return code::NO_RANK;
        }
        if !self.state().has_queue(way.queue) {
            return code::NO_QUEUE;
        }
        if let Some(of) = notification {
            if of.value == 0 {
                return code::NO_VALUE;
            }
            if of.number >= NOTIFICATIONS {
                return code::NO_NOTIFICATION;
            }
            let notified = self.notified(way);
            if self.library.ranks[notified as usize]
                .segment(of.segment)
                .is_none()
            {
                return code::NO_SEGMENT;
            }
        }
        if let Some(refusal) = pieces.iter().find_map(|piece| self.refusal(way, piece)) {
            return refusal;
        }
        // A notification that goes with data is a request of its own.
        let requests = pieces.len() as u64 + u64::from(notification.is_some());
        if self.state().posted(way.queue) + requests > QUEUE_SIZE {
            return code::QUEUE_FULL;
        }
        let flag = notification.map(|of| Flag {
            win: window(of.segment),
            number: of.number,
            value: of.value.into(),
            last: true,
            follows: false,
        });
        let pieces: Vec<&Piece> = pieces.iter().filter(|piece| piece.size > 0).collect();
        for (number, piece) in pieces.iter().enumerate() {
            let last = number + 1 == pieces.len();
            self.post(way, piece, flag.map(|flag| Flag { last, ..flag }));
        }
        if let (Some(flag), true) = (flag, pieces.is_empty()) {
            let segment = notification.map_or(0, |of| of.segment);
            self.post_flag(way, flag, segment);
        }
        if let Some(of) = notification {
            self.state_mut().post_notification(way.queue);
            let notified = self.notified(way);
            let state = &mut self.library.ranks[notified as usize];
            state.set_notification(of.segment, of.number, of.value);
        }
        code::SUCCESS
    }

    /// Who is notified: of a read, this rank.
    fn notified(&self, way: Way) -> u32 {
        match way.direction {
            Direction::Write => way.rank,
            Direction::Read => self.caller.rank(),
        }
    }

    /// Why the library does not take a piece.
    fn refusal(&self, way: Way, piece: &Piece) -> Option<Flow> {
        let Some(local) = self.state().segment(piece.local.segment) else {
            return Some(code::NO_SEGMENT);
        };
        let Some(remote) = self.library.ranks[way.rank as usize].segment(piece.remote.segment) else {
            return Some(code::NO_SEGMENT);
        };
        if local.address(piece.local.offset, piece.size).is_none() {
            return Some(code::OUT_OF_LOCAL);
        }
        remote
            .address(piece.remote.offset, piece.size)
            .is_none()
            .then_some(code::OUT_OF_REMOTE)
    }

    /// Tells a request, and moves its data.
    fn post(&mut self, way: Way, piece: &Piece, flag: Option<Flag>) {
        let local = self.state().segment(piece.local.segment);
        let remote = self.library.ranks[way.rank as usize].segment(piece.remote.segment);
        let (Some(local), Some(remote)) = (local, remote) else {
            return;
        };
        let (Some(here), Some(there)) = (
            local.address(piece.local.offset, piece.size),
            remote.address(piece.remote.offset, piece.size),
        ) else {
            return;
        };
        let buffer = Buffer {
            address: here,
            datatype: self.type_of(1),
            count: piece.size,
        };
        let (kind, origin, result) = match way.direction {
            Direction::Write => (OperationKind::Put, Some(buffer), None),
            Direction::Read => (OperationKind::Get, None, Some(buffer)),
        };
        self.state_mut().post(way.queue, piece.remote.segment);
        let event = Operation {
            kind,
            target: Some(Rank(way.rank)),
            origin,
            result,
            displacement: piece.remote.offset.cast_signed(),
            target_count: piece.size,
            channel: self.state().channel(way.queue),
            notice: flag.map(Notice::Flag),
            ..self.bare(piece.remote.segment)
        };
        self.caller.emit(EventKind::Operation(event));
        self.caller.budget().spend_on_bytes(piece.size);
        match way.direction {
            Direction::Write => {
                let content = self.caller.memory(here).content(here, piece.size);
                self.caller
                    .memory_of_mut(way.rank, there)
                    .put_content(there, &content);
            }
            Direction::Read => {
                let content = self.caller.memory_of(way.rank, there).content(there, piece.size);
                self.caller.memory_mut(here).put_content(here, &content);
            }
        }
    }

    /// Tells a notification without data.
    fn post_flag(&mut self, way: Way, flag: Flag, segment: u8) {
        self.state_mut().post_to(way.queue, segment);
        let rank = self.notified(way);
        let follows = way.direction == Direction::Write;
        let event = Operation {
            win: flag.win,
            target: Some(Rank(rank)),
            channel: self.state().channel(way.queue),
            notice: Some(Notice::Flag(Flag { follows, ..flag })),
            ..self.bare(0)
        };
        self.caller.emit(EventKind::Operation(event));
    }

    /// An operation on a segment that does nothing yet.
    pub(super) fn bare(&mut self, segment: u8) -> Operation {
        Operation {
            id: self.caller.handles_mut().operation_id(),
            kind: OperationKind::Put,
            win: window(segment),
            target: None,
            origin: None,
            result: None,
            compare: None,
            displacement: 0,
            target_type: self.type_of(1),
            target_count: 0,
            operator: None,
            operand: None,
            expected: None,
            request: None,
            channel: ChannelId::DEFAULT,
            notice: None,
            stack: self.caller.stack(),
        }
    }

    /// The type of elements of this size, bytes or words of atomic operations; told at its first use.
    pub(super) fn type_of(&mut self, size: u32) -> TypeId {
        if let Some(known) = self.state().type_of(size) {
            return known;
        }
        let id = self.caller.handles_mut().type_id();
        let name = if size == 1 { "byte" } else { "gaspi_atomic_value_t" };
        let map = TypeMap::basic(name, size);
        self.caller.emit(EventKind::Type { id, map });
        self.state_mut().add_type(size, id);
        id
    }
}
