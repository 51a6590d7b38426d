//! Atomic operations, by messages that the target executes.
//!
//! libfabric's own are not used, though two of the providers at hand have them. Asked of libfabric 1.17 (`fi_getinfo`
//! with and without `FI_ATOMIC`, then `fi_fetch_atomicvalid` for 84 pairs of an operation and a number, without
//! logical operations):
//!
//! | provider | order without `FI_ATOMIC` | with it | pairs that are valid |
//! |---|---|---|---|
//! | `tcp;ofi_rxm` | 0x1b7: writes after writes, reads and messages after writes | 0x124: none of these | 84 |
//! | `net` | 0x1b7 | 0x1b7 | 0 |
//! | `shm` | 0x100 | 0x100 | 84 |
//!
//! 1. To ask for them costs the order of all other operations on `tcp;ofi_rxm`: puts, notifications and gets would be
//!    ordered by completion only, and programs and fences that rest on the order would pay a flush for it.
//! 2. They are messages that the software of the target executes there as well, so nothing is done by the network that
//!    is not done here.
//! 3. All ranks must take one way for an element, also its owner, whose operations on its own memory are instructions
//!    of its processor. By interface, a provider's operations are atomic among themselves only (fi_atomic(3)).
//!
//! Requests to one rank are executed in the order of their calls, for messages keep it; all ranks' by whoever holds the
//! engine of the target, and by atomic instructions, so that the owner's loads see no half of one.

use super::region::Connection;
use super::slots::{Handle, Results};
use super::{Engine, Part};
use crate::wire::{Header, Kind, MESSAGE};
use farside_fabric::{AtomicOperation, CompareSwap, Error, Fetch, Result, Ticket, element};
use std::ptr::NonNull;

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
                reason: "the operation does not exist for the type (MPI-4.1 §6.9.2, §6.9.4)".into(),
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
            // SAFETY: the caller keeps the operands valid for an element; the place was checked to be in bounds and
            // aligned.
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

    pub(super) fn begin_request(
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
    pub(super) fn request(
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
        if !self.send_held(target) {
            return self.usable().map(|()| false);
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
}

pub(super) fn aligned(displacement: usize, alignment: usize) -> Result<()> {
    if displacement.is_multiple_of(alignment) {
        return Ok(());
    }
    Err(Error::Misaligned {
        displacement,
        alignment,
    })
}
