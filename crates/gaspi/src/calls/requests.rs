//! Requests, notifications, queues, atomics, passive communication (GASPI 17.1 §8 to §10).

use super::{In, Out, calls};
use crate::abi::{
    AtomicValue, Failure, NotificationId, NotificationValue, Number, Offset, Outcome, QueueId, Rank,
    SegmentId, Size, Timeout,
};
use crate::atomic::{self, Atomic};
use crate::job::job;
use crate::transfer::{self, Direction, Notice, Piece};

/// The lists of a call, as pieces.
fn pieces(
    number: Number,
    local: (&In<SegmentId>, &In<Offset>),
    remote: (&In<SegmentId>, &In<Offset>),
    sizes: &In<Size>,
) -> Outcome<Vec<Piece>> {
    let number = number as usize;
    if number > crate::abi::LIST {
        return Err(Failure::NUMBER);
    }
    let (local, local_offsets) = (local.0.all(number)?, local.1.all(number)?);
    let (remote, remote_offsets) = (remote.0.all(number)?, remote.1.all(number)?);
    let sizes = sizes.all(number)?;
    let piece = |at: usize| {
        Piece::new(
            (local[at], local_offsets[at]),
            (remote[at], remote_offsets[at]),
            sizes[at],
        )
    };
    Ok((0..number).map(piece).collect())
}

