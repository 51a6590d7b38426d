//! Why files of shards cannot be read as one run.

use std::io;
use std::path::PathBuf;

/// Why files of shards cannot be read as one run, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A file cannot be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, io::Error),
    /// A file that no shard has written, or that was changed.
    #[error("{path} is not the file of a shard: {why}", path = .0.display(), why = .1)]
    NotAShard(PathBuf, String),
    /// Shards of two runs.
    #[error("{first} and {other} are of two runs: {why}", first = .first.display(), other = .other.display())]
    OtherRun {
        /// The first file.
        first: PathBuf,
        /// One that does not go with it.
        other: PathBuf,
        /// What differs.
        why: String,
    },
    /// A shard that is given twice.
    #[error("shard {shard} is there twice: {first} and {other}", first = .first.display(), other = .other.display())]
    Twice {
        /// Which one.
        shard: u32,
        /// One of its files.
        first: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// Shards that ended midway, or were not run, in words.
    #[error("not all {of} shards are there:\n{list}\nrun these again, and merge all files then", list = .what.join("\n"))]
    Incomplete {
        /// How many there are to be.
        of: u32,
        /// A line each.
        what: Vec<String>,
    },
}
