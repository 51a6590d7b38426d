//! Small collective calls: every rank gives a few bytes, and gets those of all, by puts into one another's memory.
//!
//! The steps are those of the allgather of messages (Bruck et al., TPDS 1997), in the other direction: in step k a rank
//! puts all that it has into a slot of the rank 2^k further on, and then a flag that says so. That pays where memory is
//! mapped and keeps the order of puts; elsewhere messages do it, one a step (a reduce-scatter of 256 bytes over TCP
//! with 2 ranks: 12 us for 42). Before the bytes goes a code of the collective calls until now ([`crate::matching`]):
//! bytes of another call are not taken. As with the flags of the barrier, two slots a step are used in turn: a rank
//! that writes a slot again has heard, one call before, of everybody that they have read it.

use crate::endpoint::Core;
use crate::flags;
use crate::{Error, Rank, Result};
use farside_fabric::{Put, Remote, Scope, Signal, Ticket};
use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a slot.
const SLOT: usize = 1024;

/// Before a slot, in a cache line of its own: the flag, and at its end the code.
const FLAG_BYTES: usize = 64;

/// Bytes of the code, which is put together with what follows it.
const CODE: usize = 8;

/// Bytes of all ranks together up to which a call is small: half of them are the most that a step moves.
pub(crate) const SMALL: usize = 2 * SLOT;

/// The bits of the flag that count bytes; those above count calls.
const LENGTH_BITS: u32 = 16;

/// Memory of the slots, in bytes.
pub(crate) fn bytes(size: u32) -> usize {
    flags::rounds(size) as usize * 2 * (FLAG_BYTES + SLOT)
}

/// The slots of a rank of a group.
pub(crate) struct Slots {
    base: NonNull<u8>,
    /// Of the first slot.
    displacement: usize,
    to: Box<[Remote]>,
    /// What is put, by step and turn.
    out: Box<[Out]>,
    count: Cell<u64>,
    broken: Cell<bool>,
    /// Where calls gather; not there while one does.
    scratch: Cell<Option<Scratch>>,
}

/// Room for what all ranks give, aligned to a word.
pub(crate) type Scratch = Box<[u64; SMALL / 8]>;

struct Out {
    flag: AtomicU64,
    /// The code, and what follows it.
    bytes: UnsafeCell<[u8; CODE + SLOT]>,
    tickets: [Cell<Ticket>; 2],
}

impl Slots {
    /// Slots at `displacement` of the memory at `base`, and at the same place at the others; `to` connects to the rank
    /// of each step.
    ///
    /// # Safety
    /// As for `Flags::new`, with the bytes of this module.
    pub(crate) unsafe fn new(base: NonNull<u8>, displacement: usize, to: &[Remote]) -> Self {
        let out = || Out {
            flag: AtomicU64::new(0),
            bytes: UnsafeCell::new([0; CODE + SLOT]),
            tickets: [Cell::new(Ticket::DONE), Cell::new(Ticket::DONE)],
        };
        Self {
            base,
            displacement,
            to: to.into(),
            out: (0..2 * to.len()).map(|_| out()).collect(),
            count: Cell::new(0),
            broken: Cell::new(false),
            scratch: Cell::new(None),
        }
    }

    /// What operations that may be under way read, if there are such; no call works from then on.
    pub(crate) fn under_way(&mut self) -> Option<Box<dyn Any>> {
        self.broken.set(true);
        let out = std::mem::take(&mut self.out);
        let is_quiet = |out: &Out| out.tickets.iter().all(|ticket| ticket.get() == Ticket::DONE);
        (!out.iter().all(is_quiet)).then(|| Box::new(out) as Box<dyn Any>)
    }

    /// Room for a call.
    pub(crate) fn scratch(&self) -> Scratch {
        self.scratch.take().unwrap_or_else(|| Box::new([0; SMALL / 8]))
    }

    /// Takes room back.
    pub(crate) fn keep(&self, scratch: Scratch) {
        self.scratch.set(Some(scratch));
    }

    /// Whether so many bytes of each rank can go this way.
    pub(crate) fn carry(core: &Core, size: u32, bytes: usize) -> bool {
        let capabilities = core.fabric().capabilities();
        bytes.saturating_mul(size as usize) <= SMALL && capabilities.mapped && capabilities.write_after_write
    }

    /// Gives `own` bytes to all, and gets those of all, by rank; as many of each. The caller has asked
    /// [`Slots::carry`], and gives something.
    pub(crate) fn gather(
        &self,
        core: &Core,
        scope: Scope,
        me: Rank,
        own: &[u8],
        all: &mut [u8],
    ) -> Result<()> {
        if self.broken.get() {
            return Err(Error::Broken("group"));
        }
        let result = self.pass(core, scope, me, own, all);
        if result.is_err() {
            self.broken.set(true);
        }
        result
    }

