//! What can go wrong at a transport.

use crate::Rank;
use std::time::Duration;

/// A call of a transport failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such rank.
    #[error("rank {rank} is out of range: the job has {size} ranks, 0 to {}", size.saturating_sub(1))]
    RankOutOfRange {
        /// The one that was named.
        rank: Rank,
        /// Number of ranks.
        size: u32,
    },
    /// Bytes that are not in the region.
    #[error(
        "bytes [{displacement}, {}) are out of bounds: rank {target} exposes {exposed} bytes",
        displacement.saturating_add(*bytes)
    )]
    OutOfBounds {
        /// Whose region.
        target: Rank,
        /// First byte.
        displacement: usize,
        /// Number of bytes.
        bytes: usize,
        /// How many there are.
        exposed: usize,
    },
    /// An atomic operation on an element that is not aligned.
    #[error("displacement {displacement} is not a multiple of {alignment}, which an atomic operation needs")]
    Misaligned {
        /// In bytes.
        displacement: usize,
        /// In bytes.
        alignment: usize,
    },
    /// A process ended, or cannot be reached any more.
    #[error("rank {rank} is lost")]
    PeerLost {
        /// Which.
        rank: Rank,
    },
    /// It took too long.
    #[error("nothing came within {0:?}")]
    TimeOut(Duration),
    /// The transport cannot do this.
    #[error("the transport `{transport}` has no {what}: {reason}")]
    Unsupported {
        /// Its name.
        transport: String,
        /// What was asked for.
        what: String,
        /// Why it is not there.
        reason: String,
    },
    /// A message is too long.
    #[error("a message of {bytes} bytes is too long: {limit} at the most")]
    TooLong {
        /// Of the message.
        bytes: usize,
        /// The longest.
        limit: usize,
    },
    /// A queue ran over, and something was lost.
    #[error("{0} were lost: nobody took them in time")]
    Overflow(&'static str),
    /// A handle that is not of this endpoint, or no longer.
    #[error("{0} is not of this endpoint, or was given back")]
    Stale(&'static str),
    /// A descriptor, or an answer of a peer, that nobody can read.
    #[error("{what} cannot be understood: {detail}")]
    Malformed {
        /// What.
        what: &'static str,
        /// Why not.
        detail: String,
    },
    /// The start of the job failed.
    #[error("the ranks cannot find one another: {0}")]
    Bootstrap(String),
    /// The system, or a foreign library, refused.
    #[error("{call}: {detail}")]
    System {
        /// What was called.
        call: &'static str,
        /// What it said.
        detail: String,
    },
}
