//! From the port of the origin to the port of the target: who waits for whom, and what overtakes what.

use super::operation::{Kind, Load, Operation, Packet};
use super::process::State;
use super::{Happening, Key, World};
use crate::choices::Choice;
use crate::network::{Rarely, Routing};
use crate::time::Time;
use farside_fabric::{Progress, Rank};

/// When the last packet between two ranks arrives: the next one of the same class does not come before it. Kept only where
/// packets take different times.
#[derive(Clone, Copy, Default)]
pub(crate) struct Channel {
    all: Time,
    messages: Time,
    atomics: Time,
}

impl World {
    /// Takes the injection port of a rank for something of so many bytes. When it leaves.
    fn inject(&mut self, from: Rank, to: Rank, bytes: usize) -> Time {
        let now = self.now;
        let (link, near) = self.network.way(from, to);
        let busy = link.busy(bytes);
        let port = &mut self.process(from).ports[usize::from(near)];
        let leaves = now.max(port.injection);
        port.injection = leaves + busy;
        leaves
    }

    /// Puts something on the agenda, or does it at once.
    fn at(&mut self, time: Time, happening: Happening, at_once: impl FnOnce(&mut Self)) {
        if time > self.now {
            self.agenda.push(time, happening);
        } else {
            at_once(self);
        }
    }

    /// Starts an operation of a running rank.
    pub(crate) fn start(&mut self, mut operation: Operation) -> Key {
        let (origin, target, scope) = (operation.origin, operation.target, operation.scope);
        operation.late = self.choose(Choice::Capture, 2) == 1;
        let counters = &mut self.process(origin).counters;
        match operation.kind {
            Kind::Put(signal) => {
                counters.puts += 1;
                counters.put_bytes += operation.bytes as u64;
                counters.signals += u64::from(signal != farside_fabric::Signal::None);
            }
            Kind::Get => {
                counters.gets += 1;
                counters.get_bytes += operation.bytes as u64;
            }
            Kind::Fetch { .. } | Kind::Swap => counters.atomics += 1,
        }
        if let Some(scope) = self.process(origin).scopes.get_mut(&scope) {
            scope.local.add(target);
            scope.remote.add(target);
        }
        let bytes = operation.on_the_way(&(0..operation.bytes));
        let is_get = matches!(operation.kind, Kind::Get);
        let key = self.operations.insert(operation);
        let leaves = self.inject(origin, target, bytes);
        if is_get {
            let packet = self.packets.insert(Packet {
                from: origin,
                to: target,
                bytes: 0,
                first: true,
                atomic: false,
                load: Load::Part {
                    operation: key,
                    number: 0,
                },
                data: Vec::new(),
                left: leaves,
            });
            if let Some(operation) = self.operations.get_mut(key) {
                operation.left = leaves;
            }
            self.at(leaves, Happening::Depart(packet), |world| world.depart(packet));
        } else {
            self.at(leaves, Happening::Read(key), |world| world.read(key));
        }
        key
    }

    /// Starts a message of a running rank.
    pub(crate) fn start_message(&mut self, from: Rank, to: Rank, tag: u64, data: Vec<u8>) {
        let bytes = data.len();
        let process = self.process(from);
        process.counters.messages += 1;
        process.counters.message_bytes += bytes as u64;
        *process.outstanding.entry(to).or_default() += 1;
        let left = self.inject(from, to, bytes);
        let packet = self.packets.insert(Packet {
            from,
            to,
            bytes,
            first: true,
            atomic: false,
            load: Load::Message { tag },
            data,
            left,
        });
        self.at(left, Happening::Depart(packet), |world| world.depart(packet));
    }

