//! Messages between ranks of a group: for what is not worth a window, and to tell others that something is there.

use crate::mailbox::{self, Purpose};
use crate::waits::Wait;
use crate::watch::{Guard, Place};
use crate::{Error, Group, Plain, Rank, Result};
use std::panic::Location;

/// A message that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<T> {
    /// The rank in the group that sent it.
    pub source: Rank,
    /// The tag that it was sent with.
    pub tag: u32,
    /// What it carries.
    pub values: Vec<T>,
}

impl Group {
    /// Sends a message (`MPI_Send`, MPI-4.1 §3.2.1). It is copied before the call returns; the call waits while the
    /// target has no room, up to the time limit. Messages of one rank to another keep their order. They are not ordered
    /// with operations on windows: put, flush, then send.
    ///
    /// A rank that waits so takes in what comes for it, up to 192 MiB: ranks that all send first, and then receive, go
    /// on if no more comes for any of them. With more they wait for one another, as in MPI.
    ///
    /// # Errors
    /// No such rank; a rank is lost; time ran out: then the target has got a part of the message at the most, and no
    /// other is sent to it with this tag.
    #[track_caller]
    pub fn send<T: Plain>(&self, target: Rank, tag: u32, values: &[T]) -> Result<()> {
        const { assert!(size_of::<T>() > 0, "elements of a message have a size") }
        let place = Location::caller();
        let _call = self.sending(place, target, tag);
        let (core, target) = (self.core(), self.world_rank(target)?);
        let tag = mailbox::tag(Purpose::User, self.context(), tag);
        let wait = || Wait::new(core.fabric().rank(), "send".to_owned(), Some(place), [target]);
        core.send(&wait, (target, tag), bytemuck::cast_slice(values))
    }

    /// Waits for a message (`MPI_Recv`, MPI-4.1 §3.2.4) of a rank, or of any, with a tag, or with any.
    ///
    /// # Errors
    /// No such rank; a rank is lost; time ran out; the message is no whole number of elements of `T`.
    #[track_caller]
    pub fn receive<T: Plain>(&self, source: Option<Rank>, tag: Option<u32>) -> Result<Message<T>> {
        self.core().matching.check_handling("a receive")?;
        let call = self.receiving(Location::caller(), source, tag);
        let (mut first, place) = (None, Location::caller());
        self.core().wait_in(&|| self.waits_for(source, place), || {
            first = self.first_part(source, tag)?;
            Ok(first.is_some())
        })?;
        let message = self.whole(first.ok_or(Error::Broken("message queue"))?)?;
        self.tell_received(call, &message);
        Ok(message)
    }

    /// The next message, if it is here already (`MPI_Iprobe` and `MPI_Recv`, MPI-4.1 §3.8.1).
    ///
    /// # Errors
    /// As for [`Group::receive`].
    #[track_caller]
    pub fn try_receive<T: Plain>(
        &self,
        source: Option<Rank>,
        tag: Option<u32>,
    ) -> Result<Option<Message<T>>> {
        let first = self.first_part(source, tag)?;
        let Some(first) = first else { return Ok(None) };
        let message = self.whole(first)?;
        let call = self.receiving(Location::caller(), source, tag);
        self.tell_received(call, &message);
        Ok(Some(message))
    }

    /// What this rank waits for in a receive.
    #[cold]
    fn waits_for(&self, source: Option<Rank>, place: Place) -> Wait {
        let targets = source.and_then(|source| self.world_rank(source).ok());
        Wait::new(
            self.core().fabric().rank(),
            "receive".to_owned(),
            Some(place),
            targets,
        )
    }

    /// A receive is over.
    fn tell_received<T>(&self, call: Option<Guard<'_>>, message: &Message<T>) {
        if let Some(mut call) = call {
            call.leave_with(self.received(message.source, message.tag));
        }
    }

    /// The first part of the next message of the program's that is wanted, if it is here.
    fn first_part(&self, source: Option<Rank>, tag: Option<u32>) -> Result<Option<farside_fabric::Message>> {
        let source = source.map(|rank| self.world_rank(rank)).transpose()?;
        let core = self.core();
        core.mailbox.take(core.fabric(), &|message| {
            let number = message.tag as u32;
            mailbox::is_tagged(message, mailbox::tag(Purpose::User, self.context(), number))
                && source.is_none_or(|source| message.source == source)
                && tag.is_none_or(|tag| number == tag)
        })
    }

