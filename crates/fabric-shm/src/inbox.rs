//! What arrives at a rank: the records of a ring, and those that were taken out of it early to make room.
//!
//! A rank that waits, in `send` for instance, takes in what arrives for it, so that ranks that all send first do not
//! wait for one another for ever. What it takes in is bounded: beyond, records stay in the ring and hold up their
//! senders.

use crate::atomics::{AtomicU64, Ordering};
use crate::ring::Ring;
use farside_fabric::{Error, Message, Notification, Rank, Result};
use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words of a message that are not its bytes: the first one, and the tag.
pub(crate) const FRAME: usize = 2;

/// Bit that makes the first word of a record differ from 0.
const THERE: u64 = 1 << 63;

fn first(source: Rank, low: u32) -> u64 {
    THERE | u64::from(source) << 32 | u64::from(low)
}

fn source(first: u64) -> Rank {
    ((first & !THERE) >> 32) as Rank
}

/// Something that travels in a ring.
pub(crate) trait Record: Sized {
    /// Most records and bytes that are taken in early.
    const EARLY: (usize, usize);

    /// Takes the next record, if there is one.
    fn take(ring: Ring<'_>) -> Result<Option<Self>>;

    /// What it weighs, in bytes.
    fn weight(&self) -> usize;
}

impl Record for Notification {
    const EARLY: (usize, usize) = (1 << 20, usize::MAX);

    fn take(ring: Ring<'_>) -> Result<Option<Self>> {
        let Some(first) = ring.peek() else {
            return Ok(None);
        };
        ring.advance(1);
        Ok(Some(Self {
            source: Some(source(first)),
            immediate: first as u32,
        }))
    }

    fn weight(&self) -> usize {
        0
    }
}

impl Record for Message {
    const EARLY: (usize, usize) = (1 << 20, 64 << 20);

    fn take(ring: Ring<'_>) -> Result<Option<Self>> {
        let Some(first) = ring.peek() else {
            return Ok(None);
        };
        let length = first as u32 as usize;
        if length > crate::control::MESSAGE_BYTES {
            return Err(Error::Malformed {
                what: "a message in shared memory",
                detail: format!("{length} bytes: something wrote where it should not"),
            });
        }
        let words = FRAME + length.div_ceil(8);
        let mut bytes = Vec::with_capacity(length.next_multiple_of(8));
        for word in FRAME..words {
            bytes.extend_from_slice(&ring.word(word).to_ne_bytes());
        }
        bytes.truncate(length);
        let tag = ring.word(1);
        ring.advance(words);
        Ok(Some(Self {
            source: source(first),
            tag,
            bytes,
        }))
    }

    fn weight(&self) -> usize {
        self.bytes.len()
    }
}

/// Notifies the reader of a ring. False if there is no room.
#[inline]
pub(crate) fn notify(ring: Ring<'_>, known: &AtomicU64, from: Rank, immediate: u32) -> bool {
    ring.push(known, 1, |_| first(from, immediate))
}

/// Sends a message to the reader of a ring. False if there is no room. `bytes` are not more than
/// [`MESSAGE_BYTES`](crate::control::MESSAGE_BYTES).
#[inline]
pub(crate) fn send(ring: Ring<'_>, known: &AtomicU64, from: Rank, tag: u64, bytes: &[u8]) -> bool {
    ring.push(known, FRAME + bytes.len().div_ceil(8), |word| match word {
        0 => first(from, bytes.len() as u32),
        1 => tag,
        _ => {
            let rest = &bytes[(word - FRAME) * 8..];
            let mut eight = [0; 8];
            let length = rest.len().min(8);
            eight[..length].copy_from_slice(&rest[..length]);
            u64::from_ne_bytes(eight)
        }
    })
}

/// The reading end of a ring, for all threads of a rank.
pub(crate) struct Inbox<T> {
    early: Mutex<Early<T>>,
    /// Number of records in it; a hint for those who do not hold the lock.
    number: AtomicUsize,
}

struct Early<T> {
    records: VecDeque<T>,
    bytes: usize,
}

impl<T> Default for Early<T> {
    fn default() -> Self {
        Self {
            records: VecDeque::new(),
            bytes: 0,
        }
    }
}

impl<T> Default for Inbox<T> {
    fn default() -> Self {
        Self {
            early: Mutex::default(),
            number: AtomicUsize::new(0),
        }
    }
}

impl<T: Record> Inbox<T> {
    fn lock(&self) -> MutexGuard<'_, Early<T>> {
        // Nothing panics while it is locked.
        self.early.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next record. The flag says that writers who wait have room again.
    #[inline]
    pub(crate) fn take(&self, ring: Ring<'_>) -> Result<(Option<T>, bool)> {
        if self.number.load(Ordering::Relaxed) == 0 && ring.peek().is_none() {
            return Ok((None, false));
        }
        let mut early = self.lock();
        if let Some(record) = early.records.pop_front() {
            early.bytes -= record.weight();
            self.number.store(early.records.len(), Ordering::Relaxed);
            return Ok((Some(record), false));
        }
        let record = T::take(ring)?;
        Ok((record, ring.feeds()))
    }

    /// Empties a ring that is more than half full, within bounds. Says whether writers who wait have room again.
    pub(crate) fn take_in(&self, ring: Ring<'_>) -> Result<bool> {
        if !ring.is_half_full() {
            return Ok(false);
        }
        let mut early = self.lock();
        while early.records.len() < T::EARLY.0 && early.bytes < T::EARLY.1 {
            let Some(record) = T::take(ring)? else {
                break;
            };
            early.bytes += record.weight();
            early.records.push_back(record);
        }
        self.number.store(early.records.len(), Ordering::Relaxed);
        Ok(ring.feeds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomics::Line;
    use crate::ring::Ends;

    #[test]
    fn records_taken_in_early_come_first_and_in_order() {
        let ends = Ends::default();
        let words: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
        let known = Line::<AtomicU64>::default().0;
        let ring = Ring::new(&ends, &words, 8);
        let inbox = Inbox::<Message>::default();
        for tag in 0..5 {
            assert!(send(ring, &known, 3, tag, &[tag as u8; 11]));
        }
        inbox.take_in(ring).expect("messages");
        assert_eq!(ring.peek(), None);
        for tag in 5..8 {
            assert!(send(ring, &known, 4, tag, &[]));
        }
        for tag in 0..8 {
            let message = inbox.take(ring).expect("a message").0.expect("there is one");
            let bytes = if tag < 5 { vec![tag as u8; 11] } else { Vec::new() };
            let source = if tag < 5 { 3 } else { 4 };
            assert_eq!(message, Message { source, tag, bytes });
        }
        assert_eq!(inbox.take(ring).expect("nothing").0, None);
    }

    #[test]
    fn a_length_that_cannot_be_is_an_error_and_not_a_crash() {
        let ends = Ends::default();
        let words: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
        let known = AtomicU64::new(0);
        let ring = Ring::new(&ends, &words, 8);
        assert!(ring.push(&known, 1, |_| first(0, u32::MAX)));
        assert!(Message::take(ring).is_err());
    }
}
