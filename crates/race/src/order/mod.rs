//! Who is ordered after whom: the clocks of threads, and all that raises them.
//!
//! Each kind of synchronisation keeps its own state, and takes the clocks ([`Threads`]) where it makes order. What it
//! gives back is what became ordered or may take effect now; whether the program may do so is not its matter
//! (`epochs`, `misuse`).

mod atomics;
mod choices;
mod collectives;
mod exchanges;
mod exposure;
mod fences;
mod flags;
mod locks;
mod messages;
mod notices;
mod objects;
mod starts;
mod threads;

pub(crate) use atomics::{SingleElement, Updates, Word};
pub use choices::{Choice, Match};
pub(crate) use collectives::Collectives;
pub(crate) use exchanges::{Caller as Member, Exchanges, Received, Unlike};
pub(crate) use exposure::{Exposure, Pair};
pub(crate) use fences::Fences;
pub(crate) use flags::Flags;
pub(crate) use locks::{Derived, Known, Locks, kept_apart};
pub(crate) use messages::Messages;
pub(crate) use notices::Notices;
pub(crate) use objects::Objects;
pub(crate) use starts::Stuck;
pub(crate) use threads::Threads;

use crate::finding::{Link, Site};
use farside_events::{Assertions, Rank};

/// An order that reaches a thread: from which process, its place in the sequence, and by what.
pub(crate) type Edge = ((Rank, u64), Link);

/// A call with assertions: where it stands, and what it gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    site: Site,
    assertions: Assertions,
}

impl Promise {
    pub(crate) fn new(site: Site, assertions: Assertions) -> Self {
        Self { site, assertions }
    }

    pub(crate) fn site(&self) -> Site {
        self.site
    }

    pub(crate) fn assertions(&self) -> Assertions {
        self.assertions
    }
}
