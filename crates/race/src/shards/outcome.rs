//! What the judges of a job found, joined.

use super::Sent;
use crate::finding::RawFinding;
use crate::options::Counts;
use crate::report::{self, FoundAt};
use serde::{Deserialize, Serialize};

/// What one of several judges found, at its end or so far: it can be sent to whoever [`join`]s.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Part {
    found: Vec<FoundAt>,
    counts: Counts,
    sent: Sent,
    first: bool,
}

impl Part {
    /// `first` says that only the first finding is wanted.
    pub(crate) fn new(found: Vec<FoundAt>, counts: Counts, sent: Sent, first: bool) -> Self {
        Self {
            found,
            counts,
            sent,
            first,
        }
    }

    /// How many findings it has.
    #[must_use]
    pub fn found(&self) -> usize {
        self.found.len()
    }

    /// What the judge told others.
    #[must_use]
    pub fn sent(&self) -> Sent {
        self.sent
    }

    /// What the judge did.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

/// What one detector would have found, from what all judges of the job did.
#[must_use]
pub fn join(parts: Vec<Part>) -> (Vec<RawFinding>, Counts) {
    let mut counts = Counts::default();
    let first = parts.iter().any(|part| part.first);
    let mut all = Vec::new();
    for part in parts {
        // All consumed the same events.
        counts.events = counts.events.max(part.counts.events);
        counts.operations = counts.operations.max(part.counts.operations);
        counts.access_runs = counts.access_runs.max(part.counts.access_runs);
        counts.is_one_order |= part.counts.is_one_order;
        counts.records_kept += part.counts.records_kept;
        all.extend(part.found);
    }
    let (findings, left_open) = report::join(all, first);
    counts.left_open = left_open;
    (findings, counts)
}
