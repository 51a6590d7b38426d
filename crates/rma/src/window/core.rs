//! What a window consists of, without its types: the memory of all ranks, connections, and what is pending.

use crate::fence::flush::Flush;
use crate::fence::record::Record;
use crate::fence::{self, Fence, FenceDesign};
use crate::flags::{self, Flags, Meeting};
use crate::pool::{Pool, Slot};
use crate::sparse::Sparse;
use crate::window::address::{Addresses, Agreement};
use crate::window::header::Header;
use crate::world::Core;
use crate::{Error, Group, Rank, Result};
use farside_fabric::{Exposed, Fabric, Remote, Scope, Ticket};
use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// Cells of operands that may wait for a completion before one is forced.
const LEFT: usize = 1024;

/// A window of a rank.
pub(crate) struct WindowCore {
    pub(crate) group: Group,
    /// The same at all ranks, and that of no other window of theirs.
    pub(crate) name: u64,
    pub(crate) element_bytes: usize,
    pub(crate) header: Header,
    pub(crate) exposed: Exposed,
    pub(crate) scope: Scope,
    pub(crate) pool: Pool,
    /// The number of the window in immediates; `None` if all were taken.
    pub(crate) slot: Option<u8>,
    pub(crate) design: Box<dyn FenceDesign>,
    pub(crate) record: Record,
    /// Exposures to each rank, and accesses to each rank, so far (post, start).
    exposures: Sparse<Cell<u64>>,
    accesses: Sparse<Cell<u64>>,
    /// Ranks at which this one holds a lock.
    pub(crate) held: RefCell<Vec<Rank>>,
    /// Ranks at which the open lock_all epoch holds a lock: a list, and a bit for each.
    pub(crate) demand: RefCell<Demand>,
    /// Connections to memory that others attached.
    pub(crate) connected: RefCell<Vec<Remote>>,
    /// Own memory that was attached.
    pub(crate) attached: Rc<RefCell<Vec<Exposed>>>,
    pub(crate) addresses: Addresses,
    remotes: Sparse<OnceCell<Remote>>,
    flags: Flags,
    /// Buffers of requests that nobody waits for.
    orphans: RefCell<Vec<Box<dyn Any>>>,
    /// Something was started since the last completion of all.
    pub(crate) pending: Cell<bool>,
    /// An atomic operation was started since then.
    pub(crate) pending_atomics: Cell<bool>,
    /// Epochs that are open.
    open: Cell<u32>,
    broken: Cell<bool>,
    freed: Cell<bool>,
}

/// Locks of a lock_all epoch.
#[derive(Default)]
pub(crate) struct Demand {
    pub(crate) ranks: Vec<Rank>,
    pub(crate) bits: Vec<u64>,
}

impl WindowCore {
    /// Exposes memory at all ranks and tells everybody where it is. Collective.
    pub(crate) fn create(group: &Group, elements: usize, element_bytes: usize) -> Result<Self> {
        let group = group.clone();
        let name = group.next_window();
        let core = Rc::clone(group.core());
        let size = group.size();
        let header = Header::new(size);
        let exposed = elements
            .checked_mul(element_bytes)
            .and_then(|bytes| bytes.checked_add(header.bytes))
            .ok_or(Error::Layout("it is longer than the address space"))
            .and_then(|bytes| Ok(core.fabric().expose(bytes)?));
        let agreement = Agreement::reach(&group, element_bytes, exposed.as_ref().ok())?;
        let exposed = exposed?;
        agreement.check(element_bytes)?;
        let addresses = Addresses::exchange(&group, &exposed, elements, &agreement)?;
        let mut to = Vec::new();
        for round in 0..flags::rounds(size) {
            let (target, _) = flags::partners(group.rank(), size, round);
            let world = group.world_rank(target)?;
            to.push(core.fabric().connect(world, &addresses.descriptor(target)?)?);
        }
        // SAFETY: the header has room for the flags, at the same place at all ranks of the group; the memory is new. It is
        // withdrawn after the last meeting only.
        let flags = unsafe { Flags::new(exposed.base, header.flags, &to) };
        let scope = core.fabric().open_scope()?;
        let mut window = Self {
            name,
            element_bytes,
            header,
            scope,
            exposed,
            pool: Pool::default(),
            slot: agreement.take_slot(&core),
            design: Box::new(Flush),
            record: Record::new(size),
            exposures: Sparse::new(size as usize),
            accesses: Sparse::new(size as usize),
            held: RefCell::default(),
            demand: RefCell::default(),
            connected: RefCell::default(),
            attached: Rc::default(),
            addresses,
            remotes: Sparse::new(size as usize),
            flags,
            orphans: RefCell::default(),
            pending: Cell::new(false),
            pending_atomics: Cell::new(false),
            open: Cell::new(0),
            broken: Cell::new(false),
            freed: Cell::new(false),
            group,
        };
        let design = fence::from_environment()?;
        if design != Fence::Flush {
            window.design = fence::make(&window, design)?;
        }
        Ok(window)
    }

