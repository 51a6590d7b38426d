//! Fortran: the modules and the include file that flang compiles programs with, and what its statements read.
//!
//! Debian's MPI libraries have their Fortran modules in gfortran's form only, which flang does not read. So the lint brings
//! `mpif.h`, `mpi` and `mpi_f08` of its own: declarations, made from one table of the procedures (`table`), that all
//! three names of a procedure (`MPI_Put`, by `use mpi`, `use mpi_f08` or without interface) lead to one symbol, `mpi_put_`.
//!
//! Programs that flang compiles for a run need another module `mpi`, with the constants of their MPI library:
//! [`library_module`].
//!
//! Procedures that C does not have lead to functions of Farside's own beside those of flang's runtime.
//!
//! Limit: a buffer that is not contiguous, given to a procedure of MPI itself by `use mpi` or `use mpi_f08`, is taken
//! for contiguous from its first element on: compilers without `MPI_SUBARRAYS_SUPPORTED` pass a copy (MPI-4.1
//! §19.1.12). With a dummy argument that is an array, flang would make the copy, and refuse elements of assumed-shape
//! arrays. What a procedure of the program is given so is copied by flang, and followed.

pub(crate) mod format;
pub(crate) mod list;
mod sources;
pub(crate) mod statement;
pub(crate) mod table;

pub(crate) use sources::comparison;
pub use sources::{Source, library_module, sources};

use farside_calls::mpi as calls;

/// A procedure of the binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Procedure {
    procedure: calls::Procedure,
    /// Its name, as the standard writes it: also that of the C binding.
    name: &'static str,
    /// The type of its result; a subroutine has none, and `ierror` as its last argument.
    result: Option<Kind>,
    /// Its arguments, without `ierror`.
    arguments: Vec<Argument>,
}

/// An argument of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    name: &'static str,
    kind: Kind,
    /// Whether the procedure gives it a value.
    out: bool,
    array: bool,
}

/// The type of an argument or constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A buffer of any type.
    Choice,
    Integer,
    /// `integer(kind=MPI_ADDRESS_KIND)`.
    Address,
    Logical,
    String,
    /// The address of memory that MPI has allocated.
    Pointer,
    Status,
    Procedure,
    Double,
    /// A handle, by the name of its type in `mpi_f08`.
    Handle(&'static str),
}

/// A constant of the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Constant {
    name: &'static str,
    kind: Kind,
    value: i32,
}

impl Procedure {
    /// The procedure of MPI that it is.
    pub(crate) fn procedure(&self) -> calls::Procedure {
        self.procedure
    }

    /// Whether it has no result, but `ierror` as its last argument.
    pub(crate) fn is_subroutine(&self) -> bool {
        self.result.is_none()
    }

    /// Its arguments, without `ierror`.
    pub(crate) fn arguments(&self) -> &[Argument] {
        &self.arguments
    }
}

impl Argument {
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn is_array(&self) -> bool {
        self.array
    }

    /// Whether C passes its address, too.
    pub(crate) fn is_address(&self) -> bool {
        self.out || self.array
    }
}
