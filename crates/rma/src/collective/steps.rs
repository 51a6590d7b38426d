//! The messages of a collective call: the one mechanism under all functions, blocking or not.
//!
//! An algorithm is an `async fn`: it sends, and where it needs a message of another rank it is suspended. There is no
//! executor: the compiler makes of it the list of steps that libNBC builds at run time (Hoefler, Lumsdaine, Rehm:
//! *Implementation and Performance Analysis of Non-Blocking Collective Operations for MPI*, SC 2007). A blocking call
//! waits for each message that the algorithm asks for ([`Steps::complete`]); one that does not block is looked at
//! whenever its rank waits ([`super::request`]).
//!
//! A message of more than [`EAGER`] bytes is announced, and sent when its receiver has come so far: what a rank has to
//! keep for later is bounded by small messages. Longer ones than the transport carries travel in parts.

use crate::mailbox;
use crate::message::{copy_into, to_values};
use crate::{Error, Group, Plain, Rank, Result};
use farside_fabric::Message;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Bytes up to which a message is sent without asking.
pub(super) const EAGER: usize = 256 << 10;

/// The messages of one collective call of a rank.
pub(crate) struct Steps {
    group: Group,
    tag: u64,
    /// The message that the algorithm needs: whose, as a rank of the world, and its tag.
    awaited: Cell<Option<(Rank, u64)>>,
    arrived: Cell<Option<Message>>,
    /// A rank gave another number of elements than this one expects: which, and what to tell it.
    doubt: RefCell<Option<(Rank, String)>>,
}

impl Steps {
    /// Of the call in which this rank is. All ranks of the group make it.
    pub(crate) fn new(group: &Group) -> Self {
        Self {
            group: group.clone(),
            tag: group.next_call(),
            awaited: Cell::new(None),
            arrived: Cell::new(None),
            doubt: RefCell::new(None),
        }
    }

    /// Whose call it is.
    pub(super) fn group(&self) -> &Group {
        &self.group
    }

    /// Runs an algorithm to its end, up to the time limit of waits.
    pub(crate) fn complete<R>(&self, algorithm: impl Future<Output = Result<R>>) -> Result<R> {
        let mut algorithm = pin!(algorithm);
        loop {
            if let Poll::Ready(result) = self.poll(algorithm.as_mut()) {
                return match self.doubt.take() {
                    Some((with, what)) => Err(self.group.core().disagree(with, &what)),
                    None => result,
                };
            }
            self.wait()?;
        }
    }

    /// Lets an algorithm go on until it needs another message.
    pub(super) fn poll<R>(
        &self,
        algorithm: Pin<&mut (impl Future<Output = Result<R>> + ?Sized)>,
    ) -> Poll<Result<R>> {
        algorithm.poll(&mut Context::from_waker(Waker::noop()))
    }

    /// Waits for the message that the algorithm needs.
    fn wait(&self) -> Result<()> {
        let core = self.group.core();
        let source = self.awaited.get().map(|(source, _)| source);
        // What is waited for may be here: then nobody would send what others wait for.
        core.fabric().send_held();
        core.wait_in(&|| core.collective(source), || self.look())
    }

    /// Takes the message that the algorithm needs, if it is here.
    pub(super) fn look(&self) -> Result<bool> {
        let Some((source, tag)) = self.awaited.get() else {
            return Ok(true);
        };
        let core = self.group.core();
        let wanted = |message: &Message| message.source == source && mailbox::is_tagged(message, tag);
        let Some(message) = core.mailbox.take(core.fabric(), &wanted)? else {
            return Ok(false);
        };
        self.arrived.set(Some(message));
        self.awaited.set(None);
        Ok(true)
    }

    /// The next message of a rank of the world.
    async fn next(&self, source: Rank, tag: u64) -> Message {
        self.awaited.set(Some((source, tag)));
        poll_fn(|_| self.arrived.take().map_or(Poll::Pending, Poll::Ready)).await
    }

    /// Sends values to one rank and gets bytes of another, or the same one, either at a time.
    ///
    /// All who send say so before they wait for anybody: so rounds in which each waits for another one end.
    async fn pass<T: Plain>(&self, to: Option<(Rank, &[T])>, from: Option<Rank>) -> Result<Vec<u8>> {
        const { assert!(size_of::<T>() > 0, "elements of a message have a size") }
        let (core, clear) = (self.group.core(), mailbox::clear(self.tag));
        let fabric = core.fabric();
        let mut announced = None;
        if let Some((rank, values)) = to {
            let (target, bytes) = (
                self.group.world_rank(rank)?,
                bytemuck::cast_slice::<T, u8>(values),
            );
            if bytes.len() > EAGER {
                mailbox::announce(fabric, target, self.tag)?;
                announced = Some((target, bytes));
            } else {
                mailbox::send(fabric, target, self.tag, bytes)?;
            }
        }
        let mut first = None;
        if let Some(rank) = from {
            let source = self.group.world_rank(rank)?;
            let message = self.next(source, self.tag).await;
            if mailbox::is_announcement(&message) {
                mailbox::send(fabric, source, clear, &[])?;
            }
            first = Some((source, message));
        }
        if let Some((target, bytes)) = announced {
            self.next(target, clear).await;
            mailbox::send(fabric, target, self.tag, bytes)?;
        }
        let Some((source, message)) = first else {
            return Ok(Vec::new());
        };
        let mut more = mailbox::has_more(&message);
        let mut bytes = message.bytes;
        while more {
            let part = self.next(source, self.tag).await;
            more = mailbox::has_more(&part);
            bytes.extend_from_slice(&part.bytes);
        }
        Ok(bytes)
    }

    /// Sends values to a rank.
    pub(super) async fn send<T: Plain>(&self, target: Rank, values: &[T]) -> Result<()> {
        self.pass(Some((target, values)), None).await.map(drop)
    }

    /// Gets so many values of a rank.
    pub(super) async fn receive<T: Plain>(&self, source: Rank, length: usize) -> Result<Vec<T>> {
        self.exchange(None, Some((source, length))).await
    }

    /// Sends values to one rank, and gets so many of another one.
    pub(super) async fn exchange<T: Plain>(
        &self,
        to: Option<(Rank, &[T])>,
        from: Option<(Rank, usize)>,
    ) -> Result<Vec<T>> {
        let bytes = self.pass(to, from.map(|(source, _)| source)).await?;
        let Some((source, length)) = from else {
            return Ok(Vec::new());
        };
        let values: Vec<T> = to_values(&bytes)?;
        self.check(source, length, values.len())?;
        Ok(values)
    }

    /// Sends values to one rank, and gets those of another one where they belong.
    pub(super) async fn exchange_into<T: Plain>(
        &self,
        to: Option<(Rank, &[T])>,
        source: Rank,
        room: &mut [T],
    ) -> Result<()> {
        let bytes = self.pass(to, Some(source)).await?;
        if bytes.len() != size_of_val(room) {
            return self.check(source, room.len(), to_values::<T>(&bytes)?.len());
        }
        copy_into(&bytes, room);
        Ok(())
    }

    /// Whether a rank gave as many elements as this one expects of it. If not, the rank is asked what it has called,
    /// and all are told ([`crate::matching`]).
    pub(super) fn check(&self, source: Rank, expected: usize, found: usize) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        let text = format!("which expects {expected} elements of rank {source} of the group, not {found}");
        self.doubt.replace(Some((self.group.world_rank(source)?, text)));
        Err(Error::Length {
            what: "elements of another rank in a collective call",
            expected,
            found,
        })
    }
}
