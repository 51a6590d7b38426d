//! Open MPI's ABI (`mpi.h` of 4.1; unchanged since 1.7 where it matters here, and in 5.0).

use super::constants::FortranAddresses;
use super::{Constants, symbol};
use farside_calls::abi::{OPEN_MPI, OPERATORS, Operator};
use farside_events::AccumulateOp;
use std::ffi::CString;

/// The table; predefined handles are the addresses of exported objects.
pub(super) fn constants() -> Constants {
    let object = |name| symbol::global(name).unwrap_or(0);
    Constants {
        numbers: &OPEN_MPI,
        handle_mask: usize::MAX,
        comm_world: object(c"ompi_mpi_comm_world"),
        comm_self: object(c"ompi_mpi_comm_self"),
        comm_null: object(c"ompi_mpi_comm_null"),
        request_null: object(c"ompi_request_null"),
        message_null: object(c"ompi_message_null"),
        message_no_proc: object(c"ompi_message_no_proc"),
        info_null: object(c"ompi_mpi_info_null"),
        win_null: object(c"ompi_mpi_win_null"),
        type_null: object(c"ompi_mpi_datatype_null"),
        fortran: FortranAddresses {
            bottom: symbol::every(&[c"mpi_fortran_bottom_", c"mpi_fortran_bottom"]),
            in_place: symbol::every(&[c"mpi_fortran_in_place_", c"mpi_fortran_in_place"]),
            status_ignore: symbol::every(&[
                c"mpi_fortran_status_ignore_",
                c"mpi_fortran_status_ignore",
                c"mpi_fortran_statuses_ignore_",
                c"mpi_fortran_statuses_ignore",
            ]),
        },
        operators: OPERATORS.map(operator).into(),
    }
}

/// A predefined operator with the address of its object.
fn operator(known: Operator) -> (usize, AccumulateOp) {
    let name = CString::new(format!("ompi_mpi_op_{}", known.open_mpi)).unwrap_or_default();
    (symbol::global(&name).unwrap_or(0), known.operator)
}
