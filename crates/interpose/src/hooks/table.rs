//! The hooked functions: all that the table of calls ([`farside_calls::mpi`]) gives a meaning, in every interface.

use super::entry::export;
use crate::call::{Function, Language};
use crate::mpi;
use farside_calls::mpi::Procedure;

/// The function of a followed procedure; `large` for its form with large counts.
const fn function(procedure: Procedure, name: &'static str, large: bool) -> Function {
    let added = match procedure.meaning() {
        Some(meaning) => mpi::added(meaning),
        None => None,
    };
    Function::of(procedure, name, large, added)
}

/// Exports all symbols of each procedure.
macro_rules! hooks {
    ($($procedure:ident $name:literal $fortran:literal $counts:ident;)*) => {
        $(
            const _: () = {
                static FUNCTION: Function = function(Procedure::$procedure, $name, false);
                export!($name, Language::C, &FUNCTION);
                export!(concat!($fortran, "_"), Language::Fortran, &FUNCTION);
                export!(concat!($fortran, "_f08_"), Language::Fortran08, &FUNCTION);
                export!(concat!($fortran, "_f08ts_"), Language::Fortran08Descriptors, &FUNCTION);
            };
            hooks!(@$counts $procedure $name $fortran);
        )*
    };
    (@plain $procedure:ident $name:literal $fortran:literal) => {};
    // The form with large counts (MPI-4.1 §2.5.8), which `mpif.h` and `use mpi` do not have.
    (@large $procedure:ident $name:literal $fortran:literal) => {
        const _: () = {
            static FUNCTION: Function = function(Procedure::$procedure, concat!($name, "_c"), true);
            export!(concat!($name, "_c"), Language::C, &FUNCTION);
            export!(concat!($fortran, "_f08_large_"), Language::Fortran08, &FUNCTION);
            export!(concat!($fortran, "_f08ts_large_"), Language::Fortran08Descriptors, &FUNCTION);
        };
    };
}

farside_calls::followed_procedures_of_mpi!(hooks);

/// Symbols of a procedure beside those of the standard's interfaces.
macro_rules! also {
    ($procedure:ident, $name:literal, $symbol:literal, $language:ident) => {
        const _: () = {
            static FUNCTION: Function = function(Procedure::$procedure, $name, false);
            export!($symbol, Language::$language, &FUNCTION);
        };
    };
}

// MPICH's `mpi_f08` frees the datatypes that it makes for array sections by this name.
also!(Type_free, "PMPI_Type_free", "PMPI_Type_free", C);
// Open MPI's names for window allocation with a C pointer in `use mpi`.
also!(
    Win_allocate,
    "MPI_Win_allocate",
    "mpi_win_allocate_cptr_",
    Fortran
);
also!(
    Win_allocate_shared,
    "MPI_Win_allocate_shared",
    "mpi_win_allocate_shared_cptr_",
    Fortran
);
