//! Groups: some ranks of the world, in an order of their own.

pub(crate) mod nodes;
mod watch;

use crate::endpoint::Core;
use crate::flags::{self, Flags, Meeting};
use crate::mailbox::{self, Purpose};
use crate::matching::{Entered, Ledger, Name, Signature};
use crate::slots::{self, Scratch, Slots};
use crate::{Error, Plain, Rank, Result};
use farside_fabric::{Descriptor, Direct, Exposed, Scope};
use nodes::Nodes;
use std::cell::{Cell, OnceCell};
use std::panic::Location;
use std::rc::Rc;

/// Ranks that communicate with one another, numbered from 0 (MPI-4.1 §7.4: a communicator).
///
/// A value that is cloned is the same group. Calls that are *collective* are called by all ranks of the group, in the
/// same order; other calls are not.
#[derive(Clone)]
pub struct Group {
    inner: Rc<Inner>,
}

struct Inner {
    core: Rc<Core>,
    members: Members,
    me: Rank,
    /// Tells the messages of groups apart: no rank is in two groups of the same context.
    context: u32,
    scope: Scope,
    flags: Flags,
    /// Ranks meet at a counter at the first one: they share processors.
    central: bool,
    slots: Slots,
    /// Once somebody has asked.
    nodes: OnceCell<Nodes>,
    /// Likewise: whether ranks meet by them.
    by_nodes: OnceCell<bool>,
    /// Number of collective calls that sent messages.
    calls: Cell<u32>,
    /// Number of windows that were made.
    windows: Cell<u32>,
    /// Number of services that were registered.
    services: Cell<u32>,
    /// Number of collective calls of the program, where somebody watches.
    sequence: Cell<u64>,
    /// Its collective calls, to be compared with those of others.
    ledger: Rc<Ledger>,
}

/// Which ranks of the world.
enum Members {
    World(u32),
    /// By their rank in the group, and as (rank of the world, rank in the group), sorted.
    Some(Vec<Rank>, Vec<(Rank, Rank)>),
}

/// Number of the message that says where a group meets: the rounds of its flags are fewer.
const BEHIND_ROUNDS: u32 = 64;

impl Members {
    fn some(ranks: Vec<Rank>) -> Self {
        let mut sorted: Vec<(Rank, Rank)> = ranks.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        Self::Some(ranks, sorted)
    }

    fn size(&self) -> u32 {
        match self {
            Self::World(size) => *size,
            Self::Some(ranks, _) => ranks.len() as u32,
        }
    }
}

impl Group {
    pub(crate) fn world(core: Rc<Core>) -> Result<Self> {
        let (me, size) = (core.fabric().rank(), core.fabric().size());
        Self::build(core, Members::World(size), me, 0)
    }

    /// Exposes the flags and connects to those of the ranks that this one writes to. Collective over the new group.
    fn build(core: Rc<Core>, members: Members, me: Rank, context: u32) -> Result<Self> {
        let fabric = core.fabric();
        let size = members.size();
        let world = |rank: Rank| match &members {
            Members::World(_) => rank,
            Members::Some(ranks, _) => ranks[rank as usize],
        };
        let exposed = fabric.expose(flags::bytes(size) + slots::bytes(size))?;
        let scope = fabric.open_scope()?;
        let mut to = Vec::new();
        for round in 0..flags::rounds(size) {
            let (_, from) = flags::partners(me, size, round);
            let tag = mailbox::tag(Purpose::Setup, context, round);
            fabric.send(world(from), tag, exposed.descriptor.bytes())?;
        }
        for round in 0..flags::rounds(size) {
            let (target, _) = flags::partners(me, size, round);
            let tag = mailbox::tag(Purpose::Setup, context, round);
            let mut answer = None;
            core.wait(|| {
                answer = core.mailbox.take(fabric, &|message| {
                    message.source == world(target) && message.tag == tag
                })?;
                Ok(answer.is_some())
            })?;
            let bytes = answer.map_or_else(Vec::new, |message| message.bytes);
            to.push(fabric.connect(world(target), &Descriptor::new(&bytes)?)?);
        }
        let central = Self::meet_at_first(
            &core,
            &exposed,
            &(0..size).map(world).collect::<Vec<_>>(),
            me,
            context,
        )?;
        let is_central = central.is_some();
        // SAFETY: the memory was exposed with room for the flags and the slots after them, is filled with 0, and holds
        // nothing else; so it is at all ranks of the group, for all run this function. It is withdrawn by nobody before
        // the end of the world.
        let (flags, slots) = unsafe {
            let slots = Slots::new(exposed.base, flags::bytes(size), &to);
            (Flags::new(exposed.base, 0, &to, central), slots)
        };
        let others = match &members {
            Members::World(_) => None,
            Members::Some(ranks, _) => Some(ranks[..].into()),
        };
        let ledger = Ledger::new(context, size, others);
        core.matching.know(&ledger);
        let inner = Inner {
            core: Rc::clone(&core),
            members,
            me,
            context,
            scope,
            flags,
            central: is_central,
            slots,
            nodes: OnceCell::new(),
            by_nodes: OnceCell::new(),
            calls: Cell::new(0),
            windows: Cell::new(0),
            services: Cell::new(0),
            sequence: Cell::new(0),
            ledger,
        };
        let group = Self {
            inner: Rc::new(inner),
        };
        group.tell_formed();
        Ok(group)
    }

