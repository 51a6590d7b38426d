//! What a window consists of, without its types: the memory of all ranks, and connections. What is pending on it:
//! [`pending`].

mod completion;
pub(crate) mod condition;
pub(crate) mod pending;
pub(crate) mod scopes;
pub(crate) mod watch;

use crate::endpoint::Core;
use crate::fence::flush::Flush;
use crate::fence::record::Record;
use crate::fence::{self, Fence, FenceDesign};
use crate::flags::{self, Flags, Meeting};
use crate::matching::{Entered, Name, Signature};
use crate::sparse::Sparse;
use crate::waits::{Holds, Wait};
use crate::window::address::{Addresses, Agreement};
use crate::window::core::watch::WindowWatch;
use crate::window::header::Header;
use crate::window::identity::Identity;
use crate::window::late::Late;
use crate::window::peer::{Peer, Peers, Place};
use crate::window::seal::Key;
use crate::{Error, Group, Rank, Result};
use condition::Condition;
use farside_events::Call;
use farside_fabric::{Exposed, Fabric, Remote, Scope};
use pending::Pending;
use scopes::Scopes;
use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::rc::Rc;

/// A window of a rank.
pub(crate) struct WindowCore {
    pub(crate) group: Group,
    /// Whose handles are this window's.
    pub(crate) identity: Identity,
    /// The same at all ranks: what tokens are sealed with.
    pub(super) key: Key,
    /// The same at all ranks, and that of no other window of theirs in this world.
    pub(crate) name: u64,
    pub(crate) element_bytes: usize,
    pub(crate) header: Header,
    pub(crate) exposed: Exposed,
    pub(crate) scope: Scope,
    pub(crate) pending: Pending,
    /// The number of the window in immediates; `None` if all were taken.
    pub(crate) slot: Option<u8>,
    pub(crate) design: Box<dyn FenceDesign>,
    pub(crate) record: Record,
    /// Exposures to each rank, and accesses to each rank, so far (post, start).
    exposures: Sparse<Cell<u64>>,
    accesses: Sparse<Cell<u64>>,
    /// Ranks at which the open lock_all epoch holds a lock.
    pub(crate) demanded: RefCell<Vec<Rank>>,
    /// The lock that is not asked for yet.
    pub(crate) late: Late,
    /// Connections to memory that others attached, and those of the flags.
    pub(crate) connected: RefCell<Vec<Remote>>,
    /// Own memory that was attached.
    pub(crate) attached: Rc<RefCell<Vec<Exposed>>>,
    pub(crate) addresses: Addresses,
    peers: Rc<Peers>,
    flags: Flags,
    /// Epochs that are open.
    open: Cell<u32>,
    condition: Condition,
    /// Those of contexts of other threads.
    scopes: Scopes,
    freed: Cell<bool>,
    /// What is told to the check; `None` if nobody checks.
    pub(crate) watch: Option<WindowWatch>,
}

