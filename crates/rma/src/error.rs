//! What can go wrong, as values.

use crate::Rank;
use farside_fabric as fabric;
use std::panic::Location;
use std::time::Duration;

/// What a call of this crate gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A call failed. Nothing was transferred by the call that failed, unless it says otherwise.
///
/// `Debug` writes what `Display` does: a `main` that returns `Result<(), farside::Error>` prints its error so, and the
/// text is made for those who run the program. Programs find what is in it in the fields.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such rank in the group.
    #[error("rank {rank} is out of range: the group has {size} ranks, 0 to {}", size.saturating_sub(1))]
    RankOutOfRange {
        /// The one that was named.
        rank: Rank,
        /// Number of ranks of the group.
        size: u32,
    },
    /// Elements that are not in the window of the target.
    #[error(
        "elements [{displacement}, {}) of {element_bytes} bytes are out of bounds: rank {target} exposes {exposed} \
         elements",
        displacement.saturating_add(*elements)
    )]
    OutOfBounds {
        /// Whose memory.
        target: Rank,
        /// First element.
        displacement: usize,
        /// Number of elements.
        elements: usize,
        /// How many there are.
        exposed: usize,
        /// Size of an element.
        element_bytes: usize,
    },
    /// A layout reaches past the end of the origin buffer.
    #[error("the layout reaches to element {end}, but the origin buffer has {elements}")]
    OriginTooShort {
        /// Past the last element of the layout.
        end: usize,
        /// Length of the buffer.
        elements: usize,
    },
    /// Two lengths that must agree do not.
    #[error("{what}: {found} elements where {expected} are needed")]
    Length {
        /// What was counted.
        what: &'static str,
        /// How many are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A layout that is none, or that writes an element twice.
    #[error("the layout cannot be used: {0}")]
    Layout(&'static str),
    /// Something that came from elsewhere than the window that it is used with.
    #[error("{what} is not of this window: {reason}")]
    Foreign {
        /// What was given.
        what: &'static str,
        /// Where it may come from.
        reason: &'static str,
    },
    /// The epoch gives no access to this target.
    #[error("no access to rank {target} at {call}: the epoch, opened at {epoch}, does not give it")]
    NotInEpoch {
        /// The rank that was named.
        target: Rank,
        /// Where the program named it.
        call: &'static Location<'static>,
        /// Where the program opened the epoch.
        epoch: &'static Location<'static>,
    },
    /// This process holds a lock there already.
    #[error("no second lock of rank {target} at {call}: this process has one since {held}")]
    AlreadyLocked {
        /// Whose window.
        target: Rank,
        /// Where the program wants a lock.
        call: &'static Location<'static>,
        /// Where it took the one that it has.
        held: &'static Location<'static>,
    },
    /// Ranks called different collective functions, or the same with arguments that have to agree and do not, or in
    /// another order. All ranks of the group get the same error; no call on it works from then on.
    #[error("collective calls do not match: {first}; {second}")]
    Mismatch {
        /// What a rank called.
        first: Box<Called>,
        /// What another one called instead.
        second: Box<Called>,
    },
    /// An assertion of the program does not hold.
    #[error("the assertion {assertion} does not hold: {reason}")]
    Assertion {
        /// Its name.
        assertion: &'static str,
        /// What was seen.
        reason: &'static str,
    },
    /// An earlier call left this object in a state that cannot be used: it failed midway, or panicked.
    #[error("the {0} cannot be used any more: an earlier call on it failed midway")]
    Broken(&'static str),
    /// The transport, or the type, has no such operation.
    #[error("{what} is not possible: {reason}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// Why it is not there.
        reason: String,
    },
    /// Another rank could not take its part in a collective call.
    #[error("rank {rank} failed in {what}")]
    Refused {
        /// Which rank of the group.
        rank: Rank,
        /// In what.
        what: &'static str,
    },
    /// Too much arrived that nobody asks for.
    #[error("{what} wait that nobody takes: more than {limit}")]
    Unclaimed {
        /// What arrived.
        what: &'static str,
        /// How many, or how many bytes, are kept at the most.
        limit: usize,
    },
    /// A number that does not fit into what the transport carries.
    #[error("{what} {number} is too great: {limit} at the most")]
    TooGreat {
        /// What it is.
        what: &'static str,
        /// The one that was given.
        number: u64,
        /// The greatest.
        limit: u64,
    },
    /// A process ended, or cannot be reached any more.
    #[error("rank {rank} of the world is lost")]
    PeerLost {
        /// Its number in the world.
        rank: Rank,
    },
    /// It took longer than the time limit of the world ([`World::set_time_limit`](crate::World::set_time_limit)).
    #[error("nothing came within {limit:?}: {waits}")]
    TimeOut {
        /// How long a rank waited: this one, or the one that gave up first.
        limit: Duration,
        /// Who waits for whom.
        waits: Box<Waits>,
    },
    /// An array cannot lie over the ranks of the group so.
    #[error(transparent)]
    Distribution(#[from] DistributionError),
    /// The job could not be joined.
    #[error("{0}")]
    Start(String),
    /// A simulated run has no outcome: ranks wait for one another for ever, or one panicked.
    #[error("the simulated run has no outcome: {0}")]
    Simulation(String),
    /// The [check](crate::check) found conflicts; the report is on stderr.
    #[error("the check found {findings} conflicts, which are described above")]
    Conflicts {
        /// How many.
        findings: usize,
    },
    /// A handler of a [`Service`](crate::Service) panicked; it runs no more at that rank.
    #[error("a handler of the service panicked at rank {rank}: {message}")]
    Panicked {
        /// Which rank of the group.
        rank: Rank,
        /// What the panic said, its first 200 bytes or so.
        message: String,
    },
    /// The transport failed otherwise.
    #[error(transparent)]
    Transport(fabric::Error),
}

/// Why an array cannot lie over ranks so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// The grid has another number of ranks than the group.
    #[error("the grid {grid:?} is not one of {ranks} ranks")]
    Grid {
        /// Ranks in each dimension.
        grid: Vec<usize>,
        /// Number of ranks of the group.
        ranks: Rank,
    },
    /// A halo would need elements of more than the nearest ranks.
    #[error(
        "the halo of dimension {dimension} is {width} wide, but a rank has {least} of the {extent} elements there: use \
         fewer ranks in this dimension, or a narrower halo"
    )]
    Halo {
        /// The dimension, from 0.
        dimension: usize,
        /// Width of its halo.
        width: usize,
        /// Elements of the whole array in this dimension.
        extent: usize,
        /// Of the rank that has fewest.
        least: usize,
    },
    /// More elements than the address space has.
    #[error("an array of {extents:?} elements is longer than the address space")]
    TooLong {
        /// Elements in each dimension.
        extents: Vec<usize>,
    },
}

