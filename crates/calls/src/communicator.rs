//! Communicators, as one of their processes knows them (MPI-4.1 chapters 7 and 8).

use farside_events::{CommId, Rank};
use std::sync::Arc;

/// What a meaning asks of a communicator. Processes are ranks of the world.
pub trait Communicator {
    /// Its identity.
    fn id(&self) -> CommId;
    /// The processes of the (local) group, in rank order.
    fn members(&self) -> &[u32];
    /// Likewise of the remote group of an inter-communicator.
    fn remote(&self) -> Option<&[u32]>;
    /// The rank of the process itself in the (local) group.
    fn own_rank(&self) -> usize;
    /// Its neighbours in the virtual topology.
    fn neighbors(&self) -> &Neighbors;

    /// The group that ranks in communication calls refer to: the remote one of an inter-communicator.
    fn peers(&self) -> &[u32] {
        self.remote().unwrap_or(self.members())
    }

    /// Whether it is an inter-communicator.
    fn is_inter(&self) -> bool {
        self.remote().is_some()
    }

    /// The process that a rank means in a communication call; `None` for `MPI_PROC_NULL` and for no rank.
    fn peer(&self, rank: i32) -> Option<Rank> {
        let rank = usize::try_from(rank).ok()?;
        self.peers().get(rank).copied().map(Rank)
    }

    /// The process itself.
    fn own(&self) -> Rank {
        Rank(self.members().get(self.own_rank()).copied().unwrap_or(u32::MAX))
    }
}

/// From whom and to whom a neighbourhood collective moves data, in the order of its buffers; `None` stands for nobody
/// (at the edge of a grid).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbors {
    /// From whom.
    pub sources: Vec<Option<Rank>>,
    /// To whom.
    pub destinations: Vec<Option<Rank>>,
    /// Whether they are those of a grid: two for each dimension.
    pub is_grid: bool,
}

impl<T: Communicator> Communicator for Arc<T> {
    fn id(&self) -> CommId {
        T::id(self)
    }

    fn members(&self) -> &[u32] {
        T::members(self)
    }

    fn remote(&self) -> Option<&[u32]> {
        T::remote(self)
    }

    fn own_rank(&self) -> usize {
        T::own_rank(self)
    }

    fn neighbors(&self) -> &Neighbors {
        T::neighbors(self)
    }
}
