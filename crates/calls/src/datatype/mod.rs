//! Datatypes (MPI-4.1 §5.1): what their constructors make, and which bytes of a buffer they name.
//!
//! A constructor's arguments are [`Contents`], wherever they come from: from the call that makes the type, or from
//! `MPI_Type_get_contents`. [`Contents::shape`] is the one place that says what each makes of them. A shape that has
//! got an identity is a [`Datatype`].
//!
//! Limits: distributed arrays are not taken apart, and types of very many irregular blocks count as all bytes between
//! their first and their last one, of type `MPI_BYTE`. The padding that a library adds to a structure whose end is not
//! aligned (ε of §5.1.6) is not known here: who asks the library has its extent from there.

mod contents;
mod elements;
mod kind;
mod layout;
mod shape;

pub use contents::Contents;
pub use elements::{Datatype, Elements};
pub(crate) use kind::Kind;
pub use shape::{Order, Shape};

/// The name of a basic type that a simulation does not know, nor its size.
pub const UNKNOWN: &str = "unknown";
