//! Short puts under a lock of their target, which takes it, stores and gives it back in one turn, if nobody has to be
//! waited for ([`lock`]): one message, and its answer.
//!
//! Only where short puts are messages anyhow (see [`super::held`]): there such a message overtakes no write.

use super::atomic::aligned;
use super::{Engine, Part};
use crate::wire::{Header, Kind, Record, Records, What};
use farside_fabric::lock::{self, Lock, LockedPuts};
use farside_fabric::{Error, Result, Ticket, copy};
use std::sync::atomic::AtomicU64;

/// Bytes of the words of a lock.
const WORDS: usize = 16;

impl Engine {
    /// Starts puts under a lock, or goes on with it; as [`Engine::put`].
    ///
    /// # Safety
    /// As for [`Fabric::put_locked`](farside_fabric::Fabric::put_locked).
    pub(crate) unsafe fn put_locked(
        &mut self,
        puts: &LockedPuts<'_>,
        part: &mut Option<Part>,
    ) -> Result<Option<Ticket>> {
        puts.remote.at(puts.words, WORDS)?;
        aligned(puts.words, align_of::<AtomicU64>())?;
        self.usable()?;
        let connection = self.connection(&puts.remote)?;
        if !self.scopes.contains_key(&puts.scope.0) {
            return Err(Error::Stale("the scope"));
        }
        if connection.target == self.rank || !self.holds_puts() {
            return Err(Error::Unsupported {
                transport: format!("ofi:{}", self.port.facts.name),
                what: "puts under a lock".into(),
                reason: "only puts to other ranks over a stream of bytes are messages".into(),
            });
        }
        let mut records = Vec::new();
        for (displacement, bytes) in puts.puts.iter() {
            puts.remote.at(displacement, bytes.len())?;
            let what = What::Put {
                region: connection.region as u32,
                displacement: displacement as u64,
                mark: None,
            };
            Record { what, bytes }.append(&mut records);
        }
        let begun = match *part {
            Some(begun) => begun,
            None => self.begin_request(puts.scope, connection, puts.words, puts.results.cast(), WORDS)?,
        };
        *part = Some(begun);
        let mut header = Header::new(Kind::Visit, self.rank);
        header.results = true;
        header.count = u32::from(puts.lock == Lock::Shared);
        header.displacement = puts.words as u64;
        if !self.request(begun.handle, connection, header, &[&records])? {
            return Ok(None);
        }
        Ok(Some(self.all_started(begun.handle)))
    }

    /// The other side: what was found, unless the request makes no sense.
    pub(super) fn visited(&mut self, header: &Header, bytes: &[u8]) -> Option<[u64; 2]> {
        let words = self.own_memory(header.region, header.displacement, WORDS)?;
        if !header.displacement.is_multiple_of(align_of::<AtomicU64>() as u64) {
            return None;
        }
        // All of them are looked at before anything is done.
        let mut stores = Vec::new();
        for record in Records(bytes) {
            let Ok(Record {
                what:
                    What::Put {
                        region,
                        displacement,
                        mark: None,
                    },
                bytes,
            }) = record
            else {
                return None;
            };
            stores.push((self.own_memory(region.into(), displacement, bytes.len())?, bytes));
        }
        let lock = match header.count {
            0 => Lock::Exclusive,
            _ => Lock::Shared,
        };
        // SAFETY: the memory is there and aligned, for regions begin at multiples of 64 bytes; everybody accesses these
        // words by atomic operations only.
        let [tickets, calls] = unsafe {
            let words = words.as_ptr().cast::<u64>();
            [AtomicU64::from_ptr(words), AtomicU64::from_ptr(words.add(1))]
        };
        Some(lock::visit(tickets, calls, lock, || {
            for (there, bytes) in stores {
                // SAFETY: the memory is there for so many bytes; the message is none of it.
                unsafe { copy::write(there.as_ptr(), bytes.as_ptr(), bytes.len()) };
            }
        }))
    }
}
