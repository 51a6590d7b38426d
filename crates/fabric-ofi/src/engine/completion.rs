//! What the completion queue says: operations that completed, messages and signals that came, operations that failed.

use super::Engine;
use super::slots::{Context, Work};
use crate::ffi::{CqEntry, constants as c};
use crate::port::{Failed, Polled};
use crate::wire::Mark;
use farside_fabric::{Error, Rank};
use std::ptr::{self, NonNull};
use std::time::Instant;

/// Entries taken from the completion queue at once.
const BATCH: usize = 32;

impl Engine {
    /// Takes what has completed or come; how much it was.
    pub(crate) fn progress(&mut self) -> usize {
        if self.port.has_left() {
            return 0;
        }
        self.send_all_held();
        let mut total = 0;
        let mut entries = [CqEntry {
            op_context: ptr::null_mut(),
            flags: 0,
            len: 0,
            buf: ptr::null_mut(),
            data: 0,
        }; BATCH];
        for _ in 0..4 {
            let number = match self.port.poll(&mut entries) {
                Ok(Polled::Entries(number)) => number,
                Ok(Polled::Failed(failed)) => {
                    self.failed_entry(&failed);
                    total += 1;
                    0
                }
                Err(error) => {
                    self.broken.get_or_insert(error);
                    0
                }
            };
            for entry in entries.iter().take(number) {
                self.entry(entry);
            }
            total += number;
            if number < BATCH {
                break;
            }
        }
        self.keep_word();
        self.work_off();
        total
    }

    fn entry(&mut self, entry: &CqEntry) {
        if entry.flags & c::REMOTE_CQ_DATA != 0 && entry.flags & (c::WRITE | c::SEND) == 0 {
            self.marked(Mark::unpack(entry.data, self.port.facts.immediate));
            if !self.port.facts.immediate_takes_buffer {
                return;
            }
        }
        let Some(context) = NonNull::new(entry.op_context.cast::<Context>()) else {
            return;
        };
        // SAFETY: contexts are ours, and this one has completed.
        match unsafe { self.contexts.give_back(context) } {
            Work::Free => {}
            Work::Receive(buffer) => {
                if entry.flags & c::REMOTE_CQ_DATA == 0 {
                    let length = entry.len.min(buffer.len());
                    self.arrived(&buffer[..length]);
                }
                self.offer(buffer);
            }
            Work::Send { operation, .. } => {
                self.sending -= 1;
                if let Some(operation) = operation {
                    self.piece_done(operation);
                }
            }
            Work::Piece { operation, .. } => self.piece_done(operation),
        }
    }

    /// An operation failed at libfabric: its peer is doubted, or, if it is no question of peers, the endpoint is
    /// broken.
    fn failed_entry(&mut self, failed: &Failed) {
        let Some(context) = NonNull::new(failed.context.cast::<Context>()) else {
            // Providers report broken connections of peers that nothing runs to without a context.
            if means_loss(failed.code) {
                self.connection_ended(failed);
            } else {
                self.break_with("fi_cq_read", &failed.detail);
            }
            return;
        };
        // SAFETY: contexts are ours, and this one has completed, with an error.
        match unsafe { self.contexts.give_back(context) } {
            Work::Free => {}
            Work::Receive(buffer) => {
                if means_loss(failed.code) {
                    self.connection_ended(failed);
                    if !self.port.has_left() {
                        self.offer(buffer);
                    }
                } else {
                    self.break_with("fi_recv", &failed.detail);
                }
            }
            // The operation never completes: who waits for it learns of the loss.
            Work::Send { target, .. } => {
                self.sending -= 1;
                self.doubt(target, failed);
            }
            Work::Piece { target, .. } => self.doubt(target, failed),
        }
    }

    pub(super) fn break_with(&mut self, call: &'static str, detail: &str) {
        self.broken.get_or_insert(Error::System {
            call,
            detail: detail.into(),
        });
    }

    /// A connection ended to which no operation belongs. Nobody closes one before all have finished, so a peer is gone.
    fn connection_ended(&mut self, failed: &Failed) {
        if self.port.facts.has_no_threads() {
            self.doubt
                .get_or_insert((None, Instant::now(), failed.detail.clone()));
            self.leave_stream();
        }
    }

    /// What is over a stream is not polled until somebody says who is lost: see
    /// [`Port::leave`](crate::port::Port::leave).
    fn leave_stream(&mut self) {
        if self.port.facts.has_no_threads() {
            self.port.leave();
        }
    }

    /// Notes that something failed at a peer.
    pub(super) fn doubt(&mut self, target: Rank, failed: &Failed) {
        if means_loss(failed.code) {
            self.doubt
                .get_or_insert((Some(target), Instant::now(), failed.detail.clone()));
            self.leave_stream();
        } else {
            self.break_with("libfabric", &format!("rank {target}: {}", failed.detail));
        }
    }
}

/// Errors that say that a peer cannot be reached, and nothing else.
fn means_loss(code: i32) -> bool {
    [
        libc::EIO,
        libc::EPIPE,
        libc::ECONNABORTED,
        libc::ECONNRESET,
        libc::ENOTCONN,
        libc::ESHUTDOWN,
        libc::ETIMEDOUT,
        libc::ECONNREFUSED,
        libc::EHOSTDOWN,
        libc::EHOSTUNREACH,
        libc::ENETUNREACH,
        libc::ECANCELED,
        libc::EREMOTEIO,
    ]
    .contains(&code)
}
