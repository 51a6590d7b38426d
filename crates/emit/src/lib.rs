//! Litmus tests as C, for the interfaces of real networks.
//!
//! Promise: [`emit`] makes one program of many tests of coreRMA. What the tests do is the same text for every target:
//! calls of `put`, `get`, `rga`, `cas`, `flush`, `load` and `store` on variables, a function a test; these are what a
//! target defines (GASPI: `on`, `notify`, `put_notify`, `get_notify`, `wait_queue`, `await` and `take`, but no `flush`), in `c/`, a page or more a target; those of Portals 4 and DMAPP are compiled here against
//! declarations of ours, and run nowhere here. Each run begins with first values and a barrier; random small delays
//! stand between statements; the program prints a histogram a test that [`farside_litmus::log`] reads. Its usage is in
//! the head of `c/before.c`.
//!
//! Limits: no loops, and no barriers in branches; at most [`MOST_VARIABLES`] variables and [`MOST_SEEN`] observed values; accesses of
//! 8 bytes, which the targets here make at once. For MPI, no statement that reads and writes one variable in two of its
//! buffers: MPI wants them disjoint (MPI-4.1 §12.3), and MPICH ends the program. MPI also calls two such accesses at a
//! time, or a buffer of a pending operation that is touched, erroneous: what an MPI does then is what these tests look
//! at.
//!
//! Source: Dan et al. 2016, sections 6.1 (code generation) and 7, and Table 2.
#![forbid(unsafe_code)]

mod text;

pub use text::emit;

use farside_litmus::ast::Place;

/// Variables of a test; as in `c/before.c`.
pub const MOST_VARIABLES: usize = 32;

/// Queues of a test of GASPI; as in `c/gaspi.c`.
pub const MOST_QUEUES: u32 = 4;

/// Values of an outcome; as in `c/before.c`.
pub const MOST_SEEN: usize = 64;

/// What code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// MPI-3 RMA: MPICH, Open MPI, and what they are the base of; put and get, loads and stores.
    Mpi3,
    /// The same; every access of a window is an accumulate, which MPI makes atomic.
    Mpi3Accumulate,
    /// OpenSHMEM 1.4; its non-blocking atomics where the header has 1.5.
    OpenShmem,
    /// GASPI 17.1: writes and reads in queues, notifications, atomics.
    Gaspi,
    /// libfabric 1.9 and later: RMA and fetching atomics of reliable datagrams.
    Libfabric,
    /// ibverbs: reliable connections of an RDMA device.
    Ibverbs,
    /// Portals 4. Compiled here against declarations of ours (`c/declared`), never run here.
    Portals4,
    /// Cray's DMAPP. Compiled here against declarations of ours (`c/declared`), never run here.
    Dmapp,
}

impl Target {
    /// The definitions of this target.
    fn definitions(self) -> &'static [&'static str] {
        match self {
            Self::Mpi3 => &[
                include_str!("../c/mpi3.c"),
                include_str!("../c/mpi3-plain.c"),
                include_str!("../c/memory.c"),
            ],
            Self::Mpi3Accumulate => &[
                include_str!("../c/mpi3.c"),
                include_str!("../c/mpi3-accumulate.c"),
            ],
            Self::OpenShmem => &[include_str!("../c/openshmem.c"), include_str!("../c/memory.c")],
            Self::Gaspi => &[include_str!("../c/gaspi.c"), include_str!("../c/memory.c")],
            Self::Libfabric => &[
                include_str!("../c/meeting.c"),
                include_str!("../c/shared.c"),
                include_str!("../c/libfabric.c"),
                include_str!("../c/control.c"),
                include_str!("../c/memory.c"),
            ],
            Self::Ibverbs => &[
                include_str!("../c/meeting.c"),
                include_str!("../c/shared.c"),
                include_str!("../c/ibverbs.c"),
                include_str!("../c/control.c"),
                include_str!("../c/memory.c"),
            ],
            Self::Portals4 => &[
                include_str!("../c/meeting.c"),
                include_str!("../c/shared.c"),
                include_str!("../c/portals4.c"),
                include_str!("../c/control.c"),
                include_str!("../c/memory.c"),
            ],
            Self::Dmapp => &[include_str!("../c/dmapp.c"), include_str!("../c/memory.c")],
        }
    }

    fn is_mpi(self) -> bool {
        matches!(self, Self::Mpi3 | Self::Mpi3Accumulate)
    }
}

/// Why a test cannot be written in C.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The interface does not have it, or it is a loop.
    #[error(
        "{test}: `{statement}` cannot be emitted: only statements that the interface has can, and no loops"
    )]
    Statement {
        /// Name of the test.
        test: String,
        /// As printed.
        statement: String,
        /// Where it stands.
        place: Place,
    },
    /// Legal for coreRMA, not for MPI.
    #[error(
        "{test}: `{statement}` cannot be emitted for MPI: a buffer that it writes overlaps another of its buffers"
    )]
    Overlap {
        /// Name of the test.
        test: String,
        /// As printed.
        statement: String,
        /// Where it stands.
        place: Place,
    },
    /// More variables or observed values than the program has room for.
    #[error("{test}: more than {MOST_VARIABLES} variables or {MOST_SEEN} observed values")]
    TooLarge {
        /// Name of the test.
        test: String,
    },
}

impl Unsupported {
    /// The same without the test and the statement, so that tests can be counted by it.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Statement { .. } => {
                "a statement that the interface does not have, a loop, or a barrier in a branch"
            }
            Self::Overlap { .. } => {
                "a buffer that an operation writes overlaps another of its buffers, which MPI forbids"
            }
            Self::TooLarge { .. } => "more variables or observed values than an emitted program has room for",
        }
    }
}
