//! The library that is preloaded into the checked process: from MPI calls, loads and stores, and thread
//! synchronisation to `farside_events`, written to a spool that `farside check` reads.
//!
//! - `abi`: which MPI library is loaded, its constants and functions.
//! - `hooks`: the exported `MPI_*` functions in C and Fortran, those of OpenSHMEM and of GASPI; `mpi`, `shmem` and
//!   `gaspi`: what each call means. `start`: where recording starts.
//! - `memory`, `libc`: loads and stores by the program and by the C library; `threads`: order between threads.
//! - `at_load`: where this process records, settled before `main`.
//! - `guard`: loads and stores of programs as they are built, by faults of guarded pages.
//! - `speeds`: processes that are not equally fast, where that is asked for.
//! - `machine`: what depends on the processor.
//! - `stacks`: call stacks. `recorder`: the one way to say what happened.
//!
//! Promise: every call is forwarded unchanged; output, exit status and results of the program are what they are
//! without this library. It is inert unless `FARSIDE_SPOOL` names a folder.
//! Limits: Linux on x86-64 and aarch64 (there without `guard`); of OpenSHMEM and GASPI, functions that a program
//! takes out of a library by `dlsym(handle, ...)` are not seen.
//!
//! Inside this crate the module `libc` holds the hooks of the C library; the crate of that name is `::libc`.
// Unit tests are built without the exported names, which would replace those of the test program itself; what only
// they use is unused then.
#![cfg_attr(test, allow(dead_code))]
// What only the guard uses is unused where there is none.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_imports))]

mod abi;
mod announced;
mod at_load;
mod call;
mod gaspi;
#[cfg(target_arch = "x86_64")]
mod guard;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_guard.rs"]
mod guard;
mod hooks;
mod interposed;
mod libc;
mod machine;
mod memory;
mod mix;
mod mpi;
mod recorder;
mod runtimes;
mod shmem;
mod speeds;
mod stacks;
mod start;
mod threads;

/// The build that this library is of; `farside` refuses a library of another one.
// SAFETY: The name belongs to this project; no other library defines it.
#[unsafe(no_mangle)]
pub static FARSIDE_BUILD: [u8; farside_spool::BUILD.len()] = {
    let mut bytes = [0; farside_spool::BUILD.len()];
    bytes.copy_from_slice(farside_spool::BUILD.as_bytes());
    bytes
};
