//! Global atomics: of 8 bytes, complete at return (GASPI 17.1 §10).
//!
//! Promise: atomic to one another at one place of a segment, from any rank. On memory of the program
//! (`gaspi_segment_bind`) they are atomic to one another alike, and each takes a lock of the owner.
//!
//! Limits: an operation that has begun is waited for, whatever the timeout: it takes one round trip.

use crate::abi::{AtomicValue, Failure, Offset, Outcome, SegmentId};
use crate::foreign::{self, Way};
use crate::job::Job;
use crate::segment::{Data, Link};
use farside_fabric::{AtomicKind, AtomicOperation, CompareSwap, Fetch, Rank, Ticket};

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
    let rank = job.net.known(rank)?;
    let link = job.segments.link(&job.net, &job.board, rank, segment)?;
    link.check(offset, 8)?;
    if !offset.is_multiple_of(8) {
        return Err(Failure::UNALIGNED);
    }
    if job.net.is_corrupt(rank) {
        return Err(Failure::ERROR);
    }
    job.statistics.atomic();
    match link.data {
        Data::Region(first) => by_transport(job, &link, first + offset as usize, atomic),
        Data::Own(address) => locked(job, rank, (address + offset) as *mut u8, None, atomic),
        Data::Process(process, address) => {
            let there = (process, address + offset);
            locked(job, rank, std::ptr::null_mut(), Some(there), atomic)
        }
        Data::Unreachable => Err(Failure::ERROR),
    }
}

fn by_transport(job: &Job, link: &Link, displacement: usize, atomic: Atomic) -> Outcome<AtomicValue> {
    let fabric = job.net.fabric();
    let scope = job.atomics;
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
                remote: link.remote,
                displacement,
            }),
            Atomic::CompareSwap(..) => fabric.compare_swap(&CompareSwap {
                scope,
                kind: AtomicKind::U64,
                expected: first.cast(),
                replacement: second.cast(),
                result: result.cast(),
                remote: link.remote,
                displacement,
            }),
        }
    };
    let complete = started.and_then(|ticket| match ticket {
        Ticket::DONE => Ok(()),
        ticket => fabric.wait(None, &mut || fabric.test(ticket)),
    });
    complete.map_err(|error| job.net.failure(&error))?;
    // SAFETY: made by `Box::into_raw` above, and the transport touches it no more.
    Ok(unsafe { Box::from_raw(words) }[2])
}

/// On memory of the program, in this process, or in another one.
fn locked(
    job: &Job,
    owner: Rank,
    here: *mut u8,
    there: Option<(i32, u64)>,
    atomic: Atomic,
) -> Outcome<AtomicValue> {
    job.board.with_lock(&job.net, owner, || {
        let mut word = 0_u64;
        let local = (&raw mut word).cast::<u8>();
        let Some((process, address)) = there else {
            // SAFETY: 8 bytes of a segment of this process, checked; the program's memory may be aligned anyhow.
            return Ok(unsafe {
                let old = here.cast::<u64>().read_unaligned();
                here.cast::<u64>().write_unaligned(atomic.of(old));
                old
            });
        };
        // SAFETY: `local` is a word of this function.
        unsafe { foreign::copy(process, address, local, 8, Way::Here) }?;
        let old = word;
        word = atomic.of(old);
        if word != old {
            // SAFETY: as above.
            unsafe { foreign::copy(process, address, (&raw mut word).cast(), 8, Way::There) }?;
        }
        Ok(old)
    })
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
