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
//! *Judges in other processes* ([`seats`]) may be given [`farside_events::EventKind::Withheld`] in the place of loads
//! and stores of processes whose memory others have. Processes that reach each other's memory by loads and stores must
//! have one judge then, and the interface must be MPI: that of the crate `farside` waits for words that anybody
//! stores.
//!
//! Deviations:
//! 1. A load of a few bytes is known as polling by how often it came back to them, and to how many places it came.
//!    Where one instruction comes to places of several owners in a segment, and their memory has several judges, each
//!    counts its own.
//! 2. What is forgotten when depends on how much a judge keeps; `Counts::records_kept` is the sum over all.

mod links;
mod outcome;
mod owners;

pub use links::{Inbox, Post, Word};
pub use outcome::{Part, join};
pub use owners::Owners;

use crate::order::Derived;
use farside_events::Rank;
use links::Links;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::mpsc::channel;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// How often all others had to hear of it before they went on.
    pub messages: u64,
    /// Bytes that this would take between hosts, to one of them.
    pub bytes: u64,
}

/// The place of a judge.
#[derive(Debug)]
pub enum Seat {
    /// In a thread of this process.
    Here(Shard),
    /// In another process, where [`Shard::elsewhere`] is.
    Elsewhere(Deputy),
}

/// Speaks for a judge of another process to those of this one, and to other deputies. When it is dropped, the judge has
/// left.
pub struct Deputy {
    own: u32,
    to: Vec<Post>,
}

/// All judges of a job whose memory is split like this. Each must run in a thread of its own: they wait for each other.
#[must_use]
pub fn shards(owners: &Owners) -> Vec<Shard> {
    let here = |seat| match seat {
        Seat::Here(shard) => Some(shard),
        Seat::Elsewhere(_) => None,
    };
    seats(owners, |_| None).into_iter().filter_map(here).collect()
}

/// All judges of a job whose memory is split like this. Of those that are not in this process, `elsewhere` gives how
/// they get words of others.
#[must_use]
pub fn seats(owners: &Owners, elsewhere: impl Fn(u32) -> Option<Post>) -> Vec<Seat> {
    let judges = 0..owners.judges() as u32;
    let mut inboxes = Vec::new();
    let mut posts = Vec::new();
    for judge in judges.clone() {
        let post = elsewhere(judge);
        inboxes.push(post.is_none().then(channel).map(|(sender, inbox)| {
            posts.push(links::post(sender));
            inbox
        }));
        posts.extend(post);
    }
    let seat = |(own, inbox): (u32, Option<Inbox>)| {
        let others = (0..).zip(&posts).filter(|(judge, _)| *judge != own);
        let to = others.map(|(_, post)| Post::clone(post)).collect();
        match inbox {
            Some(inbox) => Seat::Here(Shard::new(own, owners.clone(), to, inbox)),
            None => Seat::Elsewhere(Deputy { own, to }),
        }
    };
    judges.zip(inboxes).map(seat).collect()
}

impl Deputy {
    /// The judge tells all others.
    pub fn tell(&self, word: &Word) {
        links::tell(&self.to, self.own, word);
    }
}

impl Drop for Deputy {
    fn drop(&mut self) {
        self.tell(&Word::last());
    }
}

impl fmt::Debug for Deputy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "deputy of judge {}", self.own)
    }
}

impl Shard {
    /// The judge of this number, away from the process where the [`Deputy`] is: `post` gets what it tells all others,
    /// `inbox` has what they tell.
    #[must_use]
    pub fn elsewhere(own: u32, owners: Owners, post: Post, inbox: Inbox) -> Self {
        Self::new(own, owners, vec![post], inbox)
    }

    fn new(own: u32, owners: Owners, to: Vec<Post>, inbox: Inbox) -> Self {
        let links = Links::new(own, owners.judges(), to, inbox);
        Self {
            own,
            owners,
            links: Some(links),
            sent: Sent::default(),
        }
    }

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
                links.tell(found);
                Some(Vec::new())
            }
            Some(judge) => links.hear(judge),
            None => {
                self.sent.add(&found);
                links.tell(found);
                links.hear_all()
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
