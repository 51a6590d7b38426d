//! The forms of collective operations (MPI-4.1 chapters 6 and 8.6): who gives what to whom, and how the arguments describe it.

use crate::signature::{Kind, Role, Signature};

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

/// One of the two buffers of a call, by the roles of the arguments that describe its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The types say it.
pub struct Side {
    pub buffer: Role,
    pub counts: Counts,
    pub spread: Spread,
    pub types: Types,
}

/// How many elements each part of a buffer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// This argument, for each part.
    Each(Role),
    /// Given by an array, this argument.
    Array(Role),
}

/// Where the parts of a buffer lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// One after the other.
    Packed,
    /// At an array of displacements, in elements.
    Elements(Role),
    /// In bytes, as `int` (`MPI_Aint` in forms with large counts).
    Bytes(Role),
    /// In bytes, as `MPI_Aint`.
    Addresses(Role),
}

/// The datatypes of the parts of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// This argument, for all.
    One(Role),
    /// Given by an array, this argument.
    Array(Role),
}

impl Side {
    /// The buffer that a call with this signature takes from the process.
    pub fn sent(signature: &Signature) -> Self {
        Self::of(
            signature,
            Role::SendBuffer,
            Role::SendCount,
            Role::SendDisplacements,
            Role::SendType,
        )
    }

    /// The buffer in which the process gets something.
    pub fn received(signature: &Signature) -> Self {
        Self::of(
            signature,
            Role::ReceiveBuffer,
            Role::ReceiveCount,
            Role::ReceiveDisplacements,
            Role::ReceiveType,
        )
    }

    fn of(signature: &Signature, buffer: Role, count: Role, displacements: Role, datatype: Role) -> Self {
        let is_array = |role| signature.parameter(role).is_some_and(|parameter| parameter.array);
        let spread = match signature.parameter(displacements) {
            None => Spread::Packed,
            Some(_) if !is_array(datatype) => Spread::Elements(displacements),
            Some(parameter) if parameter.kind == Kind::Address => Spread::Addresses(displacements),
            Some(_) => Spread::Bytes(displacements),
        };
        Self {
            buffer,
            counts: if is_array(count) {
                Counts::Array(count)
            } else {
                Counts::Each(count)
            },
            spread,
            types: if is_array(datatype) {
                Types::Array(datatype)
            } else {
                Types::One(datatype)
            },
        }
    }

    /// Whether all parts have the same number of elements of the same type.
    pub fn is_uniform(&self) -> bool {
        matches!((self.counts, self.types), (Counts::Each(_), Types::One(_)))
    }
}
