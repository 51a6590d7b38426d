//! Why a row was not written.

use std::io;
use std::path::PathBuf;

/// Why a row was not written, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something could not be written.
    #[error("cannot write {path}: {error}", path = .0.display(), error = .1)]
    Unwritable(PathBuf, io::Error),
    /// Something could not be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, io::Error),
    /// A folder of an earlier run that cannot be gone on with.
    #[error("cannot go on in {path}: {why}", path = .0.display(), why = .1)]
    Earlier(PathBuf, String),
}
