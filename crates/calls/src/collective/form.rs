//! The forms of collective operations (MPI-4.1 chapters 6 and 8.6): who gives what to whom.

use super::side::Side;
use crate::signature::Signature;

/// The forms of collective operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The standard's names.
pub enum CollectiveForm {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    NeighborAllgather,
    NeighborAllgatherv,
    NeighborAlltoall,
    NeighborAlltoallv,
    NeighborAlltoallw,
}

/// How a communication call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// When it returns.
    Returning,
    /// When the request completes that it gives.
    Request,
    /// The persistent request that it gives is started and completed as often as the program likes.
    Persistent,
}

/// What a process gives to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The same to all.
    Same(Side),
    /// A part to each.
    Parts(Side),
}

/// Who gives what to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The variants say it.
pub enum Movement {
    /// Nothing moves: a barrier.
    Nothing,
    /// Broadcast (no `parts`: the root gives what it has in `own`) and scatter.
    FromRoot { parts: Option<Side>, own: Side },
    /// Gather.
    ToRoot { own: Side, parts: Side },
    /// Allgather and all-to-all.
    Exchange { gives: Gives, takes: Side },
    /// Neighbourhood collectives.
    Neighbors { gives: Gives, takes: Side },
    /// Values are combined, for the root.
    ReduceToRoot,
    /// Values are combined, and every process gets a result.
    Reduce,
}

impl CollectiveForm {
    /// Who gives what to whom, in a call of this form with this signature.
    pub fn movement(self, signature: &Signature) -> Movement {
        let send = || Side::sent(signature);
        let receive = || Side::received(signature);
        match self {
            Self::Barrier => Movement::Nothing,
            Self::Bcast => Movement::FromRoot {
                parts: None,
                own: receive(),
            },
            Self::Scatter | Self::Scatterv => Movement::FromRoot {
                parts: Some(send()),
                own: receive(),
            },
            Self::Gather | Self::Gatherv => Movement::ToRoot {
                own: send(),
                parts: receive(),
            },
            Self::Allgather | Self::Allgatherv => Movement::Exchange {
                gives: Gives::Same(send()),
                takes: receive(),
            },
            Self::Alltoall | Self::Alltoallv | Self::Alltoallw => Movement::Exchange {
                gives: Gives::Parts(send()),
                takes: receive(),
            },
            Self::NeighborAllgather | Self::NeighborAllgatherv => Movement::Neighbors {
                gives: Gives::Same(send()),
                takes: receive(),
            },
            Self::NeighborAlltoall | Self::NeighborAlltoallv | Self::NeighborAlltoallw => {
                Movement::Neighbors {
                    gives: Gives::Parts(send()),
                    takes: receive(),
                }
            }
            Self::Reduce => Movement::ReduceToRoot,
            Self::Allreduce | Self::ReduceScatter | Self::ReduceScatterBlock | Self::Scan | Self::Exscan => {
                Movement::Reduce
            }
        }
    }
}
