//! Segments: the own ones, and the way to those that others have registered here (GASPI 17.1 §7).
//!
//! A segment is one exposed region: its notifications, a word of 8 bytes each, and after them its data. A segment of
//! the program's own memory (`gaspi_segment_bind`, `gaspi_segment_use`) has its notifications in a region alike; its
//! data stay where they are: ranks of the same node reach them through the kernel ([`foreign`]), others
//! by a second region, which is lent to the transport.

use crate::abi::{Failure, NOTIFICATIONS, Offset, Outcome, SEGMENTS, SegmentId, Size};
use crate::board::{Board, Entry};
use crate::foreign;
use crate::net::Net;
use farside_fabric::{Exposed, Rank, Remote};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Bytes of the notifications of a segment, in front of its data.
const NOTIFIED: usize = NOTIFICATIONS * size_of::<u64>();

/// Memory that is lent begins and ends at a multiple of this.
const ALIGNED: usize = 64;

/// Room for the segments of a rank.
const ROOM: usize = 256;

/// A segment of this rank, as it lies in its memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    base: NonNull<u8>,
    size: u64,
    cells: NonNull<u64>,
}

impl Local {
    /// Where the bytes are.
    ///
    /// # Errors
    /// LOCAL_OFFSET: not all are in the segment.
    #[inline]
    pub(crate) fn at(&self, offset: Offset, size: Size) -> Outcome<*mut u8> {
        match offset.checked_add(size) {
            // SAFETY: within the segment, or right after its last byte.
            Some(end) if end <= self.size => Ok(unsafe { self.base.as_ptr().add(offset as usize) }),
            _ => Err(Failure::LOCAL_OFFSET),
        }
    }

    /// The word of a notification, whose number is below the limit.
    #[inline]
    pub(crate) fn cell(&self, id: u32) -> &AtomicU64 {
        assert!((id as usize) < NOTIFICATIONS);
        // SAFETY: in bounds, aligned, and valid until the segment is deleted, which the program does when nobody uses
        // it any more (GASPI 17.1 §7.2.5).
        unsafe { AtomicU64::from_ptr(self.cells.as_ptr().add(id as usize)) }
    }
}

/// How the data of a segment of some rank are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// In this region, from that byte on.
    Region(Remote, usize),
    /// At this address of this process.
    Process(i32, u64),
    /// At this address of the own process.
    Own(u64),
    /// Not at all: the program's own memory, which neither the transport nor the kernel shows.
    Unreachable,
}

/// A segment that a rank has registered here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    number: u64,
    /// Of the data.
    size: u64,
    data: Data,
    /// The region; its notifications come first.
    remote: Remote,
}

impl Link {
    /// How the data are reached.
    #[inline]
    pub(crate) fn data(&self) -> Data {
        self.data
    }

    /// The region that begins with the notifications.
    #[inline]
    pub(crate) fn notified(&self) -> Remote {
        self.remote
    }

    /// # Errors
    /// REMOTE_OFFSET: not all bytes are in the segment.
    #[inline]
    pub(crate) fn check(&self, offset: Offset, size: Size) -> Outcome {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(Failure::REMOTE_OFFSET),
        }
    }

    /// Ends its connections.
    ///
    /// # Safety
    /// Nobody uses them any more.
    unsafe fn disconnect(self, net: &Net) {
        let data = match self.data {
            Data::Region(data, _) if data != self.remote => Some(data),
            _ => None,
        };
        for remote in data.into_iter().chain([self.remote]) {
            // SAFETY: by the caller. Should the system refuse, the connection stays, and does no harm.
            let _ = unsafe { net.fabric().disconnect(remote) };
        }
    }

    /// Where a notification is in the region.
    pub(crate) fn cell(id: u32) -> usize {
        id as usize * size_of::<u64>()
    }
}

struct Segment {
    local: Local,
    exposed: Exposed,
    /// The program's memory.
    lent: Option<Exposed>,
    entry: Entry,
    /// Ranks that were told.
    registered: Vec<Rank>,
}

