//! What waits to be sent, and what waits for an answer.

use super::Deferred;
use super::words::{self, Answer, Record};
use crate::{Rank, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Messages that are being filled, one for each target.
pub(super) struct Queue {
    messages: BTreeMap<Rank, Vec<u8>>,
    size: u32,
    /// Targets of this epoch.
    targets: BTreeSet<Rank>,
}

impl Queue {
    pub(super) fn new(size: u32) -> Self {
        Self {
            messages: BTreeMap::new(),
            size,
            targets: BTreeSet::new(),
        }
    }

    /// Adds an operation.
    pub(super) fn add(
        &mut self,
        owner: &Deferred,
        target: Rank,
        record: &Record,
        payload: &[u8],
    ) -> Result<()> {
        crate::endpoint::Core::check_rank(target, self.size)?;
        self.targets.insert(target);
        let message = self
            .messages
            .entry(target)
            .or_insert_with(|| words::head(owner.epoch.get()));
        record.write(payload, message);
        Ok(())
    }

    /// Sends all; if it is the end of the epoch, gives all its targets, each with a 1.
    pub(super) fn send_all(&mut self, owner: &Deferred, last: bool) -> Result<Vec<(Rank, u32)>> {
        if last {
            for &target in &self.targets {
                self.messages
                    .entry(target)
                    .or_insert_with(|| words::head(owner.epoch.get()));
            }
        }
        let limit = owner.group.core().fabric().capabilities().message_bytes;
        for (target, message) in std::mem::take(&mut self.messages) {
            for mut part in parts(&message, limit)? {
                let is_end = part.ends;
                if last && is_end {
                    words::mark_last(&mut part.bytes);
                }
                owner.send(target, &part.bytes, last)?;
            }
        }
        if !last {
            return Ok(Vec::new());
        }
        let targets = std::mem::take(&mut self.targets);
        Ok(targets.into_iter().map(|target| (target, 1)).collect())
    }

    /// Drops what was not sent. Targets stay: to them something may have been sent, and the fence tells them when it
    /// is all.
    pub(super) fn clear(&mut self) {
        self.messages.clear();
    }
}

/// Some records of a message, with its head.
struct Part {
    bytes: Vec<u8>,
    /// It is the last part.
    ends: bool,
}

/// Divides a message between records, so that no part is longer than the transport sends.
fn parts(message: &[u8], limit: usize) -> Result<Vec<Part>> {
    let head = || message[..words::HEAD].to_vec();
    let mut all = vec![Part {
        bytes: head(),
        ends: false,
    }];
    for (record, payload) in words::records(message)? {
        let length = Record::BYTES + payload.len().next_multiple_of(8);
        let full = all
            .last()
            .is_some_and(|part| part.bytes.len() > words::HEAD && part.bytes.len() + length > limit);
        if full {
            all.push(Part {
                bytes: head(),
                ends: false,
            });
        }
        if let Some(part) = all.last_mut() {
            record.write(payload, &mut part.bytes);
        }
    }
    if let Some(part) = all.last_mut() {
        part.ends = true;
    }
    Ok(all)
}

/// Operations that wait for an answer.
#[derive(Default)]
pub(super) struct Outstanding {
    /// Where the answer goes, by number. The memory is the origin's until it is taken out here.
    sinks: BTreeMap<u64, (*mut u8, usize)>,
    last: u64,
}

impl Outstanding {
    /// A number for an answer of so many bytes to there.
    pub(super) fn add(&mut self, sink: *mut u8, bytes: usize) -> u64 {
        self.last += 1;
        self.sinks.insert(self.last, (sink, bytes));
        self.last
    }

    /// Whether an answer is still to come, of this number or, of the parts of one operation, of an earlier one.
    pub(super) fn has(&self, number: u64) -> bool {
        self.sinks.range(..=number).next_back().is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sinks.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.sinks.clear();
    }

    /// Takes a message of answers in. One that nobody waits for any more is dropped.
    pub(super) fn accept(&mut self, message: &[u8]) -> Result<()> {
        for (number, bytes) in Answer::read(message)? {
            let Some((sink, length)) = self.sinks.remove(&number) else {
                continue;
            };
            if bytes.len() != length {
                return Err(crate::Error::Length {
                    what: "bytes of an answer",
                    expected: length,
                    found: bytes.len(),
                });
            }
            if length > 0 {
                // SAFETY: the operation was started with a buffer of so many bytes, which is the window's until the
                // operation is complete: it is in the table until now. When its epoch ends otherwise, the table is
                // cleared.
                unsafe { sink.copy_from_nonoverlapping(bytes.as_ptr(), length) };
            }
        }
        Ok(())
    }
}
