//! Operations and packets under way.

use super::memory::copy;
use super::slab::Key;
use crate::time::Time;
use farside_fabric::{AtomicKind, AtomicOperation, Error, Lock, Rank, Remote, ShortPuts, Signal};
use std::ops::Range;
use std::ptr;

/// What an operation does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Put(Signal),
    Get,
    Fetch {
        operation: AtomicOperation,
        kind: AtomicKind,
        /// Somebody wants to know what was there.
        results: bool,
    },
    Swap,
    /// Puts under a lock, whose words are the bytes at the target.
    Visit(Lock),
}

impl Kind {
    /// Whether bytes come back.
    pub(crate) fn answers(self) -> bool {
        match self {
            Self::Put(_) => false,
            Self::Get | Self::Swap | Self::Visit(_) => true,
            Self::Fetch { results, .. } => results,
        }
    }

    pub(crate) fn is_atomic(self) -> bool {
        matches!(self, Self::Fetch { .. } | Self::Swap | Self::Visit(_))
    }
}

/// An operation under way.
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) origin: Rank,
    pub(crate) target: Rank,
    pub(crate) scope: u32,
    pub(crate) region: u64,
    pub(crate) displacement: usize,
    /// At the target.
    pub(crate) bytes: usize,
    /// What is read at the origin; null if nothing is. Of a swap: what must be there.
    pub(crate) source: *const u8,
    /// Of a swap: what is written then.
    pub(crate) replacement: *const u8,
    /// Of a visit: what is put.
    puts: ShortPuts,
    /// Where answers go; null if there are none.
    pub(crate) sink: *mut u8,
    /// The origin buffer is read as late as allowed.
    pub(crate) late: bool,
    /// Bytes of a packet.
    packet: usize,
    /// Number of parts that were read, at the origin or for the answer of a get.
    pub(crate) read: u32,
    /// Number of parts that had their effect at the target.
    pub(crate) executed: u32,
    /// Number of parts of the answer that are at the origin.
    pub(crate) answered: u32,
    /// When the first part left.
    pub(crate) left: Time,
    /// When the first part of the answer left.
    pub(crate) answer_left: Time,
    /// Complete locally.
    pub(crate) local: bool,
    /// It failed: its buffers are not touched any more, and no more of it leaves the origin.
    pub(crate) failed: Option<Error>,
}

impl Operation {
    /// One that nothing was done of. Its packets have so many bytes.
    pub(crate) fn new(
        kind: Kind,
        origin: Rank,
        scope: u32,
        remote: &Remote,
        displacement: usize,
        bytes: usize,
        packet: usize,
    ) -> Self {
        Self {
            kind,
            origin,
            target: remote.target(),
            scope,
            region: remote.key(),
            displacement,
            bytes,
            source: ptr::null(),
            replacement: ptr::null(),
            puts: ShortPuts::default(),
            sink: ptr::null_mut(),
            late: false,
            packet,
            read: 0,
            executed: 0,
            answered: 0,
            left: Time::ZERO,
            answer_left: Time::ZERO,
            local: false,
            failed: None,
        }
    }

    /// Gives it the puts of a visit.
    pub(crate) fn carry(&mut self, puts: ShortPuts) {
        self.puts = puts;
    }

    /// Takes the puts of a visit, which are done now.
    pub(crate) fn take_puts(&mut self) -> ShortPuts {
        std::mem::take(&mut self.puts)
    }

    /// Number of packets; an operation of 0 bytes has one.
    pub(crate) fn parts(&self) -> u32 {
        self.bytes.div_ceil(self.packet).max(1) as u32
    }

    /// The bytes of a part.
    pub(crate) fn part(&self, number: u32) -> Range<usize> {
        let begin = (number as usize).saturating_mul(self.packet).min(self.bytes);
        begin..begin.saturating_add(self.packet).min(self.bytes)
    }

    /// How many bytes a range of the target needs on the way there.
    pub(crate) fn on_the_way(&self, part: &Range<usize>) -> usize {
        match self.kind {
            Kind::Put(_) => part.len(),
            Kind::Get => 0,
            Kind::Fetch { .. } if self.source.is_null() => 0,
            Kind::Fetch { .. } => part.len(),
            Kind::Swap => 2 * part.len(),
            Kind::Visit(_) => self.puts.iter().map(|(_, bytes)| 16 + bytes.len()).sum(),
        }
    }

    /// Reads a part of the origin buffers, unless the operation failed: then they may be gone.
    pub(crate) fn capture(&self, part: &Range<usize>) -> Vec<u8> {
        if self.failed.is_some() || self.source.is_null() {
            return Vec::new();
        }
        // SAFETY: `Fabric`'s callers keep the buffers valid until local completion, and the operation is not complete:
        // a part of it is still to be read. No rank runs meanwhile. A rank that is killed has its operations fail
        // before its stack goes.
        unsafe {
            let mut data = copy(self.source.add(part.start), part.len());
            if let Kind::Swap = self.kind {
                data.extend(copy(self.replacement, part.len()));
            }
            data
        }
    }

    /// Writes a part of an answer into the buffer for results, unless the operation failed.
    pub(crate) fn accept(&self, offset: usize, data: &[u8]) {
        if self.failed.is_some() || self.sink.is_null() || data.is_empty() {
            return;
        }
        // SAFETY: `Fabric`'s callers keep the buffers valid until local completion, which is after this; the part is in
        // bounds of what the caller gave, the data is the simulation's, and no rank runs meanwhile.
        unsafe {
            data.as_ptr()
                .copy_to_nonoverlapping(self.sink.add(offset), data.len())
        };
    }
}

/// What a packet brings.
pub(crate) enum Load {
    /// A message.
    Message { tag: u64 },
    /// A part of a put or of atomic operations, or the request of a get.
    Part { operation: Key, number: u32 },
    /// A part of an answer.
    Answer { operation: Key, number: u32 },
}

/// Something on the network.
pub(crate) struct Packet {
    pub(crate) from: Rank,
    pub(crate) to: Rank,
    /// Bytes that the ports count.
    pub(crate) bytes: usize,
    /// The first, or only one, of an operation, message or answer: ports keep the gap before it.
    pub(crate) first: bool,
    /// Atomic operations keep their order.
    pub(crate) atomic: bool,
    pub(crate) load: Load,
    pub(crate) data: Vec<u8>,
    pub(crate) left: Time,
}
