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
use farside_events::{CommId, PostId, Rank, RequestId};
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
    /// Counted over all messages.
    number: u64,
    synchronous: bool,
    clock: VectorClock,
    mark: (Rank, u64),
}

/// All messages and receives in flight.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    sent: HashMap<Envelope, VecDeque<Sent>>,
    next: u64,
    /// Synchronous messages that were received before their send returned: what the poster of the receive knew.
    met: HashMap<u64, VectorClock>,
    /// Non-blocking synchronous sends in progress: request -> message.
    requests: HashMap<(Rank, RequestId), (CommId, Rank, i32, u64)>,
    /// Pending receives of a process on a communicator, in posting order, with what the poster knew.
    pending: HashMap<(CommId, Rank), BTreeMap<PostId, (Posted, VectorClock)>>,
}

impl Detector {
    /// Gives the number of the message.
    #[allow(clippy::too_many_arguments)] // The arguments of a send.
    pub(crate) fn send(
        &mut self,
        component: Component,
        comm: CommId,
        dest: Rank,
        tag: i32,
        synchronous: bool,
        request: Option<RequestId>,
        mark: u64,
    ) -> u64 {
        let rank = self.job.thread(component).rank;
        let clock = self.job.release(component);
        self.messages.next += 1;
        let number = self.messages.next;
        let message = Sent {
            number,
            synchronous,
            clock,
            mark: (rank, mark),
        };
        self.messages
            .sent
            .entry((comm, rank, dest, tag))
            .or_default()
            .push_back(message);
        if let (true, Some(request)) = (synchronous, request) {
            self.messages
                .requests
                .insert((rank, request), (comm, dest, tag, number));
        }
        number
    }

    /// A non-blocking send completed.
    pub(crate) fn send_done(&mut self, component: Component, request: RequestId) {
        let rank = self.job.thread(component).rank;
        if let Some((comm, dest, tag, number)) = self.messages.requests.remove(&(rank, request)) {
            self.synchronous_send_done(component, comm, dest, tag, number);
        }
    }

    /// A synchronous send returned: the receiver had posted the receive.
    pub(crate) fn synchronous_send_done(
        &mut self,
        component: Component,
        comm: CommId,
        dest: Rank,
        tag: i32,
        number: u64,
    ) {
        let rank = self.job.thread(component).rank;
        let met = self.messages.met.remove(&number);
        let clock = met.or_else(|| {
            // Not yet received: the receive that will take it is the first pending one that fits, after those that
            // earlier messages of the same envelope will take.
            let queue = self.messages.sent.get_mut(&(comm, rank, dest, tag))?;
            let ahead = queue.iter().position(|message| message.number == number)?;
            queue[ahead].synchronous = false;
            let fits = |posted: &Posted| {
                posted.source.is_none_or(|source| source == rank)
                    && posted.tag.is_none_or(|wanted| wanted == tag)
            };
            let pending = self.messages.pending.get(&(comm, dest))?;
            pending
                .values()
                .filter(|(posted, _)| fits(posted))
                .nth(ahead)
                .map(|(_, clock)| clock.clone())
        });
        if let Some(clock) = clock {
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
        let mut poster = None;
        if let Some(pending) = self.messages.pending.get_mut(&(posted.comm, rank)) {
            poster = pending.remove(&post).map(|(_, clock)| clock);
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
            if let (true, Some(clock)) = (message.synchronous, poster) {
                self.messages.met.insert(message.number, clock);
            }
            self.job.acquire(component, &message.clock);
            let here = self.timeline.latest(rank);
            self.timeline.edge(message.mark, (rank, here), "message");
        }
    }
}
