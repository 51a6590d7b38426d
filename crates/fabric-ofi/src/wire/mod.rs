//! What this transport's own messages look like: a header of fixed length, then bytes.
//!
//! Messages carry what users send, and what libfabric does not do for us: credits, atomic operations and their answers,
//! short puts and messages that travel together, notifications of puts that cannot carry them. All machines of a job
//! have one byte order; the header says which.

mod mark;
mod record;

pub(crate) use mark::Mark;
pub(crate) use record::{Record, Records, What};

use farside_fabric::{AtomicKind, AtomicOperation, Error, Rank, Result};

/// Bytes of a header.
pub(crate) const HEADER: usize = 48;

/// Longest message of a user, in bytes.
pub(crate) const MESSAGE: usize = 4096;

/// First byte of every message, another one for another byte order or version.
const MAGIC: u8 = if cfg!(target_endian = "little") {
    0xF1
} else {
    0xF2
};

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A message of the user; `first` is its tag.
    User,
    /// The receiver may send `count` messages more.
    Credit,
    /// Atomic operations to be done here: `first` names the request, `region` and `displacement` the place, `count` the
    /// elements; operands follow, unless the operation reads only.
    Fetch,
    /// A compare-and-swap to be done here; what is expected and the replacement follow.
    CompareSwap,
    /// Short puts under the lock at `region` and `displacement`, a [`Record`] each; `count` is 0 if it is exclusive.
    /// The words of the lock are the answer.
    Visit,
    /// The answer to the request `first`: what was there follows, if `count` says so. `displacement` is the request's.
    Answer,
    /// A request that cannot be done: its region is gone.
    Refusal,
    /// A put with a signal is visible here; `first` is the signal.
    Notice,
    /// Short puts, and messages of the user between them: a [`Record`] each. The next message to their source is wanted
    /// at once if `results` says so.
    Puts,
    /// Messages of the user that travel together, without a put: a [`Record`] each.
    Messages,
    /// A message is wanted at once, for what its header says of the puts that were taken.
    Ask,
    /// Nothing but the header.
    Seen,
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) operation: AtomicOperation,
    pub(crate) element: AtomicKind,
    /// The answer brings what was there.
    pub(crate) results: bool,
    pub(crate) source: Rank,
    /// Counts the messages of a source to a rank; they are taken in this order.
    pub(crate) sequence: u32,
    /// How many messages with puts of the receiver the source has taken, modulo 2^32: their puts are visible.
    pub(crate) seen: u32,
    pub(crate) count: u32,
    pub(crate) first: u64,
    pub(crate) region: u64,
    pub(crate) displacement: u64,
}

impl Header {
    /// A header with nothing in it but kind and source.
    pub(crate) fn new(kind: Kind, source: Rank) -> Self {
        Self {
            kind,
            operation: AtomicOperation::NoOp,
            element: AtomicKind::U64,
            results: false,
            source,
            sequence: 0,
            seen: 0,
            count: 0,
            first: 0,
            region: 0,
            displacement: 0,
        }
    }

    /// A message: this header and the bytes.
    pub(crate) fn message(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut message = Vec::with_capacity(HEADER + parts.iter().map(|part| part.len()).sum::<usize>());
        let operation = AtomicOperation::ALL.iter().position(|one| *one == self.operation);
        let element = AtomicKind::ALL.iter().position(|one| *one == self.element);
        message.extend([
            MAGIC,
            self.kind as u8,
            operation.unwrap_or_default() as u8,
            element.unwrap_or_default() as u8,
            self.results.into(),
            0,
            0,
            0,
        ]);
        for word in [self.source, self.sequence, self.count, self.seen] {
            message.extend(word.to_ne_bytes());
        }
        for word in [self.first, self.region, self.displacement] {
            message.extend(word.to_ne_bytes());
        }
        for part in parts {
            message.extend_from_slice(part);
        }
        message
    }

    /// Sets what is known of a message only when it is about to be sent: its sequence number, and the puts that were
    /// seen.
    pub(crate) fn stamp(message: &mut [u8], sequence: u32, seen: u32) {
        message[12..16].copy_from_slice(&sequence.to_ne_bytes());
        message[20..24].copy_from_slice(&seen.to_ne_bytes());
    }

    /// Makes it a message of another kind.
    pub(crate) fn turn_into(message: &mut [u8], kind: Kind) {
        message[1] = kind as u8;
    }

    /// Sets that the next message to the source of this one is wanted at once.
    pub(crate) fn ask(message: &mut [u8]) {
        message[4] = 1;
    }

    /// Reads a message.
    pub(crate) fn read(message: &[u8]) -> Result<(Self, &[u8])> {
        let malformed = |detail: &str| Error::Malformed {
            what: "a message of a peer",
            detail: detail.into(),
        };
        let (header, bytes) = message
            .split_at_checked(HEADER)
            .ok_or_else(|| malformed("shorter than its header"))?;
        if header[0] != MAGIC {
            return Err(malformed("another version, or another byte order"));
        }
        let kind = [
            Kind::User,
            Kind::Credit,
            Kind::Fetch,
            Kind::CompareSwap,
            Kind::Visit,
            Kind::Answer,
            Kind::Refusal,
            Kind::Notice,
            Kind::Puts,
            Kind::Messages,
            Kind::Ask,
            Kind::Seen,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == header[1])
        .ok_or_else(|| malformed("of an unknown kind"))?;
        let short =
            |at: usize| u32::from_ne_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let long = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&header[at..at + 8]);
            u64::from_ne_bytes(bytes)
        };
        let parsed = Self {
            kind,
            operation: *AtomicOperation::ALL
                .get(usize::from(header[2]))
                .ok_or_else(|| malformed("an unknown operation"))?,
            element: *AtomicKind::ALL
                .get(usize::from(header[3]))
                .ok_or_else(|| malformed("an unknown type"))?,
            results: header[4] != 0,
            source: short(8),
            sequence: short(12),
            count: short(16),
            seen: short(20),
            first: long(24),
            region: long(32),
            displacement: long(40),
        };
        Ok((parsed, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_back_as_it_went() {
        let header = Header {
            kind: Kind::Fetch,
            operation: AtomicOperation::Xor,
            element: AtomicKind::F32,
            results: true,
            source: 7,
            sequence: 0,
            seen: 0,
            count: 3,
            first: u64::MAX,
            region: 1 << 40,
            displacement: 5,
        };
        let mut message = header.message(&[b"ab", b"", b"c"]);
        Header::stamp(&mut message, 99, 7);
        let (read, bytes) = Header::read(&message).expect("it was written here");
        assert_eq!(
            (read, bytes),
            (
                Header {
                    sequence: 99,
                    seen: 7,
                    ..header
                },
                &b"abc"[..]
            )
        );
    }

    #[test]
    fn garbage_is_refused() {
        let good = Header::new(Kind::User, 1).message(&[]);
        assert!(Header::read(&good[..HEADER - 1]).is_err());
        let (operations, elements) = (AtomicOperation::ALL.len() as u8, AtomicKind::ALL.len() as u8);
        for (at, value) in [(0, 0), (1, 200), (2, operations), (3, elements)] {
            let mut bad = good.clone();
            bad[at] = value;
            assert!(Header::read(&bad).is_err(), "byte {at} is {value}");
        }
    }
}
