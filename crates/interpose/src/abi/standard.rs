//! The standard ABI of MPI-5.0 (chapter 20), as in `mpi_abi.h` of MPICH 5.0.
//!
//! Limit: Fortran constants of this ABI are not recognised, since no library with Fortran bindings of it is known yet.

use super::constants::FortranAddresses;
use super::{Abi, Combiner, Constants, Topology};
use farside_events::AccumulateOp as Op;

const COMBINERS: &[(i32, Combiner)] = &[
    (101, Combiner::Named),
    (102, Combiner::Dup),
    (103, Combiner::Contiguous),
    (104, Combiner::Vector),
    (105, Combiner::Hvector),
    (106, Combiner::Indexed),
    (107, Combiner::Hindexed),
    (108, Combiner::IndexedBlock),
    (109, Combiner::HindexedBlock),
    (110, Combiner::Struct),
    (111, Combiner::Subarray),
    (112, Combiner::Darray),
    (113, Combiner::F90),
    (114, Combiner::F90),
    (115, Combiner::F90),
    (116, Combiner::Resized),
];

/// The table.
pub(super) fn constants() -> Constants {
    Constants {
        abi: Abi::Standard,
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
        in_place: 1,
        status_ignore: 0,
        fortran: FortranAddresses::default(),
        any_source: -1,
        any_tag: -2,
        proc_null: -3,
        root: -4,
        mode_nocheck: 1024,
        mode_noprecede: 2048,
        mode_noput: 4096,
        mode_nostore: 8192,
        mode_nosucceed: 16384,
        lock_exclusive: 301,
        status_source: 0,
        status_tag: 4,
        status_size: 32,
        operators: vec![
            (0x21, Op::Sum),
            (0x22, Op::Min),
            (0x23, Op::Max),
            (0x24, Op::Prod),
            (0x28, Op::Band),
            (0x29, Op::Bor),
            (0x2a, Op::Bxor),
            (0x30, Op::Land),
            (0x31, Op::Lor),
            (0x32, Op::Lxor),
            (0x38, Op::Minloc),
            (0x39, Op::Maxloc),
            (0x3c, Op::Replace),
            (0x3d, Op::NoOp),
        ],
        combiners: COMBINERS,
        topologies: [
            (211, Topology::Cart),
            (212, Topology::Graph),
            (213, Topology::DistGraph),
        ],
    }
}