    /// The way to the memory of the first rank, and the other ranks, by their number in the world; `None` if ranks meet
    /// otherwise. The first rank decides, and says so to all, where each can reach its memory.
    fn meet_at_first(
        core: &Core,
        exposed: &Exposed,
        world: &[Rank],
        me: Rank,
        context: u32,
    ) -> Result<Option<(Direct, Vec<Rank>)>> {
        let fabric = core.fabric();
        let capabilities = fabric.capabilities();
        let is_one_node = || {
            world
                .iter()
                .all(|&rank| fabric.node(rank) == fabric.node(world[0]))
        };
        if world.len() < 3 || capabilities.virtual_time || !(capabilities.mapped || is_one_node()) {
            return Ok(None);
        }
        let tag = mailbox::tag(Purpose::Setup, context, BEHIND_ROUNDS);
        let others = || -> Vec<Rank> {
            let all = world.iter().copied();
            all.filter(|&rank| rank != world[me as usize]).collect()
        };
        let descriptor = if me == 0 {
            let own = fabric.connect(world[0], &exposed.descriptor)?;
            let chosen = fabric.is_crowded() && fabric.direct(&own).is_some();
            let word: &[u8] = if chosen { exposed.descriptor.bytes() } else { &[] };
            for rank in others() {
                fabric.send(rank, tag, word)?;
            }
            word.to_vec()
        } else {
            let mut answer = None;
            core.wait(|| {
                answer = core.mailbox.take(fabric, &|message| {
                    message.source == world[0] && message.tag == tag
                })?;
                Ok(answer.is_some())
            })?;
            answer.map_or_else(Vec::new, |message| message.bytes)
        };
        if descriptor.is_empty() {
            return Ok(None);
        }
        let first = fabric.connect(world[0], &Descriptor::new(&descriptor)?)?;
        match fabric.direct(&first) {
            Some(way) => Ok(Some((way, others()))),
            None => Err(Error::Unsupported {
                what: "a barrier at a counter",
                reason: format!(
                    "rank {} cannot reach the memory of rank {}",
                    world[me as usize], world[0]
                ),
            }),
        }
    }

    /// Whether ranks meet at a counter at the first rank.
    pub(crate) fn is_central(&self) -> bool {
        self.inner.central
    }

    /// The own rank in this group (`MPI_Comm_rank`, MPI-4.1 §7.4.1).
    #[must_use]
    pub fn rank(&self) -> Rank {
        self.inner.me
    }

    /// Number of ranks of this group (`MPI_Comm_size`, MPI-4.1 §7.4.1).
    #[must_use]
    pub fn size(&self) -> u32 {
        self.inner.members.size()
    }

    /// The rank in the world of a rank of this group.
    ///
    /// # Errors
    /// No such rank in this group.
    pub fn world_rank(&self, rank: Rank) -> Result<Rank> {
        Core::check_rank(rank, self.size())?;
        Ok(match &self.inner.members {
            Members::World(_) => rank,
            Members::Some(ranks, _) => ranks[rank as usize],
        })
    }

    /// The rank in this group of a rank of the world, if it belongs to it.
    #[must_use]
    pub fn rank_of(&self, world_rank: Rank) -> Option<Rank> {
        match &self.inner.members {
            Members::World(size) => (world_rank < *size).then_some(world_rank),
            Members::Some(_, sorted) => {
                let place = sorted
                    .binary_search_by_key(&world_rank, |&(world, _)| world)
                    .ok()?;
                Some(sorted[place].1)
            }
        }
    }

    /// Waits until all ranks of the group are here (`MPI_Barrier`, MPI-4.1 §6.3). Collective. Completes no operation on
    /// any window.
    ///
    /// # Errors
    /// A rank is lost, is in another collective call, or time ran out.
    #[track_caller]
    pub fn barrier(&self) -> Result<()> {
        let _entered = self.enter(Signature::new(const { Name::new("barrier") }, Location::caller()))?;
        let _call = self.collective_of_all(Location::caller(), "barrier");
        match self.is_of_nodes() {
            true => self.nodes()?.meet(Meeting::Barrier),
            false => self.meet(Meeting::Barrier),
        }
    }

