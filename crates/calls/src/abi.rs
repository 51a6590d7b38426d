//! The constants of MPI by binary interface, as far as they are numbers. Handles that are addresses of a library's objects
//! are found by who looks at the program; here are the names of those objects.

use farside_events::{AccumulateOp, Assertions};

/// A family of MPI libraries with one binary interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abi {
    /// Open MPI 1.7 and later (`mpi.h` of 4.1): handles are pointers to exported objects.
    OpenMpi,
    /// MPICH 3.1 and later (`mpi.h` of 4.0), Intel MPI, MVAPICH, Cray MPI: handles are 32-bit integers.
    Mpich,
    /// The standard ABI of MPI-5.0 (chapter 20; `mpi_abi.h` of MPICH 5.0): handles are pointers, predefined ones small numbers.
    Standard,
}

/// The numbers of one binary interface.
#[derive(Debug)]
#[allow(missing_docs)] // Fields carry the standard's names; the others say what they are.
pub struct Numbers {
    pub abi: Abi,
    /// Bytes of a handle in memory.
    pub handle_size: u64,
    /// Addresses that mean the constants in C.
    pub in_place: u64,
    pub status_ignore: u64,
    pub any_source: i32,
    pub any_tag: i32,
    pub proc_null: i32,
    pub root: i32,
    pub undefined: i32,
    pub mode_nocheck: i32,
    pub mode_nostore: i32,
    pub mode_noput: i32,
    pub mode_noprecede: i32,
    pub mode_nosucceed: i32,
    pub lock_exclusive: i32,
    pub lock_shared: i32,
    /// Byte offsets in a status, the same in C and Fortran.
    pub status_source: u64,
    pub status_tag: u64,
    pub status_size: u64,
    pub combiners: &'static [(i32, Combiner)],
    pub topologies: [(i32, Topology); 3],
}

/// How a datatype was made (MPI-4.1 §5.1.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The standard's names.
pub enum Combiner {
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
pub enum Topology {
    Cart,
    Graph,
    DistGraph,
}

/// A predefined operator: Open MPI's object is `ompi_mpi_op_` and the name, the others have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The field names say it.
pub struct Operator {
    pub operator: AccumulateOp,
    pub open_mpi: &'static str,
    pub mpich: u32,
    pub standard: u32,
}

const fn operator(operator: AccumulateOp, open_mpi: &'static str, mpich: u32, standard: u32) -> Operator {
    Operator {
        operator,
        open_mpi,
        mpich,
        standard,
    }
}

/// The predefined operators.
pub const OPERATORS: [Operator; 14] = [
    operator(AccumulateOp::Max, "max", 0x5800_0001, 0x23),
    operator(AccumulateOp::Min, "min", 0x5800_0002, 0x22),
    operator(AccumulateOp::Sum, "sum", 0x5800_0003, 0x21),
    operator(AccumulateOp::Prod, "prod", 0x5800_0004, 0x24),
    operator(AccumulateOp::Land, "land", 0x5800_0005, 0x30),
    operator(AccumulateOp::Band, "band", 0x5800_0006, 0x28),
    operator(AccumulateOp::Lor, "lor", 0x5800_0007, 0x31),
    operator(AccumulateOp::Bor, "bor", 0x5800_0008, 0x29),
    operator(AccumulateOp::Lxor, "lxor", 0x5800_0009, 0x32),
    operator(AccumulateOp::Bxor, "bxor", 0x5800_000a, 0x2a),
    operator(AccumulateOp::Minloc, "minloc", 0x5800_000b, 0x38),
    operator(AccumulateOp::Maxloc, "maxloc", 0x5800_000c, 0x39),
    operator(AccumulateOp::Replace, "replace", 0x5800_000d, 0x3c),
    operator(AccumulateOp::NoOp, "no_op", 0x5800_000e, 0x3d),
];

/// Open MPI's.
pub static OPEN_MPI: Numbers = Numbers {
    abi: Abi::OpenMpi,
    handle_size: 8,
    in_place: 1,
    status_ignore: 0,
    any_source: -1,
    any_tag: -1,
    proc_null: -2,
    root: -4,
    undefined: -32766,
    mode_nocheck: 1,
    mode_noprecede: 2,
    mode_noput: 4,
    mode_nostore: 8,
    mode_nosucceed: 16,
    lock_exclusive: 1,
    lock_shared: 2,
    status_source: 0,
    status_tag: 4,
    status_size: 24,
    combiners: &[
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
    ],
    topologies: [
        (1, Topology::Cart),
        (2, Topology::Graph),
        (3, Topology::DistGraph),
    ],
};

/// MPICH's.
pub static MPICH: Numbers = Numbers {
    abi: Abi::Mpich,
    handle_size: 4,
    in_place: u64::MAX,
    status_ignore: 1,
    any_source: -2,
    any_tag: -1,
    proc_null: -1,
    root: -3,
    undefined: -32766,
    mode_nocheck: 1024,
    mode_nostore: 2048,
    mode_noput: 4096,
    mode_noprecede: 8192,
    mode_nosucceed: 16384,
    lock_exclusive: 234,
    lock_shared: 235,
    status_source: 8,
    status_tag: 12,
    status_size: 20,
    combiners: &[
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
    ],
    topologies: [
        (1, Topology::Graph),
        (2, Topology::Cart),
        (3, Topology::DistGraph),
    ],
};

/// The standard's.
pub static STANDARD: Numbers = Numbers {
    abi: Abi::Standard,
    handle_size: 8,
    in_place: 1,
    status_ignore: 0,
    any_source: -1,
    any_tag: -2,
    proc_null: -3,
    root: -4,
    undefined: -32766,
    mode_nocheck: 1024,
    mode_noprecede: 2048,
    mode_noput: 4096,
    mode_nostore: 8192,
    mode_nosucceed: 16384,
    lock_exclusive: 301,
    lock_shared: 302,
    status_source: 0,
    status_tag: 4,
    status_size: 32,
    combiners: &[
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
    ],
    topologies: [
        (211, Topology::Cart),
        (212, Topology::Graph),
        (213, Topology::DistGraph),
    ],
};

impl Numbers {
    /// The assertions that the bits of an `assert` argument make.
    pub fn assertions(&self, bits: i32) -> Assertions {
        Assertions {
            nocheck: bits & self.mode_nocheck != 0,
            nostore: bits & self.mode_nostore != 0,
            noput: bits & self.mode_noput != 0,
            noprecede: bits & self.mode_noprecede != 0,
            nosucceed: bits & self.mode_nosucceed != 0,
        }
    }

    /// The combiner that a number stands for; `None` for one that we do not know.
    pub fn combiner(&self, number: i32) -> Option<Combiner> {
        find(self.combiners, number)
    }

    /// The topology that a number stands for; `None` for `MPI_UNDEFINED`.
    pub fn topology(&self, number: i32) -> Option<Topology> {
        find(&self.topologies, number)
    }

    /// Source and tag that a receive matches, without wildcards; `None` for a receive from `MPI_PROC_NULL`.
    pub fn matching(&self, source: i32, tag: i32) -> Option<(Option<i32>, Option<i32>)> {
        (source != self.proc_null).then(|| {
            (
                (source != self.any_source).then_some(source),
                (tag != self.any_tag).then_some(tag),
            )
        })
    }
}

fn find<T: Copy>(table: &[(i32, T)], number: i32) -> Option<T> {
    let found = table.iter().find(|(known, _)| *known == number);
    found.map(|(_, value)| *value)
}
