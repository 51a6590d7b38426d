//! Where a checked process leaves its events for `farside check`: the form of the files, who writes and who reads them.
//!
//! | what | module |
//! |---|---|
//! | the form of the files, and their names | [`mod@format`] |
//! | writing, in the process that is checked | [`Spool`] |
//! | reading while it is written | [`reader`] |
//! | who writes, and as part of which job | [`processes`] |
//! | whether all processes of a job record | [`Member`] |
//! | how far they may be ahead of who reads | [`pace`] |
//! | what a run is told that goes another way | [`mod@replay`] |
//! | whether pages are guarded | [`guard`] |
//! | what is known of processes of other hosts | [`elsewhere`] |
//! | the folder itself, and who owns it | [`mod@folder`], `owner` |
//!
//! Promise: an event is in the spool, safe from the death of the process, when [`Spool::append`] returns; if the folder
//! is full or gone, the recording ends with a record that says so, and the program never gets a SIGBUS.
//! Only the writer has unsafe code, and [`now`].

pub mod agreement;
pub mod elsewhere;
pub mod folder;
pub mod format;
pub mod guard;
mod owner;
pub mod pace;
pub mod processes;
pub mod reader;
pub mod replay;
mod writer;

pub use agreement::Member;
pub use format::BUILD;
pub use writer::Spool;

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
