//! What the library knows of one process: its symmetric objects, what it has not completed, its teams and contexts.

use super::mistakes::Earlier;
use super::symmetric::Object;
use farside_events::{ChannelId, CommId, TypeId, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// One process.
#[derive(Debug, Default)]
pub(super) struct Pe {
    begun: bool,
    ended: bool,
    /// It told of itself here, and not with MPI.
    told: bool,
    /// By their first address.
    objects: BTreeMap<u64, Object>,
    made: u64,
    /// What was freed, and by which call.
    freed: Vec<(Object, Earlier)>,
    /// Locks that it has: the thread that set it, and its call.
    held: HashMap<(WinId, i64), (usize, Earlier)>,
    /// Objects that were used on a channel since its last quiet, and by which threads: a quiet of one completes what it
    /// knows to have been issued, and so maybe not what another did (§9.11.2).
    open: BTreeMap<ChannelId, BTreeMap<WinId, BTreeSet<usize>>>,
    /// Collective calls so far, by set of processes.
    sequences: HashMap<CommId, u64>,
    told_comms: HashSet<CommId>,
    types: HashMap<(u32, &'static str, u64), TypeId>,
    teams: Vec<Option<Set>>,
    /// The members by whose numbers operations on a context name processes, for those that exist.
    contexts: Vec<Option<Vec<u32>>>,
    /// The calls that destroyed teams and contexts, by handle.
    destroyed_teams: HashMap<u64, Earlier>,
    destroyed_contexts: HashMap<u64, Earlier>,
    mapped: HashSet<(WinId, u32)>,
    locks_met: u64,
}

/// Handles of teams and contexts that programs make; those below are the library's own.
const FIRST_HANDLE: u64 = 16;

/// Processes that make calls together.
#[derive(Clone, Debug)]
pub(super) struct Set {
    comm: CommId,
    members: Vec<u32>,
}

impl Set {
    /// These, for which the communicator stands.
    pub(super) fn new(comm: CommId, members: Vec<u32>) -> Self {
        Self { comm, members }
    }

    pub(super) fn comm(&self) -> CommId {
        self.comm
    }

    /// In the numbers of the world.
    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }
}

impl Pe {
    /// Whether it has called `shmem_init`.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether it has called `shmem_finalize`.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// It calls `shmem_init`; whether it tells of itself by that.
    pub(super) fn begin(&mut self, told: bool) {
        self.begun = true;
        self.told = told;
    }

    /// It has called `shmem_finalize`; whether it told of itself in `shmem_init`.
    pub(super) fn end(&mut self) -> bool {
        self.begun = false;
        self.ended = true;
        self.told
    }

    /// Whether it has told of a set of processes before.
    pub(super) fn knows(&mut self, comm: CommId) -> bool {
        !self.told_comms.insert(comm)
    }

    /// The number of its next call on a set of processes.
    pub(super) fn next_call(&mut self, comm: CommId) -> u64 {
        let next = self.sequences.entry(comm).or_default();
        *next += 1;
        *next - 1
    }

    /// The type of an element (bytes, name, elements to the next), if it was used before.
    pub(super) fn type_of(&self, key: (u32, &'static str, u64)) -> Option<TypeId> {
        self.types.get(&key).copied()
    }

    pub(super) fn add_type(&mut self, key: (u32, &'static str, u64), id: TypeId) {
        self.types.insert(key, id);
    }

    /// No two calls on locks have the same number.
    pub(super) fn number_of_lock_call(&mut self) -> u64 {
        self.locks_met += 1;
        self.locks_met
    }
}

/// Symmetric objects.
impl Pe {
    /// The number of the next object: the same in all processes for those that are made together.
    pub(super) fn next_object(&mut self) -> u64 {
        self.made += 1;
        self.made - 1
    }

    pub(super) fn add_object(&mut self, object: Object) {
        self.objects.insert(object.base(), object);
    }

    /// The object that has this address.
    pub(super) fn object(&self, address: u64) -> Option<Object> {
        let (_, object) = self.objects.range(..=address).next_back()?;
        object.holds(address).then_some(*object)
    }

    /// Its part of a window.
    pub(super) fn part(&self, win: WinId) -> Option<Object> {
        self.objects.values().find(|object| object.win() == win).copied()
    }

    /// The object that begins at an address is no more, by this call.
    pub(super) fn forget_object(&mut self, base: u64, by: Earlier) {
        let object = self.objects.remove(&base);
        if let Some(object) = object {
            // No later quiet is one of it.
            self.open.retain(|_, open| {
                open.remove(&object.win());
                !open.is_empty()
            });
        }
        self.freed.extend(object.map(|object| (object, by)));
    }

    /// Where the object began that was freed and had this address, and which call freed it.
    pub(super) fn freed(&self, address: u64) -> Option<(u64, Earlier)> {
        let found = self.freed.iter().rev().find(|(object, _)| object.holds(address));
        found.map(|(object, by)| (object.base(), *by))
    }

    /// A thread has set a lock by this call.
    pub(super) fn hold_lock(&mut self, lock: (WinId, i64), thread: usize, by: Earlier) {
        self.held.insert(lock, (thread, by));
    }

    /// Who has set a lock that the process has.
    pub(super) fn lock_held(&self, lock: (WinId, i64)) -> Option<(usize, Earlier)> {
        self.held.get(&lock).copied()
    }

    /// The call that set a lock that the process has in an object, at a distance that is asked for.
    pub(super) fn lock_held_in(&self, win: WinId, is_meant: impl Fn(i64) -> bool) -> Option<Earlier> {
        let mut held = self.held.iter();
        let found = held.find(|((object, distance), _)| *object == win && is_meant(*distance));
        found.map(|(_, (_, by))| *by)
    }

    /// A lock is cleared; whether the process had it.
    pub(super) fn release_lock(&mut self, lock: (WinId, i64)) -> bool {
        self.held.remove(&lock).is_some()
    }

    pub(super) fn objects(&self) -> Vec<Object> {
        self.objects.values().copied().collect()
    }

    /// The part of another process of an object is mapped; whether it was not yet.
    pub(super) fn map(&mut self, win: WinId, owner: u32) -> bool {
        self.mapped.insert((win, owner))
    }
}

/// Operations under way.
impl Pe {
    /// A thread issued an operation on an object.
    pub(super) fn use_object(&mut self, channel: ChannelId, win: WinId, thread: usize) {
        let open = self.open.entry(channel).or_default();
        open.entry(win).or_default().insert(thread);
    }

    /// What was issued on a channel, or on all, is complete, as far as a thread knows of it: on these objects.
    pub(super) fn complete(&mut self, channel: Option<ChannelId>, thread: usize) -> BTreeSet<WinId> {
        let mut wins = BTreeSet::new();
        self.open.retain(|of, open| {
            if channel.is_some_and(|channel| *of != channel) {
                return true;
            }
            open.retain(|win, threads| {
                wins.insert(*win);
                threads.remove(&thread);
                !threads.is_empty()
            });
            !open.is_empty()
        });
        wins
    }

    /// Whether something was issued on a channel since its last quiet.
    pub(super) fn has_open(&self, channel: ChannelId) -> bool {
        self.open.contains_key(&channel)
    }
}

/// Teams and contexts.
impl Pe {
    /// A team; its handle.
    pub(super) fn add_team(&mut self, team: Set) -> u64 {
        self.teams.push(Some(team));
        FIRST_HANDLE + self.teams.len() as u64 - 1
    }

    /// A team that the program has made.
    pub(super) fn team(&self, handle: u64) -> Option<&Set> {
        let place = handle.checked_sub(FIRST_HANDLE)?;
        self.teams.get(usize::try_from(place).ok()?)?.as_ref()
    }

    pub(super) fn destroy_team(&mut self, handle: u64, by: Earlier) {
        let place = handle.checked_sub(FIRST_HANDLE).map(|place| place as usize);
        if let Some(team) = place.and_then(|place| self.teams.get_mut(place)) {
            *team = None;
            self.destroyed_teams.insert(handle, by);
        }
    }

    /// The call that destroyed the team of this handle.
    pub(super) fn team_destroyed(&self, handle: u64) -> Option<Earlier> {
        self.destroyed_teams.get(&handle).copied()
    }

    /// A context; its handle.
    pub(super) fn add_context(&mut self, members: Vec<u32>) -> u64 {
        self.contexts.push(Some(members));
        FIRST_HANDLE + self.contexts.len() as u64 - 1
    }

    /// The channel of a context that the program has made, and the members by whose numbers it names processes.
    pub(super) fn context(&self, handle: u64) -> Option<(ChannelId, &[u32])> {
        let place = handle.checked_sub(FIRST_HANDLE)?;
        let members = self.contexts.get(usize::try_from(place).ok()?)?.as_deref()?;
        Some((ChannelId(place as u32 + 1), members))
    }

    pub(super) fn destroy_context(&mut self, handle: u64, by: Earlier) {
        let place = handle.checked_sub(FIRST_HANDLE).map(|place| place as usize);
        if let Some(context) = place.and_then(|place| self.contexts.get_mut(place)) {
            *context = None;
            self.destroyed_contexts.insert(handle, by);
        }
    }

    /// The call that destroyed the context of this handle.
    pub(super) fn context_destroyed(&self, handle: u64) -> Option<Earlier> {
        self.destroyed_contexts.get(&handle).copied()
    }
}
