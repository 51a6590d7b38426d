//! Receives from any source that could have taken another message.
//!
//! A receive posted with `MPI_ANY_SOURCE` takes the message of whoever is there first. Another process' message could
//! have been first if the process received it later and it was sent without knowing that the first receive was over
//! (Vakkalanka et al., *DAMPI*, SC 2010). What the program would do then, only another run can tell: this is what such
//! a run needs.
//!
//! Limits: of the receives of a process on one communicator only the last [`KEPT`] are compared with a message, and so
//! many messages in all are remembered. A probe is no receive.

use crate::finding::Site;
use farside_clocks::{Epoch, VectorClock};
use farside_events::{CommId, PostId, Rank};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Receives of one process that wait for later messages.
const KEPT: usize = 64;
/// Receives of the job that are remembered.
const MOST: usize = 1 << 16;

/// A receive from any source and the process whose message it took, or is to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// Who receives.
    pub receiver: Rank,
    /// Which of its receives.
    pub post: PostId,
    /// Whose message.
    pub source: Rank,
}

/// A receive that could have taken another message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// All of the job, in the order in which they were over: the list is shared.
    all: Arc<[Match]>,
    /// Which of them it is.
    index: usize,
    site: Site,
    other: Rank,
}

impl Choice {
    /// What it took.
    #[must_use]
    pub fn taken(&self) -> Match {
        self.all[self.index]
    }

    /// Where the receive is called.
    #[must_use]
    pub fn site(&self) -> Site {
        self.site
    }

    /// Whose message it could have taken.
    #[must_use]
    pub fn other(&self) -> Rank {
        self.other
    }

    /// The matches of an execution in which it does: those before it, as they were, and the other one.
    #[must_use]
    pub fn matches(&self) -> Vec<Match> {
        let mut matches = self.all[..=self.index].to_vec();
        matches[self.index].source = self.other;
        matches
    }
}

/// A receive from any source that is over.
#[derive(Debug)]
struct Over {
    /// Its place in the list of all.
    index: usize,
    tag: Option<i32>,
    /// When it was over.
    done: Epoch,
}

/// All of a job. See the module's head.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    posted: HashMap<(Rank, PostId), (Option<i32>, Site)>,
    matches: Vec<Match>,
    /// Of each match: where the receive is called.
    sites: Vec<Site>,
    over: HashMap<(CommId, Rank), VecDeque<Over>>,
    /// Of the list of all: which one, and whose message it could have taken.
    found: BTreeSet<(usize, Rank)>,
}

impl Choices {
    /// A receive from any source is posted.
    pub(crate) fn post(&mut self, receiver: Rank, post: PostId, tag: Option<i32>, site: Site) {
        self.posted.insert((receiver, post), (tag, site));
    }

    /// A message was received, or is there at the end, whose sender knew this.
    pub(crate) fn message(
        &mut self,
        (comm, receiver): (CommId, Rank),
        (source, tag): (Rank, i32),
        known: &VectorClock,
    ) {
        for over in self.over.get(&(comm, receiver)).into_iter().flatten() {
            let fits = over.tag.is_none_or(|wanted| wanted == tag);
            if fits && self.matches[over.index].source != source && !known.covers(over.done) {
                self.found.insert((over.index, source));
            }
        }
    }

    /// A receive is over, at this time of its thread.
    pub(crate) fn received(
        &mut self,
        (comm, receiver): (CommId, Rank),
        post: PostId,
        source: Rank,
        done: Epoch,
    ) {
        let Some((tag, site)) = self.posted.remove(&(receiver, post)) else {
            return;
        };
        if self.matches.len() >= MOST {
            return;
        }
        let index = self.matches.len();
        self.matches.push(Match {
            receiver,
            post,
            source,
        });
        self.sites.push(site);
        let over = self.over.entry((comm, receiver)).or_default();
        if over.len() == KEPT {
            over.pop_front();
        }
        over.push_back(Over { index, tag, done });
    }

    /// What was found, in the order in which the receives were over.
    pub(crate) fn found(&self) -> Vec<Choice> {
        let all: Arc<[Match]> = self.matches.as_slice().into();
        let found = self.found.iter();
        found
            .map(|&(index, other)| Choice {
                all: Arc::clone(&all),
                index,
                site: self.sites[index],
                other,
            })
            .collect()
    }
}
