//! Point-to-point messages: which send a receive takes, and what it learns.
//!
//! Messages between two processes with one communicator and tag do not overtake (MPI-4.1 §3.5): of the receives that
//! end up with that envelope, the one posted first takes the one sent first. So matching needs posting order and the
//! envelope that each receive reports, nothing on the wire.
//!
//! Deviation: a receive with a wildcard that was posted earlier and is still pending may have taken an earlier
//! message of the same envelope; it is taken not to have.

use super::choices::{Choice, Choices};
use super::{Edge, Threads};
use crate::finding::{Link, Site};
use farside_clocks::{Component, VectorClock};
use farside_events::{CommId, PostId, Rank, RequestId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, VecDeque};

/// Communicator, sender, receiver, tag.
type Envelope = (CommId, Rank, Rank, i32);

/// A posted receive.
#[derive(Clone, Debug)]
struct Posted {
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
    /// Non-blocking synchronous sends in progress, and their messages.
    requests: HashMap<(Rank, RequestId), (CommId, Rank, i32, u64)>,
    /// Pending receives of a process on a communicator, in posting order, with what the poster knew.
    pending: HashMap<(CommId, Rank), BTreeMap<PostId, (Posted, VectorClock)>>,
    posts: HashMap<(Rank, PostId), Posted>,
    /// Which receives could have taken another message, if that is asked for.
    choices: Option<Choices>,
}

impl Messages {
    /// Receives are noted that could have taken another message.
    pub(crate) fn note_choices(&mut self) {
        self.choices = Some(Choices::default());
    }

    /// The receives that could have taken another message, if they were noted. Messages that nobody has received count.
    pub(crate) fn choices(&mut self) -> Vec<Choice> {
        let Some(choices) = &mut self.choices else {
            return Vec::new();
        };
        for (&(comm, source, receiver, tag), queue) in &self.sent {
            if let Some(message) = queue.front() {
                choices.message((comm, receiver), (source, tag), &message.clock);
            }
        }
        choices.found()
    }

    /// A message is sent, at `mark` in the sequence; gives its number. With a request it may be waited for later.
    pub(crate) fn send(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (comm, dest, tag): (CommId, Rank, i32),
        (synchronous, request): (bool, Option<RequestId>),
        mark: u64,
    ) -> u64 {
        let rank = threads.rank(component);
        let clock = threads.release(component);
        self.next += 1;
        let number = self.next;
        let message = Sent {
            number,
            synchronous,
            clock,
            mark: (rank, mark),
        };
        let queue = self.sent.entry((comm, rank, dest, tag)).or_default();
        queue.push_back(message);
        if let (true, Some(request)) = (synchronous, request) {
            self.requests.insert((rank, request), (comm, dest, tag, number));
        }
        number
    }

    /// A non-blocking send completed.
    pub(crate) fn send_done(&mut self, threads: &mut Threads, component: Component, request: RequestId) {
        let rank = threads.rank(component);
        if let Some((comm, dest, tag, number)) = self.requests.remove(&(rank, request)) {
            self.synchronous_send_done(threads, component, (comm, dest, tag), number);
        }
    }

    /// A synchronous send returned: the receiver had posted the receive.
    pub(crate) fn synchronous_send_done(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (comm, dest, tag): (CommId, Rank, i32),
        number: u64,
    ) {
        let rank = threads.rank(component);
        let met = self.met.remove(&number);
        let clock = met.or_else(|| {
            // Not yet received: the receive that will take it is the first pending one that fits, after those that
            // earlier messages of the same envelope will take.
            let queue = self.sent.get_mut(&(comm, rank, dest, tag))?;
            let ahead = queue.iter().position(|message| message.number == number)?;
            queue[ahead].synchronous = false;
            let fits = |posted: &Posted| {
                posted.source.is_none_or(|source| source == rank)
                    && posted.tag.is_none_or(|wanted| wanted == tag)
            };
            let pending = self.pending.get(&(comm, dest))?;
            let mut fitting = pending.values().filter(|(posted, _)| fits(posted));
            fitting.nth(ahead).map(|(_, clock)| clock.clone())
        });
        if let Some(clock) = clock {
            threads.acquire(component, &clock);
        }
    }

    /// A receive is posted.
    pub(crate) fn post(
        &mut self,
        threads: &mut Threads,
        component: Component,
        post: PostId,
        comm: CommId,
        (source, tag): (Option<Rank>, Option<i32>),
        site: Site,
    ) {
        let rank = threads.rank(component);
        if let (None, Some(choices)) = (source, &mut self.choices) {
            choices.post(rank, post, tag, site);
        }
        let clock = threads.release(component);
        let posted = Posted { comm, source, tag };
        self.posts.insert((rank, post), posted.clone());
        let pending = self.pending.entry((comm, rank)).or_default();
        pending.insert(post, (posted, clock));
    }

    /// A probe found a message with this envelope: the first that no receive is posted for. By chance: it could have
    /// found nothing, or another one.
    pub(crate) fn probed(
        &mut self,
        threads: &mut Threads,
        component: Component,
        (comm, source, tag): (CommId, Rank, i32),
        by_chance: bool,
    ) -> Option<Edge> {
        let rank = threads.rank(component);
        let fits = |posted: &Posted| posted.source == Some(source) && posted.tag == Some(tag);
        let pending = self.pending.get(&(comm, rank)).into_iter().flatten();
        let ahead = pending.filter(|(_, (posted, _))| fits(posted)).count();
        let queue = self.sent.get(&(comm, source, rank, tag))?;
        let message = queue.get(ahead).or_else(|| queue.back())?;
        match by_chance {
            true => threads.acquire_by_chance(component, &message.clock),
            false => threads.acquire(component, &message.clock),
        }
        Some((message.mark, Link::Message))
    }

