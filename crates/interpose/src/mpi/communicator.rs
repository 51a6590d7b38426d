//! Communicators (MPI-4.1 chapter 7): identities that all members agree on, and ranks of `MPI_COMM_WORLD`.
//!
//! Limits: a communicator from a call that is not hooked (`MPI_Comm_spawn`, `MPI_Comm_create_from_group`, ...) is
//! adopted at its first use under an identity made of its members, and the report says so.

use super::identity::mix;
use super::table::Table;
use super::{leave, neighborhood};
use crate::abi::{constants, pmpi};
use crate::call::{After, CallView, Place, Then};
use crate::recorder::{agreed, define, record, unknown_call};
use farside_calls::communicator::{Communicator as _, Neighbors};
use farside_calls::signature::Role;
use farside_events::{Call, CommId, Direction, EventKind, Outcome, Rank};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

static COMMUNICATORS: Table<Communicator> = Table::new();
static WORLD: OnceLock<Arc<Communicator>> = OnceLock::new();
static WORLD_GROUP: OnceLock<usize> = OnceLock::new();

/// What we know of a communicator.
pub(crate) struct Communicator {
    pub(crate) id: CommId,
    /// The C handle.
    pub(crate) handle: usize,
    /// Ranks in `MPI_COMM_WORLD` of the (local) group, in rank order.
    members: Vec<u32>,
    /// Likewise of the remote group of an inter-communicator.
    remote: Option<Vec<u32>>,
    /// Collective calls so far in this process.
    collectives: AtomicU64,
    /// This process' rank in the (local) group.
    own_rank: usize,
    neighbors: OnceLock<Neighbors>,
}

impl Communicator {
    /// The number of the next collective call.
    pub(crate) fn next_collective(&self) -> u64 {
        self.collectives.fetch_add(1, Ordering::Relaxed)
    }
}

impl farside_calls::communicator::Communicator for Communicator {
    fn id(&self) -> CommId {
        self.id
    }

    fn members(&self) -> &[u32] {
        &self.members
    }

    fn remote(&self) -> Option<&[u32]> {
        self.remote.as_deref()
    }

    fn own_rank(&self) -> usize {
        self.own_rank
    }

    fn neighbors(&self) -> &Neighbors {
        self.neighbors.get_or_init(|| {
            let (sources, destinations, is_grid) = neighborhood::of(self.handle, self.own_rank as i32);
            let processes = |ranks: Vec<i32>| ranks.into_iter().map(|rank| self.peer(rank)).collect();
            Neighbors {
                sources: processes(sources),
                destinations: processes(destinations),
                is_grid,
            }
        })
    }
}

/// Announces the two communicators that always exist.
pub(crate) fn initialise(own_rank: u32) {
    let constants = constants();
    let mut group = 0;
    if pmpi::comm_group(constants.comm_world, &raw mut group) == 0 {
        let _ = WORLD_GROUP.set(group);
    }
    let mut size = 0;
    pmpi::comm_size(constants.comm_world, &raw mut size);
    let world = register(
        constants.comm_world,
        CommId(mix([0])),
        (0..size.cast_unsigned()).collect(),
        None,
    );
    let _ = WORLD.set(world);
    // Its own identity in every process, since it is a different communicator in each.
    let id = CommId(mix([1, u64::from(own_rank)]));
    register(constants.comm_self, id, vec![own_rank], None);
}

/// The rank in `MPI_COMM_WORLD`, and its size; `None` before MPI is initialised.
pub(crate) fn world() -> Option<(u32, u32)> {
    let world = WORLD.get()?;
    Some((world.own_rank as u32, world.members.len() as u32))
}

/// The communicator of a handle; `None` for `MPI_COMM_NULL`.
pub(crate) fn find(handle: usize) -> Option<Arc<Communicator>> {
    if let Some(world) = WORLD.get()
        && world.handle == handle
    {
        return Some(Arc::clone(world));
    }
    COMMUNICATORS.get(handle).or_else(|| adopt(handle))
}

/// The communicator of a call.
pub(crate) fn argument(view: &CallView) -> Option<Arc<Communicator>> {
    find(view.handle(Role::Communicator))
}

/// Ranks in `MPI_COMM_WORLD` of a group's members; `u32::MAX` for processes outside of it.
pub(crate) fn world_ranks(group: usize) -> Vec<u32> {
    let mut size = 0;
    if pmpi::group_size(group, &raw mut size) != 0 {
        return Vec::new();
    }
    let ranks: Vec<i32> = (0..size).collect();
    let mut world = vec![-1; ranks.len()];
    let world_group = WORLD_GROUP.get().copied().unwrap_or(0);
    pmpi::group_translate_ranks(group, size, ranks.as_ptr(), world_group, world.as_mut_ptr());
    world
        .into_iter()
        .map(|rank| u32::try_from(rank).unwrap_or(u32::MAX))
        .collect()
}

