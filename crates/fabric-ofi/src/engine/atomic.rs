//! Atomic operations, by messages that the target executes.
//!
//! libfabric's own are not used: those of the providers at hand are messages as well, and asking for them costs order
//! (`tcp;ofi_rxm` 1.17 keeps writes in order without `FI_ATOMIC`, and not with it). Requests to one rank are executed in the
//! order of their calls, for messages keep it; all ranks' by whoever holds the engine of the target, and by atomic
//! instructions, so that the owner's loads see no half of one.

use super::region::Connection;
use super::slots::{Handle, Results};
use super::{Engine, MESSAGE, Part};
use crate::wire::{Header, Kind};
use farside_fabric::{AtomicOperation, CompareSwap, Error, Fetch, Result, Ticket, element};
use std::ptr::{self, NonNull};

/// Most requests to one rank without an answer.
const REQUESTS: u32 = 128;

impl Engine {
    /// Starts atomic operations, or goes on with it; as [`Engine::put`].
    ///
    /// # Safety
    /// As for [`Fabric::fetch`](farside_fabric::Fabric::fetch).
    pub(crate) unsafe fn fetch(&mut self, fetch: &Fetch, part: &mut Option<Part>) -> Result<Option<Ticket>> {
        let size = fetch.kind.bytes();
        if !fetch.operation.applies_to(fetch.kind) {
            return Err(Error::Unsupported {
                transport: format!("ofi:{}", self.port.facts.name),
                what: format!("{:?} of {:?}", fetch.operation, fetch.kind),
                reason: "floating point has no bitwise operations".into(),
            });
        }
        let bytes = fetch.count.saturating_mul(size);
        fetch.remote.at(fetch.displacement, bytes)?;
        aligned(fetch.displacement, size)?;
        self.usable()?;
        let connection = self.connection(&fetch.remote)?;
        if !self.scopes.contains_key(&fetch.scope.0) {
            return Err(Error::Stale("the scope"));
        }
        if fetch.count == 0 {
            return Ok(Some(Ticket::DONE));
        }
        let reads = fetch.operation == AtomicOperation::NoOp;
        if connection.target == self.rank {
            let there = self
                .own_memory(connection.region, fetch.displacement as u64, bytes)
                .ok_or(Error::Stale("the region"))?;
            // SAFETY: the region is there and aligned, the buffers are valid by the caller.
            unsafe {
                element::apply(
                    fetch.kind,
                    fetch.operation,
                    there.as_ptr(),
                    fetch.operands,
                    fetch.results,
                    fetch.count,
                );
            }
            return Ok(Some(Ticket::DONE));
        }
        if part.is_none() {
            *part = Some(self.begin_request(
                fetch.scope,
                connection,
                fetch.displacement,
                fetch.results,
                bytes,
            )?);
        }
        let Some(part) = part else { return Ok(None) };
        let longest = MESSAGE / size;
        while part.sent < fetch.count {
            let count = (fetch.count - part.sent).min(longest);
            let mut header = Header::new(Kind::Fetch, self.rank);
            (header.operation, header.element) = (fetch.operation, fetch.kind);
            header.results = !fetch.results.is_null();
            header.count = count as u32;
            header.displacement = (fetch.displacement + part.sent * size) as u64;
            let operands = if reads {
                &[][..]
            } else {
                // SAFETY: valid for `fetch.count` elements by the caller; copied before the call returns.
                unsafe { std::slice::from_raw_parts(fetch.operands.add(part.sent * size), count * size) }
            };
            if !self.request(part.handle, connection, header, &[operands])? {
                return Ok(None);
            }
            part.sent += count;
        }
        Ok(Some(self.all_started(part.handle)))
    }

    /// Starts a compare-and-swap, or goes on with it.
    ///
    /// # Safety
    /// As for [`Fabric::compare_swap`](farside_fabric::Fabric::compare_swap).
    pub(crate) unsafe fn compare_swap(
        &mut self,
        swap: &CompareSwap,
        part: &mut Option<Part>,
    ) -> Result<Option<Ticket>> {
        let size = swap.kind.bytes();
        swap.remote.at(swap.displacement, size)?;
        aligned(swap.displacement, size)?;
        self.usable()?;
        let connection = self.connection(&swap.remote)?;
        if !self.scopes.contains_key(&swap.scope.0) {
            return Err(Error::Stale("the scope"));
        }
        if connection.target == self.rank {
            let there = self
                .own_memory(connection.region, swap.displacement as u64, size)
                .ok_or(Error::Stale("the region"))?;
            // SAFETY: as in `fetch`.
            unsafe {
                element::compare_swap(size, there.as_ptr(), swap.expected, swap.replacement, swap.result)
            };
            return Ok(Some(Ticket::DONE));
        }
        if part.is_none() {
            *part = Some(self.begin_request(swap.scope, connection, swap.displacement, swap.result, size)?);
        }
        let Some(part) = part else { return Ok(None) };
        let mut header = Header::new(Kind::CompareSwap, self.rank);
        header.element = swap.kind;
        header.results = true;
        header.count = 1;
        header.displacement = swap.displacement as u64;
        // SAFETY: valid for an element by the caller; copied before the call returns.
        let operands = unsafe {
            [
                std::slice::from_raw_parts(swap.expected, size),
                std::slice::from_raw_parts(swap.replacement, size),
            ]
        };
        if !self.request(part.handle, connection, header, &operands)? {
            return Ok(None);
        }
        Ok(Some(self.all_started(part.handle)))
    }

