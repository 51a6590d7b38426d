//! Access callbacks that return at once: what an instrumented program is linked with.
//!
//! `farside cc|cxx|fc` link with this library instead of the thread sanitizer's runtime, so that the program also runs
//! without the checker. Under `farside check` the preloaded library has the same names and wins. Without it, these
//! functions are the floor of what instrumentation costs: they contain no work per call, except that atomic operations
//! are performed.
#![warn(missing_docs)]

mod callbacks;
mod operations;

/// The build that this library is of; `farside` refuses a library of another one.
// SAFETY: The name belongs to this project; no other library defines it.
#[unsafe(no_mangle)]
pub static FARSIDE_BUILD: [u8; farside_spool::BUILD.len()] = {
    let mut bytes = [0; farside_spool::BUILD.len()];
    bytes.copy_from_slice(farside_spool::BUILD.as_bytes());
    bytes
};
