//! What an origin learns of its operations.

use super::operation::Kind;
use super::slab::Found;
use super::{Happening, Key, World};
use crate::time::Time;
use crate::trace::Travel;
use farside_fabric::{Error, Rank, Result};

impl World {
    /// The origin buffers of an operation are not used any more.
    pub(crate) fn complete_locally(&mut self, key: Key) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        if operation.local || operation.failed.is_some() {
            return;
        }
        operation.local = true;
        let (origin, target, scope) = (operation.origin, operation.target, operation.scope);
        if let Some(scope) = self.process(origin).scopes.get_mut(&scope) {
            scope.local.remove(target);
        }
        self.wake(origin);
    }

    /// An operation is visible at its target, and the origin knows.
    pub(crate) fn complete_remotely(&mut self, key: Key) {
        self.complete_locally(key);
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        if operation.failed.is_some() {
            return;
        }
        let (origin, target, scope) = (operation.origin, operation.target, operation.scope);
        if !operation.kind.answers() {
            let latency = Time::of(self.network.way(target, origin).0.latency);
            self.arrow(Travel::Acknowledgement, target, origin, 0, self.now - latency);
        }
        self.operations.remove(key);
        self.process(origin).under_way -= 1;
        if let Some(scope) = self.process(origin).scopes.get_mut(&scope) {
            scope.remote.remove(target);
        }
        self.wake(origin);
    }

    /// All of a put, or of atomic operations that fetch nothing, is visible: the target's adapter says so.
    pub(crate) fn acknowledge(&mut self, key: Key) {
        let Some(operation) = self.operations.get(key) else {
            return;
        };
        let latency = Time::of(self.network.way(operation.target, operation.origin).0.latency);
        self.agenda.push(self.now + latency, Happening::Acknowledge(key));
    }

    /// A part of an answer is there.
    pub(crate) fn accept(&mut self, packet: Key, key: Key, number: u32) {
        let (Some(packet), Some(operation)) = (self.packets.remove(packet), self.operations.get_mut(key))
        else {
            return;
        };
        operation.accept(operation.part(number).start, &packet.data);
        operation.answered += 1;
        if operation.answered < operation.parts() {
            return;
        }
        let travel = if let Kind::Get = operation.kind {
            Travel::GetAnswer
        } else {
            Travel::AtomicAnswer
        };
        let (left, bytes) = (operation.answer_left, operation.bytes);
        self.arrow(travel, packet.from, packet.to, bytes, left);
        self.complete_remotely(key);
    }

    /// An operation fails: its buffers are not touched any more, and nobody waits for it.
    pub(crate) fn fail(&mut self, key: Key, error: Error) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        if operation.failed.is_some() {
            return;
        }
        operation.failed = Some(error);
        let (origin, target, scope) = (operation.origin, operation.target, operation.scope);
        let local = operation.local;
        let process = self.process(origin);
        process.under_way -= 1;
        if let Some(scope) = process.scopes.get_mut(&scope) {
            if !local {
                scope.local.remove(target);
            }
            scope.remote.remove(target);
            scope.failed = Some(target);
        }
        self.wake(origin);
    }

    /// Whether an operation of a rank is complete locally.
    pub(crate) fn test(&self, rank: Rank, number: u64) -> Result<bool> {
        if number == 0 {
            return Ok(true);
        }
        match self.operations.find(Key::of_number(number)) {
            Found::There(operation) if operation.origin == rank => match &operation.failed {
                Some(error) if !operation.local => Err(error.clone()),
                _ => Ok(operation.local),
            },
            Found::Gone => Ok(true),
            Found::There(_) | Found::Never => Err(Error::Stale("the ticket")),
        }
    }

    /// Whether the operations of a scope to a target, or to all, are complete.
    ///
    /// # Errors
    /// The scope is not open, or one of its operations to there has failed.
    pub(crate) fn is_complete(
        &self,
        rank: Rank,
        scope: u32,
        target: Option<Rank>,
        local: bool,
    ) -> Result<bool> {
        let completion = self.scope(rank, scope)?;
        let pending = if local {
            &completion.local
        } else {
            &completion.remote
        };
        if pending.number(target) > 0 {
            return Ok(false);
        }
        match completion.failed {
            Some(failed) if target.is_none_or(|target| target == failed) => match self.lost {
                Some(rank) => Err(Error::PeerLost { rank }),
                None => Err(Error::Stale("the region of an operation")),
            },
            _ => Ok(true),
        }
    }
}
