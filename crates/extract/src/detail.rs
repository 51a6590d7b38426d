//! How much of a program is told apart.

/// How many rounds of loops, and pieces of memory, are told apart before they are taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Few, so that what is left of a program is small.
    #[default]
    Usual,
    /// As many as blocks of data have: more is exact, and takes longer to decide.
    Fine,
}

impl Detail {
    /// Rounds of one loop with communication that are told from one another.
    pub(crate) fn most_rounds(self) -> usize {
        match self {
            Self::Usual => 48,
            Self::Fine => 300,
        }
    }

    /// Pieces of one object, and of one transfer; more are taken together as one location.
    pub(crate) fn most_cells(self) -> usize {
        match self {
            Self::Usual => 64,
            Self::Fine => 300,
        }
    }
}
