//! The forms of collective operations (MPI-4.1 chapters 6 and 8.6): which argument is what, and who gives what to whom.
//!
//! One table for all that look at such calls. The communicator is the last argument of the blocking form; the
//! non-blocking form has a request after it, the persistent one an info object and a request; in rooted forms the root
//! stands before it.

mod side;

pub use side::{Counts, Side, Spread, Types};

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
    /// When the request completes that is its last argument.
    Request,
    /// A persistent request, the last argument, is started and completed as often as the program likes.
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
    /// `(sendbuf, recvbuf, count, datatype, op, root, comm)`.
    ReduceToRoot,
    /// `(sendbuf, recvbuf, count, datatype, op, comm)`: every process gets a result.
    Reduce,
}

impl CollectiveForm {
    /// The form of a call of this name, and how it ends.
    pub fn of(name: &str) -> Option<(Self, Ends)> {
        let rest = name.strip_prefix("MPI_")?;
        let (rest, ends) = match (rest.strip_prefix('I'), rest.strip_suffix("_init")) {
            (Some(rest), _) => (rest.to_owned(), Ends::Request),
            (None, Some(rest)) => (rest.to_lowercase(), Ends::Persistent),
            (None, None) => (rest.to_lowercase(), Ends::Returning),
        };
        let form = match rest.as_str() {
            "barrier" => Self::Barrier,
            "bcast" => Self::Bcast,
            "gather" => Self::Gather,
            "gatherv" => Self::Gatherv,
            "scatter" => Self::Scatter,
            "scatterv" => Self::Scatterv,
            "allgather" => Self::Allgather,
            "allgatherv" => Self::Allgatherv,
            "alltoall" => Self::Alltoall,
            "alltoallv" => Self::Alltoallv,
            "alltoallw" => Self::Alltoallw,
            "reduce" => Self::Reduce,
            "allreduce" => Self::Allreduce,
            "reduce_scatter" => Self::ReduceScatter,
            "reduce_scatter_block" => Self::ReduceScatterBlock,
            "scan" => Self::Scan,
            "exscan" => Self::Exscan,
            "neighbor_allgather" => Self::NeighborAllgather,
            "neighbor_allgatherv" => Self::NeighborAllgatherv,
            "neighbor_alltoall" => Self::NeighborAlltoall,
            "neighbor_alltoallv" => Self::NeighborAlltoallv,
            "neighbor_alltoallw" => Self::NeighborAlltoallw,
            _ => return None,
        };
        Some((form, ends))
    }

    /// Who gives what to whom.
    pub const fn movement(self) -> Movement {
        use Gives::{Parts, Same};
        const SEND: Side = Side::packed(0);
        const RECEIVE: Side = Side::packed(3);
        const SEND_PARTS: Side = Side::vector(0);
        match self {
            Self::Barrier => Movement::Nothing,
            Self::Bcast => Movement::FromRoot {
                parts: None,
                own: SEND,
            },
            Self::Scatter => Movement::FromRoot {
                parts: Some(SEND),
                own: RECEIVE,
            },
            Self::Scatterv => Movement::FromRoot {
                parts: Some(SEND_PARTS),
                own: Side::packed(4),
            },
            Self::Gather => Movement::ToRoot {
                own: SEND,
                parts: RECEIVE,
            },
            Self::Gatherv => Movement::ToRoot {
                own: SEND,
                parts: Side::vector(3),
            },
            Self::Allgather => exchange(Same(SEND), RECEIVE),
            Self::Allgatherv => exchange(Same(SEND), Side::vector(3)),
            Self::Alltoall => exchange(Parts(SEND), RECEIVE),
            Self::Alltoallv => exchange(Parts(SEND_PARTS), Side::vector(4)),
            Self::Alltoallw => exchange(
                Parts(Side::general(0, Spread::Bytes(2))),
                Side::general(4, Spread::Bytes(6)),
            ),
            Self::NeighborAllgather => neighbors(Same(SEND), RECEIVE),
            Self::NeighborAllgatherv => neighbors(Same(SEND), Side::vector(3)),
            Self::NeighborAlltoall => neighbors(Parts(SEND), RECEIVE),
            Self::NeighborAlltoallv => neighbors(Parts(SEND_PARTS), Side::vector(4)),
            Self::NeighborAlltoallw => neighbors(
                Parts(Side::general(0, Spread::Addresses(2))),
                Side::general(4, Spread::Addresses(6)),
            ),
            Self::Reduce => Movement::ReduceToRoot,
            Self::Allreduce | Self::ReduceScatter | Self::ReduceScatterBlock | Self::Scan | Self::Exscan => {
                Movement::Reduce
            }
        }
    }

    /// Where the communicator stands among the arguments; in rooted forms, the root stands before it.
    pub const fn communicator(self) -> usize {
        match self.movement() {
            Movement::Nothing => 0,
            Movement::FromRoot { own: last, .. } | Movement::ToRoot { parts: last, .. } => {
                last.base + last.arguments() + 1
            }
            Movement::Exchange { takes, .. } | Movement::Neighbors { takes, .. } => {
                takes.base + takes.arguments()
            }
            Movement::ReduceToRoot => 6,
            Movement::Reduce => 5,
        }
    }
}

const fn exchange(gives: Gives, takes: Side) -> Movement {
    Movement::Exchange { gives, takes }
}

const fn neighbors(gives: Gives, takes: Side) -> Movement {
    Movement::Neighbors { gives, takes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_form_and_the_end() {
        use CollectiveForm as Form;
        assert_eq!(Form::of("MPI_Bcast"), Some((Form::Bcast, Ends::Returning)));
        assert_eq!(Form::of("MPI_Iallreduce"), Some((Form::Allreduce, Ends::Request)));
        assert_eq!(
            Form::of("MPI_Barrier_init"),
            Some((Form::Barrier, Ends::Persistent))
        );
        assert_eq!(
            Form::of("MPI_Ineighbor_alltoallw"),
            Some((Form::NeighborAlltoallw, Ends::Request))
        );
        assert_eq!(Form::of("MPI_Win_fence"), None);
        assert_eq!(Form::of("MPI_Send_init"), None);
    }

    /// The prototypes of MPI-4.1 §6.3 to §6.12 and §8.6.
    #[test]
    fn the_communicator_is_the_last_argument() {
        let at = |name: &str| CollectiveForm::of(name).map(|(form, _)| form.communicator());
        for (name, place) in [
            ("MPI_Barrier", 0),
            ("MPI_Bcast", 4),
            ("MPI_Allreduce", 5),
            ("MPI_Reduce", 6),
            ("MPI_Allgather", 6),
            ("MPI_Gather", 7),
            ("MPI_Allgatherv", 7),
            ("MPI_Gatherv", 8),
            ("MPI_Scatterv", 8),
            ("MPI_Alltoallw", 8),
            ("MPI_Neighbor_alltoallv", 8),
        ] {
            assert_eq!(at(name), Some(place), "{name}");
        }
    }
}
