//! What a run gives: results, or the reason why there are none; counts.

use crate::trace::Trace;
use farside_fabric::Rank;
use std::fmt;
use std::time::Duration;

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome<R> {
    /// What each rank returned; `None` of a rank that was killed or died.
    pub results: Vec<Option<R>>,
    /// Virtual time until the last rank returned.
    pub duration: Duration,
    /// What each rank sent.
    pub counters: Vec<Counters>,
    /// What happened, if it was asked for.
    pub trace: Trace,
}

impl<R> Outcome<R> {
    /// What all ranks sent together.
    #[must_use]
    pub fn total(&self) -> Counters {
        let mut total = Counters::default();
        self.counters.iter().for_each(|counters| total.add(counters));
        total
    }
}

/// What a rank sent. Bytes are those of the program, without headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Messages.
    pub messages: u64,
    /// Bytes of them.
    pub message_bytes: u64,
    /// Puts, those with a signal as well.
    pub puts: u64,
    /// Bytes of them.
    pub put_bytes: u64,
    /// Puts with an immediate or a count.
    pub signals: u64,
    /// Gets.
    pub gets: u64,
    /// Bytes of them; they travel the other way.
    pub get_bytes: u64,
    /// Atomic operations, whatever their number of elements.
    pub atomics: u64,
    /// Packets of all kinds that left this rank's ports, answers too; acknowledgements are not counted.
    pub packets: u64,
    /// Packets that were lost and sent again.
    pub retransmissions: u64,
    /// Puts with an immediate that found the receiver not ready, each time.
    pub receiver_not_ready: u64,
}

impl Counters {
    fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.message_bytes += other.message_bytes;
        self.puts += other.puts;
        self.put_bytes += other.put_bytes;
        self.signals += other.signals;
        self.gets += other.gets;
        self.get_bytes += other.get_bytes;
        self.atomics += other.atomics;
        self.packets += other.packets;
        self.retransmissions += other.retransmissions;
        self.receiver_not_ready += other.receiver_not_ready;
    }
}

/// A rank that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub rank: Rank,
    /// In which call, and what it lacks.
    pub call: String,
}

/// Why a run has no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The network makes no sense.
    #[error("the parameter `{parameter}` of the network must be {rule}")]
    Parameter {
        /// Its name.
        parameter: &'static str,
        /// What holds.
        rule: &'static str,
    },
    /// A rank that is to be killed does not exist, or there are no ranks.
    #[error("rank {rank} is out of range: the job has {ranks} ranks")]
    RankOutOfRange {
        /// The one that was named.
        rank: Rank,
        /// Number of ranks.
        ranks: u32,
    },
    /// All ranks that are left wait, and nothing is under way.
    #[error("deadlock after {at:?}: {}", Listed(waiting))]
    Deadlock {
        /// When the last one began to wait, or the last thing arrived.
        at: Duration,
        /// Who waits for what.
        waiting: Vec<Waiting>,
    },
    /// A rank panicked. The message was printed by the panic hook as well.
    #[error("rank {rank} panicked after {at:?}: {message}")]
    Panicked {
        /// Which.
        rank: Rank,
        /// When.
        at: Duration,
        /// What it said.
        message: String,
    },
    /// A rank returned with an error.
    #[error("rank {rank} failed after {at:?}: {reason}")]
    Failed {
        /// Which.
        rank: Rank,
        /// When.
        at: Duration,
        /// The error, as text.
        reason: String,
    },
    /// Virtual time is over: [`Simulation::limit`](crate::Simulation::limit).
    #[error("the run takes longer than {limit:?}: {}", Listed(waiting))]
    TimeLimit {
        /// As it was given.
        limit: Duration,
        /// Who was in a waiting call then.
        waiting: Vec<Waiting>,
    },
    /// The system has no memory for the stack of a rank.
    #[error("no stack for rank {rank}: {reason}")]
    Stack {
        /// Whose.
        rank: Rank,
        /// What the system said.
        reason: String,
    },
}

/// The first few of them, and how many more.
struct Listed<'w>(&'w [Waiting]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        if self.0.is_empty() {
            return write!(formatter, "no rank waits");
        }
        for (number, waiting) in self.0.iter().take(SHOWN).enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(formatter, "{separator}rank {} in {}", waiting.rank, waiting.call)?;
        }
        if self.0.len() > SHOWN {
            write!(formatter, "; and {} more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}
