//! The other side of [`super::held`]: short puts of others are stored, messages between them received, and the origins
//! of puts told.

use super::Engine;
use crate::wire::{Header, Kind, Mark, Records, What};
use farside_fabric::{Error, Message, Rank, copy};

impl Engine {
    /// Stores the puts of a message, and receives the messages between them, in their order.
    pub(super) fn take_records(&mut self, header: &Header, bytes: &[u8]) {
        let source = header.source;
        for record in Records(bytes) {
            let Ok(record) = record else {
                self.broken.get_or_insert(Error::Malformed {
                    what: "a message of a peer",
                    detail: format!("records of rank {source}: no record"),
                });
                return;
            };
            let is_there = match record.what {
                What::Message { tag } => {
                    let bytes = record.bytes.to_vec();
                    self.inbox.push_back((Message { source, tag, bytes }, true));
                    true
                }
                What::Put {
                    region,
                    displacement,
                    mark,
                } => self.store(region, displacement, record.bytes, mark),
            };
            if !is_there {
                // Its origin learns it, as of a write of the provider to a region that is gone.
                let refusal = Header::new(Kind::Refusal, self.rank).message(&[]);
                self.backlog.push_back((source, refusal, None));
                return;
            }
        }
        if header.kind == Kind::Puts {
            let traffic = &mut self.peers[source as usize].traffic;
            traffic.taken = traffic.taken.wrapping_add(1);
        }
        if header.results {
            self.owe_word(source);
        }
    }

    /// Stores a put; false: its place is not there.
    fn store(&mut self, region: u32, displacement: u64, bytes: &[u8], mark: Option<Mark>) -> bool {
        let Some(there) = self.own_memory(region.into(), displacement, bytes.len()) else {
            return false;
        };
        // SAFETY: the memory is there for so many bytes; the message is none of it.
        unsafe { copy::write(there.as_ptr(), bytes.as_ptr(), bytes.len()) };
        if let Some(mark) = mark {
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
