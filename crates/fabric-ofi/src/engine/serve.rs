//! The other side of atomic operations: executing requests, and taking answers.

use super::Engine;
use super::slots::Handle;
use crate::wire::{Header, Kind, MESSAGE};
use farside_fabric::{AtomicOperation, element};
use std::ptr;

impl Engine {
    /// Executes a request of another rank, and answers.
    pub(super) fn serve(&mut self, header: &Header, bytes: &[u8]) {
        let mut answer = Header::new(Kind::Refusal, self.rank);
        (answer.first, answer.displacement) = (header.first, header.displacement);
        let mut results = Vec::new();
        let done = match header.kind {
            Kind::Visit => self.visited(header, bytes).map(|found| {
                results.extend(found.into_iter().flat_map(u64::to_ne_bytes));
            }),
            _ => self.execute(header, bytes, &mut results),
        };
        if done.is_some() {
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
        // SAFETY: the memory is there for `length` bytes, and aligned, for regions begin at a page; the operands have
        // the length that was checked, and the results were made for it.
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
        if header.kind == Kind::Refusal && header.first == 0 {
            self.break_with(
                "a put",
                &format!("rank {} has no such region any more", header.source),
            );
            return;
        }
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