/// Creations that are collective over all of the old communicator.
pub(crate) fn create(view: &mut CallView) -> After {
    let parent = argument(view)?;
    let sequence = enter(view, &parent, Direction::All, None);
    Some(Then::new(move |view| {
        if view.failure().is_none() {
            register_child(view.handle_behind(Role::NewCommunicator), &parent, sequence);
        }
        leave(view);
    }))
}

/// A communicator that a request will bring.
pub(crate) struct Child {
    place: Place,
    parent: Arc<Communicator>,
    sequence: u64,
}

impl Child {
    /// The communicator that the call at hand makes of another one, in its collective call of this number.
    pub(super) fn of(view: &CallView, parent: Arc<Communicator>, sequence: u64) -> Self {
        Self {
            place: view.place(Role::NewCommunicator),
            parent,
            sequence,
        }
    }

    /// The request completed.
    pub(crate) fn born(&self) {
        register_child(self.place.handle(0), &self.parent, self.sequence);
        record(EventKind::CollectiveDone {
            comm: self.parent.id,
            sequence: self.sequence,
        });
    }
}

/// `MPI_Comm_create_group(comm, group, tag, newcomm)`: collective over the group only, so its identity and its order
/// are those of the new communicator, which can be known before the call.
pub(crate) fn create_group(view: &mut CallView) -> After {
    let parent = argument(view)?;
    let members = world_ranks(view.handle(Role::Group));
    if !members.contains(&WORLD.get()?.own().0) {
        return None;
    }
    let tag = u64::from(view.int(Role::SendTag).cast_unsigned());
    let id = CommId(nth(mix([2, parent.id.0, tag]
        .into_iter()
        .chain(members.iter().copied().map(u64::from)))));
    define(EventKind::Comm {
        id,
        members: members.iter().copied().map(Rank).collect(),
    });
    enter_collective(view, id, 0, Direction::All, None);
    Some(Then::new(move |view| {
        if view.failure().is_none() {
            let handle = view.handle_behind(Role::NewCommunicator);
            insert(handle, id, members, None, 1);
        }
        leave(view);
    }))
}

/// `MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm)`. It orders both
/// groups; since the remote one is not known before, an added barrier on the new communicator carries that order.
pub(crate) fn create_inter(view: &mut CallView) -> After {
    let local = argument(view)?;
    let tag = u64::from(view.int(Role::SendTag).cast_unsigned());
    enter(view, &local, Direction::All, None);
    Some(Then::new(move |view| {
        let handle = view.handle_behind(Role::NewCommunicator);
        if view.failure().is_some() || handle == constants().comm_null {
            leave(view);
            return;
        }
        let (own, remote) = groups(handle);
        let Some(remote) = remote else {
            leave(view);
            return;
        };
        let (low, high) = if own.iter().min() < remote.iter().min() {
            (&own, &remote)
        } else {
            (&remote, &own)
        };
        let words = low.iter().chain([&u32::MAX]).chain(high).copied().map(u64::from);
        let id = CommId(nth(mix([3, tag].into_iter().chain(words))));
        let meeting = Meeting::on(handle);
        let inter = register(handle, id, own, Some(remote));
        leave(view);
        if let Some(meeting) = meeting {
            enter(view, &inter, Direction::All, None);
            drop(meeting);
            record(EventKind::Leave(Outcome::Done));
        }
    }))
}

/// What is added to `MPI_Intercomm_create`, where nothing is recorded any more.
pub(crate) fn meet_inter(view: &CallView) {
    let handle = view.handle_behind(Role::NewCommunicator);
    if view.failure().is_none() && handle != constants().comm_null && groups(handle).1.is_some() {
        drop(Meeting::on(handle));
    }
}

/// An added barrier over a communicator, made when this is dropped: also while a bug of ours unwinds, for the others
/// wait in it. A process that has stopped recording makes it, too.
pub(super) struct Meeting(usize);

impl Meeting {
    /// `None` unless all members are known to make it: all are of this job, which has agreed. (The members of a
    /// communicator that spans two jobs, as `MPI_Comm_spawn` makes it, all see that it does.)
    pub(super) fn on(comm: usize) -> Option<Self> {
        // Asked of the library each time: a process that has stopped does not see which handles are used again.
        let (own, remote) = groups(comm);
        let mut members = own.iter().chain(remote.iter().flatten());
        let known = agreed() && members.all(|&rank| rank != u32::MAX);
        // Not `then_some`: one that is not wanted would be made, and meet when it is dropped.
        known.then(|| Self(comm))
    }
}

