//! The programs of `bench/programs`, and how large they are run.

/// A program, with the arguments that give it a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    /// File name in `bench/programs`, without `.c`.
    pub(crate) name: &'static str,
    /// What it does and with which calls, for the table.
    pub(crate) kind: &'static str,
    /// Arguments for measuring: a few tenths of a second on one core, so that the slowest way still ends.
    pub(crate) arguments: &'static [&'static str],
    /// Arguments for showing that it works.
    pub(crate) quick: &'static [&'static str],
}

/// All programs.
pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        name: "stencil-star",
        kind: "2-D star stencil, fence + put, halos in windows",
        arguments: &["3000", "30", "2"],
        quick: &["200", "3", "2"],
    },
    Program {
        name: "stencil-window",
        kind: "5-point stencil, fence + put, the grid is the window",
        arguments: &["2000", "150"],
        quick: &["200", "4"],
    },
    Program {
        name: "transpose",
        kind: "matrix transpose, get of blocks, lock_all + flush_local",
        arguments: &["2048", "15", "32"],
        quick: &["128", "3", "32"],
    },
    Program {
        name: "mesh-halo",
        kind: "unstructured mesh, lock_all + put + flush",
        arguments: &["200000", "1000", "200"],
        quick: &["2000", "100", "5"],
    },
    Program {
        name: "hash-update",
        kind: "distributed hash table, compare_and_swap + accumulate + fetch_and_op",
        arguments: &["300000", "100000"],
        quick: &["2000", "1000"],
    },
    Program {
        name: "dynamics",
        kind: "explicit dynamics, post/start/put/complete/wait",
        arguments: &["40", "80"],
        quick: &["8", "4"],
    },
];
