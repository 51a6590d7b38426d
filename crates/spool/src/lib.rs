//! Where a checked process leaves its events: the writing end of what `farside check` reads.
//!
//! Promise: an event is in the spool, safe from the death of the process, when [`Spool::append`] returns; if the folder
//! is full or gone, the recording ends with a record that says so, and the program never gets a SIGBUS.
//! The form of the files: [`farside_trace`]. Who writes, and as part of which job: [`processes`]. Whether all processes of
//! a job do: [`Member`].

mod agreement;
mod chunk;
pub mod processes;
#[allow(clippy::module_inception, reason = "the crate is named for what it makes")]
mod spool;

pub use agreement::{Member, PATIENCE, is_of_agreement};
pub use spool::Spool;

use std::path::PathBuf;

/// The environment variable that names the private folder; without it nothing is recorded.
pub const FOLDER: &str = "FARSIDE_SPOOL";

/// The folder that this process is to record into, if it is to.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// Nanoseconds of the monotonic clock: what events are stamped with.
#[must_use]
pub fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}
