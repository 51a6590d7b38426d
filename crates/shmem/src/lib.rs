//! OpenSHMEM 1.5 as a C library over Farside's transports: `libfarside_shmem.so`, and `include/shmem.h`.
//!
//! ```text
//! cc prog.c -I crates/shmem/include -L target/release -lfarside_shmem
//! farside run -n 4 ./a.out
//! ```
//!
//! # Promise
//! - All functions of OpenSHMEM 1.5 for C, the deprecated ones too, under `shmem_X` and `pshmem_X`; C11 generics in the
//!   header. `table.rs` lists them, and the header is made of that list (`header.rs`).
//! - Static data of the executable is as good as the heap, on every transport (`statics.rs`).
//! - Waits let others run: 8 PEs on 2 processors go on. A PE that is lost ends the others, with a message.
//! - Misuse that can be seen ends the program with a line that says what is wrong (`call.rs`).
//!
//! # Limits
//! - Fortran bindings (removed in 1.5) and what is new in 1.6 are not there.
//! - 64 teams at a PE; two threads of a PE do not make teams at the same time (`teams.rs`).
//! - A heap access is checked to be in the heap, not in one allocation of it.
//! - `SHMEM_SYMMETRIC_SIZE` must be the same at all PEs. `SHMEM_DEBUG`, `SHMEM_INFO` and `SHMEM_VERSION` do nothing.
//! - Linux, 64 bits, little endian.
//!
//! Source: OpenSHMEM 1.5 (2020). The design: `docs/design/shmem-library.md`.

#![recursion_limit = "512"]
#![allow(
    clippy::too_many_arguments,
    reason = "handlers take the arguments of the functions of the standard"
)]

mod active_set;
mod again;
mod amo;
mod blocks;
mod call;
mod collective;
mod context;
mod contexts;
mod element;
mod ending;
mod exports;
mod handle;
mod header;
mod heap;
mod lock;
mod long_double;
mod meet;
mod members;
mod memory;
mod operands;
mod order;
mod pe;
mod reduce;
mod rma;
mod setup;
mod signal;
mod statics;
mod table;
mod teams;
mod wait;

pub use header::{header, names};
