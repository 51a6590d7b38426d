//! Fortran: the modules and the include file that flang compiles programs with.
//!
//! Debian's MPI libraries have their Fortran modules in gfortran's form only, which flang does not read. So the lint brings
//! `mpif.h`, `mpi` and `mpi_f08` of its own: declarations, made from one table of the procedures ([`table`]), that all
//! three names of a procedure (`MPI_Put`, by `use mpi`, `use mpi_f08` or without interface) lead to one symbol, `mpi_put_`.
//!
//! Programs that flang compiles for a run need another module `mpi`, with the constants of their MPI library:
//! [`library_module`].
//!
//! Limits: procedures that name files, messages, sessions, lists of strings or values of attributes are not declared. A
//! buffer that is not contiguous is passed as a copy, as by compilers without `MPI_SUBARRAYS_SUPPORTED`.

mod sources;
pub(crate) mod table;

pub use sources::{Source, library_module, sources};
