//! What an MPI ABI fixes, as data: the numbers of [`farside_calls::abi`], and what this process' library has at some
//! address.

use farside_calls::abi::Numbers;
use farside_events::AccumulateOp;

/// One library's constants. Handles are machine words as in C, masked to [`Constants::handle_mask`].
#[derive(Debug)]
#[allow(missing_docs)] // Fields carry the standard's names; the others say what they are.
pub(crate) struct Constants {
    pub(crate) numbers: &'static Numbers,
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
    /// Addresses that mean the constants in Fortran; none where there is none.
    pub(crate) fortran: FortranAddresses,
    pub(crate) operators: Vec<(usize, AccumulateOp)>,
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

    /// The address that means `MPI_IN_PLACE` in C.
    pub(crate) fn in_place(&self) -> usize {
        self.numbers.in_place as usize
    }

    /// The address that means `MPI_STATUS_IGNORE` in C.
    pub(crate) fn status_ignore(&self) -> usize {
        self.numbers.status_ignore as usize
    }

    /// Bytes of a status.
    pub(crate) fn status_size(&self) -> usize {
        self.numbers.status_size as usize
    }
}
