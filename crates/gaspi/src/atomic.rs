//! Global atomics: of 8 bytes, complete at return (GASPI 17.1 §10).
//!
//! Promise: atomic to one another at one place of a segment, from any rank. On memory of the program
//! (`gaspi_segment_bind`) they are atomic to one another alike, and each takes a lock of the owner.
//!
//! Limits: an operation that has begun is waited for, whatever the timeout: it takes one round trip.

use crate::abi::{AtomicValue, Failure, Offset, Outcome, SegmentId};
use crate::foreign::{self, Way};
use crate::job::Job;
use crate::segment::Data;
use farside_fabric::{AtomicKind, AtomicOperation, CompareSwap, Fetch, Get, Put, Remote, Signal, Ticket};

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    /// Adds, with a carry that is lost.
    FetchAdd(AtomicValue),
    /// Writes the second where the first is.
    CompareSwap(AtomicValue, AtomicValue),
}

impl Atomic {
    fn of(self, old: AtomicValue) -> AtomicValue {
        match self {
            Self::FetchAdd(value) => old.wrapping_add(value),
            Self::CompareSwap(comparator, value) if old == comparator => value,
            Self::CompareSwap(..) => old,
        }
    }
}

/// Does it, and gives what was there.
pub(crate) fn apply(
    job: &Job,
    segment: SegmentId,
    offset: Offset,
    rank: u16,
    atomic: Atomic,
) -> Outcome<AtomicValue> {
    let rank = job.net().known(rank)?;
    let link = job.segments().link(job.net(), job.board(), rank, segment)?;
    link.check(offset, 8)?;
    if !offset.is_multiple_of(8) {
        return Err(Failure::UNALIGNED);
    }
    if job.net().is_corrupt(rank) {
        return Err(Failure::ERROR);
    }
    job.statistics().atomic();
    match link.data() {
        Data::Region(remote, first) if remote == link.notified() => {
            by_transport(job, remote, first + offset as usize, atomic)
        }
        data => job.board().with_lock(job.net(), rank, || {
            let word = Word { job, data, offset };
            let old = word.load()?;
            let new = atomic.of(old);
            if new != old {
                word.store(new)?;
            }
            Ok(old)
        }),
    }
}

fn by_transport(job: &Job, remote: Remote, displacement: usize, atomic: Atomic) -> Outcome<AtomicValue> {
    let fabric = job.net().fabric();
    let scope = job.atomics();
    // On the heap, and not freed should the operation fail while it is under way.
    let words = Box::into_raw(Box::new(match atomic {
        Atomic::FetchAdd(value) => [value, 0, 0],
        Atomic::CompareSwap(comparator, value) => [comparator, value, 0],
    }));
    // SAFETY: of the box; the elements are in bounds.
    let [first, second, result] = [0, 1, 2].map(|at| unsafe { words.cast::<u64>().add(at) });
    // SAFETY: the words live until the operation is complete; the region is connected.
    let started = unsafe {
        match atomic {
            Atomic::FetchAdd(_) => fabric.fetch(&Fetch {
                scope,
                operation: AtomicOperation::Sum,
                kind: AtomicKind::U64,
                count: 1,
                operands: first.cast(),
                results: result.cast(),
                remote,
                displacement,
            }),
            Atomic::CompareSwap(..) => fabric.compare_swap(&CompareSwap {
                scope,
                kind: AtomicKind::U64,
                expected: first.cast(),
                replacement: second.cast(),
                result: result.cast(),
                remote,
                displacement,
            }),
        }
    };
    let complete = started.and_then(|ticket| match ticket {
        Ticket::DONE => Ok(()),
        ticket => fabric.wait(None, &mut || fabric.test(ticket)),
    });
    complete.map_err(|error| job.net().failure(&error))?;
    // SAFETY: made by `Box::into_raw` above, and the transport touches it no more.
    Ok(unsafe { Box::from_raw(words) }[2])
}

/// A word in memory of the program, wherever that is; perhaps not aligned.
struct Word<'a> {
    job: &'a Job,
    data: Data,
    offset: Offset,
}

impl Word<'_> {
    fn load(&self) -> Outcome<AtomicValue> {
        let mut value = Box::new(0_u64);
        let here: *mut u8 = (&raw mut *value).cast();
        match self.data {
            Data::Own(address) => {
                // SAFETY: 8 bytes of a segment of this process, checked.
                return Ok(unsafe { ((address + self.offset) as *const u64).read_unaligned() });
            }
            Data::Process(process, address) => {
                // SAFETY: `here` is the word of this function.
                unsafe { foreign::copy(process, address + self.offset, here, 8, Way::Here) }?;
            }
            Data::Region(remote, first) => {
                let get = Get {
                    scope: self.job.atomics(),
                    origin: here,
                    bytes: 8,
                    remote,
                    displacement: first + self.offset as usize,
                };
                // SAFETY: the word is on the heap, and is not freed before the read is complete. The region is
                // connected.
                let read = unsafe { self.job.net().fabric().get(&get) };
                let complete = read.and_then(|ticket| self.complete(ticket));
                if let Err(error) = complete {
                    Box::leak(value);
                    return Err(self.job.net().failure(&error));
                }
            }
            Data::Unreachable => return Err(Failure::ERROR),
        }
        Ok(*value)
    }

    fn store(&self, value: AtomicValue) -> Outcome {
        match self.data {
            Data::Own(address) => {
                // SAFETY: 8 bytes of a segment of this process, checked.
                unsafe { ((address + self.offset) as *mut u64).write_unaligned(value) };
                Ok(())
            }
            Data::Process(process, address) => {
                let mut word = value;
                let here: *mut u8 = (&raw mut word).cast();
                // SAFETY: `here` is the word of this function.
                unsafe { foreign::copy(process, address + self.offset, here, 8, Way::There) }
            }
            Data::Region(remote, first) => {
                let scope = self.job.atomics();
                let put = Put {
                    scope,
                    origin: (&raw const value).cast(),
                    bytes: 8,
                    remote,
                    displacement: first + self.offset as usize,
                    signal: Signal::None,
                };
                // SAFETY: the word lives until the flush, after which the transport touches it no more, also if it
                // fails. The region is connected.
                let put = unsafe { self.job.net().fabric().put(&put) };
                let flush = || self.job.net().fabric().flush(scope, Some(remote.target()));
                let complete = put.and_then(|_| flush());
                complete.map_err(|error| self.job.net().failure(&error))
            }
            Data::Unreachable => Err(Failure::ERROR),
        }
    }

    fn complete(&self, ticket: Ticket) -> farside_fabric::Result<()> {
        let fabric = self.job.net().fabric();
        match ticket {
            Ticket::DONE => Ok(()),
            ticket => fabric.wait(None, &mut || fabric.test(ticket)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_wrap_and_swaps_compare() {
        assert_eq!(Atomic::FetchAdd(2).of(u64::MAX), 1);
        assert_eq!(Atomic::CompareSwap(5, 9).of(5), 9);
        assert_eq!(Atomic::CompareSwap(5, 9).of(6), 6);
    }
}