calls! {
    /// Writes to a rank (§8.2.1).
    pgaspi_write, gaspi_write(
        local: SegmentId, local_offset: Offset, rank: Rank, remote: SegmentId, remote_offset: Offset, size: Size,
        queue: QueueId, _timeout: Timeout,
    ) {
        let piece = Piece::new((local, local_offset), (remote, remote_offset), size);
        transfer::request(&*job()?, Direction::Write, rank, &piece, None, queue)
    }

    /// Reads from a rank (§8.2.2).
    pgaspi_read, gaspi_read(
        local: SegmentId, local_offset: Offset, rank: Rank, remote: SegmentId, remote_offset: Offset, size: Size,
        queue: QueueId, _timeout: Timeout,
    ) {
        let piece = Piece::new((local, local_offset), (remote, remote_offset), size);
        transfer::request(&*job()?, Direction::Read, rank, &piece, None, queue)
    }

    /// Waits until what was posted to a queue is complete here (§8.2.3).
    pgaspi_wait, gaspi_wait(queue: QueueId, timeout: Timeout) {
        let job = job()?;
        job.queues().wait(job.net(), queue, timeout)
    }

    /// Notifies a rank (§8.3.1).
    pgaspi_notify, gaspi_notify(
        segment: SegmentId, rank: Rank, id: NotificationId, value: NotificationValue, queue: QueueId,
        _timeout: Timeout,
    ) {
        transfer::notify(&*job()?, rank, Notice::new(segment, id, value), queue)
    }

    /// Waits for one of some notifications (§8.3.2).
    pgaspi_notify_waitsome, gaspi_notify_waitsome(
        segment: SegmentId, begin: NotificationId, number: Number, first: Out<NotificationId>, timeout: Timeout,
    ) {
        let job = job()?;
        first.check()?;
        match transfer::wait_some(&job, segment, begin, number, timeout)? {
            Some(id) => first.give(id),
            None => Ok(()),
        }
    }

    /// Takes a notification (§8.3.3).
    pgaspi_notify_reset, gaspi_notify_reset(segment: SegmentId, id: NotificationId, old: Out<NotificationValue>) {
        let job = job()?;
        old.check()?;
        old.give(transfer::reset(&job, segment, id)?)
    }

    /// Writes, and notifies (§8.4.1).
    pgaspi_write_notify, gaspi_write_notify(
        local: SegmentId, local_offset: Offset, rank: Rank, remote: SegmentId, remote_offset: Offset, size: Size,
        id: NotificationId, value: NotificationValue, queue: QueueId, _timeout: Timeout,
    ) {
        let piece = Piece::new((local, local_offset), (remote, remote_offset), size);
        let notice = Notice::new(remote, id, value);
        transfer::request(&*job()?, Direction::Write, rank, &piece, Some(notice), queue)
    }

    /// Reads, and notifies this rank by the value 1 in the local segment (§8.4.4).
    pgaspi_read_notify, gaspi_read_notify(
        local: SegmentId, local_offset: Offset, rank: Rank, remote: SegmentId, remote_offset: Offset, size: Size,
        id: NotificationId, queue: QueueId, _timeout: Timeout,
    ) {
        let piece = Piece::new((local, local_offset), (remote, remote_offset), size);
        let notice = Notice::new(local, id, 1);
        transfer::request(&*job()?, Direction::Read, rank, &piece, Some(notice), queue)
    }

    /// Writes several times (§8.4.2).
    pgaspi_write_list, gaspi_write_list(
        number: Number, local: In<SegmentId>, local_offset: In<Offset>, rank: Rank, remote: In<SegmentId>,
        remote_offset: In<Offset>, size: In<Size>, queue: QueueId, _timeout: Timeout,
    ) {
        let job = job()?;
        let pieces = pieces(number, (&local, &local_offset), (&remote, &remote_offset), &size)?;
        transfer::request_list(&job, Direction::Write, rank, &pieces, None, queue)
    }

    /// Reads several times (§8.4.5).
    pgaspi_read_list, gaspi_read_list(
        number: Number, local: In<SegmentId>, local_offset: In<Offset>, rank: Rank, remote: In<SegmentId>,
        remote_offset: In<Offset>, size: In<Size>, queue: QueueId, _timeout: Timeout,
    ) {
        let job = job()?;
        let pieces = pieces(number, (&local, &local_offset), (&remote, &remote_offset), &size)?;
        transfer::request_list(&job, Direction::Read, rank, &pieces, None, queue)
    }

    /// Writes several times, and notifies (§8.4.3).
    pgaspi_write_list_notify, gaspi_write_list_notify(
        number: Number, local: In<SegmentId>, local_offset: In<Offset>, rank: Rank, remote: In<SegmentId>,
        remote_offset: In<Offset>, size: In<Size>, segment: SegmentId, id: NotificationId,
        value: NotificationValue, queue: QueueId, _timeout: Timeout,
    ) {
        let job = job()?;
        let pieces = pieces(number, (&local, &local_offset), (&remote, &remote_offset), &size)?;
        let notice = Notice::new(segment, id, value);
        transfer::request_list(&job, Direction::Write, rank, &pieces, Some(notice), queue)
    }

    /// Reads several times, and notifies this rank by the value 1 in `segment`, a local one (erratum of §8.4).
    pgaspi_read_list_notify, gaspi_read_list_notify(
        number: Number, local: In<SegmentId>, local_offset: In<Offset>, rank: Rank, remote: In<SegmentId>,
        remote_offset: In<Offset>, size: In<Size>, segment: SegmentId, id: NotificationId, queue: QueueId,
        _timeout: Timeout,
    ) {
        let job = job()?;
        let pieces = pieces(number, (&local, &local_offset), (&remote, &remote_offset), &size)?;
        let notice = Notice::new(segment, id, 1);
        transfer::request_list(&job, Direction::Read, rank, &pieces, Some(notice), queue)
    }

    /// A further queue (§8.5.1).
    pgaspi_queue_create, gaspi_queue_create(queue: Out<QueueId>, _timeout: Timeout) {
        let job = job()?;
        queue.check()?;
        queue.give(job.queues().create(job.net())?)
    }

    /// Ends a queue whose requests are complete (§8.5.2).
    pgaspi_queue_delete, gaspi_queue_delete(queue: QueueId) {
        let job = job()?;
        job.queues().delete(job.net(), queue)
    }

    /// Requests in a queue since it was waited for (§8.5.3).
    pgaspi_queue_size, gaspi_queue_size(queue: QueueId, size: Out<Number>) {
        let job = job()?;
        size.check()?;
        size.give(job.queues().size(queue)?)
    }

    /// Forgets the requests of a queue, after an error (§8.5.4).
    pgaspi_queue_purge, gaspi_queue_purge(queue: QueueId, _timeout: Timeout) {
        let job = job()?;
        job.queues().purge(job.net(), queue)
    }

    /// Number of queues (§8.5.5).
    pgaspi_queue_num, gaspi_queue_num(number: Out<Number>) {
        number.give(job()?.queues().number())
    }

    /// Sends to a rank that receives (§9.2.1). Returns when a receive has taken it.
    pgaspi_passive_send, gaspi_passive_send(
        segment: SegmentId, offset: Offset, rank: Rank, size: Size, timeout: Timeout,
    ) {
        let job = job()?;
        let rank = job.net().known(rank)?;
        if size > job.config().passive_transfer_size_max {
            return Err(Failure::TRANSFER_SIZE);
        }
        let here = job.segments().local(segment)?.at(offset, size)?;
        // SAFETY: in a segment, which the program neither deletes nor writes during the call.
        let bytes = unsafe { std::slice::from_raw_parts(here, size as usize) };
        job.passive().send(job.net(), rank, bytes, timeout)
    }

    /// Receives from any rank (§9.2.2). A message that is longer than `size` is cut, and gives GASPI_ERR_INV_COMMSIZE.
    pgaspi_passive_receive, gaspi_passive_receive(
        segment: SegmentId, offset: Offset, sender: Out<Rank>, size: Size, timeout: Timeout,
    ) {
        let job = job()?;
        sender.check()?;
        let here = job.segments().local(segment)?.at(offset, size)?;
        let (source, bytes) = job.passive().receive(job.net(), timeout)?;
        let taken = bytes.len().min(size as usize);
        // SAFETY: so many bytes of a segment, checked.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), here, taken) };
        sender.give(source as Rank)?;
        match taken == bytes.len() {
            true => Ok(()),
            false => Err(Failure::TRANSFER_SIZE),
        }
    }

    /// Forgets lost ranks in passive communication (§9.2.3).
    pgaspi_passive_queue_purge, gaspi_passive_queue_purge(_timeout: Timeout) {
        let job = job()?;
        job.passive().purge(job.net());
        Ok(())
    }

    /// Adds to 8 bytes of a rank, and gives what was there (§10.2.1).
    pgaspi_atomic_fetch_add, gaspi_atomic_fetch_add(
        segment: SegmentId, offset: Offset, rank: Rank, value: AtomicValue, old: Out<AtomicValue>,
        _timeout: Timeout,
    ) {
        let job = job()?;
        old.check()?;
        old.give(atomic::apply(&job, segment, offset, rank, Atomic::FetchAdd(value))?)
    }

    /// Writes 8 bytes of a rank if `comparator` is there, and gives what was there (§10.2.2).
    pgaspi_atomic_compare_swap, gaspi_atomic_compare_swap(
        segment: SegmentId, offset: Offset, rank: Rank, comparator: AtomicValue, value: AtomicValue,
        old: Out<AtomicValue>, _timeout: Timeout,
    ) {
        let job = job()?;
        old.check()?;
        old.give(atomic::apply(&job, segment, offset, rank, Atomic::CompareSwap(comparator, value))?)
    }
}
