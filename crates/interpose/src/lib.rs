//! The library that is preloaded into the checked process.
//!
//! Inside this crate the module `libc` holds the hooks of the C library; the crate of that name is `::libc`.
#![allow(dead_code)] // Stubs of the skeleton: goes away with them.

mod abi;
mod hooks;
mod libc;
mod memory;
mod mpi;
mod recorder;
mod stacks;
mod threads;