    pub(crate) fn core(&self) -> &Core {
        self.group.core()
    }

    pub(crate) fn fabric(&self) -> &dyn Fabric {
        self.core().fabric()
    }

    /// The connection to the memory of a rank, made when it is first used.
    pub(crate) fn remote(&self, rank: Rank) -> Result<Remote> {
        let Some(cell) = self.remotes.get(rank as usize) else {
            return Err(Error::RankOutOfRange {
                rank,
                size: self.group.size(),
            });
        };
        if let Some(remote) = cell.get() {
            return Ok(*remote);
        }
        let world = self.group.world_rank(rank)?;
        let remote = self.fabric().connect(world, &self.addresses.descriptor(rank)?)?;
        Ok(*cell.get_or_init(|| remote))
    }

    /// Counts an exposure to a rank (post).
    pub(crate) fn count_exposure(&self, origin: Rank) -> Result<u64> {
        self.count(&self.exposures, origin)
    }

    /// Counts an access to a rank (start).
    pub(crate) fn count_access(&self, target: Rank) -> Result<u64> {
        self.count(&self.accesses, target)
    }

    /// Exposures to a rank so far.
    pub(crate) fn exposures_to(&self, origin: Rank) -> u64 {
        self.exposures.get(origin as usize).map_or(0, Cell::get)
    }

    /// Accesses to a rank so far.
    pub(crate) fn accesses_to(&self, target: Rank) -> u64 {
        self.accesses.get(target as usize).map_or(0, Cell::get)
    }

    fn count(&self, counts: &Sparse<Cell<u64>>, rank: Rank) -> Result<u64> {
        let size = self.group.size();
        let count = counts
            .get(rank as usize)
            .ok_or(Error::RankOutOfRange { rank, size })?;
        count.set(count.get() + 1);
        Ok(count.get())
    }

    /// Remembers that an operation was started.
    pub(crate) fn started(&self) {
        self.pending.set(true);
    }

    /// Remembers that an atomic operation was started.
    pub(crate) fn started_atomic(&self) {
        self.pending.set(true);
        self.pending_atomics.set(true);
    }

    /// Gives back a cell whose operation was started: now, or when it is complete.
    pub(crate) fn leave(&self, slot: Slot, ticket: Ticket) -> Result<()> {
        if ticket == Ticket::DONE {
            self.pool.give_back(slot);
        } else if self.pool.leave(slot) > LEFT {
            self.flush_local()?;
        }
        Ok(())
    }

    /// Keeps a buffer until all operations are complete.
    pub(crate) fn adopt(&self, buffer: Box<dyn Any>) {
        self.orphans.borrow_mut().push(buffer);
    }

    /// Completes all operations locally.
    pub(crate) fn flush_local(&self) -> Result<()> {
        if self.pending.get() {
            self.hurry()?;
            self.fabric().flush_local(self.scope, None)?;
            self.completed();
        }
        Ok(())
    }

    /// Completes all operations at their targets.
    pub(crate) fn flush(&self) -> Result<()> {
        if self.pending.get() {
            self.fabric().flush(self.scope, None)?;
            self.completed();
            self.pending.set(false);
            self.pending_atomics.set(false);
        }
        Ok(())
    }

    /// Completes all operations locally, and those at their targets of which these learn nothing: what the targets of others
    /// learn, the fence waits for there.
    pub(crate) fn complete_unsignalled(&self) -> Result<()> {
        let unsignalled = self.record.take_unsignalled();
        if self.pending.get() {
            let fabric = self.fabric();
            if unsignalled || self.pending_atomics.get() {
                self.core().wait(|| Ok(fabric.is_flushed(self.scope)?))?;
            } else {
                self.core().wait(|| Ok(fabric.is_flushed_locally(self.scope)?))?;
            }
            self.completed();
            self.pending.set(false);
            self.pending_atomics.set(false);
        }
        Ok(())
    }

    /// Completes what is queued for the fence, if somebody wants it earlier.
    fn hurry(&self) -> Result<()> {
        match self.record.deferred() {
            Some(deferred) if self.record.is_deferred() => deferred.hurry(),
            _ => Ok(()),
        }
    }

