//! What programs that flang compiled call: MPI by its Fortran binding, and the runtime library.

mod arrays;
mod call;
mod command;
mod derived;
mod descriptor;
mod input;
mod reduction;
mod runtime;
mod statement;
mod text;
mod units;

pub(crate) use call::call;
pub(crate) use runtime::runtime;
