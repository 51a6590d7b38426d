//! A communicator, as a meaning asks for it.

use super::Comm;
use farside_calls::communicator::{Communicator, Neighbors};
use farside_events::CommId;
use std::cell::OnceCell;

/// A communicator, as one of its processes knows it.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    comm: Comm,
    rank: u32,
    own_rank: usize,
    neighbors: OnceCell<Neighbors>,
}

impl Member {
    /// The communicator, as process `rank` knows it.
    pub(crate) fn new(comm: Comm, rank: u32) -> Self {
        Self {
            own_rank: comm.own_rank(rank),
            rank,
            comm,
            neighbors: OnceCell::new(),
        }
    }

    /// How many processes take part in its collective calls.
    pub(crate) fn processes(&self) -> usize {
        self.comm.processes()
    }

    /// The rank that means a process in communication calls.
    pub(crate) fn rank_of(&self, process: u32) -> i32 {
        let place = self.comm.peers().iter().position(|peer| *peer == process);
        place.map_or(-1, |place| place as i32)
    }
}

impl Communicator for Member {
    fn id(&self) -> CommId {
        self.comm.id
    }

    fn members(&self) -> &[u32] {
        &self.comm.members
    }

    fn remote(&self) -> Option<&[u32]> {
        self.comm.remote.as_deref()
    }

    fn own_rank(&self) -> usize {
        self.own_rank
    }

    fn neighbors(&self) -> &Neighbors {
        self.neighbors.get_or_init(|| self.comm.neighbors(self.rank))
    }
}
