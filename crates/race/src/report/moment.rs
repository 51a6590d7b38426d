//! When something is found, and what it is known by: alike for all judges of a job.

use crate::finding::Site;
use serde::{Deserialize, Serialize};

/// When something is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Moment {
    /// Events so far.
    event: u64,
    /// The memory is not that of the process that the event is of.
    elsewhere: bool,
}

impl Moment {
    /// At an event; `elsewhere` says that this judge does not have the process that the event is of.
    pub(crate) fn new(event: u64, elsewhere: bool) -> Self {
        Self { event, elsewhere }
    }

    /// After all events.
    pub(crate) fn end() -> Self {
        Self::new(u64::MAX, false)
    }
}

/// Two places in the one order in which they name a finding.
pub(super) fn sorted(mut sites: [Site; 2]) -> [Site; 2] {
    sites.sort_by_key(|site| (site.rank, site.pc, site.stack));
    sites
}
