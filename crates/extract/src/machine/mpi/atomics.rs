//! Atomic operations on windows: what they do to their target, and in which order.

use super::constants::{NO_OP, REPLACE, SUM};
use crate::declare::{Effect, atomics};
use crate::machine::bytes::Bytes;
use crate::machine::{Followed, Machine};
use crate::program::{name, number, written};
use crate::value::{Cause, Value};
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{AtomicOperation, Direction, Expression as Written, StatementKind, Target};

/// What a target of operations has.
pub(super) struct Remote {
    window: u32,
    rank: Written,
    bytes: Bytes,
    /// The number of the operation's request, if it has one.
    request: Option<u32>,
}

impl Remote {
    pub(super) fn new(window: u32, rank: Written, bytes: Bytes, request: Option<u32>) -> Self {
        Self {
            window,
            rank,
            bytes,
            request,
        }
    }

    pub(super) fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

impl Machine<'_> {
    pub(super) fn fetch_and_op(
        &mut self,
        remote: Remote,
        (origin, result, kind): (&Value, &Value, &Value),
        operation: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let size = self.bytes_of(&Value::Known(1), kind, place)?;
        let old = self.shared_bytes(result, size, place)?;
        self.seen_at(&old, place);
        let changed = self.changed_by(&remote, (origin, kind), operation, place)?;
        self.follow(&old);
        self.pass_loss(&remote.bytes, &old);
        if self.is(operation, NO_OP) {
            let (local, target) = (self.target(&old), self.target(&remote.bytes));
            let kind = StatementKind::Transfer {
                direction: Direction::Read,
                local,
                queue: self.queue_of(&remote),
                handle: Some(self.handle_of(remote.window, Effect::Gives, &remote.rank, remote.request)),
                rank: remote.rank,
                remote: target,
                after_earlier: false,
            };
            self.emit(kind, place);
            return Ok(());
        }
        let (operation, operand) = changed;
        self.atomic_statement(operation, remote, Some(&old), vec![operand], place);
        Ok(())
    }

    /// The values of an atomic operation's target are followed.
    pub(super) fn followed(&mut self, remote: &Remote, place: PlaceId) -> Followed<()> {
        self.follow(&remote.bytes);
        if self.is_exact(&remote.bytes) {
            return Ok(());
        }
        Err(self.lost(place, "an atomic operation on what cannot be followed"))
    }

    /// What an operation makes of its target, and with what. What others than sums and replacements of whole numbers
    /// make of it is not computed, nor what depends on it: that it is changed stays.
    pub(super) fn changed_by(
        &mut self,
        remote: &Remote,
        (origin, kind): (&Value, &Value),
        operation: &Value,
        place: PlaceId,
    ) -> Followed<(AtomicOperation, Written)> {
        if remote.bytes.count() != 1 {
            return Err(self.lost(place, "an atomic operation on what other accesses take apart"));
        }
        let nothing = (AtomicOperation::FetchAdd, number(0));
        if self.is(operation, NO_OP) {
            self.follow(&remote.bytes);
            return Ok(nothing);
        }
        let bits = 8 * self.bytes_of(&Value::Known(1), kind, place)? as u32;
        let value = match bits {
            8 | 16 | 32 | 64 => self.load(origin, &Type::Integer(bits), u32::MAX, place)?,
            _ => self.unknown(place, "what an operation takes along"),
        };
        let sums = self.is(operation, SUM);
        if !(sums || self.is(operation, REPLACE)) || self.is_floating(kind) {
            self.forget(&remote.bytes);
        }
        self.follow(&remote.bytes);
        if !self.is_exact(&remote.bytes) {
            return Ok(nothing);
        }
        if !sums {
            return Ok((
                AtomicOperation::Swap,
                self.written_to(&remote.bytes, &value, bits),
            ));
        }
        if let Some(added) = value.number(bits) {
            return Ok((AtomicOperation::FetchAdd, written(&added)));
        }
        match value.cause() {
            Some(Cause::Memory(span)) => self.knowledge.follow(span),
            _ => self.forget(&remote.bytes),
        }
        Ok(nothing)
    }

    /// Locations of one window have queues by their numbers: of a dynamic window with several pieces of memory two
    /// would have one.
    pub(super) fn has_its_queues(&mut self, window: u32, place: PlaceId) -> Followed<()> {
        match self.knowledge.attached_to(window).count() {
            0 | 1 => Ok(()),
            _ => Err(self.lost(
                place,
                "an atomic operation on a dynamic window to which several pieces of memory are attached",
            )),
        }
    }

    /// The queue of a location.
    fn queue_of(&mut self, remote: &Remote) -> Target {
        let queue = name(&atomics(remote.window));
        match self.target(&remote.bytes) {
            Target::Element(_, index) => Target::Element(queue, index),
            _ => Target::Element(queue, Box::new(number(0))),
        }
    }

    pub(super) fn atomic_statement(
        &mut self,
        operation: AtomicOperation,
        remote: Remote,
        old: Option<&Bytes>,
        operands: Vec<Written>,
        place: PlaceId,
    ) {
        let effect = match old {
            Some(_) => Effect::Gives,
            None => {
                self.knowledge.change_window(remote.window);
                Effect::Changes
            }
        };
        let kind = StatementKind::Atomic {
            operation,
            local: old.map(|old| self.target(old)),
            remote: self.target(&remote.bytes),
            operands,
            queue: self.queue_of(&remote),
            handle: Some(self.handle_of(remote.window, effect, &remote.rank, remote.request)),
            rank: remote.rank,
        };
        self.emit(kind, place);
    }
}
