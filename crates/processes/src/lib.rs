//! Other programs and processes of this machine: where a program is, what `/proc` says of a process, the signals that
//! it is sent, and the time that it is given.
//!
//! Promise: nothing here blocks without a limit; a process that is gone is an answer, and no error. Process ids are
//! used again: whoever keeps one over time compares [`start_time`] too. Not here: what a launcher of MPI jobs leaves in
//! a process, see `farside_spool::processes`; how a job is started, see `farside_launch`.
#![forbid(unsafe_code)]

pub mod limited;
pub mod program;
pub mod signals;
mod stat;
mod tree;

pub use stat::{
    Stat, children, environment, own_processor_time, peak_bytes, processor_time, resident_bytes, start_time,
};
pub use tree::{all, descendants};

/// What Open MPI's launcher asks for where everything runs as root, as in a container; others take no notice of it.
pub const OPEN_MPI_AS_ROOT: [(&str, &str); 2] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
];

/// What another program says, or is called, for a message: without the control characters that a terminal would obey.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}