    /// The message of the program's that begins with a part.
    fn whole<T: Plain>(&self, first: farside_fabric::Message) -> Result<Message<T>> {
        let (source, number) = (first.source, first.tag as u32);
        let bytes = self.join(first, source, mailbox::tag(Purpose::User, self.context(), number))?;
        Ok(Message {
            source: self.rank_of(source).ok_or(Error::Broken("group"))?,
            tag: number,
            values: to_values(&bytes)?,
        })
    }

    /// The whole of a message, the first part of which is here.
    fn join(&self, first: farside_fabric::Message, source: Rank, tag: u64) -> Result<Vec<u8>> {
        let core = self.core();
        let mut more = mailbox::has_more(&first);
        let mut bytes = first.bytes;
        while more {
            let mut part = None;
            core.wait_in(&|| core.collective(Some(source)), || {
                part = core.mailbox.take(core.fabric(), &|message| {
                    message.source == source && mailbox::is_tagged(message, tag)
                })?;
                Ok(part.is_some())
            })?;
            let part = part.ok_or(Error::Broken("message queue"))?;
            more = mailbox::has_more(&part);
            bytes.extend_from_slice(&part.bytes);
        }
        Ok(bytes)
    }

    /// Sends a step of a collective call.
    pub(crate) fn send_step<T: Plain>(&self, target: Rank, call: u64, values: &[T]) -> Result<()> {
        const { assert!(size_of::<T>() > 0, "elements of a message have a size") }
        let target = self.world_rank(target)?;
        mailbox::send(self.core().fabric(), target, call, bytemuck::cast_slice(values))
    }

    /// Sends an empty step of a collective call, which may leave together with what follows, before this rank waits for
    /// any step.
    pub(crate) fn send_sign_along(&self, target: Rank, call: u64) -> Result<()> {
        let target = self.world_rank(target)?;
        Ok(self.core().fabric().send_along(target, call, &[])?)
    }

    /// Waits for a step of a collective call, as bytes; there must be `expected`.
    pub(crate) fn receive_step(&self, source: Rank, call: u64, expected: usize) -> Result<Vec<u8>> {
        let bytes = self.receive_whole(source, call)?;
        if bytes.len() != expected {
            return Err(Error::Length {
                what: "bytes from another rank in a collective call",
                expected,
                found: bytes.len(),
            });
        }
        Ok(bytes)
    }

    /// Waits for a step of a collective call, of any length, as bytes.
    pub(crate) fn receive_whole(&self, source: Rank, call: u64) -> Result<Vec<u8>> {
        let core = self.core();
        let source = self.world_rank(source)?;
        let mut first = None;
        // What is waited for may be here: then nobody would send what others wait for.
        core.fabric().send_held();
        core.wait_in(&|| core.collective(Some(source)), || {
            first = core.mailbox.take(core.fabric(), &|message| {
                message.source == source && mailbox::is_tagged(message, call)
            })?;
            Ok(first.is_some())
        })?;
        let first = first.ok_or(Error::Broken("message queue"))?;
        self.join(first, source, call)
    }
}

/// Bytes as values of a type, wherever the bytes lie.
pub(crate) fn to_values<T: Plain>(bytes: &[u8]) -> Result<Vec<T>> {
    let size = size_of::<T>();
    if size == 0 || !bytes.len().is_multiple_of(size) {
        return Err(Error::Length {
            what: "bytes of a message that are no whole number of elements",
            expected: bytes.len().next_multiple_of(size.max(1)),
            found: bytes.len(),
        });
    }
    Ok(bytemuck::pod_collect_to_vec(bytes))
}

/// Copies bytes into values, wherever the bytes lie; the lengths agree.
pub(crate) fn copy_into<T: Plain>(bytes: &[u8], values: &mut [T]) {
    bytemuck::cast_slice_mut::<T, u8>(values).copy_from_slice(bytes);
}
