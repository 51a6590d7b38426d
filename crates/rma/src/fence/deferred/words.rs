//! How queued operations look in messages: all ranks of a job have one byte order.
//!
//! A message is a head of two words, the epoch and flags, and records. A record is six words and its payload, padded to
//! words: what to do; the address of attached memory or 0; displacement; bytes; the number under which the origin waits
//! for an answer, or 0; bytes of the payload.

use crate::{Error, Result};
use bytemuck::{Pod, Zeroable};
use farside_fabric::{AtomicKind, AtomicOperation, CompareSwap, Fetch};

/// Bytes of a head.
pub(super) const HEAD: usize = 16;

const LAST: u64 = 1;
const ANSWER: u64 = 2;

/// What a record does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Put = 1,
    Get,
    Fetch,
    Swap,
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Record {
    kind: u8,
    operation: u8,
    element: u8,
    padding: [u8; 5],
    pub(super) attached: u64,
    pub(super) displacement: u64,
    pub(super) bytes: u64,
    /// Under which the origin waits for an answer; 0: it does not.
    pub(super) number: u64,
    payload: u64,
}

impl Record {
    /// Of a record without its payload.
    pub(super) const BYTES: usize = size_of::<Self>();

    fn new(kind: Kind, attached: Option<u64>, displacement: usize, bytes: usize, number: u64) -> Self {
        Self {
            kind: kind as u8,
            operation: 0,
            element: 0,
            padding: [0; 5],
            attached: attached.unwrap_or(0),
            displacement: displacement as u64,
            bytes: bytes as u64,
            number,
            payload: 0,
        }
    }

    pub(super) fn put(attached: Option<u64>, displacement: usize, bytes: &[u8]) -> Self {
        Self::new(Kind::Put, attached, displacement, bytes.len(), 0)
    }

    pub(super) fn get(attached: Option<u64>, displacement: usize, bytes: usize, number: u64) -> Self {
        Self::new(Kind::Get, attached, displacement, bytes, number)
    }

    /// Of the elements from byte `begin` on.
    pub(super) fn fetch(
        attached: Option<u64>,
        fetch: &Fetch,
        begin: usize,
        bytes: usize,
        number: u64,
    ) -> Self {
        Self {
            operation: place(&AtomicOperation::ALL, fetch.operation),
            element: place(&AtomicKind::ALL, fetch.kind),
            ..Self::new(Kind::Fetch, attached, fetch.displacement + begin, bytes, number)
        }
    }

    pub(super) fn swap(attached: Option<u64>, swap: &CompareSwap, number: u64) -> Self {
        Self {
            element: place(&AtomicKind::ALL, swap.kind),
            ..Self::new(Kind::Swap, attached, swap.displacement, swap.kind.bytes(), number)
        }
    }

    pub(super) fn kind(&self) -> Result<Kind> {
        [Kind::Put, Kind::Get, Kind::Fetch, Kind::Swap]
            .into_iter()
            .find(|&kind| kind as u8 == self.kind)
            .ok_or(Error::Broken("message queue"))
    }

    /// The atomic operation and the type of its elements.
    pub(super) fn atomic(&self) -> Result<(AtomicOperation, AtomicKind)> {
        let operation = AtomicOperation::ALL.get(usize::from(self.operation));
        let element = AtomicKind::ALL.get(usize::from(self.element));
        match (operation, element) {
            (Some(&operation), Some(&element)) => Ok((operation, element)),
            _ => Err(Error::Broken("message queue")),
        }
    }

    /// Writes it and its payload after what a message holds.
    pub(super) fn write(&self, payload: &[u8], message: &mut Vec<u8>) {
        let record = Self {
            payload: payload.len() as u64,
            ..*self
        };
        message.extend_from_slice(bytemuck::bytes_of(&record));
        message.extend_from_slice(payload);
        message.resize(message.len().next_multiple_of(8), 0);
    }
}

fn place<T: PartialEq>(all: &[T], one: T) -> u8 {
    all.iter()
        .position(|other| *other == one)
        .map_or(u8::MAX, |place| place as u8)
}

/// The head of a message of operations.
pub(super) fn head(epoch: u64) -> Vec<u8> {
    bytemuck::bytes_of(&[epoch, 0]).to_vec()
}

/// Marks a message as the last one of its origin in the epoch.
pub(super) fn mark_last(message: &mut [u8]) {
    message[8..HEAD].copy_from_slice(bytemuck::bytes_of(&LAST));
}