/// A collective call of a rank, as [`Error::Mismatch`] tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Its number in the world.
    pub rank: Rank,
    /// The call, and the how many-th of which group it is.
    pub call: String,
    /// Where, as `FILE:LINE`.
    pub place: String,
}

impl std::fmt::Display for Called {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rank, call, place } = self;
        write!(formatter, "rank {rank} calls {call}, at {place}")
    }
}

/// Who waits for whom, as [`Error::TimeOut`] tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// The ranks that wait.
    pub waiting: Vec<Waiting>,
    /// Ranks that did not say what they do: they compute, have ended, or wait where they do not listen.
    pub silent: Vec<Rank>,
}

/// A wait of a rank. All ranks are those of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Who waits.
    pub rank: Rank,
    /// In which call, and on what.
    pub call: String,
    /// Where, as `FILE:LINE`; empty if that is not known.
    pub place: String,
    /// For whom; for any rank, if it is empty.
    pub targets: Vec<Rank>,
}

impl std::fmt::Display for Waits {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, waiting) in self.waiting.iter().enumerate() {
            write!(formatter, "{}{waiting}", if index > 0 { "; " } else { "" })?;
        }
        if self.silent.is_empty() {
            return Ok(());
        }
        write!(formatter, "; no word from {}", Ranks(&self.silent))
    }
}

impl std::fmt::Display for Waiting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "rank {} waits in {}", self.rank, self.call)?;
        if !self.place.is_empty() {
            write!(formatter, ", at {},", self.place)?;
        }
        if self.targets.is_empty() {
            return write!(formatter, " for any rank");
        }
        write!(formatter, " for {}", Ranks(&self.targets))
    }
}

/// Ranks in words; of many, the first.
struct Ranks<'r>(&'r [Rank]);

impl std::fmt::Display for Ranks<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMED: usize = 8;
        write!(formatter, "rank{}", if self.0.len() == 1 { "" } else { "s" })?;
        for (index, rank) in self.0.iter().take(NAMED).enumerate() {
            write!(formatter, "{}{rank}", if index > 0 { ", " } else { " " })?;
        }
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(formatter, " and {more} more"),
        }
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, formatter)
    }
}

impl Error {
    pub(crate) fn mismatch(first: Called, second: Called) -> Self {
        Self::Mismatch {
            first: Box::new(first),
            second: Box::new(second),
        }
    }
}

impl From<fabric::Error> for Error {
    fn from(error: fabric::Error) -> Self {
        match error {
            fabric::Error::PeerLost { rank } => Self::PeerLost { rank },
            fabric::Error::TimeOut(limit) => Self::TimeOut {
                limit,
                waits: Box::default(),
            },
            other => Self::Transport(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_what_was_wrong() {
        let text = Error::OutOfBounds {
            target: 3,
            displacement: 6,
            elements: 4,
            exposed: 8,
            element_bytes: 8,
        }
        .to_string();
        assert_eq!(
            text,
            "elements [6, 10) of 8 bytes are out of bounds: rank 3 exposes 8 elements"
        );
    }

    #[test]
    fn a_main_that_fails_prints_the_text() {
        let failed: Result<()> = Err(Error::PeerLost { rank: 2 });
        assert_eq!(format!("{failed:?}"), "Err(rank 2 of the world is lost)");
        assert_eq!(
            format!("{:#?}", Error::Start("no launcher".to_owned())),
            "no launcher"
        );
    }

    #[test]
    fn a_lost_peer_and_a_time_out_are_errors_of_their_own() {
        assert_eq!(
            Error::from(fabric::Error::PeerLost { rank: 2 }),
            Error::PeerLost { rank: 2 }
        );
        let limit = Duration::from_millis(5);
        let waits = Box::default();
        assert_eq!(
            Error::from(fabric::Error::TimeOut(limit)),
            Error::TimeOut { limit, waits }
        );
    }

    #[test]
    fn a_time_out_says_who_waits_for_whom() {
        let waiting = |rank, targets| Waiting {
            rank,
            call: "receive".to_owned(),
            place: "main.rs:3".to_owned(),
            targets,
        };
        let waits = Waits {
            waiting: vec![
                waiting(0, vec![1]),
                waiting(1, vec![]),
                waiting(2, (3..13).collect()),
            ],
            silent: vec![3],
        };
        assert_eq!(
            waits.to_string(),
            "rank 0 waits in receive, at main.rs:3, for rank 1; rank 1 waits in receive, at main.rs:3, for any rank; \
             rank 2 waits in receive, at main.rs:3, for ranks 3, 4, 5, 6, 7, 8, 9, 10 and 2 more; no word from rank 3"
        );
    }
}