impl WindowCore {
    /// Exposes memory at all ranks and tells everybody where it is. Collective.
    pub(crate) fn create(group: &Group, elements: usize, element_bytes: usize) -> Result<Self> {
        let group = group.clone();
        let name = group.next_window();
        let core = Rc::clone(group.core());
        let size = group.size();
        let _making = core.matching.making();
        let header = Header::new(size);
        let exposed = elements
            .checked_mul(element_bytes)
            .and_then(|bytes| bytes.checked_add(header.bytes))
            .ok_or(Error::Layout("it is longer than the address space"))
            .and_then(|bytes| Ok((core.fabric().expose(bytes)?, Key::random()?)));
        let agreement = Agreement::reach(&group, element_bytes, exposed.as_ref().ok())?;
        let (exposed, _) = exposed?;
        agreement.check(element_bytes)?;
        let addresses = Addresses::exchange(&group, &exposed, elements, &agreement)?;
        let mut to = Vec::new();
        for round in 0..flags::rounds(size) {
            let (target, _) = flags::partners(group.rank(), size, round);
            let world = group.world_rank(target)?;
            to.push(core.fabric().connect(world, &addresses.descriptor(target)?)?);
        }
        let mut connected = to.clone();
        let mut central = None;
        if group.is_central() {
            let first = core
                .fabric()
                .connect(group.world_rank(0)?, &addresses.descriptor(0)?)?;
            let others = (0..size).filter(|&rank| rank != group.rank());
            let others = others.map(|rank| group.world_rank(rank)).collect::<Result<_>>()?;
            central = core.fabric().direct(&first).map(|way| (way, others));
            connected.push(first);
        }
        // SAFETY: the header has room for the flags, at the same place at all ranks of the group; the memory is new. It
        // is withdrawn after the last meeting only.
        let flags = unsafe { Flags::new(exposed.base, header.flags, &to, central) };
        let scope = core.fabric().open_scope()?;
        let mut window = Self {
            identity: Identity::new(),
            key: agreement.key,
            name,
            element_bytes,
            header,
            scope,
            exposed,
            pending: Pending::default(),
            slot: agreement.take_slot(&core),
            design: Box::new(Flush),
            record: Record::new(size),
            exposures: Sparse::new(size as usize),
            accesses: Sparse::new(size as usize),
            demanded: RefCell::default(),
            late: Late::default(),
            connected: RefCell::new(connected),
            attached: Rc::default(),
            addresses,
            peers: Rc::new(Peers::new(name, size)),
            flags,
            open: Cell::new(0),
            condition: Condition::default(),
            scopes: Scopes::default(),
            freed: Cell::new(false),
            watch: None,
            group,
        };
        let peers: Rc<dyn Holds> = Rc::clone(&window.peers) as _;
        core.know_holder(Rc::downgrade(&peers));
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

    /// What is kept for a rank: the connection to its memory, made when it is first used, and locks.
    #[inline]
    pub(crate) fn peer(&self, rank: Rank) -> Result<&Peer> {
        match self.known_peer(rank) {
            Some(peer) => Ok(peer),
            None => self.connect(rank),
        }
    }

    /// What is kept for a rank, if it is connected.
    #[inline(always)]
    pub(crate) fn known_peer(&self, rank: Rank) -> Option<&Peer> {
        self.peers.known(rank)
    }

    #[cold]
    fn connect(&self, rank: Rank) -> Result<&Peer> {
        let world = self.group.world_rank(rank)?;
        let Some(cell) = self.peers.cell(rank) else {
            return Err(Error::Broken("window"));
        };
        let remote = self.fabric().connect(world, &self.addresses.descriptor(rank)?)?;
        let place = Place::new(
            rank,
            remote,
            self.header.bytes,
            self.addresses.elements(rank),
            self.element_bytes,
            self.fabric().direct(&remote),
        );
        Ok(cell.get_or_init(|| Peer::new(place)))
    }

    /// As errors name it.
    #[cold]
    pub(crate) fn named(&self) -> String {
        let group = match self.group.context() {
            0 => "the world".to_owned(),
            context => format!("group {context}"),
        };
        format!("window {} of {group}", self.name as u32)
    }

    /// What this rank waits for in a call on the window: some ranks of its group, or any.
    #[cold]
    pub(crate) fn waiting(
        &self,
        call: &str,
        place: Option<&Location<'_>>,
        ranks: impl IntoIterator<Item = Rank>,
    ) -> Wait {
        let call = format!("{call} on {}", self.named());
        let targets = ranks
            .into_iter()
            .filter_map(|rank| self.group.world_rank(rank).ok());
        Wait::new(self.fabric().rank(), call, place, targets)
    }

    /// The connection to the memory of a rank.
    pub(crate) fn remote(&self, rank: Rank) -> Result<Remote> {
        Ok(self.peer(rank)?.place.remote)
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

    /// The program makes a collective call on the window.
    ///
    /// # Errors
    /// Earlier calls of the ranks of its group did not match: nobody knows who accesses it.
    #[inline]
    pub(crate) fn signed(&self, name: Name, place: &'static Location<'static>) -> Result<Entered<'_>> {
        let signature = Signature::new(name, place).window(self.name);
        self.guard(self.group.enter(signature))
    }

    /// As [`WindowCore::signed`], of a call that completes an epoch, whatever came before.
    #[inline]
    pub(crate) fn signed_end(&self, name: Name, place: &'static Location<'static>) -> Entered<'_> {
        self.group
            .enter_to_end(Signature::new(name, place).window(self.name))
    }