    /// The program makes a collective call on this group, or on a window of it.
    ///
    /// # Errors
    /// Earlier calls of the ranks did not match.
    #[inline]
    pub(crate) fn enter(&self, signature: Signature) -> Result<Entered<'_>> {
        self.inner.core.matching.enter(&self.inner.ledger, signature)
    }

    /// Waits until all ranks are at the end of the world.
    pub(crate) fn meet_last(&self, place: &'static Location<'static>) -> Result<()> {
        // All know already that they are not in the same calls.
        if self.inner.ledger.is_told() {
            return Ok(());
        }
        let _entered = self.enter(Signature::new(const { Name::new("finish") }, place))?;
        self.meet(Meeting::Finish)
    }

    /// Notes a collective call that is made in any case, for something has to be ended: if earlier calls did not match,
    /// it fails when it waits.
    pub(crate) fn enter_to_end(&self, signature: Signature) -> Entered<'_> {
        self.inner
            .core
            .matching
            .enter_to_end(&self.inner.ledger, signature)
    }

    /// Waits until all ranks of the group are in a collective function.
    pub(crate) fn meet(&self, meeting: Meeting) -> Result<()> {
        self.inner.flags.meet(&self.inner.core, self.inner.scope, meeting)
    }

    /// The scope of flags: of those of the group, and of its windows. Operations are in others, for who completes these
    /// has no need to wait for flags.
    pub(crate) fn scope(&self) -> Scope {
        self.inner.scope
    }

    /// Divides the group: those who give the same colour form a new group, ordered by key, and by rank where keys are
    /// equal (`MPI_Comm_split`, MPI-4.1 §7.4.2). Collective; who gives no colour gets no group.
    ///
    /// # Errors
    /// A rank is lost, or there is no memory for the new group.
    #[track_caller]
    pub fn split(&self, colour: Option<u32>, key: i32) -> Result<Option<Self>> {
        let _entered = self.enter(Signature::new(const { Name::new("split") }, Location::caller()))?;
        let _call = self.collective_of_all(Location::caller(), "split");
        let own = [
            colour.map_or(-1, i64::from),
            i64::from(key),
            i64::from(self.next_context()),
        ];
        let mut all = vec![0i64; own.len() * self.size() as usize];
        self.allgather(&own, &mut all)?;
        let rows = || all.chunks_exact(own.len()).zip(0..);
        let context = rows().map(|(row, _)| row[2]).max().unwrap_or(1);
        let mut chosen: Vec<(i64, Rank)> = rows()
            .filter(|(row, _)| row[0] == own[0] && row[0] >= 0)
            .map(|(row, rank)| (row[1], rank))
            .collect();
        chosen.sort_unstable();
        let ranks: Vec<Rank> = chosen.into_iter().map(|(_, rank)| rank).collect();
        self.form(&ranks, context as u32)
    }

    /// The group of some ranks of this one, in the order in which they are listed (`MPI_Comm_create`, MPI-4.1 §7.4.2).
    /// Collective over this group, with the same list everywhere; ranks that are not listed get no group.
    ///
    /// # Errors
    /// A rank is out of range or listed twice, is lost, or there is no memory for the new group.
    #[track_caller]
    pub fn subgroup(&self, ranks: &[Rank]) -> Result<Option<Self>> {
        let mut seen = vec![false; self.size() as usize];
        for &rank in ranks {
            Core::check_rank(rank, self.size())?;
            if std::mem::replace(&mut seen[rank as usize], true) {
                return Err(Error::Layout("a rank is listed twice"));
            }
        }
        let _entered =
            self.enter(Signature::new(const { Name::new("subgroup") }, Location::caller()).list(ranks))?;
        let _call = self.collective_of_all(Location::caller(), "subgroup");
        let mut context = [self.next_context()];
        self.allreduce(crate::Operation::Max, &mut context)?;
        self.form(ranks, context[0])
    }

    /// A group of the same ranks with messages and barriers of its own (`MPI_Comm_dup`, MPI-4.1 §7.4.2). Collective.
    ///
    /// # Errors
    /// A rank is lost, or there is no memory for the new group.
    #[track_caller]
    pub fn duplicate(&self) -> Result<Self> {
        let _entered = self.enter(Signature::new(
            const { Name::new("duplicate") },
            Location::caller(),
        ))?;
        let ranks: Vec<Rank> = (0..self.size()).collect();
        self.subgroup(&ranks)?.ok_or(Error::Broken("group"))
    }

    /// The new group, if this rank is in it. `context` is agreed upon by all ranks of this group.
    pub(crate) fn form(&self, ranks: &[Rank], context: u32) -> Result<Option<Self>> {
        if context >= mailbox::CONTEXTS {
            return Err(Error::TooGreat {
                what: "the number of groups",
                number: u64::from(context),
                limit: u64::from(mailbox::CONTEXTS),
            });
        }
        self.inner.core.contexts.set(context + 1);
        let Some(me) = ranks.iter().position(|&rank| rank == self.rank()) else {
            return Ok(None);
        };
        let world: Result<Vec<Rank>> = ranks.iter().map(|&rank| self.world_rank(rank)).collect();
        let core = Rc::clone(&self.inner.core);
        Self::build(core, Members::some(world?), me as Rank, context).map(Some)
    }

    /// Gathers a few elements of all ranks, as many of each; `None` if they are none, too many, or puts are no
    /// stores here. [`Group::hand_out`] gives them.
    pub(crate) fn gather_small<T: Plain>(&self, own: &[T]) -> Option<Result<Scratch>> {
        let inner = &*self.inner;
        let bytes = size_of_val(own);
        if own.is_empty() || !Slots::carry(&inner.core, self.size(), bytes) {
            return None;
        }
        // A function that combines and panicked has not given it back: then there is other memory.
        let mut room = inner.slots.scratch();
        let all = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut *room)[..bytes * self.size() as usize];
        let own = bytemuck::cast_slice(own);
        let gathered = inner.slots.gather(&inner.core, inner.scope, inner.me, own, all);
        Some(gathered.map(|()| room))
    }

    /// Hands so many gathered elements out, by rank, and takes their memory back.
    pub(crate) fn hand_out<T: Plain>(&self, mut room: Scratch, elements: usize, take: impl FnOnce(&mut [T])) {
        let all = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut *room)[..elements * size_of::<T>()];
        match bytemuck::try_cast_slice_mut(all) {
            Ok(all) => take(all),
            // Elements that are aligned to more than a word.
            Err(_) => take(&mut bytemuck::pod_collect_to_vec::<u8, T>(all)),
        }
        self.inner.slots.keep(room);
    }

    pub(crate) fn core(&self) -> &Rc<Core> {
        &self.inner.core
    }

    /// The collective calls of this rank on the group.
    pub(crate) fn ledger(&self) -> &Rc<Ledger> {
        &self.inner.ledger
    }

    /// A name for the next window of the group, the same at all its ranks.
    pub(crate) fn next_window(&self) -> u64 {
        let window = self.inner.windows.get();
        self.inner.windows.set(window.wrapping_add(1));
        u64::from(self.inner.context) << 32 | u64::from(window)
    }

    /// The number of the next service of the group, the same at all its ranks.
    pub(crate) fn next_service(&self) -> u32 {
        let service = self.inner.services.get();
        self.inner.services.set(service.wrapping_add(1));
        service
    }

    /// The number of the next collective call of the program.
    pub(crate) fn next_sequence(&self) -> u64 {
        let sequence = self.inner.sequence.get();
        self.inner.sequence.set(sequence + 1);
        sequence
    }

    /// The smallest context that no group of this rank had yet.
    pub(crate) fn next_context(&self) -> u32 {
        self.inner.core.contexts.get()
    }

    /// See [`Group::nodes`].
    pub(crate) fn known_nodes(&self) -> &OnceCell<Nodes> {
        &self.inner.nodes
    }

    /// See [`Group::is_of_nodes`].
    pub(crate) fn by_nodes(&self) -> &OnceCell<bool> {
        &self.inner.by_nodes
    }

    pub(crate) fn context(&self) -> u32 {
        self.inner.context
    }

    /// The tag of the messages of the next step of a collective call; another one at a rank whose calls do not match.
    /// What two calls of one tag send keeps its order.
    pub(crate) fn next_call(&self) -> u64 {
        let call = self.inner.calls.get();
        self.inner.calls.set(call.wrapping_add(1));
        let matching = &self.inner.core.matching;
        let calls = (matching.chain() >> 32) as u32;
        mailbox::tag(matching.purpose(), self.inner.context, calls.wrapping_add(call))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A rank that is late in a barrier may still write its flag here, so nothing is withdrawn: the endpoint keeps
        // the memory as long as it lives. And a flag that this rank sent may still be read, for a barrier waits for
        // those of others only.
        self.core.retire(self.flags.under_way());
        self.core.retire(self.slots.under_way());
    }
}

impl std::fmt::Debug for Group {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Group(rank {} of {})", self.rank(), self.size())
    }
}