    fn pass(&self, core: &Core, scope: Scope, me: Rank, own: &[u8], all: &mut [u8]) -> Result<()> {
        let length = own.len();
        let size = all.len() / length;
        let count = self.count.get() + 1;
        self.count.set(count);
        // The block of the rank that is so many before this one.
        let block = |before: usize| {
            let rank = (me as usize + size - before) % size;
            rank * length..(rank + 1) * length
        };
        all[block(0)].copy_from_slice(own);
        let code = core.matching.code().to_ne_bytes();
        let mut have = 1;
        for step in 0..self.to.len() {
            let blocks = have.min(size - have);
            let slot = 2 * step + (count & 1) as usize;
            let out = &self.out[slot];
            for ticket in &out.tickets {
                core.complete(&|| core.collective(Some(self.to[step].target())), ticket.get())?;
            }
            // SAFETY: the buffer is ours, since what was put from it last is complete.
            let sent = unsafe { out.bytes.get().cast::<u8>().add(CODE) };
            // SAFETY: the buffer is ours, and begins with `CODE` bytes for the code, before `sent`.
            unsafe { sent.sub(CODE).copy_from_nonoverlapping(code.as_ptr(), CODE) };
            for index in 0..blocks {
                // SAFETY: within the buffer: `blocks` blocks fit, for the call is small.
                let place = unsafe { sent.add(index * length) };
                // SAFETY: a block of the buffer, which is ours, and one of `all`, which does not overlap with it.
                unsafe { place.copy_from_nonoverlapping(all[block(index)].as_ptr(), length) };
            }
            let value = count << LENGTH_BITS | (blocks * length) as u64;
            out.flag.store(value, Ordering::Relaxed);
            self.put(core, scope, step, slot, CODE + blocks * length)?;
            let theirs = self.wait(core, slot, value, code)?;
            for index in 0..blocks {
                let to = &mut all[block(have + index)];
                // SAFETY: the flag says that so many bytes are in the slot, and they are written again only when all
                // ranks have been told that this call is over.
                unsafe {
                    to.as_mut_ptr()
                        .copy_from_nonoverlapping(theirs.add(index * length), length)
                };
            }
            have += blocks;
        }
        Ok(())
    }

    /// Puts the code and the bytes of a slot, and then its flag.
    fn put(&self, core: &Core, scope: Scope, step: usize, slot: usize, bytes: usize) -> Result<()> {
        let out = &self.out[slot];
        let displacement = self.displacement + slot * (FLAG_BYTES + SLOT);
        let put = |origin: *const u8, bytes: usize, displacement: usize| Put {
            scope,
            origin,
            bytes,
            remote: self.to[step],
            displacement,
            signal: Signal::None,
        };
        let payload = put(
            out.bytes.get().cast_const().cast(),
            bytes,
            displacement + FLAG_BYTES - CODE,
        );
        let flag = put(out.flag.as_ptr().cast_const().cast(), 8, displacement);
        // SAFETY: both origins are in a box that lives as long as `self`, and are not written before the tickets are
        // complete; the memory of the target stays exposed and connected, by the promise of `new`.
        unsafe {
            out.tickets[0].set(core.fabric().put(&payload)?);
            out.tickets[1].set(core.fabric().put(&flag)?);
        }
        core.fabric().send_held();
        Ok(())
    }

    /// Waits for the flag of an own slot, and gives the place of its bytes.
    fn wait(&self, core: &Core, slot: usize, value: u64, code: [u8; CODE]) -> Result<*const u8> {
        let displacement = self.displacement + slot * (FLAG_BYTES + SLOT);
        // SAFETY: within the own exposed memory, by the promise of `new`.
        let place = unsafe { self.base.add(displacement) };
        // SAFETY: aligned to 64 bytes; written from outside of this reference by aligned puts of 8 bytes only.
        let flag = unsafe { place.cast::<AtomicU64>().as_ref() };
        let mut seen = flag.load(Ordering::Acquire);
        if seen >> LENGTH_BITS < value >> LENGTH_BITS {
            core.wait(|| {
                seen = flag.load(Ordering::Acquire);
                Ok(seen >> LENGTH_BITS >= value >> LENGTH_BITS)
            })?;
        }
        // SAFETY: within the own exposed memory; the flag says that the code is there, which is not written before this
        // rank has left.
        let theirs = unsafe { place.add(FLAG_BYTES - CODE).cast::<[u8; CODE]>().read() };
        if seen != value || theirs != code {
            return Err(core.mismatch());
        }
        // SAFETY: within the own exposed memory.
        Ok(unsafe { place.add(FLAG_BYTES) }.as_ptr().cast_const())
    }
}