    /// Waits for all ranks of the window in a collective function.
    pub(crate) fn meet(&self, meeting: Meeting) -> Result<()> {
        self.flags.meet(self.core(), self.group.scope(), meeting)
    }

    /// As [`WindowCore::meet`], after the operations on the window: see [`Flags::meet_after`].
    pub(crate) fn meet_after(&self, meeting: Meeting) -> Result<()> {
        let flags = self.group.scope();
        self.flags
            .meet_after(self.core(), flags, meeting, Some(self.scope))
    }

    /// Whether an epoch is open.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.open.get() > 0
    }

    /// An epoch begins.
    #[inline]
    pub(crate) fn enter(&self) -> Result<()> {
        self.check()?;
        self.open.set(self.open.get() + 1);
        Ok(())
    }

    /// An epoch, all operations of which are complete, ended.
    #[inline]
    pub(crate) fn leave_epoch(&self) {
        self.open.set(self.open.get() - 1);
        if self.open.get() == 0 {
            self.pending.pool.reset();
        }
    }

    /// Refuses a window that an earlier call left in a state that nobody knows.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        self.condition.check()
    }

    /// Refuses to give a lock back under which operations may still be on their way.
    #[inline]
    pub(crate) fn check_completed(&self) -> Result<()> {
        self.condition.check_completed()
    }

    /// What contexts of other threads have of the window.
    pub(crate) fn shared(&self) -> (&Condition, &Scopes) {
        (&self.condition, &self.scopes)
    }

    /// A call failed midway: nobody knows who accesses what.
    pub(crate) fn break_off(&self) {
        self.condition.break_off();
    }

    /// Breaks the window off if a call that changes its state failed.
    #[inline]
    pub(crate) fn guard<R>(&self, result: Result<R>) -> Result<R> {
        if result.is_err() {
            self.break_off();
        }
        result
    }

    /// Address of the own memory, after the header.
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
    #[track_caller]
    pub(crate) fn free(&self, last: impl FnOnce()) -> Result<()> {
        self.check()?;
        let _entered = self.signed(const { Name::new("free") }, Location::caller())?;
        let call = self.call(Location::caller(), |watch| Call::WinFree { win: watch.win });
        self.guard(self.meet(Meeting::Free))?;
        last();
        if let Some(watch) = &self.watch {
            watch.withdraw();
        }
        // The flags of this meeting have arrived everywhere when the group has met after it.
        let fabric = self.fabric();
        fabric.flush(self.scope, None)?;
        fabric.flush(self.group.scope(), None)?;
        self.freed.set(true);
        self.group.barrier()?;
        fabric.close_scope(self.scope)?;
        self.scopes.close(fabric)?;
        if let Some(slot) = self.slot {
            self.core().mailbox.forget(slot);
            self.core().slots.borrow_mut()[usize::from(slot) / 64] &= !(1 << (slot % 64));
        }
        let connections = self.peers.made().map(|peer| peer.place.remote);
        for remote in connections.chain(self.connected.take()) {
            // SAFETY: made by `connect` of this endpoint; all operations are complete, and all epochs, which could hold
            // references, are closed.
            unsafe { fabric.disconnect(remote) }?;
        }
        for exposed in self.attached.take() {
            // SAFETY: all ranks have met after their last operation on the window.
            unsafe { fabric.withdraw(exposed.region) }?;
        }
        drop(call);
        // SAFETY: all ranks have met after their last operation on the window, and nothing of this rank refers to the
        // memory any more, since the caller uses `self` up.
        Ok(unsafe { fabric.withdraw(self.exposed.region) }?)
    }
}

impl Drop for WindowCore {
    fn drop(&mut self) {
        if self.freed.get() {
            return;
        }
        // Others may still access the memory: nothing is withdrawn, and the endpoint keeps it as long as it lives. What
        // is pending may use cells of the pool, buffers of requests, or flags.
        let scopes = [self.scope, self.group.scope()];
        let completed = scopes.map(|scope| self.fabric().flush_local(scope, None).is_ok());
        if completed != [true; 2] {
            // Where several ranks run in one process, another one may drop the window, and the endpoint refuses it.
            let flags = self.flags.under_way();
            self.core().retire(flags);
            // Others wait for flags, and for nothing of these: nobody says when their operations are over.
            std::mem::forget(self.pending.take_buffers());
        }
    }
}
