//! RMA operations that are not yet complete at the origin: their buffers are watched, and fetched values are reported
//! when they are there.

use super::buffer::{unwatch, watch};
use crate::recorder::record;
use farside_calls::operation::LONGEST_RECORD;
use farside_events::{EventKind, OperationId, value_of};

/// Bytes of a page.
const PAGE: usize = 4096;
/// How many of the newest buffers are searched for one that covers a new one.
const LOOK_BACK: usize = 8;

/// The operations of one window whose completion is decided by synchronisation.
#[derive(Default)]
pub(super) struct Pending {
    buffers: Vec<(i32, Range)>,
    fetches: Vec<(i32, Fetch)>,
    /// Room for those that are complete: many calls complete one.
    spare: Vec<Fetch>,
}

/// Address and length.
pub(super) type Range = (usize, usize);

/// The result of a fetching operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fetch {
    pub(super) operation: OperationId,
    pub(super) address: usize,
    /// Bytes of the result.
    pub(super) size: usize,
}

impl Fetch {
    /// Reports the value, which has arrived.
    pub(super) fn report(self) {
        record(self.event());
    }

    /// Its value, which has arrived.
    pub(super) fn event(self) -> EventKind {
        EventKind::Fetched {
            operation: self.operation,
            value: value_at(self.address, self.size),
        }
    }
}

impl Pending {
    /// An operation to `target` (a rank of the window's group) uses `range` until its local completion. Watching goes
    /// by pages, so that whole pages are kept: many small buffers are then few.
    pub(super) fn add_buffer(&mut self, target: i32, range: Range) {
        if range.1 == 0 {
            return;
        }
        let start = range.0 & !(PAGE - 1);
        let range = (start, (range.0 + range.1).next_multiple_of(PAGE) - start);
        let covered =
            self.buffers.iter().rev().take(LOOK_BACK).any(|(to, known)| {
                *to == target && known.0 <= range.0 && range.0 + range.1 <= known.0 + known.1
            });
        if !covered {
            watch(range.0, range.1);
            self.buffers.push((target, range));
        }
    }

    /// An operation to `target` will bring a value.
    pub(super) fn add_fetch(&mut self, target: i32, fetch: Fetch) {
        self.fetches.push((target, fetch));
    }

    /// Takes what is complete now: operations to `target`, or all. What is given is to be brought back when it is
    /// reported, see [`Self::reported`].
    pub(super) fn complete(&mut self, target: Option<i32>) -> Vec<Fetch> {
        let hit = |to: i32| target.is_none_or(|target| target == to);
        self.buffers.retain(|(to, range)| {
            let done = hit(*to);
            if done {
                unwatch(range.0, range.1);
            }
            !done
        });
        let mut done = std::mem::take(&mut self.spare);
        self.fetches.retain(|(to, fetch)| {
            let hit = hit(*to);
            if hit {
                done.push(*fetch);
            }
            !hit
        });
        done
    }

    /// Takes back what [`Self::complete`] gave, whose values are reported.
    pub(super) fn reported(&mut self, mut done: Vec<Fetch>) {
        done.clear();
        if done.capacity() > self.spare.capacity() {
            self.spare = done;
        }
    }
}

/// What an event holds of the bytes at `address`; of more than [`LONGEST_RECORD`], of the first.
pub(super) fn value_at(address: usize, size: usize) -> u64 {
    let copy = |bytes: &mut [u8]| {
        // SAFETY: a buffer of at least `size` bytes that the program gave to a call for reading or writing. It is
        // copied before it is looked at, for a wrong program may write there now.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), bytes.len()) };
        value_of(bytes)
    };
    match size {
        0..=8 => copy(&mut [0; 8][..size]),
        _ => copy(&mut [0; LONGEST_RECORD as usize][..size.min(LONGEST_RECORD as usize)]),
    }
}
