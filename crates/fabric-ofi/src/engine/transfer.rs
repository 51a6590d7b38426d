//! Puts and gets.

use super::Engine;
use super::piece::{Buffer, Part};
use super::slots::{Handle, INLINE, Operation};
use crate::ffi::constants as c;
use crate::memory;
use crate::port::Place;
use crate::wire::Mark;
use farside_fabric::{Error, Get, Put, Rank, Result, Scope, Signal, Ticket};

impl Engine {
    /// Begins an operation of one piece, which is given back by [`Engine::all_started`].
    pub(super) fn begin(
        &mut self,
        scope: Scope,
        target: Rank,
        holds_buffers: bool,
        mark: Option<Mark>,
    ) -> Result<Handle> {
        let state = self.scopes.get_mut(&scope.0).ok_or(Error::Stale("the scope"))?;
        state.started(target, holds_buffers);
        Ok(self.operations.insert(Operation {
            scope,
            target,
            pieces: 1,
            holds_buffers,
            mark,
            results: None,
        }))
    }

    /// All pieces of an operation are on their way.
    pub(super) fn all_started(&mut self, handle: Handle) -> Ticket {
        let holds = self
            .operations
            .get(handle)
            .is_some_and(|operation| operation.holds_buffers);
        self.piece_done(handle);
        if holds {
            Ticket::new(handle.0)
        } else {
            Ticket::DONE
        }
    }

    /// Whether a write of so many bytes can carry its signal to the target's queue.
    fn carries_signal(&self, bytes: usize) -> bool {
        let facts = &self.port.facts;
        // libfabric 1's shm loses the immediate of writes that do not fit in a command, and those without bytes
        // (measured with 1.17).
        let lossy = facts.name == "shm" && facts.library.0 < 2 && !(1..=8).contains(&bytes);
        facts.immediate >= 4 && bytes <= self.piece() && !lossy
    }

    fn mark(&self, put: &Put, region: u64) -> Result<Option<Mark>> {
        match put.signal {
            Signal::None => Ok(None),
            Signal::Count => Ok(Some(Mark::Count {
                region: region as u32,
            })),
            Signal::Immediate(number) => {
                let bits = Mark::bits(self.port.facts.immediate);
                if bits < 32 && number >> bits != 0 {
                    return Err(Error::Unsupported {
                        transport: format!("ofi:{}", self.port.facts.name),
                        what: format!("notification with the number {number:#x}"),
                        reason: format!(
                            "a write carries {} bytes to the queue of its target, of which {bits} bits are the number",
                            self.port.facts.immediate
                        ),
                    });
                }
                Ok(Some(Mark::Immediate {
                    source: Some(self.rank),
                    number,
                }))
            }
        }
    }

