//! The standard ABI of MPI-5.0 (chapter 20), as in `mpi_abi.h` of MPICH 5.0.
//!
//! Limit: Fortran constants of this ABI are not recognised, since no library with Fortran bindings of it is known yet.

use super::Constants;
use super::constants::FortranAddresses;
use farside_calls::abi::{OPERATORS, STANDARD};

/// The table.
pub(super) fn constants() -> Constants {
    Constants {
        numbers: &STANDARD,
        handle_mask: usize::MAX,
        comm_world: 0x101,
        comm_self: 0x102,
        comm_null: 0x100,
        request_null: 0x180,
        message_null: 0x128,
        message_no_proc: 0x129,
        info_null: 0x130,
        win_null: 0x110,
        type_null: 0x200,
        fortran: FortranAddresses::default(),
        operators: OPERATORS
            .map(|operator| (operator.standard as usize, operator.operator))
            .into(),
    }
}