    /// Waits until an operation is complete locally.
    pub(crate) fn complete(&self, ticket: Ticket) -> Result<()> {
        if fence::deferred::is_queued(ticket) && self.record.is_deferred() {
            return self.hurry();
        }
        self.core().complete(ticket)
    }

    /// Whether an operation is complete locally.
    pub(crate) fn is_complete(&self, ticket: Ticket) -> Result<bool> {
        match self.record.deferred() {
            Some(deferred) if fence::deferred::is_queued(ticket) && self.record.is_deferred() => {
                deferred.test(ticket)
            }
            _ => Ok(ticket == Ticket::DONE || self.fabric().test(ticket)?),
        }
    }

    /// Completes all operations to a rank there.
    pub(crate) fn flush_to(&self, rank: Rank) -> Result<()> {
        let world = self.group.world_rank(rank)?;
        Ok(self.fabric().flush(self.scope, Some(world))?)
    }

    /// All operations are complete locally.
    pub(crate) fn completed(&self) {
        self.pool.completed();
        let mut orphans = self.orphans.borrow_mut();
        if !orphans.is_empty() {
            orphans.clear();
        }
    }

    /// Waits for all ranks of the window in a collective function.
    pub(crate) fn meet(&self, meeting: Meeting) -> Result<()> {
        self.flags.meet(self.core(), self.scope, meeting)
    }

    /// An epoch begins.
    pub(crate) fn enter(&self) -> Result<()> {
        self.check()?;
        self.open.set(self.open.get() + 1);
        Ok(())
    }

    /// An epoch, all operations of which are complete, ended.
    pub(crate) fn leave_epoch(&self) {
        self.open.set(self.open.get() - 1);
        if self.open.get() == 0 {
            self.pool.reset();
        }
    }

    /// Refuses a window that an earlier call left in a state that nobody knows.
    pub(crate) fn check(&self) -> Result<()> {
        if self.broken.get() {
            return Err(Error::Broken("window"));
        }
        Ok(())
    }

    /// A call failed midway: nobody knows who accesses what.
    pub(crate) fn break_off(&self) {
        self.broken.set(true);
    }

    /// Breaks the window off if a call that changes its state failed.
    pub(crate) fn guard<R>(&self, result: Result<R>) -> Result<R> {
        if result.is_err() {
            self.break_off();
        }
        result
    }

    /// Address of the own memory, behind the header.
    pub(crate) fn base(&self) -> *mut u8 {
        // SAFETY: the memory is at least as long as the header.
        unsafe { self.exposed.base.as_ptr().add(self.header.bytes) }
    }

    /// Number of own elements.
    pub(crate) fn own_length(&self) -> usize {
        self.addresses.elements(self.group.rank())
    }

    /// Ends the window at all ranks, and gives memory, connections and names back. Collective. `last` runs when nobody
    /// accesses the memory any more, and the memory is still there.
    pub(crate) fn free(&self, last: impl FnOnce()) -> Result<()> {
        self.check()?;
        self.guard(self.meet(Meeting::Free))?;
        last();
        self.freed.set(true);
        // The flags of this meeting have arrived everywhere when the group has met behind it.
        let fabric = self.fabric();
        fabric.flush(self.scope, None)?;
        self.group.barrier()?;
        fabric.close_scope(self.scope)?;
        if let Some(slot) = self.slot {
            self.core().mailbox.forget(slot);
            self.core().slots.borrow_mut()[usize::from(slot) / 64] &= !(1 << (slot % 64));
        }
        let connections = self.remotes.made().filter_map(OnceCell::get).copied();
        for remote in connections.chain(self.connected.take()) {
            // SAFETY: made by `connect` of this endpoint; all operations are complete, and all epochs, which could hold
            // references, are closed.
            unsafe { fabric.disconnect(remote) }?;
        }
        for exposed in self.attached.take() {
            // SAFETY: all ranks have met after their last operation on the window.
            unsafe { fabric.withdraw(exposed.region) }?;
        }
        // SAFETY: as above; nothing of this rank refers to the memory any more, since `self` is used up by the caller.
        Ok(unsafe { fabric.withdraw(self.exposed.region) }?)
    }
}

impl Drop for WindowCore {
    fn drop(&mut self) {
        if !self.freed.get() {
            // What is pending may use cells of the pool. If this fails, it does so no more (promise 8 of `Fabric`).
            let _ = self.fabric().flush_local(self.scope, None);
            // Others may still access the memory: it stays until the world ends.
            let mut retired = self.core().retired.borrow_mut();
            retired.push(self.exposed.clone());
            retired.append(&mut self.attached.borrow_mut());
        }
    }
}
