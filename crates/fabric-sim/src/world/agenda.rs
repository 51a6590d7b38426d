//! What is to happen, in the order of time; at the same time, in the order in which it was decided.

use super::slab::Key;
use crate::time::Time;
use farside_fabric::Rank;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Something that is to happen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happening {
    /// A rank goes on, if it has not done so since.
    Resume { rank: Rank, turn: u64 },
    /// The adapter turns to an operation.
    Enter(Key),
    /// It turns to a message.
    EnterMessage(Key),
    /// A port is free for what is next in its queue.
    Port { rank: Rank, near: bool },
    /// The adapter has read a part: of this operation, into this packet.
    WasRead { operation: Key, packet: Key },
    /// The first byte of a packet is there.
    Arrive(Key),
    /// The last byte of it is there.
    Deliver(Key),
    /// A thread, or a target that waits in a call, executes what a packet brought.
    Execute(Key),
    /// A source tries again to deliver what found no receive descriptor.
    Retry { target: Rank, source: Rank },
    /// The acknowledgement of an operation is there.
    Acknowledge(Key),
    /// A source learns that a message of it was taken in.
    Credit { source: Rank, target: Rank },
    /// A rank is killed.
    Kill(Rank),
    /// The others know that a rank is lost.
    Detect(Rank),
}

struct Entry {
    time: Time,
    number: u64,
    happening: Happening,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The earliest is the greatest, as the heap wants it.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.time, other.number).cmp(&(self.time, self.number))
    }
}

/// What names something that may be called off.
pub(crate) type Alarm = (Time, u64);

/// All that is to happen.
#[derive(Default)]
pub(crate) struct Agenda {
    entries: BinaryHeap<Entry>,
    /// What most often is called off: a rank waits no longer.
    alarms: BTreeMap<Alarm, Happening>,
    decided: u64,
}

impl Agenda {
    pub(crate) fn push(&mut self, time: Time, happening: Happening) {
        self.decided += 1;
        self.entries.push(Entry {
            time,
            number: self.decided,
            happening,
        });
    }

    /// As [`Agenda::push`], of what may be called off.
    pub(crate) fn push_alarm(&mut self, time: Time, happening: Happening) -> Alarm {
        self.decided += 1;
        self.alarms.insert((time, self.decided), happening);
        (time, self.decided)
    }

    /// Calls something off, if it has not happened.
    pub(crate) fn call_off(&mut self, alarm: Alarm) {
        self.alarms.remove(&alarm);
    }

    pub(crate) fn pop(&mut self) -> Option<(Time, Happening)> {
        let entry = self.entries.peek().map(|entry| (entry.time, entry.number));
        match self.alarms.first_key_value() {
            Some((alarm, _)) if entry.is_none_or(|entry| *alarm < entry) => self
                .alarms
                .pop_first()
                .map(|((time, _), happening)| (time, happening)),
            _ => self.entries.pop().map(|entry| (entry.time, entry.happening)),
        }
    }

    /// When the next thing happens.
    pub(crate) fn next(&self) -> Option<Time> {
        let entry = self.entries.peek().map(|entry| entry.time);
        let alarm = self.alarms.first_key_value().map(|((time, _), _)| *time);
        entry.into_iter().chain(alarm).min()
    }
}
