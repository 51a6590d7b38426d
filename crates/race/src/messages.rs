//! Point-to-point messages: which send a receive takes, and what it learns.
//!
//! Messages between two processes with one communicator and tag do not overtake (MPI-4.1 §3.5): of the receives that
//! end up with that envelope, the one posted first takes the one sent first. So matching needs posting order and the
//! envelope that each receive reports, nothing on the wire.
//!
//! Deviation: a receive with a wildcard that was posted earlier and is still pending may have taken an earlier
//! message of the same envelope; it is taken not to have.

use crate::detector::Detector;
use farside_clocks::{Component, VectorClock};
use farside_events::{CommId, PostId, Rank};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Communicator, sender, receiver, tag.
type Envelope = (CommId, Rank, Rank, i32);

/// A posted receive.
#[derive(Clone, Debug)]
pub(crate) struct Posted {
    comm: CommId,
    source: Option<Rank>,
    tag: Option<i32>,
}

/// A message on its way.
#[derive(Debug)]
struct Sent {
    clock: VectorClock,
    mark: (Rank, u64),
}

/// All messages and receives in flight.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    sent: HashMap<Envelope, VecDeque<Sent>>,
    /// Pending receives of a process on a communicator, in posting order, with what the poster knew.
    pending: HashMap<(CommId, Rank), BTreeMap<PostId, (Posted, VectorClock)>>,
}

impl Detector {
    pub(crate) fn send(&mut self, component: Component, comm: CommId, dest: Rank, tag: i32, mark: u64) {
        let rank = self.job.thread(component).rank;
        let clock = self.job.release(component);
        self.messages
            .sent
            .entry((comm, rank, dest, tag))
            .or_default()
            .push_back(Sent {
                clock,
                mark: (rank, mark),
            });
    }

    /// A synchronous send returned: the receiver had posted the receive.
    pub(crate) fn synchronous_send_done(&mut self, component: Component, comm: CommId, dest: Rank, tag: i32) {
        let rank = self.job.thread(component).rank;
        let Some(pending) = self.messages.pending.get(&(comm, dest)) else {
            return;
        };
        let matching = pending.values().find(|(posted, _)| {
            posted.source.is_none_or(|source| source == rank) && posted.tag.is_none_or(|wanted| wanted == tag)
        });
        if let Some((_, clock)) = matching {
            let clock = clock.clone();
            self.job.acquire(component, &clock);
        }
    }

    pub(crate) fn post_receive(
        &mut self,
        component: Component,
        post: PostId,
        comm: CommId,
        source: Option<Rank>,
        tag: Option<i32>,
    ) {
        let rank = self.job.thread(component).rank;
        let clock = self.job.release(component);
        let posted = Posted { comm, source, tag };
        self.job.process(rank).posts.insert(post, posted.clone());
        self.messages
            .pending
            .entry((comm, rank))
            .or_default()
            .insert(post, (posted, clock));
    }

    /// A receive completed with this envelope; without a source it was cancelled or had no partner.
    pub(crate) fn receive_done(
        &mut self,
        component: Component,
        post: PostId,
        source: Option<Rank>,
        tag: i32,
    ) {
        let rank = self.job.thread(component).rank;
        let Some(posted) = self.job.process(rank).posts.remove(&post) else {
            return;
        };
        let mut ahead = 0;
        if let Some(pending) = self.messages.pending.get_mut(&(posted.comm, rank)) {
            pending.remove(&post);
            ahead = pending
                .range(..post)
                .filter(|(_, (other, _))| {
                    other.source.is_some() && other.source == source && other.tag == Some(tag)
                })
                .count();
            if pending.is_empty() {
                self.messages.pending.remove(&(posted.comm, rank));
            }
        }
        let Some(source) = source else { return };
        let envelope = (posted.comm, source, rank, tag);
        let Some(queue) = self.messages.sent.get_mut(&envelope) else {
            return;
        };
        let message = queue.remove(ahead.min(queue.len().saturating_sub(1)));
        if queue.is_empty() {
            self.messages.sent.remove(&envelope);
        }
        if let Some(message) = message {
            self.job.acquire(component, &message.clock);
            let here = self.timeline.latest(rank);
            self.timeline.edge(message.mark, (rank, here), "message");
        }
    }
}
