//! Several judges of one job, split by who owns the memory.
//!
//! Each judge is a detector that consumes all events. Synchronisation and operations it judges as one alone would, so
//! that all know who is ordered after whom. Accesses it compares and keeps only in the memory of its own ranks: that is
//! nearly all of the work of programs that compute in their windows. Loads and stores of a process whose address space
//! holds no memory of others are not looked at by judges that do not have that process.
//!
//! *Order that follows from accesses* must be known to all. Whoever has the memory finds it, and tells the others at
//! once; they wait for it before they go on with the event. That is so where a process has a lock which some epoch may
//! exclude (`Locks::may_order`): not under `MPI_Win_lock_all` while nobody asks for exclusive locks. Order by the
//! values of atomic operations comes from operations and values, which all consume.
//!
//! *Misuse* is told by the judge of the process whose event it is, what concerns all at the end by the judge of rank 0.
//!
//! Promise: [`join`] gives what one detector would have found, in its order, with its counts and its advice. It relies
//! on every judge consuming the same events. A judge that ends early ends the others at the next event for which they
//! need it; what they found up to there stands.
//!
//! Deviations:
//! 1. A load of a few bytes is known as polling by how often it came back to them. Where one instruction polls places
//!    of more than eight owners in a segment, and their memory has several judges, each counts the returns to its own.
//! 2. What is forgotten when depends on how much a judge keeps; `Counts::records_kept` is the sum over all.

mod links;
mod outcome;
mod owners;

pub use outcome::{Part, join};
pub use owners::Owners;

use crate::order::Derived;
use farside_events::Rank;
use links::Links;

/// One of several judges, before it has consumed anything: it can be sent to the thread that will judge.
#[derive(Debug)]
pub struct Shard {
    own: u32,
    owners: Owners,
    /// None, when it has ended, or another has that it needs.
    links: Option<Links>,
    sent: Sent,
}

/// What a judge has told others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How often all others had to hear of it before they went on.
    pub messages: u64,
    /// Bytes that this would take between hosts, to one of them.
    pub bytes: u64,
}

/// All judges of a job whose memory is split like this. Each must run in a thread of its own: they wait for each other.
#[must_use]
pub fn shards(owners: &Owners) -> Vec<Shard> {
    let links = Links::between(owners.judges());
    let shard = |(own, links)| Shard {
        own,
        owners: owners.clone(),
        links: Some(links),
        sent: Sent::default(),
    };
    (0..).zip(links).map(shard).collect()
}

impl Shard {
    /// Whether it has the memory of a process, and may still say something of it.
    pub(crate) fn owns(&self, rank: Rank) -> bool {
        self.links.is_some() && self.owners.of(rank) == self.own
    }

    /// What it has told others so far.
    pub(crate) fn sent(&self) -> Sent {
        self.sent
    }

    /// Whether another has ended before, so that nothing more can be judged.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.links.is_none()
    }

    /// It judges nothing more: others do not wait for it.
    pub(crate) fn leave(&mut self) {
        self.links = None;
    }

    /// Tells all others what followed from accesses, if it has the memory of `owner`, and hears it from whoever has;
    /// where that may be several, `None`, all tell all. Gives what others found, in the one order that all take it in.
    pub(crate) fn exchange(&mut self, owner: Option<Rank>, found: Vec<Derived>) -> Vec<Derived> {
        let Some(links) = &mut self.links else {
            return Vec::new();
        };
        let whole = match owner.map(|owner| self.owners.of(owner)) {
            Some(judge) if judge == self.own => {
                self.sent.add(&found);
                links.tell(found).then(Vec::new)
            }
            Some(judge) => links.hear(judge),
            None => {
                self.sent.add(&found);
                match links.tell(found) {
                    true => links.hear_all(),
                    false => None,
                }
            }
        };
        if whole.is_none() {
            self.leave();
        }
        whole.unwrap_or_default()
    }
}

impl Sent {
    fn add(&mut self, derived: &[Derived]) {
        self.messages += 1;
        self.bytes += 8 + derived.iter().map(|one| one.bytes() as u64).sum::<u64>();
    }
}
