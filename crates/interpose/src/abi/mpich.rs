//! The MPICH ABI (`mpi.h` of 4.0): MPICH 3.1 and later, Intel MPI, MVAPICH, Cray MPI.

use super::constants::FortranAddresses;
use super::{Constants, symbol};
use farside_calls::abi::{MPICH, OPERATORS};

/// The table. The Fortran addresses are variables that `MPI_Init` fills (for `mpif.h`) and the constants themselves
/// (for `mpi_f08`).
pub(super) fn constants() -> Constants {
    Constants {
        numbers: &MPICH,
        handle_mask: 0xffff_ffff,
        comm_world: 0x4400_0000,
        comm_self: 0x4400_0001,
        comm_null: 0x0400_0000,
        request_null: 0x2c00_0000,
        message_null: 0x2c00_0000,
        message_no_proc: 0x6c00_0000,
        info_null: 0x1c00_0000,
        win_null: 0x2000_0000,
        type_null: 0x0c00_0000,
        fortran: FortranAddresses {
            bottom: addresses(&[c"MPIR_F_MPI_BOTTOM"], &[c"MPIR_F08_MPI_BOTTOM"]),
            in_place: addresses(&[c"MPIR_F_MPI_IN_PLACE"], &[c"MPIR_F08_MPI_IN_PLACE"]),
            status_ignore: addresses(
                &[c"MPI_F_STATUS_IGNORE", c"MPI_F_STATUSES_IGNORE"],
                &[
                    c"MPIR_F08_MPI_STATUS_IGNORE_OBJ",
                    c"MPIR_F08_MPI_STATUSES_IGNORE_OBJ",
                ],
            ),
        },
        operators: OPERATORS
            .map(|operator| (operator.mpich as usize, operator.operator))
            .into(),
    }
}

/// The addresses held by `variables`, and those of `objects`.
fn addresses(variables: &[&std::ffi::CStr], objects: &[&std::ffi::CStr]) -> Vec<usize> {
    let mut found: Vec<usize> = symbol::every(variables)
        .into_iter()
        .map(|variable| {
            // SAFETY: the symbols are pointer variables of the library.
            unsafe { *(variable as *const usize) }
        })
        .filter(|address| *address != 0)
        .collect();
    found.extend(symbol::every(objects));
    found
}
