//! The other side of [`super::held`]: short puts of others are stored, and their origins told.

use super::Engine;
use crate::wire::{Header, Kind, Record, Records};
use farside_fabric::{Error, Rank, copy};

impl Engine {
    /// Stores the puts of a message, in their order.
    pub(super) fn take_puts(&mut self, header: &Header, bytes: &[u8]) {
        let source = header.source;
        for record in Records(bytes) {
            let Ok(record) = record else {
                self.broken.get_or_insert(Error::Malformed {
                    what: "a message of a peer",
                    detail: format!("puts of rank {source}: no record of a put"),
                });
                return;
            };
            if !self.store(&record) {
                // Its origin learns it, as of a write of the provider to a region that is gone.
                let refusal = Header::new(Kind::Refusal, self.rank).message(&[]);
                self.backlog.push_back((source, refusal, None));
                return;
            }
        }
        let traffic = &mut self.peers[source as usize].traffic;
        traffic.taken = traffic.taken.wrapping_add(1);
        if header.results {
            self.owe_word(source);
        }
    }

    /// Stores one; false: its place is not there.
    fn store(&mut self, record: &Record<'_>) -> bool {
        let length = record.bytes.len();
        let Some(there) = self.own_memory(record.region.into(), record.displacement, length) else {
            return false;
        };
        // SAFETY: the memory is there for so many bytes; the message is none of it.
        unsafe { copy::write(there.as_ptr(), record.bytes.as_ptr(), length) };
        if let Some(mark) = record.mark {
            self.marked(mark);
        }
        true
    }

    /// A rank waits to be told what was taken.
    pub(super) fn owe_word(&mut self, source: Rank) {
        if !std::mem::replace(&mut self.peers[source as usize].traffic.is_owed, true) {
            self.owing.push(source);
        }
    }

    /// Tells those who wait what was taken of them, if no message has done so meanwhile.
    pub(super) fn keep_word(&mut self) {
        for source in std::mem::take(&mut self.owing) {
            if !self.peers[source as usize].traffic.is_owed {
                continue;
            }
            let word = Header::new(Kind::Seen, self.rank).message(&[]);
            // Sending it settles the debt; without room, it is tried again.
            if self.post_message(source, word, None).is_err() {
                self.owing.push(source);
            }
        }
    }
}
