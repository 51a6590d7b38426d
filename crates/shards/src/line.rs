//! The lines of a file of a shard.

use crate::Run;
use serde::{Deserialize, Serialize};

/// What the file is, in its first line.
const KIND: &str = "shard";
/// The form of the file.
const FORM: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Head {
    farside: String,
    form: u32,
    shard: u32,
    run: Run,
}

impl Head {
    pub(crate) fn new(shard: u32, run: Run) -> Self {
        Self {
            farside: KIND.to_owned(),
            form: FORM,
            shard,
            run,
        }
    }

    /// Whether this version reads such files.
    pub(crate) fn is_known(&self) -> bool {
        self.farside == KIND && self.form == FORM
    }

    pub(crate) fn shard(&self) -> u32 {
        self.shard
    }

    pub(crate) fn run(&self) -> &Run {
        &self.run
    }
}

/// A line in between.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Piece<T> {
    piece: usize,
    result: T,
}

impl<T> Piece<T> {
    /// What the line begins with.
    pub(crate) const BEGIN: &'static [u8] = b"{\"piece\":";

    pub(crate) fn new(piece: usize, result: T) -> Self {
        Self { piece, result }
    }

    /// Its number, and its result.
    pub(crate) fn into_parts(self) -> (usize, T) {
        (self.piece, self.result)
    }
}

/// The last line: how many pieces there are, and the digest of all lines before.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    end: usize,
    digest: String,
}

impl End {
    pub(crate) fn new(end: usize, digest: String) -> Self {
        Self { end, digest }
    }
}
