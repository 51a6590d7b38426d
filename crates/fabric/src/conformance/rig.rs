//! What the checks are built from: a barrier and an exchange by messages, regions that all share, plain puts and gets.

use super::{Extent, Failure};
use crate::{
    CompareSwap, Descriptor, Error, Exposed, Fabric, Fetch, Get, Message, Put, Rank, Remote, Result, Scope,
    Signal, Ticket,
};
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tags of the rig's own messages; those of checks are below.
const OWN: u64 = 1 << 63;

/// An endpoint with what checks need.
pub struct Rig<'f> {
    /// The endpoint.
    pub fabric: &'f dyn Fabric,
    /// How far the checks go.
    pub extent: Extent,
    /// Messages that came before they were asked for.
    early: RefCell<Vec<Message>>,
    /// Number of barriers and exchanges so far.
    turn: Cell<u64>,
}

/// A region of each rank, connected by all.
pub struct Shared {
    /// The own one.
    pub own: Exposed,
    /// Those of all ranks.
    pub remotes: Vec<Remote>,
    /// The scope of operations on them.
    pub scope: Scope,
}

impl<'f> Rig<'f> {
    /// For an endpoint that nobody else receives messages of.
    #[must_use]
    pub fn new(fabric: &'f dyn Fabric, extent: Extent) -> Self {
        Self {
            fabric,
            extent,
            early: RefCell::default(),
            turn: Cell::default(),
        }
    }

    /// The own rank.
    #[must_use]
    pub fn rank(&self) -> Rank {
        self.fabric.rank()
    }

    /// Number of ranks.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.fabric.size()
    }

    /// The next rank in the ring.
    #[must_use]
    pub fn next(&self) -> Rank {
        (self.rank() + 1) % self.size()
    }

    /// The one before in the ring.
    #[must_use]
    pub fn previous(&self) -> Rank {
        (self.rank() + self.size() - 1) % self.size()
    }

    /// Waits for a condition.
    ///
    /// # Errors
    /// The transport's, and that of the time limit.
    pub fn until(&self, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()> {
        self.fabric.wait(Some(self.extent.limit), ready)
    }

    /// The next message with a tag of a rank.
    ///
    /// # Errors
    /// The transport's, and that of the time limit.
    pub fn message(&self, source: Rank, tag: u64) -> Result<Vec<u8>> {
        let mut found = None;
        self.until(&mut || {
            while let Some(message) = self.fabric.receive()? {
                self.early.borrow_mut().push(message);
            }
            let mut early = self.early.borrow_mut();
            found = early
                .iter()
                .position(|message| message.source == source && message.tag == tag)
                .map(|at| early.remove(at).bytes);
            Ok(found.is_some())
        })?;
        found.ok_or(Error::Stale("a message"))
    }

    fn turn(&self) -> u64 {
        self.turn.set(self.turn.get() + 1);
        OWN | self.turn.get() << 8
    }

    /// Waits for all ranks, by messages.
    ///
    /// # Errors
    /// The transport's, and that of the time limit.
    pub fn barrier(&self) -> Result<()> {
        let turn = self.turn();
        let (mut distance, mut round) = (1, 0);
        while distance < self.size() {
            self.fabric
                .send((self.rank() + distance) % self.size(), turn | round, &[])?;
            self.message((self.rank() + self.size() - distance) % self.size(), turn | round)?;
            distance *= 2;
            round += 1;
        }
        Ok(())
    }

    /// What each rank gives, at all.
    ///
    /// # Errors
    /// The transport's, and that of the time limit.
    pub fn exchange(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        let turn = self.turn();
        for rank in 0..self.size() {
            self.fabric.send(rank, turn, bytes)?;
        }
        (0..self.size()).map(|rank| self.message(rank, turn)).collect()
    }

    /// A region of each rank.
    ///
    /// # Errors
    /// The transport's.
    pub fn share(&self, bytes: usize) -> Result<Shared> {
        let own = self.fabric.expose(bytes)?;
        let remotes = self
            .exchange(own.descriptor.bytes())?
            .iter()
            .zip(0..)
            .map(|(descriptor, rank)| self.fabric.connect(rank, &Descriptor::new(descriptor)?))
            .collect::<Result<_>>()?;
        let shared = Shared {
            own,
            remotes,
            scope: self.fabric.open_scope()?,
        };
        self.barrier()?;
        Ok(shared)
    }

    /// Ends what [`Rig::share`] began.
    ///
    /// # Errors
    /// The transport's.
    pub fn unshare(&self, shared: Shared) -> Result<()> {
        self.fabric.flush(shared.scope, None)?;
        self.barrier()?;
        self.fabric.close_scope(shared.scope)?;
        for remote in shared.remotes {
            // SAFETY: all operations are complete, by the flush.
            unsafe { self.fabric.disconnect(remote)? };
        }
        self.barrier()?;
        // SAFETY: all ranks have disconnected, by the barrier.
        unsafe { self.fabric.withdraw(shared.own.region)? };
        Ok(())
    }

    /// Starts a put. The buffer must live until local completion, which checks see to.
    ///
    /// # Errors
    /// The transport's.
    pub fn put(&self, shared: &Shared, target: Rank, displacement: usize, bytes: &[u8]) -> Result<Ticket> {
        self.put_signal(shared, target, displacement, bytes, Signal::None)
    }

    /// Starts a put with a signal.
    ///
    /// # Errors
    /// The transport's.
    pub fn put_signal(
        &self,
        shared: &Shared,
        target: Rank,
        displacement: usize,
        bytes: &[u8],
        signal: Signal,
    ) -> Result<Ticket> {
        let put = Put {
            scope: shared.scope,
            origin: bytes.as_ptr(),
            bytes: bytes.len(),
            remote: shared.remotes[target as usize],
            displacement,
            signal,
        };
        // SAFETY: checks flush before their buffers go, and do not write them before.
        unsafe { self.fabric.put(&put) }
    }

    /// Starts a get.
    ///
    /// # Errors
    /// The transport's.
    pub fn get(
        &self,
        shared: &Shared,
        target: Rank,
        displacement: usize,
        bytes: &mut [u8],
    ) -> Result<Ticket> {
        let get = Get {
            scope: shared.scope,
            origin: bytes.as_mut_ptr(),
            bytes: bytes.len(),
            remote: shared.remotes[target as usize],
            displacement,
        };
        // SAFETY: checks flush before they touch their buffers.
        unsafe { self.fabric.get(&get) }
    }

    /// Starts atomic operations.
    ///
    /// # Errors
    /// The transport's.
    pub fn fetch(&self, fetch: &Fetch) -> Result<Ticket> {
        // SAFETY: checks give buffers for `count` elements, and flush before they touch them.
        unsafe { self.fabric.fetch(fetch) }
    }

    /// Starts a compare-and-swap.
    ///
    /// # Errors
    /// The transport's.
    pub fn compare_swap(&self, swap: &CompareSwap) -> Result<Ticket> {
        // SAFETY: checks give buffers for an element, and flush before they touch them.
        unsafe { self.fabric.compare_swap(swap) }
    }

    /// Completes everything of a shared region.
    ///
    /// # Errors
    /// The transport's.
    pub fn flush(&self, shared: &Shared) -> Result<()> {
        self.fabric.flush(shared.scope, None)
    }
}

