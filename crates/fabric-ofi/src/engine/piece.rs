//! Pieces of transfers: what is one operation for libfabric.

use super::Engine;
use super::slots::{Context, Handle, INLINE, Work};
use crate::port::{Place, Posted};
use crate::wire::Mark;
use farside_fabric::{Rank, Result};
use std::ptr::NonNull;

/// How far the start of an operation has come, between tries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(super) handle: Handle,
    /// Bytes, or elements, that are on their way.
    pub(super) sent: usize,
}

/// One end of a transfer.
#[derive(Clone, Copy)]
pub(super) enum Buffer {
    From(*const u8),
    To(*mut u8),
}

impl Engine {
    /// Longest piece of a transfer, in bytes.
    pub(super) fn piece(&self) -> usize {
        // A power of two keeps later pieces aligned as the first one.
        let longest = self.port.facts.operation.clamp(4096, 1 << 30);
        1 << longest.ilog2()
    }

    /// Starts what is left of a transfer; false: to be tried again.
    ///
    /// # Safety
    /// The buffer is valid until the pieces are complete.
    pub(super) unsafe fn pieces(
        &mut self,
        part: &mut Part,
        buffer: Buffer,
        bytes: usize,
        target: Rank,
        place: Place,
    ) -> Result<bool> {
        while part.sent < bytes {
            let length = (bytes - part.sent).min(self.piece());
            let there = Place {
                address: place.address + part.sent as u64,
                ..place
            };
            // SAFETY: within the buffer.
            let here = unsafe {
                match buffer {
                    Buffer::From(origin) => Buffer::From(origin.add(part.sent)),
                    Buffer::To(origin) => Buffer::To(origin.add(part.sent)),
                }
            };
            // SAFETY: by the caller.
            if !unsafe { self.post(part.handle, here, length, None, target, there)? } {
                return Ok(false);
            }
            part.sent += length;
        }
        Ok(true)
    }

    /// Starts one piece; false: to be tried again.
    ///
    /// # Safety
    /// The buffer is valid until the piece is complete.
    pub(super) unsafe fn post(
        &mut self,
        operation: Handle,
        buffer: Buffer,
        bytes: usize,
        mark: Option<Mark>,
        target: Rank,
        place: Place,
    ) -> Result<bool> {
        let context: NonNull<Context> = self.contexts.take(Work::Piece { target, operation });
        let raw = context.as_ptr();
        // SAFETY: the context is ours until its completion; buffers by the caller.
        let posted = unsafe {
            match buffer {
                Buffer::To(origin) => self.port.read(origin, bytes, place, raw.cast()),
                Buffer::From(origin) => {
                    // Short ones are copied, so that the user's buffer is free at once.
                    let origin = if bytes <= INLINE && self.is_short(operation) {
                        let inline = (&raw mut (*raw).inline).cast::<u8>();
                        if bytes > 0 {
                            origin.copy_to_nonoverlapping(inline, bytes);
                        }
                        inline.cast_const()
                    } else {
                        origin
                    };
                    match mark {
                        Some(mark) => {
                            let data = mark.pack(self.port.facts.immediate);
                            self.port.write_data(origin, bytes, data, place, raw.cast())
                        }
                        None => self.port.write(origin, bytes, place, raw.cast()),
                    }
                }
            }
        };
        match posted {
            Posted::Taken => {
                if let Some(operation) = self.operations.get(operation) {
                    operation.pieces += 1;
                }
                Ok(true)
            }
            Posted::Again => {
                // SAFETY: libfabric did not take it.
                unsafe { self.contexts.give_back(context) };
                Ok(false)
            }
            Posted::Failed(failed) => {
                // SAFETY: libfabric refused the operation, so it does not hold the context.
                unsafe { self.contexts.give_back(context) };
                self.doubt(target, &failed);
                self.usable()?;
                Ok(false)
            }
        }
    }

    fn is_short(&mut self, operation: Handle) -> bool {
        self.operations
            .get(operation)
            .is_some_and(|operation| !operation.holds_buffers)
    }
}
