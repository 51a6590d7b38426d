//! The MPICH ABI (`mpi.h` of 4.0): MPICH 3.1 and later, Intel MPI, MVAPICH, Cray MPI.

use super::constants::FortranAddresses;
use super::{Abi, Combiner, Constants, Topology, symbol};
use farside_events::AccumulateOp as Op;

const COMBINERS: &[(i32, Combiner)] = &[
    (1, Combiner::Named),
    (2, Combiner::Dup),
    (3, Combiner::Contiguous),
    (4, Combiner::Vector),
    (6, Combiner::Hvector),
    (7, Combiner::Indexed),
    (9, Combiner::Hindexed),
    (10, Combiner::IndexedBlock),
    (12, Combiner::Struct),
    (13, Combiner::Subarray),
    (14, Combiner::Darray),
    (15, Combiner::F90),
    (16, Combiner::F90),
    (17, Combiner::F90),
    (18, Combiner::Resized),
    (19, Combiner::HindexedBlock),
];

/// The table. The Fortran addresses are variables that `MPI_Init` fills (for `mpif.h`) and the constants themselves
/// (for `mpi_f08`).
pub(super) fn constants() -> Constants {
    Constants {
        abi: Abi::Mpich,
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
        in_place: usize::MAX,
        status_ignore: 1,
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
        any_source: -2,
        any_tag: -1,
        proc_null: -1,
        root: -3,
        mode_nocheck: 1024,
        mode_nostore: 2048,
        mode_noput: 4096,
        mode_noprecede: 8192,
        mode_nosucceed: 16384,
        lock_exclusive: 234,
        status_source: 8,
        status_tag: 12,
        status_size: 20,
        operators: vec![
            (0x5800_0001, Op::Max),
            (0x5800_0002, Op::Min),
            (0x5800_0003, Op::Sum),
            (0x5800_0004, Op::Prod),
            (0x5800_0005, Op::Land),
            (0x5800_0006, Op::Band),
            (0x5800_0007, Op::Lor),
            (0x5800_0008, Op::Bor),
            (0x5800_0009, Op::Lxor),
            (0x5800_000a, Op::Bxor),
            (0x5800_000b, Op::Minloc),
            (0x5800_000c, Op::Maxloc),
            (0x5800_000d, Op::Replace),
            (0x5800_000e, Op::NoOp),
        ],
        combiners: COMBINERS,
        topologies: [
            (1, Topology::Graph),
            (2, Topology::Cart),
            (3, Topology::DistGraph),
        ],
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