impl Shared {
    /// The 8 bytes of the own region at a byte, which is a multiple of 8.
    #[must_use]
    pub fn word(&self, at: usize) -> &AtomicU64 {
        assert!(at.is_multiple_of(8) && at + 8 <= self.own.bytes);
        // SAFETY: in bounds, aligned, and alive as long as the region; others write it as transports do.
        unsafe { &*self.own.base.as_ptr().add(at).cast::<AtomicU64>() }
    }

    /// A word, seen after all that was written before it.
    #[must_use]
    pub fn load(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::SeqCst)
    }

    /// A copy of own bytes.
    #[must_use]
    pub fn copy(&self, at: usize, bytes: usize) -> Vec<u8> {
        assert!(at + bytes <= self.own.bytes);
        // Volatile reads: others may have written them, and are done.
        (at..at + bytes)
            // SAFETY: in bounds.
            .map(|byte| unsafe { self.own.base.as_ptr().add(byte).read_volatile() })
            .collect()
    }

    /// Stores own bytes.
    pub fn fill(&self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= self.own.bytes);
        for (byte, value) in bytes.iter().enumerate() {
            // SAFETY: in bounds.
            unsafe { self.own.base.as_ptr().add(at + byte).write_volatile(*value) };
        }
    }
}

/// Bytes that tell where they come from: by rank, round and place.
#[must_use]
pub(super) fn pattern(rank: Rank, round: u32, bytes: usize) -> Vec<u8> {
    let seed = u64::from(rank) << 32 | u64::from(round);
    (0..bytes as u64)
        .map(|at| {
            let mixed = (seed ^ at.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            (mixed >> 56) as u8
        })
        .collect()
}

/// Where two byte strings differ, as a message.
pub(super) fn same(what: &str, found: &[u8], wanted: &[u8]) -> super::Checked {
    if found == wanted {
        return Ok(());
    }
    let at = found.iter().zip(wanted).position(|(a, b)| a != b);
    Err(Failure::Wrong(format!(
        "{what}: {} bytes, {} wanted; first difference at byte {at:?}: {:?} instead of {:?}",
        found.len(),
        wanted.len(),
        at.map(|at| found[at]),
        at.map(|at| wanted[at]),
    )))
}
