//! From the port of the origin to the port of the target: who waits for whom, and what overtakes what.

use super::operation::{Kind, Load, Packet};
use super::process::State;
use super::{Happening, Key, World};
use crate::choices::Choice;
use crate::network::{Rarely, Routing};
use crate::time::Time;
use farside_fabric::{Error, Progress, Rank};

/// When the last thing between two ranks comes: the next one of the same class does not come before it. Kept only where
/// things take different times.
#[derive(Clone, Copy, Default)]
pub(crate) struct Channel {
    all: Time,
    messages: Time,
    atomics: Time,
}

impl Channel {
    /// When something comes that would come at a time, were it alone.
    pub(crate) fn behind(&mut self, time: Time, ordered: bool, message: bool, atomic: bool) -> Time {
        let last = if ordered {
            &mut self.all
        } else if message {
            &mut self.messages
        } else if atomic {
            &mut self.atomics
        } else {
            return time;
        };
        *last = time.max(*last);
        *last
    }
}

impl World {
    /// The adapter reads the next part: of the origin buffer, or of the region for a get; and all others if that takes
    /// no time.
    pub(crate) fn read(&mut self, key: Key) {
        while self.read_part(key) {}
    }

    /// Reads a part. `true`: that took no time, and there is one more.
    fn read_part(&mut self, key: Key) -> bool {
        let now = self.now;
        let Some(operation) = self.operations.get_mut(key) else {
            return false;
        };
        // What failed sends nothing more, and its buffers may be gone.
        if operation.failed.is_some() {
            return false;
        }
        let number = operation.read;
        let part = operation.part(number);
        let atomic = operation.kind.is_atomic();
        let (from, to, bytes, load, data);
        if let Kind::Get = operation.kind {
            (from, to, bytes) = (operation.target, operation.origin, part.len());
            load = Load::Answer {
                operation: key,
                number,
            };
            if number == 0 {
                operation.answer_left = now;
            }
            let begin = operation.displacement + part.start;
            let memory = self.regions.get(&operation.region);
            match memory.and_then(|memory| memory.read(begin, part.len())) {
                Some(read) => data = read,
                None => {
                    self.fail(key, Error::Stale("the region of an operation"));
                    return false;
                }
            }
        } else {
            (from, to, bytes) = (operation.origin, operation.target, operation.on_the_way(&part));
            load = Load::Part {
                operation: key,
                number,
            };
            if number == 0 {
                operation.left = now;
            }
            data = if operation.late {
                Vec::new()
            } else {
                operation.capture(&part)
            };
        }
        let packet = self.packets.insert(Packet {
            from,
            to,
            bytes,
            first: number == 0,
            atomic,
            load,
            data,
            left: now,
        });
        self.depart(packet);
        let time = self.network.way(from, to).0.bytes(bytes);
        if time == Time::ZERO {
            return self.was_read(key, packet);
        }
        let happening = Happening::WasRead {
            operation: key,
            packet,
        };
        self.agenda.push(now + time, happening);
        false
    }

    /// The adapter has read a part: the latest moment to see what is in the origin buffer. `true`: there is one more.
    pub(crate) fn was_read(&mut self, key: Key, packet: Key) -> bool {
        let Some(operation) = self.operations.get_mut(key) else {
            return false;
        };
        let part = operation.part(operation.read);
        operation.read += 1;
        let is_get = matches!(operation.kind, Kind::Get);
        if !is_get && operation.late {
            if operation.failed.is_some() {
                // The buffer is gone, and with it the packet.
                self.packets.remove(packet);
                return false;
            }
            if let Some(packet) = self.packets.get_mut(packet) {
                packet.data = operation.capture(&part);
            }
        }
        let more = operation.read < operation.parts();
        if !more && !operation.kind.answers() {
            self.complete_locally(key);
        }
        more
    }

