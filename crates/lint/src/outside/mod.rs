//! Functions that are not in the module: MPI, Fortran's runtime, threads, the C library.

mod format;
mod library;
mod options;

use crate::caller::Caller;
use crate::flang;
use crate::flow::Flow;
use crate::mathematics;
use crate::threads;
use crate::value::Scalar;

/// Calls a function that touches no more than its caller; `None` if others say what it means.
pub(crate) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Flow {
    if let Some(value) = mathematics::value(name, a) {
        return Flow::Return(value);
    }
    if let Some(rest) = name.strip_prefix("_FortranA") {
        return flang::runtime(caller, rest, a);
    }
    if let Some(flow) = threads::call(caller, name, a) {
        return flow;
    }
    format::call(caller, name, a).unwrap_or_else(|| library::call(caller, name, a))
}
