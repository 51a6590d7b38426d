//! Functions that are not in the module: MPI, Fortran's runtime, threads, the C library.

mod characters;
mod containers;
mod files;
mod format;
mod library;
mod numbers;
mod options;
mod scan;
mod strings;
mod texts;

use crate::caller::Caller;
use crate::external::{External, without_p};
use crate::flang;
use crate::flow::Flow;
use crate::mathematics;
use crate::mpi::{self, Library};
use crate::threads;
use crate::value::Scalar;

/// Calls a function that is not in the module: what it is by its name, and the name; `library` is what MPI knows of all
/// processes.
pub(crate) fn call(
    caller: &mut Caller<'_>,
    library: &mut Library,
    (external, name): (External, &str),
    a: &[Scalar],
) -> Flow {
    match external {
        External::Mpi(Some(known)) => return mpi::call(caller, library, known, a),
        External::Fortran(Some(procedure)) => return flang::call(caller, library, procedure, a),
        External::Mpi(None) | External::Fortran(None) => return caller.unknown_call(without_p(name)),
        External::Other => {}
    }
    if let Some(value) = mathematics::value(name, a) {
        return Flow::Return(value);
    }
    if let Some([real, imaginary]) = mathematics::complex(name, a) {
        return Flow::Pair(real, imaginary);
    }
    if let Some(rest) = name.strip_prefix("_FortranA") {
        return flang::runtime(caller, rest, a);
    }
    if let Some(flow) = threads::call(caller, name, a) {
        return flow;
    }
    let library = [containers::call, characters::call, numbers::call, texts::call];
    if let Some(flow) = library.iter().find_map(|call| call(caller, name, a)) {
        return flow;
    }
    if let Some(flow) = files::call(caller, name, a) {
        return flow;
    }
    format::call(caller, name, a).unwrap_or_else(|| library::call(caller, name, a))
}
