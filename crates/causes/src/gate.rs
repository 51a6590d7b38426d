//! What an event may have to wait for.

use farside_events::Rank;
use std::collections::BTreeSet;

/// Whether what an event acquires was handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// It was, as far as is known.
    Open,
    /// The value that it saw was left by nothing that was handed on.
    Value,
    /// Another epoch has the lock that it is known to have.
    Lock,
    /// Its partners have not come so far.
    Partner,
}

impl Gate {
    /// Waits for partners until they have `come`.
    pub(crate) fn until(come: bool) -> Self {
        if come { Self::Open } else { Self::Partner }
    }
}

/// Where and when an event was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    host: usize,
    time: u64,
}

impl Moment {
    /// On the host of this number, at this time of its clock.
    #[must_use]
    pub fn new(host: usize, time: u64) -> Self {
        Self { host, time }
    }

    /// The host, by its place among those of the job.
    #[must_use]
    pub fn host(self) -> usize {
        self.host
    }

    /// Nanoseconds of its clock.
    #[must_use]
    pub fn time(self) -> u64 {
        self.time
    }
}

/// The last moment on each host, of several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latest(Vec<Moment>);

impl Latest {
    /// Takes a moment in. They come in the order of each clock.
    pub(crate) fn add(&mut self, moment: Moment) {
        match self.0.iter_mut().find(|known| known.host == moment.host) {
            Some(known) => *known = moment,
            None => self.0.push(moment),
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[Moment] {
        &self.0
    }
}

/// Processes of which nothing more will come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gone(BTreeSet<Rank>);

impl Gone {
    /// The recording of a process has ended, and was handed on.
    pub(crate) fn add(&mut self, rank: Rank) {
        self.0.insert(rank);
    }

    /// Whether nothing more will come of it.
    pub(crate) fn has(&self, rank: Rank) -> bool {
        self.0.contains(&rank)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
