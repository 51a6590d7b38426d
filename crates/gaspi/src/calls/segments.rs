//! Segments (GASPI 17.1 §7).

use super::{Out, calls};
use crate::abi::{Failure, GroupId, Number, Outcome, Rank, SEGMENTS, SegmentId, Size, Timeout};
use crate::collective::{Kind, keep};
use crate::job::{Job, job};
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

/// # Errors
/// NUMBER: it is no policy of allocation.
fn policy(number: c_int) -> Outcome {
    match number {
        // New memory is filled with 0 either way.
        0 | 1 => Ok(()),
        _ => Err(Failure::NUMBER),
    }
}

fn allocate(job: &Job, segment: SegmentId, size: Size, memory: Option<NonNull<u8>>) -> Outcome {
    let list = job.segments().list();
    if list.len() >= job.config().segment_max as usize && !list.contains(&segment) {
        return Err(Failure::MANY_SEGMENTS);
    }
    job.segments()
        .allocate(job.net(), job.board(), segment, size, memory)
}

/// Allocates, or binds, registers at all of a group, and waits for all of them.
fn create(
    job: &Job,
    segment: SegmentId,
    size: Size,
    group: GroupId,
    timeout: Timeout,
    memory: Option<NonNull<u8>>,
) -> Outcome {
    let members = job.groups().committed(group)?;
    let kind = Kind::Create(segment, size, memory.map_or(0, |memory| memory.as_ptr() as usize));
    if !job.groups().is_running(group, kind)? {
        allocate(job, segment, size, memory)?;
        let register = |&rank| job.segments().register(job.net(), job.board(), segment, rank);
        if let Err(failure) = members.iter().try_for_each(register) {
            let _ = job.segments().delete(job.net(), job.board(), segment);
            return Err(failure);
        }
    }
    job.groups()
        .run(job.net(), group, kind, &[], timeout, &mut keep)
        .map(drop)
}

fn memory(pointer: *mut c_void) -> Outcome<Option<NonNull<u8>>> {
    NonNull::new(pointer.cast())
        .map(Some)
        .ok_or(Failure::NULL_POINTER)
}

calls! {
    /// New memory, for this rank (§7.2.1).
    pgaspi_segment_alloc, gaspi_segment_alloc(segment: SegmentId, size: Size, alloc: c_int) {
        let job = job()?;
        policy(alloc)?;
        allocate(&job, segment, size, None)
    }

    /// Lets a rank use a segment (§7.2.2). At return it can.
    pgaspi_segment_register, gaspi_segment_register(segment: SegmentId, rank: Rank, _timeout: Timeout) {
        let job = job()?;
        let rank = job.net().known(rank)?;
        job.segments().register(job.net(), job.board(), segment, rank)
    }

    /// New memory, for all of a group (§7.2.3).
    pgaspi_segment_create, gaspi_segment_create(
        segment: SegmentId, size: Size, group: GroupId, timeout: Timeout, alloc: c_int,
    ) {
        let job = job()?;
        policy(alloc)?;
        create(&job, segment, size, group, timeout, None)
    }

    /// Memory of the program, for this rank (§7.2.4).
    pgaspi_segment_bind, gaspi_segment_bind(
        segment: SegmentId, pointer: *mut c_void, size: Size, _description: c_int,
    ) {
        let job = job()?;
        allocate(&job, segment, size, memory(pointer)?)
    }

    /// Memory of the program, for all of a group (§7.2.5).
    pgaspi_segment_use, gaspi_segment_use(
        segment: SegmentId, pointer: *mut c_void, size: Size, group: GroupId, timeout: Timeout,
        _description: c_int,
    ) {
        let job = job()?;
        create(&job, segment, size, group, timeout, memory(pointer)?)
    }

    /// Ends a segment that nobody uses any more (§7.2.6).
    pgaspi_segment_delete, gaspi_segment_delete(segment: SegmentId) {
        let job = job()?;
        job.segments().local(segment)?;
        job.queues().flush(job.net());
        job.segments().delete(job.net(), job.board(), segment)
    }

    /// Number of segments (§7.3.1).
    pgaspi_segment_num, gaspi_segment_num(number: Out<Number>) {
        let job = job()?;
        number.give(job.segments().list().len() as Number)
    }

    /// The first `number` segments (§7.3.2).
    pgaspi_segment_list, gaspi_segment_list(number: Number, segments: Out<SegmentId>) {
        let job = job()?;
        segments.give_all(job.segments().list().into_iter().take(number as usize))
    }

    /// Where a segment is (§7.3.3).
    pgaspi_segment_ptr, gaspi_segment_ptr(segment: SegmentId, pointer: Out<*mut c_void>) {
        let job = job()?;
        pointer.check()?;
        pointer.give(job.segments().local(segment)?.at(0, 0)?.cast())
    }

    /// The length of a segment that a rank has registered here, or of an own one (GPI-2).
    pgaspi_segment_size, gaspi_segment_size(segment: SegmentId, rank: Rank, size: Out<Size>) {
        let job = job()?;
        let rank = job.net().known(rank)?;
        size.check()?;
        size.give(job.board().entry(rank, segment)?.size())
    }

    /// A segment that this rank does not have yet (GPI-2).
    pgaspi_segment_avail_local, gaspi_segment_avail_local(segment: Out<SegmentId>) {
        let job = job()?;
        let list = job.segments().list();
        let free = (0..SEGMENTS as SegmentId).find(|id| !list.contains(id));
        segment.give(free.ok_or(Failure::MANY_SEGMENTS)?)
    }

    /// Most segments (§7.4).
    pgaspi_segment_max, gaspi_segment_max(number: Out<Number>) {
        number.give(job()?.config().segment_max)
    }
}