    /// Starts a put, or goes on with it. `None`: to be tried again, with the same `part`.
    ///
    /// # Safety
    /// As for [`Fabric::put`](farside_fabric::Fabric::put).
    pub(crate) unsafe fn put(&mut self, put: &Put, part: &mut Option<Part>) -> Result<Option<Ticket>> {
        put.remote.at(put.displacement, put.bytes)?;
        self.usable()?;
        let connection = self.connection(&put.remote)?;
        let mark = self.mark(put, connection.region)?;
        if !self.scopes.contains_key(&put.scope.0) {
            return Err(Error::Stale("the scope"));
        }
        if put.bytes == 0 && mark.is_none() {
            return Ok(Some(Ticket::DONE));
        }
        let target = connection.target;
        if target == self.rank {
            let there = self
                .own_memory(connection.region, put.displacement as u64, put.bytes)
                .ok_or(Error::Stale("the region"))?;
            // SAFETY: the origin is valid by the caller, the region is there; a put within one region may overlap
            // itself only against the rules of the user.
            unsafe { memory::copy(put.origin, there.as_ptr(), put.bytes) };
            if let Some(mark) = mark {
                self.marked(mark);
            }
            return Ok(Some(Ticket::DONE));
        }
        if self.is_held(put) {
            // SAFETY: by the caller.
            let held = unsafe { self.hold(put, target, connection.region, mark)? };
            return Ok(held.then_some(Ticket::DONE));
        }
        if part.is_none() && !self.may_follow_puts(target) {
            return Ok(None);
        }
        let carried = mark.filter(|_| self.carries_signal(put.bytes));
        if part.is_none() {
            let handle = self.begin(put.scope, target, put.bytes > INLINE, mark.xor(carried))?;
            *part = Some(Part { handle, sent: 0 });
        }
        let Some(part) = part else { return Ok(None) };
        let place = Place {
            peer: self.peers[target as usize].address,
            address: connection.base + put.displacement as u64,
            key: connection.key,
        };
        if let Some(mark) = carried {
            let origin = Buffer::From(put.origin);
            // SAFETY: by the caller.
            if !unsafe { self.post(part.handle, origin, put.bytes, Some(mark), target, place)? } {
                return Ok(None);
            }
        } else {
            // SAFETY: by the caller.
            if !unsafe { self.pieces(part, Buffer::From(put.origin), put.bytes, target, place)? } {
                return Ok(None);
            }
        }
        Ok(Some(self.all_started(part.handle)))
    }

    /// Starts a get, or goes on with it.
    ///
    /// # Safety
    /// As for [`Fabric::get`](farside_fabric::Fabric::get).
    pub(crate) unsafe fn get(&mut self, get: &Get, part: &mut Option<Part>) -> Result<Option<Ticket>> {
        get.remote.at(get.displacement, get.bytes)?;
        self.usable()?;
        let connection = self.connection(&get.remote)?;
        if !self.scopes.contains_key(&get.scope.0) {
            return Err(Error::Stale("the scope"));
        }
        if get.bytes == 0 {
            return Ok(Some(Ticket::DONE));
        }
        let target = connection.target;
        if target == self.rank {
            let there = self
                .own_memory(connection.region, get.displacement as u64, get.bytes)
                .ok_or(Error::Stale("the region"))?;
            // SAFETY: the origin is valid by the caller; the place was checked to be within the mapped region.
            unsafe { memory::copy(there.as_ptr(), get.origin, get.bytes) };
            return Ok(Some(Ticket::DONE));
        }
        if part.is_none() {
            if !self.may_follow_puts(target) {
                return Ok(None);
            }
            let handle = self.begin(get.scope, target, true, None)?;
            *part = Some(Part { handle, sent: 0 });
        }
        let Some(part) = part else { return Ok(None) };
        let place = Place {
            peer: self.peers[target as usize].address,
            address: connection.base + get.displacement as u64,
            key: connection.key,
        };
        // SAFETY: by the caller.
        if !unsafe { self.pieces(part, Buffer::To(get.origin), get.bytes, target, place)? } {
            return Ok(None);
        }
        Ok(Some(self.all_started(part.handle)))
    }

    /// Gives up the start of an operation that ended with an error. If pieces of it run, the endpoint is shut, for the
    /// user has no ticket to wait for them.
    pub(crate) fn give_up(&mut self, part: Part) {
        if let Some(operation) = self.operations.get(part.handle) {
            operation.mark = None;
            if operation.pieces > 1 {
                self.shut();
            }
        }
        self.piece_done(part.handle);
    }

    /// Puts to one target become visible in the order of their calls: the provider keeps it for writes of our length.
    pub(crate) fn writes_in_order(&self) -> bool {
        let facts = &self.port.facts;
        facts.keeps(c::ORDER_WAW) && facts.ordered_write >= self.piece()
    }

    /// Gets see the puts before them.
    pub(crate) fn reads_after_writes(&self) -> bool {
        let facts = &self.port.facts;
        facts.keeps(c::ORDER_RAW) && facts.ordered_read >= self.piece()
    }
}
