//! What has an effect at a target: puts, atomic operations, messages, notifications, and receivers that are not ready.

use super::operation::{Kind, Load};
use super::process::Arrived;
use super::{Happening, Key, World};
use crate::network::Routing;
use crate::time::Time;
use crate::trace::Travel;
use farside_fabric::{Error, Message, Notification, Rank, Signal};
use std::collections::VecDeque;

/// What one source has to send again to one target, because the receiver was not ready.
pub(crate) struct Stall {
    packets: VecDeque<Key>,
    /// When the first of them was refused last.
    since: Time,
    /// The next attempt that may succeed is on the agenda.
    planned: bool,
}

impl Stall {
    /// How many packets wait.
    pub(crate) fn number(&self) -> usize {
        self.packets.len()
    }
}

impl World {
    /// Whether two ranks have a connection that keeps order.
    fn keeps_order(&self, from: Rank, to: Rank) -> bool {
        self.network.routing == Routing::Ordered || self.network.way(from, to).1
    }

    /// What a packet brought has its effect.
    pub(crate) fn execute(&mut self, key: Key) {
        let Some(packet) = self.packets.get(key) else {
            return;
        };
        let (from, to) = (packet.from, packet.to);
        if self.process(to).is_dead() {
            self.packets.remove(key);
            return;
        }
        if self.keeps_order(from, to)
            && let Some(stall) = self.stalls.get_mut(&(to, from))
        {
            stall.packets.push_back(key);
            return;
        }
        if self.is_refused(key) {
            self.process(from).counters.receiver_not_ready += 1;
            let since = self.now;
            let stall = self.stalls.entry((to, from)).or_insert(Stall {
                packets: VecDeque::new(),
                since,
                planned: false,
            });
            stall.packets.push_back(key);
            return;
        }
        self.effect(key);
    }

    /// Whether a packet completes a put with an immediate, and no receive descriptor is left.
    fn is_refused(&self, key: Key) -> bool {
        let Some(packet) = self.packets.get(key) else {
            return false;
        };
        let Load::Part { operation, .. } = packet.load else {
            return false;
        };
        self.operations.get(operation).is_some_and(|operation| {
            matches!(operation.kind, Kind::Put(Signal::Immediate(_)))
                && operation.executed + 1 == operation.parts()
                && self.processes[packet.to as usize].descriptors == 0
        })
    }

    /// A target took a notification: the sources that wait for a descriptor will succeed with their next attempt.
    fn plan_retries(&mut self, target: Rank) {
        let (now, retry) = (self.now, Time::of(self.network.retry));
        for ((_, source), stall) in self.stalls.range_mut((target, 0)..=(target, Rank::MAX)) {
            if stall.planned {
                continue;
            }
            // Attempts come every `retry`; those until now have failed.
            let attempt = (now - stall.since).steps(retry).max(1);
            self.processes[*source as usize].counters.receiver_not_ready += attempt - 1;
            stall.planned = true;
            let happening = Happening::Retry {
                target,
                source: *source,
            };
            self.agenda.push(stall.since + retry.times(attempt), happening);
        }
    }

    /// A source sends again what was refused, and what was after it.
    pub(crate) fn try_again(&mut self, target: Rank, source: Rank) {
        let Some(mut stall) = self.stalls.remove(&(target, source)) else {
            return;
        };
        while let Some(key) = stall.packets.front().copied() {
            if self.is_refused(key) {
                self.process(source).counters.receiver_not_ready += 1;
                stall.since = self.now;
                stall.planned = false;
                self.stalls.insert((target, source), stall);
                return;
            }
            stall.packets.pop_front();
            self.effect(key);
        }
    }

    fn effect(&mut self, key: Key) {
        let Some(packet) = self.packets.remove(key) else {
            return;
        };
        match packet.load {
            Load::Message { tag } => {
                self.arrow(Travel::Message, packet.from, packet.to, packet.bytes, packet.left);
                let message = Message {
                    source: packet.from,
                    tag,
                    bytes: packet.data,
                };
                self.take_in(packet.to, message);
            }
            Load::Part { operation, number } => self.operate(operation, number, &packet.data),
            Load::Answer { .. } => {}
        }
    }