    /// The answer of a get begins.
    pub(crate) fn start_answer(&mut self, key: Key) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let (from, to, bytes) = (operation.target, operation.origin, operation.bytes);
        let leaves = self.inject(from, to, bytes);
        self.at(leaves, Happening::Read(key), |world| world.read(key));
    }

    /// Some fetched elements go back.
    pub(crate) fn answer(&mut self, key: Key, number: u32, data: Vec<u8>) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let (from, to) = (operation.target, operation.origin);
        let left = self.inject(from, to, data.len());
        if number == 0
            && let Some(operation) = self.operations.get_mut(key)
        {
            operation.answer_left = left;
        }
        let packet = self.packets.insert(Packet {
            from,
            to,
            bytes: data.len(),
            first: true,
            atomic: false,
            load: Load::Answer {
                operation: key,
                number,
            },
            data,
            left,
        });
        self.at(left, Happening::Depart(packet), |world| world.depart(packet));
    }

    /// The adapter begins to read the next part: of the origin buffer, or of the region for a get.
    pub(crate) fn read(&mut self, key: Key) {
        let now = self.now;
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        let is_get = matches!(operation.kind, Kind::Get);
        let number = operation.read;
        if number == 0 {
            *(if is_get {
                &mut operation.answer_left
            } else {
                &mut operation.left
            }) = now;
        }
        let (from, to) = if is_get {
            (operation.target, operation.origin)
        } else {
            (operation.origin, operation.target)
        };
        let part = operation.part(number);
        let last = number + 1 == operation.parts();
        let bytes = if is_get {
            part.len()
        } else {
            operation.on_the_way(&part)
        };
        let atomic = operation.kind.is_atomic();
        // A failed operation of a dead origin, or one that its origin gave up, sends nothing more.
        if operation.failed.is_some() {
            return;
        }
        let data = if is_get {
            let (region, begin) = (operation.region, operation.displacement + part.start);
            match self
                .regions
                .get(&region)
                .and_then(|memory| memory.read(begin, part.len()))
            {
                Some(data) => data,
                None => return self.fail(key, farside_fabric::Error::Stale("the region of an operation")),
            }
        } else if operation.late {
            Vec::new()
        } else {
            operation.capture(&part)
        };
        let load = if is_get {
            Load::Answer {
                operation: key,
                number,
            }
        } else {
            Load::Part {
                operation: key,
                number,
            }
        };
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
        let read = now + self.network.way(from, to).0.bytes(bytes);
        let happening = Happening::WasRead {
            operation: key,
            packet,
        };
        if last {
            self.at(read, happening, |world| world.was_read(key, packet));
        } else {
            // Even if that is now: a long operation must not nest as deep as it has parts.
            self.agenda.push(read, happening);
        }
    }

    /// The adapter has read a part: the latest moment to see what is in the origin buffer.
    pub(crate) fn was_read(&mut self, key: Key, packet: Key) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        let part = operation.part(operation.read);
        operation.read += 1;
        let is_get = matches!(operation.kind, Kind::Get);
        let (more, answers) = (operation.read < operation.parts(), operation.kind.answers());
        if !is_get && operation.late {
            if operation.failed.is_some() {
                // The buffer is gone, and with it the packet.
                self.packets.remove(packet);
                return;
            }
            if let Some(packet) = self.packets.get_mut(packet) {
                packet.data = operation.capture(&part);
            }
        }
        if more {
            self.read(key);
        } else if !answers {
            self.complete_locally(key);
        }
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
            let last = if ordered {
                Some(&mut channel.all)
            } else if message {
                Some(&mut channel.messages)
            } else if atomic {
                Some(&mut channel.atomics)
            } else {
                None
            };
            if let Some(last) = last {
                arrival = arrival.max(*last);
                *last = arrival;
            }
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
        let port = &mut self.process(to).ports[usize::from(near)];
        let begins = now.max(port.reception);
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
        let message = matches!(
            self.packets.get(key),
            Some(Packet {
                load: Load::Message { .. },
                ..
            })
        );
        let cost = if message {
            Time::ZERO
        } else {
            Time::of(self.network.receive_overhead)
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
