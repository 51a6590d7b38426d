//! MPI-3 one-sided communication (Hoefler et al.: Remote Memory Access Programming in MPI-3, TOPC 2014, §3).

/// Which of MPI's two memory models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mpi3Model {
    /// `mpi3-unified`: one copy of the window.
    Unified,
    /// `mpi3-separate`: a public and a private copy.
    Separate,
}

impl Mpi3Model {
    /// As `--model` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unified => "mpi3-unified",
            Self::Separate => "mpi3-separate",
        }
    }
}
