//! Whose calls a window is used by.

use serde::{Deserialize, Serialize};

/// Between the names of two libraries of one program.
const AND: &str = " and ";

/// An interface of one-sided communication. A program can use more than one; a window is of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interface {
    /// MPI, in the words of its C binding.
    #[default]
    Mpi,
    /// The crate `farside`.
    Farside,
    /// OpenSHMEM.
    Shmem,
    /// GASPI.
    Gaspi,
}

impl Interface {
    /// Whether it has a fence that completes and orders for all (MPI-4.1 §12.5.1). What others call so orders the puts
    /// of one process.
    pub fn has_fences(self) -> bool {
        matches!(self, Self::Mpi | Self::Farside)
    }

    /// Whose function has this name; the methods of the crate `farside` are of none.
    pub fn of_function(name: &str) -> Option<Self> {
        let (prefix, _) = name.split_once('_')?;
        match prefix {
            "MPI" => Some(Self::Mpi),
            "shmem" => Some(Self::Shmem),
            "gaspi" => Some(Self::Gaspi),
            _ => None,
        }
    }

    /// Whose calls begin the program, by the name of its library, as in [`crate::EventKind::Init`].
    pub fn of_library(library: &str) -> Self {
        match library.split_whitespace().next() {
            Some("farside") => Self::Farside,
            Some("OpenSHMEM") => Self::Shmem,
            Some("GASPI," | "GASPI") => Self::Gaspi,
            _ => Self::Mpi,
        }
    }

    /// The name of a library of MPI in a program that can call others as well; what a library says of itself after a
    /// comma stays there.
    pub fn beside(library: &str, others: &[Self]) -> String {
        let (name, rest) = library.split_at(library.find(',').unwrap_or(library.len()));
        let others: String = others
            .iter()
            .map(|other| format!("{AND}{}", other.name()))
            .collect();
        format!("{name}{others}{rest}")
    }

    /// Whether the name of a library says that the program can call another one as well.
    pub fn has_others(library: &str) -> bool {
        [Self::Shmem, Self::Gaspi]
            .iter()
            .any(|other| library.contains(&format!("{AND}{}", other.name())))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mpi => "MPI",
            Self::Farside => "farside",
            Self::Shmem => "OpenSHMEM",
            Self::Gaspi => "GASPI",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_can_have_several_libraries() {
        let both = Interface::beside("Open MPI v4.1.4, package: Debian", &[Interface::Shmem]);
        assert_eq!(both, "Open MPI v4.1.4 and OpenSHMEM, package: Debian");
        assert_eq!(Interface::of_library(&both), Interface::Mpi);
        assert!(Interface::has_others(&both) && !Interface::has_others("Open MPI v4.1.4"));
    }

    #[test]
    fn a_function_tells_its_interface() {
        let of = ["MPI_Put", "shmem_put", "gaspi_write", "put"].map(Interface::of_function);
        assert_eq!(
            of,
            [
                Some(Interface::Mpi),
                Some(Interface::Shmem),
                Some(Interface::Gaspi),
                None
            ]
        );
    }

    #[test]
    fn a_library_tells_its_interface() {
        assert_eq!(Interface::of_library("farside 0.1.0, shm"), Interface::Farside);
        assert_eq!(Interface::of_library("MPICH Version: 4.0"), Interface::Mpi);
        assert_eq!(
            Interface::of_library("GASPI, library of version 17.1"),
            Interface::Gaspi
        );
        assert_eq!(
            Interface::of_library("OpenSHMEM 1.4, Open MPI v4.1.4"),
            Interface::Shmem
        );
    }
}
