//! Windows as all processes see them: their parts, and who has which epoch open (MPI-4.1 §12.2, §12.5).

use crate::communicator::Comm;
use crate::memory::Object;
use farside_events::{LockKind, Rank, WinId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The part of a process in a window: base, size and unit.
pub(crate) type Segment = (u64, u64, u64);

/// All windows of a job.
#[derive(Debug, Default)]
pub(crate) struct Windows(BTreeMap<WinId, Window>);

/// A window.
#[derive(Debug)]
pub(crate) struct Window {
    comm: Comm,
    dynamic: bool,
    /// The variable that its first process put the handle into, and the element of it.
    holder: Option<(Object, String)>,
    /// By process.
    parts: BTreeMap<u32, Segment>,
    /// Who holds a target's lock: all holders, and whether exclusively.
    locks: HashMap<u32, (BTreeSet<u32>, bool)>,
    /// Exposure epochs that origins have not yet completed, by target and origin.
    posted: HashMap<(u32, u32), u32>,
    /// Access epochs that targets have not yet waited for.
    completed: HashMap<(u32, u32), u32>,
    /// Groups of open epochs.
    started: HashMap<u32, Vec<Rank>>,
    exposed: HashMap<u32, Vec<Rank>>,
    /// Who was told that its exposure epoch is not over.
    tested: BTreeSet<u32>,
}

impl Windows {
    /// A window is there, if it was not yet.
    pub(crate) fn add(&mut self, id: WinId, window: impl FnOnce() -> Window) {
        self.0.entry(id).or_insert_with(window);
    }

    pub(crate) fn get(&self, id: WinId) -> Option<&Window> {
        self.0.get(&id)
    }

    /// The window of a call on a window that is known.
    pub(crate) fn of(&self, id: WinId) -> &Window {
        &self.0[&id]
    }

    /// Likewise, to change its epochs.
    pub(crate) fn of_mut(&mut self, id: WinId) -> &mut Window {
        self.0.get_mut(&id).expect("the call is on a known window")
    }
}

impl Window {
    /// A window without epochs.
    pub(crate) fn new(comm: Comm, dynamic: bool, parts: BTreeMap<u32, Segment>) -> Self {
        Self {
            comm,
            dynamic,
            holder: None,
            parts,
            locks: HashMap::default(),
            posted: HashMap::default(),
            completed: HashMap::default(),
            started: HashMap::default(),
            tested: BTreeSet::default(),
            exposed: HashMap::default(),
        }
    }

    /// The same, with its handle in a variable.
    pub(crate) fn held_by(self, holder: Option<(Object, String)>) -> Self {
        Self { holder, ..self }
    }

    /// The variable that its first process put the handle into, if it is one, and what the sources write after its
    /// name: `[1]`.
    pub(crate) fn holder(&self) -> Option<(&Object, &str)> {
        self.holder
            .as_ref()
            .map(|(variable, element)| (variable, &**element))
    }

    pub(crate) fn comm(&self) -> &Comm {
        &self.comm
    }

    /// The part of a process.
    pub(crate) fn part(&self, rank: u32) -> Option<Segment> {
        self.parts.get(&rank).copied()
    }

    /// The first part that has memory.
    pub(crate) fn first_part(&self) -> Option<Segment> {
        self.parts.values().find(|(_, size, _)| *size > 0).copied()
    }

    /// Where an access to a target lies; `None` if that is not within the window.
    pub(crate) fn address(&self, target: u32, displacement: i64, bytes: u64) -> Option<u64> {
        if self.dynamic {
            return Some(displacement.cast_unsigned());
        }
        let (base, size, unit) = self.part(target).unwrap_or_default();
        let address = base.wrapping_add_signed(displacement.wrapping_mul(unit as i64));
        let inside = address >= base && address.saturating_add(bytes) <= base.saturating_add(size);
        inside.then_some(address)
    }

    /// A process takes the lock of a target; false if others hold it.
    pub(crate) fn lock(&mut self, rank: u32, target: u32, kind: LockKind) -> bool {
        let (holders, exclusive) = self.locks.entry(target).or_default();
        let others = holders.iter().any(|holder| *holder != rank);
        if others && (*exclusive || kind == LockKind::Exclusive) {
            return false;
        }
        holders.insert(rank);
        *exclusive = kind == LockKind::Exclusive;
        true
    }

    /// A process shares the locks of all targets; false, and it has none more, if somebody else holds one for himself.
    pub(crate) fn lock_all(&mut self, rank: u32) -> bool {
        let members = self.comm.members.clone();
        let taken = |target: &u32| {
            let lock = self.locks.get(target);
            lock.is_some_and(|(holders, exclusive)| {
                *exclusive && holders.iter().any(|holder| *holder != rank)
            })
        };
        if members.iter().any(taken) {
            return false;
        }
        for target in members {
            self.lock(rank, target, LockKind::Shared);
        }
        true
    }

    /// A process gives up its lock of a target, or of all.
    pub(crate) fn unlock(&mut self, rank: u32, target: Option<u32>) {
        for (locked, (holders, exclusive)) in &mut self.locks {
            if target.is_none_or(|target| target == *locked) && holders.remove(&rank) && holders.is_empty() {
                *exclusive = false;
            }
        }
    }

    /// A target exposes its part to a group.
    pub(crate) fn post(&mut self, rank: u32, group: Vec<Rank>) {
        for origin in &group {
            *self.posted.entry((rank, origin.0)).or_insert(0) += 1;
        }
        self.exposed.insert(rank, group);
        self.tested.remove(&rank);
    }

    /// The exposure of a target is not over; whether it is told for the first time.
    pub(crate) fn goes_on(&mut self, rank: u32) -> bool {
        self.tested.insert(rank)
    }

    /// Whether all of a group have exposed their parts to an origin.
    pub(crate) fn is_posted(&self, rank: u32, group: &[Rank]) -> bool {
        let posted = |target: &Rank| self.posted.get(&(target.0, rank)).is_some_and(|count| *count > 0);
        group.iter().all(posted)
    }

    /// An origin begins to access the parts of a group.
    pub(crate) fn start(&mut self, rank: u32, group: Vec<Rank>) {
        self.started.insert(rank, group);
    }

    /// An origin ends its accesses; false if not all of its group have exposed their parts yet.
    pub(crate) fn complete(&mut self, rank: u32) -> bool {
        let group = self.started.get(&rank).cloned().unwrap_or_default();
        if !self.is_posted(rank, &group) {
            return false;
        }
        for target in &group {
            *self.posted.entry((target.0, rank)).or_insert(1) -= 1;
            *self.completed.entry((target.0, rank)).or_insert(0) += 1;
        }
        self.started.remove(&rank);
        true
    }

    /// Ends the exposure of a target; false if not all of its group have completed their accesses yet.
    pub(crate) fn end_exposure(&mut self, rank: u32) -> bool {
        let group = self.exposed.get(&rank).map_or(&[][..], Vec::as_slice);
        let completed = |origin: &Rank| {
            let count = self.completed.get(&(rank, origin.0));
            count.is_some_and(|count| *count > 0)
        };
        if !group.iter().all(completed) {
            return false;
        }
        for origin in self.exposed.remove(&rank).unwrap_or_default() {
            *self.completed.entry((rank, origin.0)).or_insert(1) -= 1;
        }
        true
    }
}
