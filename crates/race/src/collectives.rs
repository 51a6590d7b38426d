//! Collective calls and the order that each of them makes, in its own direction.
//!
//! Source: MPI-4.1 §6.1: a collective may return as soon as the caller's part is done, so that only the flow of data
//! orders; a barrier orders all.

use crate::detector::Detector;
use farside_clocks::{Component, Gathering, VectorClock};
use farside_events::{CommId, Direction, Rank};
use std::collections::HashMap;

/// One collective in progress.
#[derive(Debug, Default)]
pub(crate) struct Collective {
    gathered: Gathering,
    /// What each process knew when it entered. Whose counts, is for the process that leaves to say: with zero counts
    /// the processes of one collective can have different directions.
    single: HashMap<Rank, VectorClock>,
    pub(crate) entered: Vec<Rank>,
    directions: HashMap<Rank, Direction>,
    left: usize,
}

/// All collectives in progress, by communicator and number.
#[derive(Debug, Default)]
pub(crate) struct Collectives {
    running: HashMap<(CommId, u64), Collective>,
}

impl Collectives {
    /// A collective in progress.
    pub(crate) fn get(&self, comm: CommId, sequence: u64) -> Option<&Collective> {
        self.running.get(&(comm, sequence))
    }
}

impl Detector {
    pub(crate) fn enter_collective(
        &mut self,
        component: Component,
        comm: CommId,
        sequence: u64,
        direction: &Direction,
    ) {
        let rank = self.job.thread(component).rank;
        let clock = self.job.release(component);
        let collective = self.collectives.running.entry((comm, sequence)).or_default();
        collective.entered.push(rank);
        collective.gathered.add(&clock);
        collective.single.insert(rank, clock);
        collective.directions.insert(rank, direction.clone());
    }

    pub(crate) fn leave_collective(&mut self, component: Component, comm: CommId, sequence: u64) {
        let rank = self.job.thread(component).rank;
        let threshold = self.job.base_threshold();
        let members = self.job.communicators.get(&comm).cloned();
        let Some(collective) = self.collectives.running.get_mut(&(comm, sequence)) else {
            return;
        };
        let learned = match collective.directions.remove(&rank) {
            Some(Direction::All) => Some(collective.gathered.joined(threshold, &mut self.job.latest_base)),
            Some(Direction::ToRoot(root)) if root == rank => {
                Some(collective.gathered.joined(threshold, &mut self.job.latest_base))
            }
            Some(Direction::FromRoot(root)) if root != rank => collective.single.get(&root).cloned(),
            Some(Direction::Prefix) => members.as_ref().map(|members| {
                let before = members.iter().take_while(|member| **member != rank);
                joined(before.filter_map(|member| collective.single.get(member)))
            }),
            Some(Direction::FromNeighbors(sources)) => Some(joined(
                sources.iter().filter_map(|source| collective.single.get(source)),
            )),
            _ => None,
        };
        collective.left += 1;
        if members.is_some_and(|members| collective.left >= members.len()) {
            self.collectives.running.remove(&(comm, sequence));
        }
        if let Some(clock) = learned {
            self.job.acquire(component, &clock);
        }
    }
}

fn joined<'a>(clocks: impl Iterator<Item = &'a VectorClock>) -> VectorClock {
    let mut all = VectorClock::default();
    for clock in clocks {
        all.join(clock);
    }
    all
}