impl Drop for Meeting {
    fn drop(&mut self) {
        pmpi::barrier(self.0);
    }
}

/// `MPI_Comm_free`, `MPI_Comm_disconnect`: collective, but nothing is ordered by it.
pub(crate) fn free(view: &mut CallView) -> After {
    let handle = view.handle_behind(Role::Communicator);
    let comm = find(handle)?;
    enter(view, &comm, Direction::Nothing, None);
    Some(Then::new(move |view| {
        if view.failure().is_none() {
            COMMUNICATORS.remove(handle);
        }
        leave(view);
    }))
}

/// Records the entry into a collective call, and gives its number.
pub(super) fn enter(
    view: &CallView,
    comm: &Communicator,
    direction: Direction,
    request: Option<farside_events::RequestId>,
) -> u64 {
    let sequence = comm.next_collective();
    enter_collective(view, comm.id, sequence, direction, request);
    sequence
}

fn enter_collective(
    view: &CallView,
    comm: CommId,
    sequence: u64,
    direction: Direction,
    request: Option<farside_events::RequestId>,
) {
    record(EventKind::Enter {
        call: Call::Collective {
            comm,
            sequence,
            direction,
            name: view.name().into(),
            request,
        },
        stack: view.stack(),
    });
}

fn register_child(handle: usize, parent: &Communicator, sequence: u64) {
    if handle == constants().comm_null || handle == 0 {
        return;
    }
    let (members, remote) = groups(handle);
    let both = members.iter().chain(remote.iter().flatten());
    let mut ranks: Vec<u64> = both.copied().map(u64::from).collect();
    ranks.sort_unstable();
    let id = CommId(mix([4, parent.id.0, sequence].into_iter().chain(ranks)));
    register(handle, id, members, remote);
}

fn adopt(handle: usize) -> Option<Arc<Communicator>> {
    if handle == constants().comm_null || handle == 0 {
        return None;
    }
    let (members, remote) = groups(handle);
    unknown_call("a call that made a communicator");
    let mut ranks: Vec<u64> = members
        .iter()
        .chain(remote.iter().flatten())
        .copied()
        .map(u64::from)
        .collect();
    ranks.sort_unstable();
    let id = CommId(nth(mix([5].into_iter().chain(ranks))));
    Some(register(handle, id, members, remote))
}

fn register(handle: usize, id: CommId, members: Vec<u32>, remote: Option<Vec<u32>>) -> Arc<Communicator> {
    let both = members.iter().chain(remote.iter().flatten());
    define(EventKind::Comm {
        id,
        members: both.copied().map(Rank).collect(),
    });
    insert(handle, id, members, remote, 0)
}

fn insert(
    handle: usize,
    id: CommId,
    members: Vec<u32>,
    remote: Option<Vec<u32>>,
    collectives: u64,
) -> Arc<Communicator> {
    let comm = Arc::new(Communicator {
        id,
        handle,
        members,
        remote,
        collectives: AtomicU64::new(collectives),
        own_rank: own_rank(handle),
        neighbors: OnceLock::new(),
    });
    COMMUNICATORS.insert(handle, Arc::clone(&comm));
    comm
}

/// World ranks of the local and the remote group.
fn groups(handle: usize) -> (Vec<u32>, Option<Vec<u32>>) {
    let mut inter = 0;
    pmpi::comm_test_inter(handle, &raw mut inter);
    let (mut local, mut remote) = (0, 0);
    let members = if pmpi::comm_group(handle, &raw mut local) == 0 {
        let ranks = world_ranks(local);
        pmpi::group_free(&raw mut local);
        ranks
    } else {
        Vec::new()
    };
    if inter == 0 || pmpi::comm_remote_group(handle, &raw mut remote) != 0 {
        return (members, None);
    }
    let others = world_ranks(remote);
    pmpi::group_free(&raw mut remote);
    (members, Some(others))
}

/// Tells the first, second, ... communicator of one description apart.
fn nth(description: u64) -> u64 {
    static SEEN: Mutex<Option<HashMap<u64, u64>>> = Mutex::new(None);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let count = seen.get_or_insert_default().entry(description).or_insert(0);
    *count += 1;
    mix([description, *count])
}

/// This process' rank in the (local) group of a communicator.
fn own_rank(handle: usize) -> usize {
    let mut rank = 0;
    pmpi::comm_rank(handle, &raw mut rank);
    usize::try_from(rank).unwrap_or(0)
}