/// The segments of a rank, and what it knows of others'.
pub(crate) struct Segments {
    own: RwLock<Vec<Option<Segment>>>,
    /// By rank, then segment.
    links: RwLock<Vec<Option<Link>>>,
    numbers: AtomicU64,
}

// SAFETY: addresses of exposed memory, and of memory that the program lends, whatever the thread.
unsafe impl Send for Segments {}
// SAFETY: the tables, which hold addresses, are under locks.
unsafe impl Sync for Segments {}

/// Lends memory of the program to the transport; `None` where it takes none.
fn lend(net: &Net, memory: NonNull<u8>, size: usize) -> Option<Exposed> {
    let before = memory.as_ptr() as usize % ALIGNED;
    // SAFETY: within the page of the memory, so it is mapped, too.
    let base = unsafe { memory.sub(before) };
    let bytes = (before + size).next_multiple_of(ALIGNED);
    // SAFETY: the program lends its memory until it deletes the segment, whatever others do with it; what lies beside
    // it, up to a multiple of 64, is mapped, for pages begin and end there, and nobody is told of it.
    unsafe { net.fabric().expose_lent(base, bytes) }.ok()
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

impl Segments {
    pub(crate) fn new(ranks: u32) -> Self {
        Self {
            own: RwLock::new((0..ROOM).map(|_| None).collect()),
            links: RwLock::new(vec![None; ROOM * ranks as usize]),
            numbers: AtomicU64::new(1),
        }
    }

    /// A segment of this rank.
    ///
    /// # Errors
    /// SEGMENT: none.
    #[inline]
    pub(crate) fn local(&self, segment: SegmentId) -> Outcome<Local> {
        let own = read(&self.own);
        own[segment as usize]
            .as_ref()
            .map(|segment| segment.local)
            .ok_or(Failure::SEGMENT)
    }

    /// The numbers of the own segments, from low to high.
    pub(crate) fn list(&self) -> Vec<SegmentId> {
        let own = read(&self.own);
        (0..=u8::MAX)
            .filter(|&segment| own[segment as usize].is_some())
            .collect()
    }

    /// New memory, and with `memory` the program's own.
    ///
    /// # Errors
    /// SEGMENT: it exists, or cannot; SEGMENT_SIZE: 0 bytes; MEMORY.
    pub(crate) fn allocate(
        &self,
        net: &Net,
        board: &Board,
        segment: SegmentId,
        size: Size,
        memory: Option<NonNull<u8>>,
    ) -> Outcome {
        if segment as usize >= SEGMENTS {
            return Err(Failure::SEGMENT);
        }
        let size = usize::try_from(size).map_err(|_| Failure::SEGMENT_SIZE)?;
        let bytes = match memory {
            None => size
                .checked_add(NOTIFIED)
                .filter(|&bytes| bytes <= isize::MAX as usize),
            Some(_) => Some(NOTIFIED),
        };
        let bytes = bytes.filter(|_| size > 0).ok_or(Failure::SEGMENT_SIZE)?;
        let mut own = write(&self.own);
        if own[segment as usize].is_some() {
            return Err(Failure::SEGMENT);
        }
        let exposed = net.fabric().expose(bytes).map_err(|error| {
            eprintln!("farside-gaspi: rank {}: {error}", net.rank());
            Failure::MEMORY
        })?;
        if memory.is_some() {
            foreign::allow();
        }
        let base = match memory {
            Some(memory) => memory,
            // SAFETY: the region has so many bytes, and the data after them.
            None => unsafe { exposed.base.add(NOTIFIED) },
        };
        let lent = memory.and_then(|memory| lend(net, memory, size));
        let entry = Entry::new(
            self.numbers.fetch_add(1, Ordering::Relaxed),
            size as u64,
            memory.map_or(0, |memory| memory.as_ptr() as u64),
            (&exposed.descriptor, lent.as_ref().map(|lent| &lent.descriptor)),
        );
        board.tell(net, net.rank(), segment, Some(&entry))?;
        own[segment as usize] = Some(Segment {
            local: Local {
                base,
                size: size as u64,
                cells: exposed.base.cast(),
            },
            exposed,
            lent,
            entry,
            registered: Vec::new(),
        });
        Ok(())
    }

    /// Tells a rank of a segment (GASPI 17.1 §7.2.2).
    pub(crate) fn register(&self, net: &Net, board: &Board, segment: SegmentId, rank: Rank) -> Outcome {
        let mut own = write(&self.own);
        let found = own[segment as usize].as_mut().ok_or(Failure::SEGMENT)?;
        if rank != net.rank() && !found.registered.contains(&rank) {
            board.tell(net, rank, segment, Some(&found.entry))?;
            found.registered.push(rank);
        }
        Ok(())
    }

    /// Ends a segment, and tells those that know it. Nobody uses it any more: as the program promises.
    pub(crate) fn delete(&self, net: &Net, board: &Board, segment: SegmentId) -> Outcome {
        let mut own = write(&self.own);
        let found = own[segment as usize].take().ok_or(Failure::SEGMENT)?;
        board.tell(net, net.rank(), segment, None)?;
        for rank in found.registered {
            // One that is lost, or has ended, needs not to know.
            if !net.is_corrupt(rank) {
                let _ = board.tell(net, rank, segment, None);
            }
        }
        self.forget(net, net.rank(), segment);
        // SAFETY: nobody touches a segment that is deleted (GASPI 17.1 §7.2.5), and the caller has completed what was
        // under way here.
        let withdraw = |exposed: Exposed| unsafe { net.fabric().withdraw(exposed.region) };
        let withdrawn = found.lent.map_or(Ok(()), withdraw);
        let withdrawn = withdraw(found.exposed).and(withdrawn);
        withdrawn.map_err(|error| net.failure(&error))
    }

    fn forget(&self, net: &Net, rank: Rank, segment: SegmentId) {
        let link = write(&self.links)[rank as usize * ROOM + segment as usize].take();
        if let Some(link) = link {
            // SAFETY: its owner has deleted the segment, so that nobody uses it.
            unsafe { link.disconnect(net) };
        }
    }

    /// A segment that a rank, perhaps this one, has registered here.
    ///
    /// # Errors
    /// SEGMENT: none.
    #[inline]
    pub(crate) fn link(&self, net: &Net, board: &Board, rank: Rank, segment: SegmentId) -> Outcome<Link> {
        let number = board.number(rank, segment);
        let known = read(&self.links)[rank as usize * ROOM + segment as usize];
        match known {
            Some(link) if link.number == number => Ok(link),
            _ => self.connect(net, board, rank, segment),
        }
    }

    #[cold]
    fn connect(&self, net: &Net, board: &Board, rank: Rank, segment: SegmentId) -> Outcome<Link> {
        self.forget(net, rank, segment);
        let entry = board.entry(rank, segment)?;
        let remote = net.fabric().connect(rank, entry.descriptor());
        let remote = remote.map_err(|error| net.failure(&error))?;
        let data = match entry.bound() {
            0 => Data::Region(remote, NOTIFIED),
            address if rank == net.rank() => Data::Own(address),
            address if net.fabric().node(rank) == net.fabric().node(net.rank()) => {
                match board.process(rank) {
                    Some(process) => Data::Process(process, address),
                    None => Data::Unreachable,
                }
            }
            address => match entry.lent().map(|lent| net.fabric().connect(rank, lent)) {
                Some(Ok(lent)) => Data::Region(lent, address as usize % ALIGNED),
                Some(Err(error)) => return Err(net.failure(&error)),
                None => Data::Unreachable,
            },
        };
        let link = Link {
            number: entry.number(),
            size: entry.size(),
            data,
            remote,
        };
        let mut links = write(&self.links);
        let slot = &mut links[rank as usize * ROOM + segment as usize];
        match *slot {
            // Another thread was faster.
            Some(other) if other.number == link.number => {
                // SAFETY: connected above, and nobody has seen it.
                unsafe { link.disconnect(net) };
                Ok(other)
            }
            _ => {
                *slot = Some(link);
                Ok(link)
            }
        }
    }
}
