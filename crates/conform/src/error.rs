//! Why tests were not run, or their results cannot be used.

use std::path::PathBuf;

/// What the user can put right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something could not be written.
    #[error("cannot write {path}: {error}", path = .0.display(), error = .1)]
    Unwritable(PathBuf, std::io::Error),
    /// Something could not be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, std::io::Error),
    /// A program could not be started.
    #[error("cannot start {0}: {1}")]
    NotStarted(String, std::io::Error),
    /// A target that cannot be used.
    #[error("the target {0} cannot be used: {1}")]
    Target(&'static str, String),
    /// A log that cannot be read.
    #[error("cannot read the log {path}: {why}", path = .0.display(), why = .1)]
    Log(PathBuf, String),
}