    fn operate(&mut self, key: Key, number: u32, data: &[u8]) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        let (kind, origin, target) = (operation.kind, operation.origin, operation.target);
        let (left, bytes) = (operation.left, operation.bytes);
        if let Kind::Get = kind {
            self.arrow(Travel::Get, origin, target, 0, left);
            return self.start_answer(key);
        }
        let part = operation.part(number);
        let begin = operation.displacement + part.start;
        let puts = operation.take_puts();
        operation.executed += 1;
        let done = operation.executed == operation.parts();
        let Some(memory) = self.regions.get_mut(&operation.region) else {
            return self.fail(key, Error::Stale("the region of an operation"));
        };
        let before = match kind {
            Kind::Put(_) => memory.write(begin, data).then(Vec::new),
            Kind::Get => None,
            Kind::Fetch { operation, kind, .. } => memory.apply(begin, part.len(), operation, kind, data),
            Kind::Swap => {
                let (expected, replacement) = data.split_at(data.len() / 2);
                memory.compare_swap(begin, expected, replacement)
            }
            Kind::Visit(lock) => memory.visit(begin, lock, &puts),
        };
        let Some(before) = before else {
            return self.fail(key, Error::Stale("the region of an operation"));
        };
        if let (true, Kind::Put(Signal::Count)) = (done, kind) {
            memory.arrivals = memory.arrivals.wrapping_add(1);
        }
        if kind.answers() {
            self.answer(key, number, before);
        }
        if done {
            let travel = match kind {
                Kind::Put(Signal::Immediate(immediate)) => {
                    self.notify(origin, target, immediate);
                    Travel::Immediate(immediate)
                }
                Kind::Put(Signal::Count) => Travel::Count,
                Kind::Put(Signal::None) => Travel::Put,
                _ => Travel::Atomic,
            };
            self.arrow(travel, origin, target, bytes, left);
            self.wake(target);
            if !kind.answers() {
                self.acknowledge(key);
            }
        }
    }

    fn notify(&mut self, source: Rank, target: Rank, immediate: u32) {
        let process = self.process(target);
        process.descriptors = process.descriptors.saturating_sub(1);
        process.notifications.push_back(Notification {
            source: Some(source),
            immediate,
        });
    }

    /// A rank takes a notification, and gives its receive descriptor back.
    pub(crate) fn take_notification(&mut self, rank: Rank) -> Option<Notification> {
        let process = self.process(rank);
        let notification = process.notifications.pop_front()?;
        process.descriptors += 1;
        self.plan_retries(rank);
        Some(notification)
    }

    fn take_in(&mut self, rank: Rank, message: Message) {
        let source = message.source;
        let process = self.process(rank);
        let credited = process.takes_in;
        process.messages.push_back(Arrived { message, credited });
        if credited {
            self.give_credit(source, rank);
        }
        self.wake(rank);
    }

    /// A rank takes the next message.
    pub(crate) fn take_message(&mut self, rank: Rank) -> Option<Message> {
        let arrived = self.process(rank).messages.pop_front()?;
        if !arrived.credited {
            self.give_credit(arrived.message.source, rank);
        }
        Some(arrived.message)
    }

    /// A rank that waits for room takes in all messages that come, or does so no longer.
    pub(crate) fn takes_in(&mut self, rank: Rank, takes_in: bool) {
        let process = self.process(rank);
        process.takes_in = takes_in;
        if takes_in {
            let fresh = process.messages.iter_mut().filter(|arrived| !arrived.credited);
            let sources: Vec<Rank> = fresh
                .map(|arrived| {
                    arrived.credited = true;
                    arrived.message.source
                })
                .collect();
            for source in sources {
                self.give_credit(source, rank);
            }
        }
    }

    fn give_credit(&mut self, source: Rank, target: Rank) {
        let latency = Time::of(self.network.way(target, source).0.latency);
        self.agenda
            .push(self.now + latency, Happening::Credit { source, target });
    }

    /// A source learns that there is room again.
    pub(crate) fn credit(&mut self, source: Rank, target: Rank) {
        let full = self.network.message_credits;
        let process = self.process(source);
        let Some(outstanding) = process.outstanding.get_mut(&target) else {
            return;
        };
        let was_full = *outstanding >= full;
        *outstanding -= 1;
        if *outstanding == 0 {
            process.outstanding.remove(&target);
        }
        if was_full {
            self.wake(source);
        }
    }

    /// Whether a target has room for a message of a source.
    pub(crate) fn has_room(&self, source: Rank, target: Rank) -> bool {
        let outstanding = &self.processes[source as usize].outstanding;
        outstanding
            .get(&target)
            .is_none_or(|number| *number < self.network.message_credits)
    }
}
