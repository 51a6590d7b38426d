//! Messages and receives (MPI-4.1 chapter 3): which were sent and posted, and which of them fit.

use crate::memory::Content;
use farside_calls::datatype::Elements;
use farside_events::{CommId, PostId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A message under way.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    number: u64,
    comm: CommId,
    from: u32,
    to: u32,
    tag: i32,
    data: Content,
}

/// Which messages a receive or a probe takes. Ranks are those of the world.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    comm: CommId,
    /// `None` for any.
    source: Option<u32>,
    /// `None` for any.
    tag: Option<i32>,
}

/// What a receive got.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Received {
    pub(crate) from: u32,
    pub(crate) tag: i32,
    pub(crate) size: usize,
}

/// A receive that was posted.
#[derive(Debug)]
struct Posted {
    wanted: Wanted,
    into: Option<Elements>,
    /// What arrived.
    received: Option<Received>,
}

/// Data that go from a message into the buffer of a process.
pub(crate) type Delivery = (u32, Option<Elements>, Content);

/// Messages and receives, met and not.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    /// Messages that no receive has got, in the order in which they were sent.
    messages: Vec<Message>,
    /// Messages that belong to a handle since they were probed for, by their numbers.
    matched: HashMap<u64, Message>,
    /// By process and number.
    posted: HashMap<(u32, PostId), Posted>,
    /// Receives that have got nothing, in the order in which they were posted.
    order: Vec<(u32, PostId)>,
    /// The numbers of messages that were received.
    delivered: HashSet<u64>,
    sent: u64,
    posts: HashMap<u32, u64>,
}

impl Message {
    fn received(&self) -> Received {
        Received {
            from: self.from,
            tag: self.tag,
            size: self.data.len() as usize,
        }
    }
}

impl Wanted {
    /// What a call on a communicator asks for.
    pub(crate) fn new(comm: CommId, source: Option<u32>, tag: Option<i32>) -> Self {
        Self { comm, source, tag }
    }

    /// Whether several messages may fit that come in no order.
    pub(crate) fn is_any(&self) -> bool {
        self.source.is_none()
    }

    fn fits(&self, rank: u32, message: &Message) -> bool {
        message.to == rank
            && message.comm == self.comm
            && self.source.is_none_or(|source| source == message.from)
            && self.tag.is_none_or(|tag| tag == message.tag)
    }
}

impl Mailbox {
    /// A message is sent; its number, which is 1 for the first.
    pub(crate) fn send(&mut self, comm: CommId, from: u32, to: u32, tag: i32, data: Content) -> u64 {
        self.sent += 1;
        self.messages.push(Message {
            number: self.sent,
            comm,
            from,
            to,
            tag,
            data,
        });
        self.sent
    }

    /// The number of the next receive of a process.
    pub(crate) fn next_post(&mut self, rank: u32) -> PostId {
        let next = self.posts.entry(rank).or_insert(0);
        *next += 1;
        PostId(*next)
    }

    /// A receive is posted, with its number.
    pub(crate) fn post(&mut self, rank: u32, number: PostId, wanted: Wanted, into: Option<Elements>) {
        let posted = Posted {
            wanted,
            into,
            received: None,
        };
        self.posted.insert((rank, number), posted);
        self.order.push((rank, number));
    }

    /// Gives receives the messages that they want, each the first that fits; what goes where.
    pub(crate) fn deliver(&mut self) -> Vec<Delivery> {
        let mut deliveries = Vec::new();
        let Self { messages, posted, .. } = self;
        self.order.retain(|key| {
            let (rank, _) = *key;
            let Some(posted) = posted.get_mut(key) else {
                return false;
            };
            let Some(first) = messages
                .iter()
                .position(|message| posted.wanted.fits(rank, message))
            else {
                return true;
            };
            let message = messages.remove(first);
            self.delivered.insert(message.number);
            posted.received = Some(message.received());
            deliveries.push((rank, posted.into.clone(), message.data));
            false
        });
        deliveries
    }

    /// Whether a message has been received.
    pub(crate) fn is_delivered(&self, number: u64) -> bool {
        self.delivered.contains(&number)
    }

    /// What a posted receive got, and where to; `None` if nothing has come.
    pub(crate) fn received(&self, rank: u32, number: PostId) -> Option<(Received, Option<&Elements>)> {
        let posted = self.posted.get(&(rank, number))?;
        Some((posted.received?, posted.into.as_ref()))
    }

    /// The message that a receive would get.
    pub(crate) fn probe(&self, rank: u32, wanted: &Wanted) -> Option<(u64, Received)> {
        let found = self.messages.iter().find(|message| wanted.fits(rank, message))?;
        Some((found.number, found.received()))
    }

    /// The message that a receive would get belongs to a handle from now on: its number.
    pub(crate) fn take(&mut self, rank: u32, wanted: &Wanted) -> Option<u64> {
        let fits = |message: &Message| wanted.fits(rank, message);
        let message = self.messages.remove(self.messages.iter().position(fits)?);
        let number = message.number;
        self.matched.insert(number, message);
        Some(number)
    }

    /// The message of a handle is to be received by a receive of its communicator, source and tag, which are
    /// returned: it is the first that fits, so that a receive gets it at once. `None` if the handle has none.
    pub(crate) fn give_back(&mut self, number: u64) -> Option<(CommId, u32, i32)> {
        let message = self.matched.remove(&number)?;
        let envelope = (message.comm, message.from, message.tag);
        self.messages.insert(0, message);
        Some(envelope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_calls::datatype::{Datatype, Shape};
    use farside_events::TypeId;
    use std::sync::Arc;

    const WORLD: CommId = CommId(1);

    fn into(address: u64) -> Option<Elements> {
        let byte = Datatype::new(TypeId(1), Shape::basic("MPI_BYTE", 0, 1, 1));
        Some(Elements {
            address,
            count: 1,
            datatype: Arc::new(byte),
        })
    }

    #[test]
    fn receives_get_the_first_message_that_fits_in_the_order_of_their_posts() {
        let mut mail = Mailbox::default();
        for (tag, from) in [(7, 1), (8, 1), (7, 2)] {
            mail.send(WORLD, from, 0, tag, Content::known(vec![tag as u8, from as u8]));
        }
        let any = Wanted::new(WORLD, None, Some(7));
        let second = Wanted::new(WORLD, Some(2), None);
        for (wanted, address) in [(second, 10), (any.clone(), 20), (any, 30)] {
            let number = mail.next_post(0);
            mail.post(0, number, wanted, into(address));
        }
        let got: Vec<_> = mail
            .deliver()
            .into_iter()
            .map(|(_, into, data)| (into.map(|into| into.address), data.bytes().to_vec()))
            .collect();
        assert_eq!(got, [(Some(10), vec![7, 2]), (Some(20), vec![7, 1])]);
        assert!(mail.is_delivered(1) && !mail.is_delivered(2));
        assert!(mail.received(0, PostId(3)).is_none());
    }

    #[test]
    fn a_message_that_was_probed_for_belongs_to_its_handle() {
        let mut mail = Mailbox::default();
        let number = mail.send(WORLD, 1, 0, 7, Content::known(vec![1]));
        let any = Wanted::new(WORLD, None, None);
        assert_eq!(mail.take(0, &any), Some(number));
        assert!(mail.probe(0, &any).is_none());
        mail.send(WORLD, 1, 0, 7, Content::known(vec![2]));
        assert_eq!(mail.give_back(number), Some((WORLD, 1, 7)));
        assert_eq!(mail.probe(0, &any).map(|(number, _)| number), Some(number));
        assert!(mail.give_back(number).is_none());
    }
}