fn word(message: &[u8], index: usize) -> u64 {
    let bytes = message.get(8 * index..8 * index + 8);
    bytes.map_or(0, bytemuck::pod_read_unaligned)
}

pub(super) fn epoch(message: &[u8]) -> u64 {
    word(message, 0)
}

pub(super) fn is_last(message: &[u8]) -> bool {
    word(message, 1) & LAST != 0
}

pub(super) fn is_answer(message: &[u8]) -> bool {
    word(message, 1) & ANSWER != 0
}

/// The records of a message, with their payloads.
pub(super) fn records(message: &[u8]) -> Result<Vec<(Record, &[u8])>> {
    let mut rest = message.get(HEAD..).unwrap_or_default();
    let mut all = Vec::new();
    while !rest.is_empty() {
        let cut = |at: usize, of: &[u8]| of.len() >= at;
        if !cut(Record::BYTES, rest) {
            return Err(Error::Broken("message queue"));
        }
        let (head, behind) = rest.split_at(Record::BYTES);
        let record: Record = bytemuck::pod_read_unaligned(head);
        let length = usize::try_from(record.payload).unwrap_or(usize::MAX);
        let padded = length.checked_next_multiple_of(8).unwrap_or(usize::MAX);
        if !cut(padded, behind) {
            return Err(Error::Broken("message queue"));
        }
        all.push((record, &behind[..length]));
        rest = &behind[padded..];
    }
    Ok(all)
}

/// A message with answers: for each, its number, its length, and its bytes, padded to words.
pub(super) struct Answer {
    bytes: Vec<u8>,
}

impl Answer {
    pub(super) fn new(epoch: u64) -> Self {
        Self {
            bytes: bytemuck::bytes_of(&[epoch, ANSWER]).to_vec(),
        }
    }

    /// Adds one, if there is room, or if it is the only one.
    pub(super) fn add(&mut self, number: u64, bytes: &[u8], limit: usize) -> bool {
        let padded = bytes.len().next_multiple_of(8);
        if !self.is_empty() && self.bytes.len() + 16 + padded > limit {
            return false;
        }
        self.bytes
            .extend_from_slice(bytemuck::bytes_of(&[number, bytes.len() as u64]));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.len() == HEAD
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The answers of a message.
    pub(super) fn read(message: &[u8]) -> Result<Vec<(u64, &[u8])>> {
        let mut rest = message.get(HEAD..).unwrap_or_default();
        let mut all = Vec::new();
        while !rest.is_empty() {
            let (number, length) = (word(rest, 0), word(rest, 1) as usize);
            let padded = length.checked_next_multiple_of(8).unwrap_or(usize::MAX);
            let bytes = rest.get(16..).filter(|bytes| bytes.len() >= padded);
            let bytes = bytes.ok_or(Error::Broken("message queue"))?;
            all.push((number, &bytes[..length]));
            rest = &bytes[padded..];
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut message = head(7);
        let fetch = Fetch {
            scope: farside_fabric::Scope(0),
            operation: AtomicOperation::Max,
            kind: AtomicKind::F32,
            count: 3,
            operands: std::ptr::null(),
            results: std::ptr::null_mut(),
            remote: farside_fabric::Remote::new(0, 0, 0, 64),
            displacement: 8,
        };
        Record::put(None, 24, &[1, 2, 3]).write(&[1, 2, 3], &mut message);
        Record::fetch(Some(9), &fetch, 4, 8, 5).write(&[8; 8], &mut message);
        assert!(!is_last(&message) && !is_answer(&message));
        mark_last(&mut message);
        assert!(is_last(&message) && epoch(&message) == 7);
        let all = records(&message).expect("whole records");
        assert_eq!(all.len(), 2);
        assert_eq!(
            (all[0].0.kind(), all[0].0.displacement, all[0].1),
            (Ok(Kind::Put), 24, &[1, 2, 3][..])
        );
        let (record, payload) = all[1];
        assert_eq!(record.atomic(), Ok((AtomicOperation::Max, AtomicKind::F32)));
        assert_eq!((record.attached, record.displacement, record.number), (9, 12, 5));
        assert_eq!(payload, [8; 8]);
        assert!(records(&message[..message.len() - 8]).is_err());

        let mut answer = Answer::new(7);
        assert!(answer.add(1, &[4; 20], 64) && !answer.add(2, &[5; 8], 64));
        assert!(is_answer(answer.bytes()));
        assert_eq!(Answer::read(answer.bytes()), Ok(vec![(1, &[4; 20][..])]));
    }
}
