//! What the shards of a run have in common.

use serde::{Deserialize, Serialize};

/// A run, as the file of each of its shards names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The build of Farside: others may answer otherwise.
    pub build: String,
    /// The command line, from the name of the subcommand on.
    pub arguments: Vec<String>,
    /// What the command line asks for, in words that are equal if the questions are.
    pub question: String,
    /// The name of what is read: [`Inputs`](crate::Inputs).
    pub inputs: String,
    /// Pieces of all shards together.
    pub pieces: usize,
    /// How many shards there are.
    pub shards: u32,
}