    /// A packet leaves: decides when its first byte arrives.
    pub(crate) fn depart(&mut self, key: Key) {
        let Some(packet) = self.packets.get_mut(key) else {
            return;
        };
        packet.left = self.now;
        let (from, to, atomic) = (packet.from, packet.to, packet.atomic);
        let message = matches!(packet.load, Load::Message { .. });
        self.process(from).counters.packets += 1;
        let (link, near) = self.network.way(from, to);
        let mut arrival = self.now + Time::of(link.latency);
        if !near && self.times_differ() {
            arrival = arrival + self.detour(from);
            let ordered = self.network.routing == Routing::Ordered;
            let channel = self.channels.entry((from, to)).or_default();
            arrival = channel.behind(arrival, ordered, message, atomic);
        }
        self.agenda.push(arrival, Happening::Arrive(key));
    }

    /// Whether two packets between two ranks can take different times.
    fn times_differ(&self) -> bool {
        let network = &self.network;
        network.routing != Routing::Ordered || network.delay.is_some() || network.loss.is_some()
    }

    /// How much longer than the shortest time a packet takes.
    fn detour(&mut self, from: Rank) -> Time {
        /// Steps of a random delay.
        const STEPS: u32 = 64;
        let mut detour = Time::ZERO;
        if let Routing::Adaptive { paths, spread } = self.network.routing {
            let path = self.choose(Choice::Path, paths);
            detour = detour + Time::of(spread).share(path, paths.saturating_sub(1));
        }
        if let Some(Rarely { one_in, time }) = self.network.delay
            && self.choose(Choice::Delay, one_in) == 0
        {
            let amount = self.choose(Choice::Amount, STEPS) + 1;
            detour = detour + Time::of(time).share(amount, STEPS);
        }
        if let Some(Rarely { one_in, time }) = self.network.loss {
            while self.choose(Choice::Loss, one_in) == 0 {
                self.process(from).counters.retransmissions += 1;
                detour = detour + Time::of(time);
            }
        }
        detour
    }

    /// The first byte of a packet is there: it gets the reception port when that is free.
    pub(crate) fn arrive(&mut self, key: Key) {
        let now = self.now;
        let Some(packet) = self.packets.get(key) else {
            return;
        };
        let (from, to) = (packet.from, packet.to);
        let (link, near) = self.network.way(from, to);
        let transfer = link.bytes(packet.bytes);
        let busy = if packet.first {
            link.busy(packet.bytes)
        } else {
            transfer
        };
        let change = self.turn(to, from);
        let adapter = self.network.port_of(to, near);
        let port = &mut self.process(adapter).ports[usize::from(near)];
        let begins = now.max(port.reception) + change;
        port.reception = begins + busy;
        // Even if that is now: what came before, and is to be delivered now, comes first.
        self.agenda.push(begins + transfer, Happening::Deliver(key));
    }

    /// The last byte of a packet is there: the adapter, a thread, or the target takes it.
    pub(crate) fn deliver(&mut self, key: Key) {
        let Some(packet) = self.packets.get(key) else {
            return;
        };
        let to = packet.to;
        if self.is_dead(to) {
            self.packets.remove(key);
            return;
        }
        if let Load::Answer { operation, number } = packet.load {
            return self.accept(key, operation, number);
        }
        match (self.network.progress, self.process(to).state) {
            (Progress::Passive, _) => self.execute(key),
            (Progress::Thread, _) | (Progress::Calls, State::Blocked(_)) => {
                let done = self.work(key, to);
                self.agenda.push(done, Happening::Execute(key));
            }
            (Progress::Calls, _) => self.process(to).inbox.push_back(key),
        }
    }

    /// When the one who executes operations at a rank is done with this one. Messages cost their receiver, later.
    fn work(&mut self, key: Key, rank: Rank) -> Time {
        let cost = match self.packets.get(key) {
            Some(Packet {
                load: Load::Message { .. },
                ..
            })
            | None => Time::ZERO,
            Some(packet) => self.network.receive_overhead(packet.from, rank),
        };
        let now = self.now;
        let agent = &mut self.process(rank).agent;
        *agent = now.max(*agent) + cost;
        *agent
    }

    /// The next thing that waits for a rank to call, and how long it takes; for `Progress::Calls`.
    pub(crate) fn take_inbox(&mut self, rank: Rank) -> Option<(Key, Time)> {
        let key = self.process(rank).inbox.pop_front()?;
        let done = self.work(key, rank);
        Some((key, done - self.now))
    }
}
