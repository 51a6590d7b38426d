//! Communicators as a process knows them: who is in them, and who is next to whom (MPI-4.1 chapters 7 and 8).

mod member;
mod neighbors;

pub(crate) use member::Member;
pub(crate) use neighbors::{distributed, graph_neighbors};

use farside_calls::grid::Grid;
use farside_events::CommId;

/// A communicator.
#[derive(Clone, Debug)]
pub(crate) struct Comm {
    pub(crate) id: CommId,
    /// Ranks in `MPI_COMM_WORLD` of the (local) group, in rank order.
    pub(crate) members: Vec<u32>,
    /// Likewise of the remote group of an inter-communicator.
    pub(crate) remote: Option<Vec<u32>>,
    pub(crate) topology: Option<Topology>,
}

/// A process topology (MPI-4.1 chapter 8). Ranks are those of the communicator.
#[derive(Clone, Debug)]
pub(crate) enum Topology {
    Grid(Grid),
    /// The neighbours of each process.
    Graph(Vec<Vec<i32>>),
    /// The edges of this process.
    Distributed {
        sources: Vec<i32>,
        destinations: Vec<i32>,
    },
}

impl Comm {
    /// A communicator of one group.
    pub(crate) fn new(id: CommId, members: Vec<u32>) -> Self {
        Self {
            id,
            members,
            remote: None,
            topology: None,
        }
    }

    /// How many processes take part in its collective calls.
    pub(crate) fn processes(&self) -> usize {
        self.members.len() + self.remote.as_ref().map_or(0, Vec::len)
    }

    /// The group that ranks in communication calls refer to: the remote one of an inter-communicator.
    pub(crate) fn peers(&self) -> &[u32] {
        self.remote.as_ref().unwrap_or(&self.members)
    }

    pub(crate) fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// The rank of a process in the (local) group.
    pub(crate) fn own_rank(&self, rank: u32) -> usize {
        self.members
            .iter()
            .position(|member| *member == rank)
            .unwrap_or(0)
    }

    /// The process with this rank in the (local) group.
    pub(crate) fn member(&self, rank: i32) -> Option<u32> {
        usize::try_from(rank)
            .ok()
            .and_then(|rank| self.members.get(rank))
            .copied()
    }
}
