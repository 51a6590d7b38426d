//! What happened in a run, as data: arrows and bars of a message diagram.

use farside_fabric::Rank;
use std::time::Duration;

/// What travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Travel {
    /// A message.
    Message,
    /// A put; it has arrived when it is visible as a whole.
    Put,
    /// A put with this immediate.
    Immediate(u32),
    /// A put that is counted at the target.
    Count,
    /// The request of a get.
    Get,
    /// The bytes of a get; they have arrived when all are there.
    GetAnswer,
    /// Atomic operations.
    Atomic,
    /// What they fetched.
    AtomicAnswer,
    /// The acknowledgement of a put, or of atomic operations that fetch nothing.
    Acknowledgement,
}

/// What a rank does for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// It computes.
    Compute,
    /// It waits, in this method of the endpoint.
    Wait(&'static str),
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Something went from one rank to another.
    Arrow {
        /// What.
        travel: Travel,
        /// From where.
        from: Rank,
        /// To where.
        to: Rank,
        /// Bytes of the program in it.
        bytes: usize,
        /// When the first byte left.
        left: Duration,
        /// When the last byte had its effect.
        arrived: Duration,
    },
    /// A rank did something for a while.
    Bar {
        /// Which.
        rank: Rank,
        /// What it did.
        activity: Activity,
        /// From then.
        began: Duration,
        /// Until then.
        ended: Duration,
    },
}

/// What happened, in the order of its ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// At most as many as [`Simulation::trace`](crate::Simulation::trace) says.
    pub events: Vec<Event>,
    /// How many more there would have been.
    pub left_out: u64,
}

impl Trace {
    /// Keeps an event if there is room.
    pub(crate) fn push(&mut self, room: usize, event: impl FnOnce() -> Event) {
        if self.events.len() < room {
            self.events.push(event());
        } else if room > 0 {
            self.left_out += 1;
        }
    }
}
