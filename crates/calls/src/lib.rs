//! The calls of one-sided interfaces: one table an interface, and one meaning of each call.
//!
//! - [`signature`] has the words of every table: a parameter, its kind, and the roles that it plays.
//! - [`table`] is what a table is, and [`meaning`] what a call in it may mean.
//! - [`mpi`] is MPI's table: names, parameters, meanings. Its skeleton is generated from the sources of the
//!   standard, and the meanings are written by hand beside them (`generate/`).
//! - [`abi`] has the constants of MPI by binary interface.
//! - [`arguments`] says how a meaning reads a call, wherever its arguments lie: in registers, or in simulated memory.
//! - [`datatype`] says what the constructors of datatypes make, and which bytes a buffer of them has.
//! - [`operation`], [`synchronisation`] and [`window`] are the calls on windows: from a call to the events that it
//!   is recorded as. [`mistakes`] says which of their arguments the standard does not allow.
//! - [`message`] and [`collective`] are the other communication, and [`communication`] is what both have in common:
//!   described, begun, over. [`request`] is the life of what is begun and waited for later. [`grid`] says who is next
//!   to whom.
//!
//! - [`shmem`] is the table of OpenSHMEM, [`gaspi`] that of GASPI.
//!
//! A table of another interface has its own names, with the signatures, the roles and the meanings that are here.
//!
//! Pure: no I/O, no FFI, no `unsafe`. Nothing here allocates but the lists that an event holds.

#![forbid(unsafe_code)]

pub mod abi;
pub mod arguments;
pub mod collective;
pub mod communication;
pub mod communicator;
pub mod datatype;
pub mod gaspi;
pub mod grid;
pub mod meaning;
pub mod message;
pub mod mistakes;
pub mod mpi;
pub mod operation;
pub mod request;
pub mod shmem;
pub mod signature;
pub mod synchronisation;
pub mod table;
pub mod window;
