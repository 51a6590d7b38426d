//! Who belongs to a communicator or window, and where windows lie.

use farside_events::{CommId, Rank, WinId, Window};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::sync::Arc;

/// The groups of a job, without processes of other jobs.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    size: u32,
    communicators: HashMap<CommId, Group>,
    windows: HashMap<WinId, OfWindow>,
}

/// The members of a communicator.
#[derive(Clone, Debug)]
struct Group {
    members: Arc<[Rank]>,
    /// All of its members are of this job.
    whole: bool,
}

/// A window, as far as it was announced.
#[derive(Debug)]
struct OfWindow {
    comm: CommId,
    announced: HashSet<Rank>,
    /// Base, size and unit of each part.
    parts: HashMap<Rank, (u64, u64, u32)>,
}

impl Groups {
    /// Processes in the job.
    pub(crate) fn expect(&mut self, size: u32) {
        self.size = self.size.max(size);
    }

    /// A communicator exists.
    pub(crate) fn define(&mut self, comm: CommId, members: &[Rank]) {
        let size = self.size;
        self.communicators.entry(comm).or_insert_with(|| {
            let ours: Arc<[Rank]> = members.iter().copied().filter(|rank| rank.0 < size).collect();
            Group {
                whole: ours.len() == members.len(),
                members: ours,
            }
        });
    }

    /// A process announces its part of a window.
    pub(crate) fn announce(&mut self, rank: Rank, window: &Window) {
        let known = self.windows.entry(window.id).or_insert_with(|| OfWindow {
            comm: window.comm,
            announced: HashSet::default(),
            parts: HashMap::default(),
        });
        known.announced.insert(rank);
        known
            .parts
            .insert(rank, (window.base, window.size, window.disp_unit));
    }

    /// Whether it is a process of this job.
    pub(crate) fn has(&self, rank: Rank) -> bool {
        rank.0 < self.size
    }

    /// The members of a communicator; none if it is unknown.
    pub(crate) fn members(&self, comm: CommId) -> &[Rank] {
        self.communicators.get(&comm).map_or(&[], |group| &group.members)
    }

    /// The members of a window; none if it is unknown.
    pub(crate) fn of_window(&self, win: WinId) -> &[Rank] {
        self.windows
            .get(&win)
            .map_or(&[], |window| self.members(window.comm))
    }

    /// Those who have not announced a window that others have, and must before anyone leaves its creation.
    pub(crate) fn silent(&self, win: WinId) -> impl Iterator<Item = Rank> {
        let window = self.windows.get(&win);
        let whole = window.filter(|window| {
            self.communicators
                .get(&window.comm)
                .is_some_and(|group| group.whole)
        });
        whole.into_iter().flat_map(|window| {
            let members = self.members(window.comm).iter();
            members
                .copied()
                .filter(|member| !window.announced.contains(member))
        })
    }

    /// Whether a window has a part at this address of a process.
    pub(crate) fn exposes(&self, rank: Rank, address: u64) -> bool {
        let parts = self.windows.values().filter_map(|window| window.parts.get(&rank));
        parts
            .into_iter()
            .any(|(base, size, _)| address.checked_sub(*base).is_some_and(|at| at < *size))
    }

    /// The address at a process that a displacement in a window stands for.
    pub(crate) fn address(&self, win: WinId, rank: Rank, displacement: i64) -> Option<u64> {
        let (base, _, unit) = *self.windows.get(&win)?.parts.get(&rank)?;
        Some(base.wrapping_add_signed(displacement.wrapping_mul(i64::from(unit))))
    }
}
