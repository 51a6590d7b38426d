//! What a function is by its name, if it is not the program's own: found once a program, not at every call.

use crate::fortran::Procedure as OfFortran;
use crate::fortran::table::BY_SYMBOL;
use farside_calls::mpi::Procedure;

/// A function by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum External {
    /// Of MPI's C binding, by its own name or the profiling one: the procedure, and whether it is the form with large
    /// counts. `None` for a name that no procedure has.
    Mpi(Option<(Procedure, bool)>),
    /// Of MPI's Fortran binding, likewise. `None` for a procedure that is not declared here.
    Fortran(Option<&'static OfFortran>),
    /// Another one.
    Other,
}

impl External {
    /// What a name stands for.
    pub(crate) fn of(name: &str) -> Self {
        let plain = without_p(name);
        if plain.starts_with("MPI_") {
            return Self::Mpi(Procedure::of_name(plain));
        }
        match BY_SYMBOL.get(plain) {
            None if plain.starts_with("mpi_") && plain.ends_with('_') => Self::Fortran(None),
            None => Self::Other,
            known => Self::Fortran(known.copied()),
        }
    }

    /// The procedure of MPI, in whatever language.
    pub(crate) fn procedure(self) -> Option<Procedure> {
        match self {
            Self::Mpi(known) => known.map(|(procedure, _)| procedure),
            Self::Fortran(known) => known.map(|known| known.procedure()),
            Self::Other => None,
        }
    }
}

/// A name of MPI's, without what marks the profiling one.
pub(crate) fn without_p(name: &str) -> &str {
    let rest = name.strip_prefix(['P', 'p']);
    rest.filter(|rest| rest.starts_with("MPI_") || rest.starts_with("mpi_"))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_procedure_is_found_by_its_names_in_every_language() {
        for name in ["MPI_Put", "PMPI_Put", "MPI_Put_c", "mpi_put_", "pmpi_put_"] {
            assert_eq!(External::of(name).procedure(), Some(Procedure::Put), "{name}");
        }
        assert!(matches!(
            External::of("MPI_Put_c"),
            External::Mpi(Some((Procedure::Put, true)))
        ));
        assert!(matches!(External::of("MPI_No_such"), External::Mpi(None)));
        assert!(matches!(External::of("mpi_no_such_"), External::Fortran(None)));
        assert!(matches!(External::of("printf"), External::Other));
    }
}
