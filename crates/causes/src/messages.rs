//! Point-to-point messages: matched as the detector matches them, by envelope and by the order of posting.

use crate::gate::{Gate, Gone, Moment};
use farside_events::{CommId, PostId, Rank, RequestId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, VecDeque};

/// Communicator, sender, receiver, tag.
pub(crate) type Envelope = (CommId, Rank, Rank, i32);

/// A message on its way.
#[derive(Clone, Copy, Debug)]
struct Sent {
    number: u64,
    at: Moment,
}

/// A posted receive: source, tag.
type Posted = (Option<Rank>, Option<i32>);

/// Messages and receives in flight.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    sent: HashMap<Envelope, VecDeque<Sent>>,
    next: u64,
    pending: HashMap<(CommId, Rank), BTreeMap<PostId, Posted>>,
    posts: HashMap<(Rank, PostId), CommId>,
    /// Synchronous sends that are waited for by a request.
    requests: HashMap<(Rank, RequestId), (Envelope, u64)>,
}

impl Messages {
    /// A message is sent; gives its number. With a request it is synchronous, and waited for later.
    pub(crate) fn send(&mut self, envelope: Envelope, synchronous: Option<RequestId>, at: Moment) -> u64 {
        self.next += 1;
        let number = self.next;
        self.sent
            .entry(envelope)
            .or_default()
            .push_back(Sent { number, at });
        if let Some(request) = synchronous {
            self.requests.insert((envelope.1, request), (envelope, number));
        }
        number
    }

    /// A receive is posted.
    pub(crate) fn post(&mut self, rank: Rank, post: PostId, comm: CommId, envelope: Posted) {
        self.posts.insert((rank, post), comm);
        let pending = self.pending.entry((comm, rank)).or_default();
        pending.insert(post, envelope);
    }

    /// Whether the message of a receive that is done was sent.
    pub(crate) fn received(&self, rank: Rank, post: PostId, source: Rank, tag: i32, gone: &Gone) -> Gate {
        let Some((comm, ahead)) = self.ahead(rank, post, source, tag) else {
            return Gate::Open;
        };
        let queue = self.sent.get(&(comm, source, rank, tag));
        Gate::until(queue.is_some_and(|queue| queue.len() > ahead) || gone.has(source))
    }

    /// A receive is done; gives when its message was sent.
    pub(crate) fn receive(
        &mut self,
        rank: Rank,
        post: PostId,
        source: Option<Rank>,
        tag: i32,
    ) -> Option<Moment> {
        let ahead = source.and_then(|source| self.ahead(rank, post, source, tag));
        let comm = self.posts.remove(&(rank, post))?;
        if let Some(pending) = self.pending.get_mut(&(comm, rank)) {
            pending.remove(&post);
            if pending.is_empty() {
                self.pending.remove(&(comm, rank));
            }
        }
        let ((_, ahead), envelope) = (ahead?, (comm, source?, rank, tag));
        let queue = self.sent.get_mut(&envelope)?;
        let message = queue.remove(ahead.min(queue.len().saturating_sub(1)));
        if queue.is_empty() {
            self.sent.remove(&envelope);
        }
        message.map(|message| message.at)
    }

    /// Whether a synchronous send may return: its message was received, or a receive is posted that will take it.
    pub(crate) fn met(&self, envelope: Envelope, number: u64, gone: &Gone) -> Gate {
        Gate::until(self.is_met(envelope, number) || gone.has(envelope.2))
    }

    /// As [`Self::met`], for one that is waited for by its request.
    pub(crate) fn request_met(&self, rank: Rank, request: RequestId, gone: &Gone) -> Gate {
        let sent = self.requests.get(&(rank, request));
        sent.map_or(Gate::Open, |(envelope, number)| {
            self.met(*envelope, *number, gone)
        })
    }

    /// The request of a send is done.
    pub(crate) fn request_done(&mut self, rank: Rank, request: RequestId) {
        self.requests.remove(&(rank, request));
    }

    /// The communicator of a receive, and how many messages of this envelope others take that were posted before it.
    fn ahead(&self, rank: Rank, post: PostId, source: Rank, tag: i32) -> Option<(CommId, usize)> {
        let comm = *self.posts.get(&(rank, post))?;
        let pending = self.pending.get(&(comm, rank))?;
        let earlier = pending.range(..post).map(|(_, posted)| posted);
        let same = earlier.filter(|(from, with)| *from == Some(source) && *with == Some(tag));
        Some((comm, same.count()))
    }

    /// Whether a message was received, or a receive is posted that will take it.
    fn is_met(&self, (comm, source, dest, tag): Envelope, number: u64) -> bool {
        let Some(queue) = self.sent.get(&(comm, source, dest, tag)) else {
            return true;
        };
        let Some(ahead) = queue.iter().position(|message| message.number == number) else {
            return true;
        };
        let fits = |(from, with): &&Posted| {
            from.is_none_or(|from| from == source) && with.is_none_or(|with| with == tag)
        };
        let pending = self
            .pending
            .get(&(comm, dest))
            .into_iter()
            .flat_map(BTreeMap::values);
        pending.filter(fits).nth(ahead).is_some()
    }
}
