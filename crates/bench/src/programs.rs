//! The programs of `bench/programs`, and how large they are run.

/// A program, with the arguments that give it a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    /// File name in `bench/programs`, without its ending.
    pub(crate) name: &'static str,
    /// What it is written in.
    pub(crate) language: Language,
    /// What it communicates by.
    interface: Interface,
    /// What it does and with which calls, for the table.
    pub(crate) kind: &'static str,
    /// Arguments for measuring: a few tenths of a second on one core, so that the slowest way still ends.
    pub(crate) arguments: &'static [&'static str],
    /// Arguments for showing that it works.
    pub(crate) quick: &'static [&'static str],
}

impl Program {
    /// What it communicates by.
    pub(crate) fn interface(&self) -> Interface {
        self.interface
    }
}

/// What a program communicates by, and so what it is linked with and started by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// One-sided calls of the MPI that is asked for.
    Mpi,
    /// OpenSHMEM 1.5 of our own library.
    OpenShmem,
    /// GASPI 17.1 of our own library.
    Gaspi,
}

impl Interface {
    /// Our own library, as `-l` takes it, with the folder of its header; none for MPI.
    pub(crate) fn library(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Mpi => None,
            Self::OpenShmem => Some(("farside_shmem", "crates/shmem/include")),
            Self::Gaspi => Some(("farside_gaspi", "crates/gaspi/include")),
        }
    }
}

/// What a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cxx,
    Fortran,
}

impl Language {
    /// The ending of source files.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cxx => "cpp",
            Self::Fortran => "f90",
        }
    }

    /// The compiler of an MPI library, without the library's name, and the command of `farside` for it.
    pub(crate) fn compiler(self) -> (&'static str, &'static str) {
        match self {
            Self::C => ("mpicc", "cc"),
            Self::Cxx => ("mpicxx", "cxx"),
            Self::Fortran => ("mpif90", "fc"),
        }
    }
}

/// All programs.
pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        name: "stencil-star",
        language: Language::C,
        interface: Interface::Mpi,
        kind: "2-D star stencil, fence + put, halos in windows",
        arguments: &["3000", "30", "2"],
        quick: &["200", "3", "2"],
    },
    Program {
        name: "stencil-window",
        language: Language::C,
        interface: Interface::Mpi,
        kind: "5-point stencil, fence + put, the grid is the window",
        arguments: &["2000", "150"],
        quick: &["200", "4"],
    },
    Program {
        name: "transpose",
        language: Language::C,
        interface: Interface::Mpi,
        kind: "matrix transpose, get of blocks, lock_all + flush_local",
        arguments: &["2048", "15", "32"],
        quick: &["128", "3", "32"],
    },
    Program {
        name: "mesh-halo",
        language: Language::C,
        interface: Interface::Mpi,
        kind: "unstructured mesh, lock_all + put + flush",
        arguments: &["200000", "1000", "200"],
        quick: &["2000", "100", "5"],
    },
    Program {
        name: "hash-update",
        language: Language::C,
        interface: Interface::Mpi,
        kind: "distributed hash table, compare_and_swap + accumulate + fetch_and_op",
        arguments: &["300000", "100000"],
        quick: &["2000", "1000"],
    },
    Program {
        name: "dynamics",
        language: Language::C,
        interface: Interface::Mpi,
        kind: "explicit dynamics, post/start/put/complete/wait",
        arguments: &["40", "80"],
        quick: &["8", "4"],
    },
    Program {
        name: "molecules",
        language: Language::Cxx,
        interface: Interface::Mpi,
        kind: "molecular dynamics with neighbour lists, fence + put, packed by lists of indices",
        arguments: &["8", "60"],
        quick: &["4", "4"],
    },
    Program {
        name: "blocks",
        language: Language::Fortran,
        interface: Interface::Mpi,
        kind: "implicit block solver on a grid that is the window, fence + put",
        arguments: &["24", "20"],
        quick: &["8", "2"],
    },
    Program {
        name: "clusters",
        language: Language::Cxx,
        interface: Interface::Mpi,
        kind: "graph clustering with hash maps, get and accumulate of structs, lock_all + flush",
        arguments: &["4000", "5"],
        quick: &["200", "2"],
    },
    Program {
        name: "halo-signal",
        language: Language::C,
        interface: Interface::OpenShmem,
        kind: "OpenSHMEM: 5-point stencil on a grid of PEs, put with signal, no barrier in the loop",
        arguments: &["1500", "150", "10"],
        quick: &["60", "12", "5"],
    },
    Program {
        name: "hash-contexts",
        language: Language::C,
        interface: Interface::OpenShmem,
        kind: "OpenSHMEM: distributed hash table, atomics in two contexts",
        arguments: &["200000", "20000"],
        quick: &["2000", "500"],
    },
    Program {
        name: "pipeline-notify",
        language: Language::C,
        interface: Interface::Gaspi,
        kind: "GASPI: pipeline of tiles, write with notification",
        arguments: &["12000", "12000"],
        quick: &["500", "700"],
    },
];
