//! Messages, as the order between two processes that they are.
//!
//! A message has a cell of its own at its receiver, which the sender sets at once and the receiver waits for: nothing
//! else is ordered by it. Values go along where they decide something. Messages between two processes with one tag
//! arrive in their order (MPI-4.1 §3.5), so both sides count them.
//!
//! `MPI_Send` is taken to buffer its message, which it may (§3.4): it waits for nothing. A process that waits for a
//! receive does more than that, and orders more; no computation is lost, for one in which it waits is one in which it
//! does not.

use crate::declare::MESSAGES;
use crate::expression::Expression;
use crate::machine::bytes::{Bytes, constant};
use crate::machine::{Followed, Machine};
use crate::message::{Kind, Message};
use crate::program::{name, number};
use crate::request::Elements;
use crate::tables::{ObjectKind, Span, Tables};
use crate::value::{Cause, Value};
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{
    AtomicOperation, BinaryOperator, Completion, Expression as Written, StatementKind, Target,
};

/// Bytes of the cell that says that a message has come.
const FLAG: u64 = 4;
/// Bytes of the values that go along.
const VALUES: u64 = 128;
/// More messages of one kind between two processes are not told apart.
const MOST_MESSAGES: u32 = 48;

/// What a message is matched by (MPI-4.1 §3.2.3): the other process, by its rank in a communicator, and the tag.
#[derive(Clone, Copy)]
pub(super) struct Envelope<'v> {
    rank: &'v Value,
    tag: &'v Value,
    communicator: u32,
}

impl<'v> Envelope<'v> {
    pub(super) fn new(rank: &'v Value, tag: &'v Value, communicator: u32) -> Self {
        Self {
            rank,
            tag,
            communicator,
        }
    }

    /// The other process.
    pub(super) fn rank(&self) -> &'v Value {
        self.rank
    }

    pub(super) fn tag(&self) -> &'v Value {
        self.tag
    }

    /// The number of the communicator.
    pub(super) fn communicator(&self) -> u32 {
        self.communicator
    }
}

