//! Requests: write, read, lists of them, and notifications (GASPI 17.1 §8.2 to §8.4).
//!
//! Promise:
//! - All arguments of a request, or of a list, are checked before anything is posted.
//! - Who sees a notification sees what was written to the same rank by the same queue before, of all kinds of requests.
//!   (17.1 promises less of `gaspi_write_notify`: of its own data only.)
//! - A read's notification comes when its data, or those of the whole list, are here.
//!
//! Limits: over a transport that does not order writes, a notification waits for the earlier writes of its queue,
//! whatever its timeout.

use crate::abi::{
    Failure, NOTIFICATIONS, NotificationId, NotificationValue, Offset, Outcome, QueueId, SegmentId, Size,
    TRANSFER_BYTES, Timeout,
};
use crate::foreign::{self, Way};
use crate::job::Job;
use crate::queue::{Room, value_of, word_of};
use crate::segment::{Data, Link};
use farside_fabric::{Get, Put, Rank, Scope, Signal, Ticket};
use std::sync::atomic::Ordering;

/// Which way the bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Write,
    Read,
}

/// Bytes here and there, as the program names them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    local: (SegmentId, Offset),
    remote: (SegmentId, Offset),
    size: Size,
}

/// A notification: for a write at the target, for a read in the own segment, where its value is 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notice {
    segment: SegmentId,
    id: NotificationId,
    value: NotificationValue,
}

impl Piece {
    pub(crate) fn new(local: (SegmentId, Offset), remote: (SegmentId, Offset), size: Size) -> Self {
        Self { local, remote, size }
    }
}

impl Notice {
    pub(crate) fn new(segment: SegmentId, id: NotificationId, value: NotificationValue) -> Self {
        Self { segment, id, value }
    }
}

/// A piece whose arguments are right.
struct Ready {
    here: *mut u8,
    link: Link,
    offset: usize,
    bytes: usize,
}

impl Ready {
    #[inline]
    fn new(job: &Job, rank: Rank, piece: &Piece) -> Outcome<Self> {
        if piece.size > TRANSFER_BYTES.min(job.config().transfer_size_max) {
            return Err(Failure::TRANSFER_SIZE);
        }
        let here = job
            .segments()
            .local(piece.local.0)?
            .at(piece.local.1, piece.size)?;
        let link = job
            .segments()
            .link(job.net(), job.board(), rank, piece.remote.0)?;
        link.check(piece.remote.1, piece.size)?;
        Ok(Self {
            here,
            link,
            offset: piece.remote.1 as usize,
            bytes: piece.size as usize,
        })
    }

    #[inline]
    fn start(&self, job: &Job, scope: Scope, direction: Direction) -> Outcome<Ticket> {
        let started = match (self.link.data(), direction) {
            (Data::Region(remote, first), Direction::Write) => {
                let put = Put {
                    scope,
                    origin: self.here,
                    bytes: self.bytes,
                    remote,
                    displacement: first + self.offset,
                    signal: Signal::None,
                };
                // SAFETY: the bytes are in a local segment; the program leaves them until it has waited for the queue,
                // and deletes no segment before (GASPI 17.1 §8.2.1). The region is connected.
                unsafe { job.net().fabric().put(&put) }
            }
            (Data::Region(remote, first), Direction::Read) => {
                let get = Get {
                    scope,
                    origin: self.here,
                    bytes: self.bytes,
                    remote,
                    displacement: first + self.offset,
                };
                // SAFETY: as for the put.
                unsafe { job.net().fabric().get(&get) }
            }
            (Data::Own(address), _) => {
                let there = (address as usize + self.offset) as *mut u8;
                // SAFETY: both are in segments of this process, checked; they may overlap, which `copy` allows.
                unsafe {
                    match direction {
                        Direction::Write => std::ptr::copy(self.here, there, self.bytes),
                        Direction::Read => std::ptr::copy(there, self.here, self.bytes),
                    }
                }
                Ok(Ticket::DONE)
            }
            (Data::Process(process, address), _) => {
                let way = match direction {
                    Direction::Write => Way::There,
                    Direction::Read => Way::Here,
                };
                let address = address + self.offset as u64;
                // SAFETY: in the local segment, checked.
                unsafe { foreign::copy(process, address, self.here, self.bytes, way) }?;
                Ok(Ticket::DONE)
            }
            (Data::Unreachable, _) => return Err(Failure::ERROR),
        };
        started.map_err(|error| job.net().failure(&error))
    }
}

/// Posts a request, and perhaps a notification after it.
pub(crate) fn request(
    job: &Job,
    direction: Direction,
    rank: u16,
    piece: &Piece,
    notice: Option<Notice>,
    queue: QueueId,
) -> Outcome {
    let rank = job.net().known(rank)?;
    job.queues().size(queue)?;
    let ready = Ready::new(job, rank, piece)?;
    // With nothing to write it is `gaspi_notify`.
    let pieces: &[Ready] = match (piece.size, notice) {
        (0, Some(_)) => &[],
        _ => std::slice::from_ref(&ready),
    };
    post(job, direction, rank, pieces, notice, queue)
}

/// Posts a list of requests, and perhaps a notification after it.
pub(crate) fn request_list(
    job: &Job,
    direction: Direction,
    rank: u16,
    pieces: &[Piece],
    notice: Option<Notice>,
    queue: QueueId,
) -> Outcome {
    let rank = job.net().known(rank)?;
    job.queues().size(queue)?;
    if pieces.len() > job.config().rw_list_elem_max as usize {
        return Err(Failure::NUMBER);
    }
    let ready = pieces.iter().map(|piece| Ready::new(job, rank, piece));
    let ready = ready.collect::<Outcome<Vec<Ready>>>()?;
    post(job, direction, rank, &ready, notice, queue)
}

