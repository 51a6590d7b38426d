//! What an MPI ABI fixes, as data.

use super::Abi;
use farside_events::AccumulateOp;

/// The kinds of handles that hooks convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleKind {
    /// `MPI_Comm`
    Comm,
    /// `MPI_Datatype`
    Type,
    /// `MPI_Win`
    Win,
    /// `MPI_Request`
    Request,
    /// `MPI_Group`
    Group,
    /// `MPI_Op`
    Op,
    /// `MPI_Info`
    Info,
    /// `MPI_Message`
    Message,
}

/// How a datatype was made (MPI-4.1 §5.1.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The standard's names.
pub(crate) enum Combiner {
    Named,
    Dup,
    Contiguous,
    Vector,
    Hvector,
    Indexed,
    Hindexed,
    IndexedBlock,
    HindexedBlock,
    Struct,
    Subarray,
    Darray,
    F90,
    Resized,
}

/// The virtual topology of a communicator (MPI-4.1 §8.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The standard's names.
pub(crate) enum Topology {
    Cart,
    Graph,
    DistGraph,
}

/// One library's constants. Handles are machine words as in C, masked to [`Constants::handle_mask`].
#[derive(Debug)]
#[allow(missing_docs)] // Fields carry the standard's names; the others say what they are.
pub(crate) struct Constants {
    pub(crate) abi: Abi,
    /// The bits of a word that a C handle occupies.
    pub(crate) handle_mask: usize,
    pub(crate) comm_world: usize,
    pub(crate) comm_self: usize,
    pub(crate) comm_null: usize,
    pub(crate) request_null: usize,
    pub(crate) message_null: usize,
    pub(crate) message_no_proc: usize,
    pub(crate) info_null: usize,
    pub(crate) win_null: usize,
    pub(crate) type_null: usize,
    /// Addresses that mean the C constants.
    pub(crate) in_place: usize,
    pub(crate) status_ignore: usize,
    /// Addresses that mean the constants in Fortran; 0 where there is none.
    pub(crate) fortran: FortranAddresses,
    pub(crate) any_source: i32,
    pub(crate) any_tag: i32,
    pub(crate) proc_null: i32,
    pub(crate) root: i32,
    pub(crate) mode_nocheck: i32,
    pub(crate) mode_nostore: i32,
    pub(crate) mode_noput: i32,
    pub(crate) mode_noprecede: i32,
    pub(crate) mode_nosucceed: i32,
    pub(crate) lock_exclusive: i32,
    /// Byte offsets in a status, the same in C and Fortran.
    pub(crate) status_source: usize,
    pub(crate) status_tag: usize,
    pub(crate) status_size: usize,
    pub(crate) operators: Vec<(usize, AccumulateOp)>,
    pub(crate) combiners: &'static [(i32, Combiner)],
    pub(crate) topologies: [(i32, Topology); 3],
}

/// Addresses by which Fortran programs name the constants that are not values. Several, since `mpif.h` and `mpi_f08`
/// may use different variables.
#[derive(Debug, Default)]
pub(crate) struct FortranAddresses {
    pub(crate) bottom: Vec<usize>,
    pub(crate) in_place: Vec<usize>,
    pub(crate) status_ignore: Vec<usize>,
}

impl Constants {
    /// The operator that a handle stands for.
    pub(crate) fn operator(&self, handle: usize) -> AccumulateOp {
        self.operators
            .iter()
            .find(|(known, _)| *known == handle)
            .map_or(AccumulateOp::Other, |(_, operator)| *operator)
    }

    /// The combiner that a number stands for; `None` for one that we do not know.
    pub(crate) fn combiner(&self, number: i32) -> Option<Combiner> {
        self.combiners
            .iter()
            .find(|(known, _)| *known == number)
            .map(|(_, combiner)| *combiner)
    }

    /// The topology that a number stands for; `None` for `MPI_UNDEFINED`.
    pub(crate) fn topology(&self, number: i32) -> Option<Topology> {
        self.topologies
            .iter()
            .find(|(known, _)| *known == number)
            .map(|(_, topology)| *topology)
    }
}
