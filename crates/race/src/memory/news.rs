//! What operations and other processes did to the memory of a process, that its own direct accesses must be compared
//! with.
//!
//! Its own direct accesses never conflict with each other, and most of what others did is known to be complete when the
//! next segment comes. So a segment is compared with the few entries that are left, and not with all that lies there.
//!
//! Processes that only communicate never look at their news. While nobody does, none are kept; who then asks for some
//! is told that they are gone, and looks through all that lies there.

use super::Records;
use crate::record::Record;
use farside_clocks::{IntervalMap, VectorClock};
use std::ops::Range;
use std::rc::Rc;

/// One access.
#[derive(Debug)]
struct Entry {
    number: u64,
    range: Range<u64>,
    record: Rc<Record>,
}

/// The accesses that are not known to be complete, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct News {
    latest: u64,
    entries: Vec<Entry>,
    /// Entries that were left when it was looked through.
    settled: usize,
    /// The number of the latest entry of those that are gone.
    gone: u64,
    /// Accesses since somebody last looked.
    unread: usize,
}

/// Accesses after which nobody is expected to look any more.
const READ_BY_THEN: usize = 1024;

impl News {
    /// Enters an access; extends the last one where it goes on.
    pub(super) fn enter(&mut self, range: Range<u64>, record: &Rc<Record>) {
        self.latest += 1;
        self.unread += 1;
        if !self.is_kept() {
            return self.give_up();
        }
        let number = self.latest;
        match self.entries.last_mut() {
            Some(last) if last.range.end == range.start && Rc::ptr_eq(&last.record, record) => {
                (last.number, last.range.end) = (number, range.end);
            }
            _ => self.entries.push(Entry {
                number,
                range,
                record: Rc::clone(record),
            }),
        }
    }

    /// Whether accesses are entered.
    pub(super) fn is_kept(&self) -> bool {
        self.unread <= READ_BY_THEN
    }

    /// An access came while none are entered.
    pub(super) fn miss(&mut self) {
        self.latest += 1;
        self.gone = self.latest;
    }

    /// Drops all entries, and enters none until somebody looks.
    pub(super) fn give_up(&mut self) {
        self.unread = READ_BY_THEN + 1;
        self.entries = Vec::new();
        self.settled = 0;
        self.gone = self.latest;
    }

    /// The number of the latest entry, for somebody who will look at those that follow.
    pub(super) fn latest(&mut self) -> u64 {
        self.unread = 0;
        self.latest
    }

    /// Whether no entry after `number` is gone.
    pub(super) fn are_all_since(&self, number: u64) -> bool {
        number >= self.gone
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether so much has come that looking it through is worth its while.
    pub(super) fn has_grown(&self) -> bool {
        self.entries.len() > 2 * self.settled + 256
    }

    /// The entries after `number`.
    pub(super) fn since(&self, number: u64) -> impl Iterator<Item = (&Range<u64>, &Record)> {
        let from = self.entries.partition_point(|entry| entry.number <= number);
        self.entries[from..]
            .iter()
            .map(|entry| (&entry.range, &*entry.record))
    }

    /// Drops what all threads of the process know to be complete, and what does not lie in `map` any more.
    pub(super) fn settle(&mut self, known: &VectorClock, map: &IntervalMap<Records>) {
        self.entries.retain(|entry| {
            let lies = |records: &Records| records.0.iter().any(|record| Rc::ptr_eq(record, &entry.record));
            !entry.record.precedes(known)
                && (!entry.record.is_displaced()
                    || map
                        .overlapping(entry.range.clone())
                        .any(|(_, records)| lies(records)))
        });
        self.settled = self.entries.len();
    }
}