impl Machine<'_> {
    /// `MPI_Send`, and all of `MPI_Isend` but its request. What is sent, if it is sent to somebody.
    pub(super) fn send(
        &mut self,
        buffer: &Value,
        elements: Elements,
        envelope: Envelope<'_>,
        place: PlaceId,
    ) -> Followed<Option<Message>> {
        let Some(to) = self.peer(envelope, place)? else {
            return Ok(None);
        };
        let kind = self.kind_of(envelope, place)?;
        let message = self.next_sent(to, kind, place)?;
        self.send_values(message, buffer, elements, place)?;
        Ok(Some(message))
    }

    /// `MPI_Ssend`, and all of `MPI_Issend` but its request. What is waited for: the word that its receive has begun
    /// (§3.4).
    pub(super) fn send_synchronously(
        &mut self,
        buffer: &Value,
        elements: Elements,
        envelope: Envelope<'_>,
        place: PlaceId,
    ) -> Followed<Option<Message>> {
        let Some(sent) = self.send(buffer, elements, envelope, place)? else {
            return Ok(None);
        };
        self.knowledge.send_synchronously(sent);
        Ok(Some(sent.taken()))
    }

    /// The receive of a message begins: a sender that waits for that goes on.
    pub(in crate::machine) fn begin_to_receive(&mut self, message: Message, place: PlaceId) -> Followed<()> {
        match self.knowledge.is_synchronous(message) {
            true => self.signal(message.taken(), place),
            false => Ok(()),
        }
    }

    /// `MPI_Recv`.
    pub(super) fn receive(
        &mut self,
        buffer: &Value,
        elements: Elements,
        from: Envelope<'_>,
        status: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let Some(sources) = self.sources_to_wait_for(from, place)? else {
            return self.some_status(status, 1, place);
        };
        self.any(sources.len(), place, &mut |machine, way| {
            let (source, kind) = sources[way];
            let message = machine.next_received(source, kind, place)?;
            machine.begin_to_receive(message, place)?;
            machine.receive_values(message, buffer, elements, place)?;
            machine.status_of(status, message, place)
        })
    }

    pub(super) fn kind_of(&mut self, envelope: Envelope<'_>, place: PlaceId) -> Followed<Kind> {
        match constant(envelope.tag, 32) {
            Some(tag) if tag >= 0 => Ok(Kind::Tag(envelope.communicator, tag)),
            Some(_) => Err(self.lost(place, "a message with a negative tag")),
            None => Err(self.lost(place, "a message whose tag is not known")),
        }
    }

    /// The next message of a kind to another process.
    pub(in crate::machine) fn next_sent(&mut self, to: u32, kind: Kind, place: PlaceId) -> Followed<Message> {
        self.knowledge.send_to(self.rank, kind, to);
        let message = self.state.progress_mut().send(self.rank, to, kind);
        self.one_of_few(message, place)
    }

    /// The next message of a kind from another process.
    pub(in crate::machine) fn next_received(
        &mut self,
        from: u32,
        kind: Kind,
        place: PlaceId,
    ) -> Followed<Message> {
        let message = self.state.progress_mut().receive(self.rank, from, kind);
        self.one_of_few(message, place)
    }

    pub(super) fn one_of_few(&mut self, message: Message, place: PlaceId) -> Followed<Message> {
        let number = match message.kind() {
            Kind::Collective(_, call) | Kind::Exchange(_, call) => call.max(message.number()),
            _ => message.number(),
        };
        if number < MOST_MESSAGES {
            return Ok(message);
        }
        let text = format!("more than {MOST_MESSAGES} messages from one process to another");
        Err(self.lost(place, &text))
    }

    /// Sends values, and the word that they have come.
    pub(in crate::machine) fn send_values(
        &mut self,
        message: Message,
        buffer: &Value,
        elements: Elements,
        place: PlaceId,
    ) -> Followed<()> {
        self.give_values(message, buffer, elements, place)?;
        self.signal(message, place)
    }

    /// Sends values, where they decide something, and no word of it.
    pub(super) fn give_values(
        &mut self,
        message: Message,
        buffer: &Value,
        elements: Elements,
        place: PlaceId,
    ) -> Followed<()> {
        self.same_on_both_sides(message, elements, place)?;
        match elements.followed() {
            None => {
                self.load(buffer, &Type::Opaque(elements.bytes()), u32::MAX, place)?;
            }
            Some(count) => {
                for at in 0..count {
                    let value = self.element_of(buffer, elements, at, place)?;
                    let known = match value {
                        Value::Known(number) => Some(number),
                        _ => None,
                    };
                    self.knowledge.carry(message, at, known);
                    let (address, span) = self.cell_of(message, elements, at);
                    if self.knowledge.is_followed(span) {
                        let cell = self.shared_bytes(&address, elements.size(), place)?;
                        let operand = self.written_to(&cell, &value, 8 * elements.size() as u32);
                        self.set_at_once(message.to(), &cell, operand, place);
                    }
                }
            }
        }
        Ok(())
    }

    /// Waits for a message, and takes its values.
    pub(in crate::machine) fn receive_values(
        &mut self,
        message: Message,
        buffer: &Value,
        elements: Elements,
        place: PlaceId,
    ) -> Followed<()> {
        self.arrive(message, place)?;
        self.take_values(message, buffer, elements, place)
    }

    /// Takes the values of a message that has come.
    pub(super) fn take_values(
        &mut self,
        message: Message,
        buffer: &Value,
        elements: Elements,
        place: PlaceId,
    ) -> Followed<()> {
        self.same_on_both_sides(message, elements, place)?;
        let Some(count) = elements.followed() else {
            return self.fill(buffer, &Value::Known(1), elements.bytes(), place);
        };
        for at in 0..count {
            let value = self.value_in(message, elements, at, place)?;
            self.put_element(buffer, elements, at, &value, place)?;
        }
        Ok(())
    }

    /// A value of a message that has come.
    pub(super) fn value_in(
        &mut self,
        message: Message,
        elements: Elements,
        at: u64,
        place: PlaceId,
    ) -> Followed<Value> {
        let (address, span) = self.cell_of(message, elements, at);
        if let Some(known) = self.knowledge.carried(message, at) {
            return Ok(Value::Known(known));
        }
        Ok(
            match (self.knowledge.is_followed(span), self.knowledge.is_lost(span)) {
                (_, true) => self.unknown(place, "what a message brings"),
                (true, false) => self.load(&address, &elements.of(), u32::MAX - at as u32, place)?,
                (false, false) => Value::Unknown(Cause::Memory(span)),
            },
        )
    }

    /// A message has as many bytes as its receiver takes: what a buffer holds of which only a part is written is not
    /// looked at.
    pub(super) fn same_on_both_sides(
        &mut self,
        message: Message,
        elements: Elements,
        place: PlaceId,
    ) -> Followed<()> {
        if self.tables.is_message(message, elements) {
            return Ok(());
        }
        Err(self.lost(place, "a message whose two sides have other numbers or types"))
    }

    /// An element of a buffer.
    pub(super) fn element_of(
        &mut self,
        buffer: &Value,
        elements: Elements,
        at: u64,
        place: PlaceId,
    ) -> Followed<Value> {
        let from = self.moved(buffer, at * elements.size(), place)?;
        self.load(&from, &elements.of(), u32::MAX - at as u32, place)
    }

    /// Writes an element of a buffer.
    pub(super) fn put_element(
        &mut self,
        buffer: &Value,
        elements: Elements,
        at: u64,
        value: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let to = self.moved(buffer, at * elements.size(), place)?;
        self.store(&to, value, &elements.of(), place)
    }

    /// The address of a value of a message at its receiver.
    pub(super) fn cell_of(&mut self, message: Message, elements: Elements, at: u64) -> (Value, Span) {
        let object = self
            .tables
            .object(ObjectKind::MessageValues(message), VALUES, "values");
        let start = at * elements.size();
        (
            Value::Known(Tables::address(object, start as i64)),
            Span::new(object, start, start + elements.size()),
        )
    }

    /// An address so many bytes further on.
    pub(in crate::machine) fn moved(&mut self, address: &Value, by: u64, place: PlaceId) -> Followed<Value> {
        let there = match address {
            _ if by == 0 => Some(address.clone()),
            Value::Known(address) => Some(Value::Known(address.wrapping_add(by))),
            Value::Dynamic(expression) => {
                Expression::binary(BinaryOperator::Add, expression, &Expression::Number(by as i64))
                    .map(|moved| Value::of(moved, 64))
            }
            other => Some(other.clone()),
        };
        match there {
            Some(there) => Ok(there),
            None => Err(self.lost(place, "a buffer at an address that is not known")),
        }
    }

    /// Says to another process that this one is here.
    pub(super) fn signal(&mut self, message: Message, place: PlaceId) -> Followed<()> {
        self.seen(place);
        self.knowledge.send_in(message, self.state.progress().round());
        let flag = self.flag(message, place)?;
        let one = self.written_to(&flag, &Value::Known(1), 32);
        self.set_at_once(message.to(), &flag, one, place);
        Ok(())
    }

    /// Waits until another process has said that it is there.
    pub(in crate::machine) fn arrive(&mut self, message: Message, place: PlaceId) -> Followed<()> {
        // Whoever sent it may have passed a fence that this process has yet to come to.
        if self.knowledge.has_openings() {
            self.state.progress_mut().be_seen();
        }
        let round = self.state.progress().round();
        if self.knowledge.sent_in(message).is_some_and(|sent| sent > round) {
            self.knowledge.be_uneven();
        }
        let flag = self.flag(message, place)?;
        let condition = Written::Binary(
            BinaryOperator::Equal,
            Box::new(Written::Value(self.target(&flag))),
            Box::new(number(self.knowledge.bias())),
        );
        let body = Vec::new();
        self.emit(StatementKind::While { condition, body }, place);
        Ok(())
    }

    /// The cell that says that a message has come.
    pub(super) fn flag(&mut self, message: Message, place: PlaceId) -> Followed<Bytes> {
        let object = self
            .tables
            .object(ObjectKind::MessageFlag(message), FLAG, "message");
        let bytes = self.shared_bytes(&Value::Known(Tables::address(object, 0)), FLAG, place)?;
        self.follow(&bytes);
        Ok(bytes)
    }

    /// Sets a cell of another process, and waits until it is set.
    fn set_at_once(&mut self, rank: u32, cell: &Bytes, value: Written, place: PlaceId) {
        self.knowledge.send_messages();
        let queue = || Target::Name(name(MESSAGES));
        let set = StatementKind::Atomic {
            operation: AtomicOperation::Swap,
            local: None,
            rank: number(i64::from(rank)),
            remote: self.target(cell),
            operands: vec![value],
            queue: queue(),
            handle: None,
        };
        self.emit(set, place);
        let wait = StatementKind::Wait {
            what: queue(),
            completion: Completion::Full,
        };
        self.emit(wait, place);
    }
}
