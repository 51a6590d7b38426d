//! GASPI 17.1 as a C library over Farside's transports: `libfarside_gaspi.so`, with the header `include/GASPI.h`.
//!
//! ```sh
//! cc prog.c -I crates/gaspi/include -L target/release -lfarside_gaspi
//! farside run -n 4 ./prog
//! ```
//!
//! Promise: widths of types and numbers of constants are those of GPI-2 1.6. Every argument is checked; the return code
//! says what is wrong. Notifications are seen after the writes that they follow, and no more is relied on of the
//! transport than it says. No call waits for ever because a rank is lost.
//!
//! Limits: see the modules; for all of them together `docs/design/gaspi-library.md`.
//!
//! Source: GASPI 17.1 (February 2017), sections as they are named at each function.

pub mod abi;
mod atomic;
mod board;
pub mod calls;
mod collective;
mod config;
mod foreign;
mod group;
mod job;
mod net;
mod passive;
mod queue;
mod reduce;
mod segment;
#[cfg(test)]
mod simulated_tests;
mod statistics;
mod transfer;

pub use config::Config;
