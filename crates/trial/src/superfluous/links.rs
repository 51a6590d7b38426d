//! Which visits belong together: who meets whom, what begins and ends an epoch.

use farside_events::{CommId, Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// Sets of visits, by their numbers. What is in one set changes together.
#[derive(Debug, Default)]
pub(super) struct Links {
    parents: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    collectives: HashMap<(CommId, u64), usize>,
    fences: HashMap<(WinId, u64), usize>,
    counts: HashMap<(WinId, Rank), u64>,
    locks: HashMap<(WinId, Rank, Option<Rank>), usize>,
    exposures: HashMap<WinId, usize>,
    meetings: usize,
}

impl Links {
    /// One more visit.
    pub(super) fn add(&mut self, visit: usize) {
        self.parents.push(visit);
    }

    /// The visit is of this collective call; gives the number of the meeting.
    pub(super) fn collective(&mut self, comm: CommId, sequence: u64, visit: usize) -> usize {
        let first = *self.collectives.entry((comm, sequence)).or_insert(visit);
        self.meet(first, visit)
    }

    /// The visit is the next fence of its process; gives the number of the meeting.
    pub(super) fn fence(&mut self, win: WinId, rank: Rank, visit: usize) -> usize {
        let count = self.counts.entry((win, rank)).or_default();
        *count += 1;
        let first = *self.fences.entry((win, *count)).or_insert(visit);
        self.meet(first, visit)
    }

    /// A meeting has the number of the visit that came first.
    fn meet(&mut self, first: usize, visit: usize) -> usize {
        self.meetings = self.meetings.max(first);
        self.pairs.push((first, visit));
        first
    }

    /// A lock epoch begins.
    pub(super) fn lock(&mut self, epoch: (WinId, Rank, Option<Rank>), visit: usize) {
        self.locks.insert(epoch, visit);
    }

    /// It ends.
    pub(super) fn unlock(&mut self, epoch: (WinId, Rank, Option<Rank>), visit: usize) {
        if let Some(lock) = self.locks.remove(&epoch) {
            self.pairs.push((lock, visit));
        }
    }

    /// A part of post, start, complete and wait: all of a window belong together.
    pub(super) fn exposure(&mut self, win: WinId, visit: usize) {
        let first = *self.exposures.entry(win).or_insert(visit);
        self.pairs.push((first, visit));
    }

    /// Sets of visits that belong together, where all with one key do, too.
    pub(super) fn groups<K: std::hash::Hash + Eq>(&self, key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
        let mut parents = self.parents.clone();
        let mut firsts: HashMap<K, usize> = HashMap::default();
        for visit in 0..parents.len() {
            let first = *firsts.entry(key(visit)).or_insert(visit);
            join(&mut parents, first, visit);
        }
        for (a, b) in &self.pairs {
            join(&mut parents, *a, *b);
        }
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::default();
        for visit in 0..parents.len() {
            let root = root(&mut parents, visit);
            groups.entry(root).or_default().push(visit);
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort_unstable();
        groups
    }
}

fn root(parents: &mut [usize], mut visit: usize) -> usize {
    while parents[visit] != visit {
        parents[visit] = parents[parents[visit]];
        visit = parents[visit];
    }
    visit
}

fn join(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b)] = a.min(b);
}
