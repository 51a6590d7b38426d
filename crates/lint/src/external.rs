//! What a function is by its name, if it is not the program's own: found once a program, not at every call.

use crate::fortran::Procedure as OfFortran;
use crate::fortran::table::BY_SYMBOL;
use crate::ir::Function;
use farside_calls::gaspi;
use farside_calls::mpi::Procedure;
use farside_calls::shmem::{Function as OfShmem, Meaning, of_name};

/// A function by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum External {
    /// Of MPI's C binding, by its own name or the profiling one: the procedure, and whether it is the form with large
    /// counts. `None` for a name that no procedure has.
    Mpi(Option<(Procedure, bool)>),
    /// Of MPI's Fortran binding, likewise. `None` for a procedure that is not declared here.
    Fortran(Option<&'static OfFortran>),
    /// Of OpenSHMEM, by its own name or the profiling one. `None` for one that is not in the table: it is asked
    /// something, or not known.
    Shmem(Option<&'static OfShmem>),
    /// Of GASPI. `None` for one that is not followed: it is asked something, or not known.
    Gaspi(Option<&'static gaspi::Function>),
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
        if let Some(function) = of_name(plain) {
            return Self::Shmem(Some(function));
        }
        if name.starts_with("gaspi_") {
            return Self::Gaspi(gaspi::of_name(name));
        }
        if plain.starts_with("shmem_") || OLD_SHMEM.contains(&plain) {
            return Self::Shmem(None);
        }
        match BY_SYMBOL.get(plain) {
            None if plain.starts_with("mpi_") && plain.ends_with('_') => Self::Fortran(None),
            None => Self::Other,
            known => Self::Fortran(known.copied()),
        }
    }

    /// What a function of the program's module stands for. What a program defines with a name of OpenSHMEM or GASPI is
    /// its own: a library over MPI, say.
    pub(crate) fn of_function(function: &Function) -> Self {
        match Self::of(&function.name) {
            Self::Shmem(_) | Self::Gaspi(_) if !function.blocks.is_empty() => Self::Other,
            known => known,
        }
    }

    /// The procedure of MPI, in whatever language.
    pub(crate) fn procedure(self) -> Option<Procedure> {
        match self {
            Self::Mpi(known) => known.map(|(procedure, _)| procedure),
            Self::Fortran(known) => known.map(|known| known.procedure()),
            Self::Shmem(_) | Self::Gaspi(_) | Self::Other => None,
        }
    }
}

/// A name of MPI's or OpenSHMEM's, without what marks the profiling one.
pub(crate) fn without_p(name: &str) -> &str {
    let rest = name.strip_prefix(['P', 'p']);
    rest.filter(|rest| {
        ["MPI_", "mpi_", "shmem_"]
            .iter()
            .any(|start| rest.starts_with(start))
    })
    .unwrap_or(name)
}

/// Names of OpenSHMEM without its prefix, of before 1.2 (OpenSHMEM 1.5, annex F).
const OLD_SHMEM: [&str; 4] = ["_my_pe", "_num_pes", "my_pe", "num_pes"];

/// Whether a function of OpenSHMEM or GASPI asks for what others may bring: a loop around it waits.
pub(crate) fn asks(name: &str) -> bool {
    of_name(without_p(name)).is_some_and(|function| asks_in_shmem(function.meaning()))
        || gaspi::of_name(name).is_some_and(|function| asks_in_gaspi(function.meaning()))
}

fn asks_in_shmem(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Test
            | Meaning::WaitArray { tests: true, .. }
            | Meaning::Signal
            | Meaning::TestLock
            | Meaning::Get(..)
            | Meaning::GetValue
            | Meaning::Atomic(_, Some(_))
            | Meaning::Quiet
            | Meaning::Fence
    )
}

fn asks_in_gaspi(meaning: gaspi::Meaning) -> bool {
    matches!(
        meaning,
        gaspi::Meaning::NotifyWaitsome
            | gaspi::Meaning::NotifyReset
            | gaspi::Meaning::FetchAdd
            | gaspi::Meaning::CompareSwap
            | gaspi::Meaning::Wait
            | gaspi::Meaning::Request(gaspi::Direction::Read, _)
            | gaspi::Meaning::PassiveReceive
            | gaspi::Meaning::PassiveSend
            | gaspi::Meaning::GroupCommit
            | gaspi::Meaning::SegmentOfGroup(_)
            | gaspi::Meaning::Collective(_)
    )
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
        for name in ["shmem_int_put", "pshmem_int_put", "start_pes"] {
            assert!(matches!(External::of(name), External::Shmem(Some(_))), "{name}");
        }
        assert!(matches!(External::of("gaspi_write"), External::Gaspi(Some(_))));
        assert!(matches!(External::of("gaspi_proc_rank"), External::Gaspi(None)));
        for name in ["shmem_my_pe", "_num_pes", "shmem_no_such"] {
            assert!(matches!(External::of(name), External::Shmem(None)), "{name}");
        }
    }
}