    /// A receive completed with this envelope; without a source it was cancelled or had no partner.
    pub(crate) fn receive_done(
        &mut self,
        threads: &mut Threads,
        component: Component,
        post: PostId,
        source: Option<Rank>,
        tag: i32,
    ) -> Option<Edge> {
        let rank = threads.rank(component);
        let posted = self.posts.remove(&(rank, post))?;
        let mut ahead = 0;
        let mut poster = None;
        if let Some(pending) = self.pending.get_mut(&(posted.comm, rank)) {
            poster = pending.remove(&post).map(|(_, clock)| clock);
            let same =
                |other: &Posted| other.source.is_some() && other.source == source && other.tag == Some(tag);
            ahead = pending
                .range(..post)
                .filter(|(_, (other, _))| same(other))
                .count();
            if pending.is_empty() {
                self.pending.remove(&(posted.comm, rank));
            }
        }
        let envelope = (posted.comm, source?, rank, tag);
        let queue = self.sent.get_mut(&envelope)?;
        let message = queue.remove(ahead.min(queue.len().saturating_sub(1)));
        if queue.is_empty() {
            self.sent.remove(&envelope);
        }
        let message = message?;
        if let (true, Some(clock)) = (message.synchronous, poster) {
            self.met.insert(message.number, clock);
        }
        match posted.source {
            Some(_) => threads.acquire(component, &message.clock),
            None => threads.acquire_by_chance(component, &message.clock),
        }
        if let (Some(choices), (comm, source, ..)) = (&mut self.choices, envelope) {
            choices.message((comm, rank), (source, tag), &message.clock);
            choices.received((comm, rank), post, source, threads.now(component));
        }
        Some((message.mark, Link::Message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{StackId, ThreadId};

    const WORLD: CommId = CommId(1);

    fn threads() -> (Threads, Component, Component) {
        let mut threads = Threads::default();
        let sender = threads.component(Rank(0), ThreadId(0));
        let receiver = threads.component(Rank(1), ThreadId(0));
        (threads, sender, receiver)
    }

    fn site(rank: u32) -> Site {
        Site::of_call(Rank(rank), StackId(1))
    }

    #[test]
    fn a_receive_from_any_source_could_have_taken_what_was_sent_meanwhile() {
        for (answers, others) in [(false, vec![Rank(2)]), (true, vec![])] {
            let mut threads = Threads::default();
            let [receiver, first, second] = [0, 1, 2].map(|rank| threads.component(Rank(rank), ThreadId(0)));
            let mut messages = Messages::default();
            messages.note_choices();
            let any = (None, None);
            let receive = |messages: &mut Messages, threads: &mut Threads, post, source| {
                messages.post(threads, receiver, PostId(post), WORLD, any, site(0));
                messages.receive_done(threads, receiver, PostId(post), Some(Rank(source)), 5)
            };
            messages.send(&mut threads, first, (WORLD, Rank(0), 5), (false, None), 1);
            receive(&mut messages, &mut threads, 1, 1);
            if answers {
                // The second sender sends because the first message was received.
                messages.send(&mut threads, receiver, (WORLD, Rank(2), 6), (false, None), 2);
                messages.post(
                    &mut threads,
                    second,
                    PostId(9),
                    WORLD,
                    (Some(Rank(0)), None),
                    site(2),
                );
                messages.receive_done(&mut threads, second, PostId(9), Some(Rank(0)), 6);
            }
            messages.send(&mut threads, second, (WORLD, Rank(0), 5), (false, None), 3);
            receive(&mut messages, &mut threads, 2, 2);
            let found = messages.choices();
            assert_eq!(
                found.iter().map(Choice::other).collect::<Vec<_>>(),
                others,
                "{answers}"
            );
            for choice in found {
                assert_eq!((choice.taken().post, choice.taken().source), (PostId(1), Rank(1)));
                assert_eq!(choice.matches().len(), 1);
            }
        }
    }

    #[test]
    fn receives_take_messages_in_the_order_of_their_posting() {
        let (mut threads, sender, receiver) = threads();
        let mut messages = Messages::default();
        let sends: Vec<_> = [10, 20]
            .map(|mark| {
                let before = threads.now(sender);
                messages.send(&mut threads, sender, (WORLD, Rank(1), 5), (false, None), mark);
                before
            })
            .into();
        for post in [1, 2] {
            messages.post(
                &mut threads,
                receiver,
                PostId(post),
                WORLD,
                (Some(Rank(0)), Some(5)),
                site(1),
            );
        }
        // The second one posted completes first, and takes the second message.
        let edge = messages.receive_done(&mut threads, receiver, PostId(2), Some(Rank(0)), 5);
        assert_eq!(edge, Some(((Rank(0), 20), Link::Message)));
        assert!(sends.iter().all(|sent| threads.clock(receiver).covers(*sent)));
        let edge = messages.receive_done(&mut threads, receiver, PostId(1), Some(Rank(0)), 5);
        assert_eq!(edge, Some(((Rank(0), 10), Link::Message)));
    }

    #[test]
    fn a_synchronous_send_learns_what_the_poster_knew() {
        let (mut threads, sender, receiver) = threads();
        let mut messages = Messages::default();
        let posted = threads.now(receiver);
        messages.post(&mut threads, receiver, PostId(1), WORLD, (None, None), site(1));
        let later = threads.now(receiver);
        let number = messages.send(&mut threads, sender, (WORLD, Rank(1), 5), (true, None), 1);
        messages.synchronous_send_done(&mut threads, sender, (WORLD, Rank(1), 5), number);
        assert!(threads.clock(sender).covers(posted));
        assert!(!threads.clock(sender).covers(later));
    }
}
