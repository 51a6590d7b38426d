//! Collective calls and the order that each of them makes, in its own direction.
//!
//! Source: MPI-4.1 §6.1: a collective may return as soon as the caller's part is done, so that only the flow of data
//! orders; a barrier orders all.

use super::Threads;
use farside_clocks::{Component, Gathering, VectorClock};
use farside_events::{CommId, Direction, Rank};
use rustc_hash::FxHashMap as HashMap;

/// One collective in progress.
#[derive(Debug, Default)]
struct Collective {
    gathered: Gathering,
    /// What each process knew when it entered. Whose knowledge counts, the process that leaves says: with zero counts
    /// the processes of one collective can have different directions.
    single: HashMap<Rank, VectorClock>,
    directions: HashMap<Rank, Direction>,
    left: usize,
}

/// All collectives in progress, by communicator and number.
#[derive(Debug, Default)]
pub(crate) struct Collectives {
    running: HashMap<(CommId, u64), Collective>,
}

impl Collectives {
    /// A process enters a collective.
    pub(crate) fn enter(
        &mut self,
        threads: &mut Threads,
        component: Component,
        place: (CommId, u64),
        direction: &Direction,
    ) {
        let rank = threads.rank(component);
        let clock = threads.release(component);
        let collective = self.running.entry(place).or_default();
        collective.gathered.add(&clock);
        collective.single.insert(rank, clock);
        collective.directions.insert(rank, direction.clone());
    }

    /// A process leaves a collective of the communicator with these members.
    pub(crate) fn leave(
        &mut self,
        threads: &mut Threads,
        component: Component,
        place: (CommId, u64),
        members: Option<&[Rank]>,
    ) {
        let rank = threads.rank(component);
        let Some(collective) = self.running.get_mut(&place) else {
            return;
        };
        let single = &collective.single;
        let learned = match collective.directions.remove(&rank) {
            Some(Direction::All) => Some(threads.joined(&mut collective.gathered)),
            Some(Direction::ToRoot(root)) if root == rank => Some(threads.joined(&mut collective.gathered)),
            Some(Direction::FromRoot(root)) if root != rank => single.get(&root).cloned(),
            Some(Direction::Prefix) => members.map(|members| {
                let before = members.iter().take_while(|member| **member != rank);
                joined(before.filter_map(|member| single.get(member)))
            }),
            Some(Direction::FromNeighbors(sources)) => {
                Some(joined(sources.iter().filter_map(|source| single.get(source))))
            }
            _ => None,
        };
        collective.left += 1;
        if members.is_some_and(|members| collective.left >= members.len()) {
            self.running.remove(&place);
        }
        if let Some(clock) = learned {
            threads.acquire(component, &clock);
        }
    }

    /// Those of the members who have not entered a collective that is in progress.
    pub(crate) fn absent(&self, place: (CommId, u64), members: &[Rank]) -> Vec<Rank> {
        let Some(collective) = self.running.get(&place) else {
            return Vec::new();
        };
        let entered = |rank: &Rank| collective.single.contains_key(rank);
        members.iter().filter(|rank| !entered(rank)).copied().collect()
    }
}

fn joined<'a>(clocks: impl Iterator<Item = &'a VectorClock>) -> VectorClock {
    let mut all = VectorClock::default();
    for clock in clocks {
        all.join(clock);
    }
    all
}
