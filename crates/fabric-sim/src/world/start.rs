//! How operations, messages and answers get an injection port.

use super::operation::{Kind, Load, Operation, Packet};
use super::process::Outgoing;
use super::{Happening, Key, World};
use crate::choices::Choice;
use crate::network::Routing;
use crate::time::Time;
use farside_fabric::{Rank, Signal};

impl World {
    /// Takes the injection port of a rank for something of so many bytes. When it leaves.
    fn inject(&mut self, from: Rank, to: Rank, bytes: usize) -> Time {
        let now = self.now;
        let change = self.turn(from, to);
        let (link, near) = self.network.way(from, to);
        let busy = link.busy(bytes);
        let adapter = self.network.port_of(from, near);
        let port = &mut self.process(adapter).ports[usize::from(near)];
        let leaves = now.max(port.injection) + change;
        port.injection = leaves + busy;
        leaves
    }

    /// What it takes until the adapter of a rank has turned to the connection with another one.
    pub(crate) fn turn(&mut self, rank: Rank, peer: Rank) -> Time {
        if self.network.connection.is_zero() || self.network.way(rank, peer).1 {
            return Time::ZERO;
        }
        let adapter = self.network.port_of(rank, false);
        match self.process(adapter).peer.replace((rank, peer)) {
            Some(last) if last == (rank, peer) => Time::ZERO,
            _ => Time::of(self.network.connection),
        }
    }

    /// Something leaves at that time, which `inject` gave; at once if that is now. Only what is next at a port is on
    /// the agenda, so that it stays short however much waits.
    fn leave(&mut self, from: Rank, to: Rank, leaves: Time, outgoing: Outgoing) {
        let near = self.network.way(from, to).1;
        let now = self.now;
        let rank = self.network.port_of(from, near);
        let queue = &mut self.process(rank).ports[usize::from(near)].queue;
        if leaves <= now && queue.is_empty() {
            return self.go(outgoing);
        }
        queue.push_back((leaves, outgoing));
        if queue.len() == 1 {
            self.agenda.push(leaves, Happening::Port { rank, near });
        }
    }

    /// The next thing at a port leaves.
    pub(crate) fn serve(&mut self, rank: Rank, near: bool) {
        let port = usize::from(near);
        let Some((_, outgoing)) = self.process(rank).ports[port].queue.pop_front() else {
            return;
        };
        self.go(outgoing);
        if let Some((leaves, _)) = self.process(rank).ports[port].queue.front() {
            let leaves = *leaves;
            self.agenda.push(leaves, Happening::Port { rank, near });
        }
    }

    fn go(&mut self, outgoing: Outgoing) {
        match outgoing {
            Outgoing::Operation(operation) => self.read(operation),
            Outgoing::Packet(packet) => self.depart(packet),
        }
    }

    /// Whether a rank may start one more operation.
    pub(crate) fn may_start(&self, rank: Rank) -> bool {
        self.processes[rank as usize].under_way < self.network.in_flight
    }

    /// Starts an operation of a running rank.
    pub(crate) fn start(&mut self, mut operation: Operation) -> Key {
        let (origin, target, scope) = (operation.origin, operation.target, operation.scope);
        operation.late = self.choose(Choice::Capture, 2) == 1;
        let process = self.process(origin);
        process.under_way += 1;
        let counters = &mut process.counters;
        match operation.kind {
            Kind::Put(signal) => {
                counters.puts += 1;
                counters.put_bytes += operation.bytes as u64;
                counters.signals += u64::from(signal != Signal::None);
            }
            Kind::Get => {
                counters.gets += 1;
                counters.get_bytes += operation.bytes as u64;
            }
            Kind::Fetch { .. } | Kind::Swap | Kind::Visit(_) => counters.atomics += 1,
        }
        if let Some(scope) = self.process(origin).scopes.get_mut(&scope) {
            scope.local.add(target);
            scope.remote.add(target);
        }
        let atomic = operation.kind.is_atomic();
        let key = self.operations.insert(operation);
        match self.hesitate(origin, target, false, atomic) {
            Some(time) => self.agenda.push(time, Happening::Enter(key)),
            None => self.enter(key),
        }
        key
    }

    /// When the adapter turns to something; `None`: at once, as it always does.
    fn hesitate(&mut self, from: Rank, to: Rank, message: bool, atomic: bool) -> Option<Time> {
        /// Steps of a hesitation.
        const STEPS: u32 = 8;
        let most = Time::of(self.network.hesitation);
        if most == Time::ZERO || self.network.way(from, to).1 {
            return None;
        }
        let mut time = self.now;
        if !message && self.choose(Choice::Hesitation, 2) == 1 {
            // More often short than long, so that what depends on a close race still happens.
            let step = self.choose(Choice::Amount, STEPS) + 1;
            time = time + most.share(step * step, STEPS * STEPS);
        }
        let ordered = self.network.routing == Routing::Ordered;
        let entry = self.entries.entry((from, to)).or_default();
        Some(entry.behind(time, ordered, message, atomic))
    }

    /// The adapter turns to an operation.
    pub(crate) fn enter(&mut self, key: Key) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let (origin, target) = (operation.origin, operation.target);
        let bytes = operation.on_the_way(&(0..operation.bytes));
        let is_get = matches!(operation.kind, Kind::Get);
        if operation.failed.is_some() {
            return;
        }
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
            self.leave(origin, target, leaves, Outgoing::Packet(packet));
        } else {
            self.leave(origin, target, leaves, Outgoing::Operation(key));
        }
    }

    /// Starts a message of a running rank.
    pub(crate) fn start_message(&mut self, from: Rank, to: Rank, tag: u64, data: Vec<u8>) {
        let bytes = data.len();
        let process = self.process(from);
        process.counters.messages += 1;
        process.counters.message_bytes += bytes as u64;
        *process.outstanding.entry(to).or_default() += 1;
        let left = self.now;
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
        match self.hesitate(from, to, true, false) {
            Some(time) => self.agenda.push(time, Happening::EnterMessage(packet)),
            None => self.enter_message(packet),
        }
    }

    /// The adapter turns to a message.
    pub(crate) fn enter_message(&mut self, key: Key) {
        let Some(packet) = self.packets.get(key) else {
            return;
        };
        let (from, to, bytes) = (packet.from, packet.to, packet.bytes);
        let left = self.inject(from, to, bytes);
        self.leave(from, to, left, Outgoing::Packet(key));
    }

    /// The answer of a get begins.
    pub(crate) fn start_answer(&mut self, key: Key) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let (from, to, bytes) = (operation.target, operation.origin, operation.bytes);
        let leaves = self.inject(from, to, bytes);
        self.leave(from, to, leaves, Outgoing::Operation(key));
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
        self.leave(from, to, left, Outgoing::Packet(packet));
    }
}