/// Posts a notification (GASPI 17.1 §8.3.1).
pub(crate) fn notify(job: &Job, rank: u16, notice: Notice, queue: QueueId) -> Outcome {
    let rank = job.net().known(rank)?;
    job.queues().size(queue)?;
    post(job, Direction::Write, rank, &[], Some(notice), queue)
}

fn post(
    job: &Job,
    direction: Direction,
    rank: Rank,
    pieces: &[Ready],
    notice: Option<Notice>,
    queue: QueueId,
) -> Outcome {
    if let Some(notice) = &notice {
        if notice.id as usize >= NOTIFICATIONS || notice.id >= job.config().notification_num {
            return Err(Failure::NOTIFICATION_ID);
        }
        if notice.value == 0 {
            return Err(Failure::NOTIFICATION_VALUE);
        }
    }
    let target = match (&notice, direction) {
        (Some(notice), Direction::Write) => {
            Some(
                job.segments()
                    .link(job.net(), job.board(), rank, notice.segment)?,
            )
        }
        _ => None,
    };
    let own = match (&notice, direction) {
        (Some(notice), Direction::Read) => Some(job.segments().local(notice.segment)?),
        _ => None,
    };
    let requests = pieces.len() as u32 + u32::from(notice.is_some());
    let mut room = job.queues().reserve(queue, rank, requests)?;
    if job.net().is_corrupt(rank) {
        return Err(Failure::ERROR);
    }
    let mut tickets = Vec::new();
    for piece in pieces {
        let ticket = piece.start(job, room.scope(), direction)?;
        room.posted(ticket, None);
        if own.is_some() {
            tickets.push(ticket);
        }
        match direction {
            Direction::Write => job.statistics().written(piece.bytes as u64),
            Direction::Read => job.statistics().read(piece.bytes as u64),
        }
    }
    let Some(notice) = notice else { return Ok(()) };
    if let Some(link) = target {
        send_notice(job, &mut room, rank, &link, notice)?;
        job.statistics().notified();
    }
    if let Some(local) = own {
        room.notify_after(job.net(), tickets, local.cell(notice.id));
        room.posted(Ticket::DONE, None);
    }
    Ok(())
}

fn send_notice(job: &Job, room: &mut Room<'_>, rank: Rank, link: &Link, notice: Notice) -> Outcome {
    let fabric = job.net().fabric();
    if !fabric.capabilities().write_after_write {
        fabric
            .flush_before_flag(room.scope(), rank)
            .map_err(|error| job.net().failure(&error))?;
    }
    let word = word_of(notice.value);
    let mut kept = None;
    if !fabric.capabilities().mapped {
        kept = Some(Box::new(word));
    }
    let put = Put {
        scope: room.scope(),
        origin: std::ptr::from_ref(kept.as_deref().unwrap_or(&word)).cast(),
        bytes: size_of::<u64>(),
        remote: link.notified(),
        displacement: Link::cell(notice.id),
        signal: Signal::None,
    };
    // SAFETY: a word on the heap is kept until the put is complete; where all memory is mapped, the put is done when
    // the call returns, as is checked. The region is connected.
    let ticket = unsafe { fabric.put(&put) }.map_err(|error| job.net().failure(&error))?;
    if kept.is_none() && ticket != Ticket::DONE {
        fabric
            .flush_local(room.scope(), Some(rank))
            .map_err(|error| job.net().failure(&error))?;
    }
    room.posted(ticket, kept);
    fabric.send_held();
    Ok(())
}

/// Waits until one of some notifications is there, and gives its number; `None` if none is asked for (GASPI 17.1
/// §8.3.2).
pub(crate) fn wait_some(
    job: &Job,
    segment: SegmentId,
    begin: NotificationId,
    number: u32,
    timeout: Timeout,
) -> Outcome<Option<NotificationId>> {
    let local = job.segments().local(segment)?;
    let limit = job.config().notification_num;
    let end = begin.checked_add(number).filter(|&end| end <= limit);
    if begin >= limit {
        return Err(Failure::NOTIFICATION_ID);
    }
    let end = end.ok_or(Failure::NUMBER)?;
    if number == 0 {
        return Ok(None);
    }
    let mut found = None;
    job.net()
        .wait(timeout, &|rank| job.net().disturbs(rank, timeout), &mut || {
            job.queues().settle(job.net());
            found = (begin..end).find(|&id| value_of(local.cell(id).load(Ordering::Acquire)) != 0);
            Ok(found.is_some())
        })?;
    Ok(found)
}

/// Takes a notification; 0 if it is not there (GASPI 17.1 §8.3.3).
pub(crate) fn reset(job: &Job, segment: SegmentId, id: NotificationId) -> Outcome<NotificationValue> {
    let local = job.segments().local(segment)?;
    if id >= job.config().notification_num {
        return Err(Failure::NOTIFICATION_ID);
    }
    job.queues().settle(job.net());
    let cell = local.cell(id);
    let word = cell.load(Ordering::Acquire);
    if value_of(word) == 0 {
        // Half of a word may be there, whose rest arrives.
        job.net().idle()?;
        return Ok(0);
    }
    Ok(value_of(cell.swap(0, Ordering::AcqRel)))
}
