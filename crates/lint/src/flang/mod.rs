//! What programs that flang compiled call: MPI by its Fortran binding, and the runtime library.

mod call;
mod descriptor;
mod runtime;

pub(crate) use call::call;
pub(crate) use runtime::runtime;
