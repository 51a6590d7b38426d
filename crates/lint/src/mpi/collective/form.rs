//! The forms of collective operations, by their names.

/// The forms that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
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

/// The form of a call, and whether it is non-blocking.
pub(crate) fn form(name: &str) -> Option<(Form, bool)> {
    let rest = name.strip_prefix("MPI_")?;
    let (rest, immediate) = match rest.strip_prefix('I') {
        Some(rest) => (rest.to_owned(), true),
        None => (rest.to_lowercase(), false),
    };
    let form = match rest.as_str() {
        "barrier" => Form::Barrier,
        "bcast" => Form::Bcast,
        "gather" => Form::Gather,
        "gatherv" => Form::Gatherv,
        "scatter" => Form::Scatter,
        "scatterv" => Form::Scatterv,
        "allgather" => Form::Allgather,
        "allgatherv" => Form::Allgatherv,
        "alltoall" => Form::Alltoall,
        "alltoallv" => Form::Alltoallv,
        "alltoallw" => Form::Alltoallw,
        "reduce" => Form::Reduce,
        "allreduce" => Form::Allreduce,
        "reduce_scatter" => Form::ReduceScatter,
        "reduce_scatter_block" => Form::ReduceScatterBlock,
        "scan" => Form::Scan,
        "exscan" => Form::Exscan,
        "neighbor_allgather" => Form::NeighborAllgather,
        "neighbor_allgatherv" => Form::NeighborAllgatherv,
        "neighbor_alltoall" => Form::NeighborAlltoall,
        "neighbor_alltoallv" => Form::NeighborAlltoallv,
        "neighbor_alltoallw" => Form::NeighborAlltoallw,
        _ => return None,
    };
    Some((form, immediate))
}

impl Form {
    /// Where the communicator stands among the arguments; the request of the non-blocking form comes behind it.
    pub(crate) fn communicator(self) -> usize {
        match self {
            Form::Barrier => 0,
            Form::Bcast => 4,
            Form::Allreduce | Form::ReduceScatter | Form::ReduceScatterBlock | Form::Scan | Form::Exscan => 5,
            Form::Reduce
            | Form::Allgather
            | Form::Alltoall
            | Form::NeighborAllgather
            | Form::NeighborAlltoall => 6,
            Form::Gather | Form::Scatter | Form::Allgatherv | Form::NeighborAllgatherv => 7,
            Form::Gatherv
            | Form::Scatterv
            | Form::Alltoallv
            | Form::Alltoallw
            | Form::NeighborAlltoallv
            | Form::NeighborAlltoallw => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_form() {
        assert_eq!(form("MPI_Bcast"), Some((Form::Bcast, false)));
        assert_eq!(form("MPI_Iallreduce"), Some((Form::Allreduce, true)));
        assert_eq!(
            form("MPI_Ineighbor_alltoallw"),
            Some((Form::NeighborAlltoallw, true))
        );
        assert_eq!(form("MPI_Win_fence"), None);
    }
}
