//! Open MPI's ABI (`mpi.h` of 4.1; unchanged since 1.7 where it matters here, and in 5.0).

use super::constants::FortranAddresses;
use super::{Abi, Combiner, Constants, Topology, symbol};
use farside_events::AccumulateOp as Op;

const COMBINERS: &[(i32, Combiner)] = &[
    (0, Combiner::Named),
    (1, Combiner::Dup),
    (2, Combiner::Contiguous),
    (3, Combiner::Vector),
    (5, Combiner::Hvector),
    (6, Combiner::Indexed),
    (8, Combiner::Hindexed),
    (9, Combiner::IndexedBlock),
    (11, Combiner::Struct),
    (12, Combiner::Subarray),
    (13, Combiner::Darray),
    (14, Combiner::F90),
    (15, Combiner::F90),
    (16, Combiner::F90),
    (17, Combiner::Resized),
    (18, Combiner::HindexedBlock),
];

/// The table; predefined handles are the addresses of exported objects.
pub(super) fn constants() -> Constants {
    let object = |name| symbol::global(name).unwrap_or(0);
    Constants {
        abi: Abi::OpenMpi,
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
        in_place: 1,
        status_ignore: 0,
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
        any_source: -1,
        any_tag: -1,
        proc_null: -2,
        root: -4,
        mode_nocheck: 1,
        mode_noprecede: 2,
        mode_noput: 4,
        mode_nostore: 8,
        mode_nosucceed: 16,
        lock_exclusive: 1,
        status_source: 0,
        status_tag: 4,
        status_size: 24,
        operators: vec![
            (object(c"ompi_mpi_op_max"), Op::Max),
            (object(c"ompi_mpi_op_min"), Op::Min),
            (object(c"ompi_mpi_op_sum"), Op::Sum),
            (object(c"ompi_mpi_op_prod"), Op::Prod),
            (object(c"ompi_mpi_op_land"), Op::Land),
            (object(c"ompi_mpi_op_band"), Op::Band),
            (object(c"ompi_mpi_op_lor"), Op::Lor),
            (object(c"ompi_mpi_op_bor"), Op::Bor),
            (object(c"ompi_mpi_op_lxor"), Op::Lxor),
            (object(c"ompi_mpi_op_bxor"), Op::Bxor),
            (object(c"ompi_mpi_op_maxloc"), Op::Maxloc),
            (object(c"ompi_mpi_op_minloc"), Op::Minloc),
            (object(c"ompi_mpi_op_replace"), Op::Replace),
            (object(c"ompi_mpi_op_no_op"), Op::NoOp),
        ],
        combiners: COMBINERS,
        topologies: [
            (1, Topology::Cart),
            (2, Topology::Graph),
            (3, Topology::DistGraph),
        ],
    }
}
