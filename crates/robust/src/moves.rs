//! The steps of a path.

/// A step of a path in the names of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// A rank, its transition, and the parts of popa and popb.
    Command {
        rank: usize,
        transition: usize,
        parts: (u8, u8),
    },
    /// The transition of each rank.
    Barrier(Vec<usize>),
}
