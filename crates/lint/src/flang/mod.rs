//! What programs that flang compiled call: MPI by its Fortran binding, and the runtime library.

mod arrays;
mod call;
mod command;
mod derived;
mod descriptor;
mod elements;
mod input;
mod intrinsic;
mod location;
mod number;
mod pointer;
mod product;
mod reduction;
mod runtime;
mod shift;
mod statement;
mod system;
mod temporary;
mod text;
mod units;

pub(crate) use call::call;
pub(crate) use runtime::runtime;