    fn begin_request(
        &mut self,
        scope: farside_fabric::Scope,
        connection: Connection,
        displacement: usize,
        results: *mut u8,
        bytes: usize,
    ) -> Result<Part> {
        let results = NonNull::new(results).map(|base| Results {
            base,
            bytes,
            displacement: displacement as u64,
        });
        let handle = self.begin(scope, connection.target, results.is_some(), None)?;
        if let Some(operation) = self.operations.get(handle) {
            operation.results = results;
        }
        Ok(Part { handle, sent: 0 })
    }

    /// Sends a request; false: to be tried again.
    fn request(
        &mut self,
        handle: Handle,
        connection: Connection,
        mut header: Header,
        parts: &[&[u8]],
    ) -> Result<bool> {
        let target = connection.target;
        if self.peers[target as usize].requests >= REQUESTS {
            return Ok(false);
        }
        header.first = handle.0;
        header.region = connection.region;
        if self.post_message(target, header.message(parts), None).is_err() {
            return self.usable().map(|()| false);
        }
        self.peers[target as usize].requests += 1;
        if let Some(operation) = self.operations.get(handle) {
            operation.pieces += 1;
        }
        Ok(true)
    }

    /// Executes a request of another rank, and answers.
    pub(super) fn serve(&mut self, header: &Header, bytes: &[u8]) {
        let mut answer = Header::new(Kind::Refusal, self.rank);
        (answer.first, answer.displacement) = (header.first, header.displacement);
        let mut results = Vec::new();
        if self.execute(header, bytes, &mut results).is_some() {
            answer.kind = Kind::Answer;
            answer.results = header.results;
        }
        self.backlog
            .push_back((header.source, answer.message(&[&results]), None));
    }

    /// Does what a request asks for, if it makes sense.
    fn execute(&mut self, header: &Header, bytes: &[u8], results: &mut Vec<u8>) -> Option<()> {
        let size = header.element.bytes();
        let length = (header.count as usize)
            .checked_mul(size)
            .filter(|length| *length <= MESSAGE)?;
        let wanted = match (header.kind, header.operation) {
            (Kind::CompareSwap, _) => 2 * size,
            (_, AtomicOperation::NoOp) => 0,
            _ => length,
        };
        let sensible = bytes.len() == wanted
            && header.displacement.is_multiple_of(size as u64)
            && header.operation.applies_to(header.element)
            && (header.kind == Kind::Fetch || header.count == 1);
        let there = self.own_memory(header.region, header.displacement, length)?;
        if !sensible {
            return None;
        }
        if header.results {
            results.resize(length, 0);
        }
        let found = if header.results {
            results.as_mut_ptr()
        } else {
            ptr::null_mut()
        };
        // SAFETY: the memory is there for `length` bytes, and aligned, for regions begin at a page; the operands have the
        // length that was checked, and the results were made for it.
        unsafe {
            if header.kind == Kind::Fetch {
                let count = header.count as usize;
                element::apply(
                    header.element,
                    header.operation,
                    there.as_ptr(),
                    bytes.as_ptr(),
                    found,
                    count,
                );
            } else {
                let mut unasked = [0; 8];
                let found = if found.is_null() {
                    unasked.as_mut_ptr()
                } else {
                    found
                };
                element::compare_swap(
                    size,
                    there.as_ptr(),
                    bytes.as_ptr(),
                    bytes.as_ptr().add(size),
                    found,
                );
            }
        }
        Some(())
    }

    /// A request of this rank was executed.
    pub(super) fn answered(&mut self, header: &Header, bytes: &[u8]) {
        let peer = &mut self.peers[header.source as usize];
        peer.requests = peer.requests.saturating_sub(1);
        let handle = Handle(header.first);
        let Some(operation) = self.operations.get(handle) else {
            return;
        };
        if header.kind == Kind::Refusal {
            self.break_with(
                "an atomic operation",
                &format!("rank {} has no such region any more", header.source),
            );
            return;
        }
        if let Some(results) = operation.results.filter(|_| header.results) {
            let at = header.displacement.checked_sub(results.displacement);
            let at = at.and_then(|at| usize::try_from(at).ok());
            let Some(at) = at.filter(|at| {
                at.checked_add(bytes.len())
                    .is_some_and(|end| end <= results.bytes)
            }) else {
                self.break_with("an atomic operation", "an answer that does not fit its request");
                return;
            };
            // SAFETY: in bounds of the user's buffer, which is ours until completion.
            unsafe {
                results
                    .base
                    .as_ptr()
                    .add(at)
                    .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        self.piece_done(handle);
    }
}

fn aligned(displacement: usize, alignment: usize) -> Result<()> {
    if displacement.is_multiple_of(alignment) {
        return Ok(());
    }
    Err(Error::Misaligned {
        displacement,
        alignment,
    })
}
