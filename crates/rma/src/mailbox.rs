//! What arrived at this rank and waits to be taken: messages and notices, sorted by who asks for them.

use crate::{Error, Rank, Result};
use farside_fabric::{Fabric, Message};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Bytes of messages that are kept for later; more is an error, for memory has an end.
const MESSAGE_BYTES: usize = 256 << 20;

/// Where a rank that sends stops to take messages in: whoever sends to it waits then, as if it took in none.
const WHILE_SENDING: usize = MESSAGE_BYTES / 4 * 3;

/// How long a note that others can do without waits for room.
const ROOM_FOR_NOTES: Duration = Duration::from_millis(200);

/// Notices that are kept for later.
const NOTICES: usize = 1 << 20;

/// What a message is for: the upper half of its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A step of a collective call.
    Collective = 0,
    /// A call of `send`.
    User = 1,
    /// The start of a group.
    Setup = 2,
    /// Of a fence of a window.
    Fence = 3,
    /// Whether collective calls match.
    Matching = 4,
    /// Who waits for whom.
    Waits = 5,
    /// A step of the making of a window.
    Making = 6,
    /// A step of a collective call that was announced may come.
    Clear = 7,
    /// Of a service.
    Service = 8,
}

/// Another part of the same message follows.
const MORE: u64 = 1 << 63;

/// Where the purpose of a tag begins.
const PURPOSE: u32 = 59;

/// Contexts of groups are less.
pub(crate) const CONTEXTS: u32 = 1 << (PURPOSE - 32);

/// The tag of a message: what it is for, the context of its group, and a number.
pub(crate) fn tag(purpose: Purpose, context: u32, number: u32) -> u64 {
    (purpose as u64) << PURPOSE | u64::from(context) << 32 | u64::from(number)
}

/// The tag of the sign that a message of this tag may come.
pub(crate) fn clear(tag: u64) -> u64 {
    tag & ((1 << PURPOSE) - 1) | (Purpose::Clear as u64) << PURPOSE
}

/// A notified put that is visible here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived {
    /// The slot of its window.
    pub(crate) slot: u8,
    /// Whose put, as a rank of the world, where the transport says it.
    pub(crate) source: Option<Rank>,
    /// The number that it carries.
    pub(crate) number: u32,
}

/// Messages and notices that were received before somebody asked for them.
pub(crate) struct Mailbox {
    messages: RefCell<VecDeque<Message>>,
    bytes: Cell<usize>,
    /// No message is taken in while there are so many bytes.
    ceiling: Cell<usize>,
    notices: RefCell<VecDeque<Arrived>>,
    /// Puts of fence epochs that have arrived, by the slot of their window, modulo 2^32.
    fence_puts: Box<[Cell<u32>]>,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self {
            messages: RefCell::default(),
            bytes: Cell::new(0),
            ceiling: Cell::new(usize::MAX),
            notices: RefCell::default(),
            fence_puts: (0..=u8::MAX).map(|_| Cell::new(0)).collect(),
        }
    }
}

impl Mailbox {
    /// The next message that is wanted, if it is here.
    pub(crate) fn take(
        &self,
        fabric: &dyn Fabric,
        wanted: &dyn Fn(&Message) -> bool,
    ) -> Result<Option<Message>> {
        let mut messages = self.messages.borrow_mut();
        if let Some(place) = messages.iter().position(wanted) {
            let message = messages.remove(place);
            self.bytes
                .set(self.bytes.get() - message.as_ref().map_or(0, |found| found.bytes.len()));
            return Ok(message);
        }
        while self.bytes.get() < self.ceiling.get() {
            let Some(message) = fabric.receive()? else { break };
            if wanted(&message) {
                return Ok(Some(message));
            }
            self.bytes.set(self.bytes.get() + message.bytes.len());
            messages.push_back(message);
            if self.bytes.get() > MESSAGE_BYTES {
                return Err(Error::Unclaimed {
                    what: "bytes of messages",
                    limit: MESSAGE_BYTES,
                });
            }
        }
        Ok(None)
    }

    /// As long as the result lives, so much is taken in that ranks that all send first go on, and no more.
    pub(crate) fn sparing(&self) -> Sparing<'_> {
        Sparing {
            mailbox: self,
            before: self.ceiling.replace(WHILE_SENDING),
        }
    }

    /// The next notice of a window that is wanted, if it is here. `slot_bits` is where the slot begins in an immediate.
    pub(crate) fn notice(
        &self,
        fabric: &dyn Fabric,
        slot_shift: u32,
        wanted: &dyn Fn(&Arrived) -> bool,
    ) -> Result<Option<Arrived>> {
        let mut notices = self.notices.borrow_mut();
        if let Some(place) = notices.iter().position(wanted) {
            return Ok(notices.remove(place));
        }
        while let Some(notification) = fabric.notification()? {
            let Some(arrived) = self.sort(slot_shift, notification) else {
                continue;
            };
            if wanted(&arrived) {
                return Ok(Some(arrived));
            }
            Self::keep(&mut notices, arrived)?;
        }
        Ok(None)
    }

    /// Takes in all notifications that are here.
    pub(crate) fn take_notifications(&self, fabric: &dyn Fabric, slot_shift: u32) -> Result<()> {
        // Who looks for a notice at this moment takes them in.
        let Ok(mut notices) = self.notices.try_borrow_mut() else {
            return Ok(());
        };
        while let Some(notification) = fabric.notification()? {
            if let Some(arrived) = self.sort(slot_shift, notification) {
                Self::keep(&mut notices, arrived)?;
            }
        }
        Ok(())
    }

    /// What a notification is for somebody to take; one of a fence is counted.
    fn sort(&self, slot_shift: u32, notification: farside_fabric::Notification) -> Option<Arrived> {
        let mark = (1 << slot_shift) - 1;
        let arrived = Arrived {
            slot: (notification.immediate >> slot_shift) as u8,
            source: notification.source,
            number: notification.immediate & mark,
        };
        if arrived.number != mark {
            return Some(arrived);
        }
        let count = &self.fence_puts[usize::from(arrived.slot)];
        count.set(count.get().wrapping_add(1));
        None
    }

    fn keep(notices: &mut VecDeque<Arrived>, arrived: Arrived) -> Result<()> {
        notices.push_back(arrived);
        if notices.len() > NOTICES {
            return Err(Error::Unclaimed {
                what: "notices",
                limit: NOTICES,
            });
        }
        Ok(())
    }

    /// Puts of fence epochs of a window that have arrived, modulo 2^32.
    pub(crate) fn fence_puts(&self, slot: u8) -> u32 {
        self.fence_puts[usize::from(slot)].get()
    }

    /// Forgets the notices of a window that is gone.
    pub(crate) fn forget(&self, slot: u8) {
        self.notices.borrow_mut().retain(|notice| notice.slot != slot);
    }
}

/// See [`Mailbox::sparing`].
pub(crate) struct Sparing<'m> {
    mailbox: &'m Mailbox,
    before: usize,
}

impl Drop for Sparing<'_> {
    fn drop(&mut self) {
        self.mailbox.ceiling.set(self.before);
    }
}

/// The messages of one tag, of all ranks, each as a whole.
pub(crate) struct Letters {
    tag: u64,
    /// Those of which a part is missing.
    parts: RefCell<BTreeMap<Rank, Vec<u8>>>,
}

impl Letters {
    pub(crate) fn new(tag: u64) -> Self {
        Self {
            tag,
            parts: RefCell::default(),
        }
    }

    /// Those that are here, each with its source.
    pub(crate) fn take(&self, fabric: &dyn Fabric, mailbox: &Mailbox) -> Result<Vec<(Rank, Vec<u8>)>> {
        let mut letters = Vec::new();
        while let Some(message) = mailbox.take(fabric, &|message| is_tagged(message, self.tag))? {
            let mut parts = self.parts.borrow_mut();
            let mut bytes = parts.remove(&message.source).unwrap_or_default();
            bytes.extend_from_slice(&message.bytes);
            if has_more(&message) {
                parts.insert(message.source, bytes);
            } else {
                letters.push((message.source, bytes));
            }
        }
        Ok(letters)
    }
}

/// Sends bytes of any length, in parts where the transport has a limit.
pub(crate) fn send(fabric: &dyn Fabric, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
    for (tag, part) in parts(fabric, tag, bytes) {
        fabric.send(target, tag, part)?;
    }
    Ok(())
}

/// What a message is sent as, in this order: tags and bytes.
pub(crate) fn parts<'b>(
    fabric: &dyn Fabric,
    tag: u64,
    bytes: &'b [u8],
) -> impl Iterator<Item = (u64, &'b [u8])> + use<'b> {
    let limit = fabric.capabilities().message_bytes;
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let whole = rest?;
        let (part, behind) = whole.split_at(whole.len().min(limit));
        rest = (!behind.is_empty()).then_some(behind);
        Some((if rest.is_some() { tag | MORE } else { tag }, part))
    })
}

/// As [`send`], of what the target can do without: not sent if it has no room for long, for it may be the one for whose
/// room this rank waits.
pub(crate) fn send_note(fabric: &dyn Fabric, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
    let mut parts = parts(fabric, tag, bytes);
    if let Some((tag, first)) = parts.next()
        && !fabric.try_send(target, tag, first)?
    {
        fabric.wait(Some(ROOM_FOR_NOTES), &mut || fabric.try_send(target, tag, first))?;
    }
    // The rest of one that was begun has to follow.
    for (tag, part) in parts {
        fabric.send(target, tag, part)?;
    }
    Ok(())
}

/// Tells that a message follows once the target says that it may come: a first part without bytes.
pub(crate) fn announce(fabric: &dyn Fabric, target: Rank, tag: u64) -> Result<()> {
    Ok(fabric.send(target, tag | MORE, &[])?)
}

/// Whether a message only says that it would come.
pub(crate) fn is_announcement(message: &Message) -> bool {
    has_more(message) && message.bytes.is_empty()
}

/// Whether a message has this tag, as a whole or in parts.
pub(crate) fn is_tagged(message: &Message, tag: u64) -> bool {
    message.tag & !MORE == tag
}

/// Whether another part follows.
pub(crate) fn has_more(message: &Message) -> bool {
    message.tag & MORE != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_different_purposes_and_contexts_differ() {
        let all = [
            tag(Purpose::Collective, 1, 7),
            tag(Purpose::User, 1, 7),
            tag(Purpose::Setup, 1, 7),
            tag(Purpose::User, 2, 7),
            tag(Purpose::User, CONTEXTS - 1, u32::MAX),
            tag(Purpose::Service, CONTEXTS - 1, u32::MAX),
            tag(Purpose::Service, 0, 0),
            clear(tag(Purpose::Collective, 1, 7)),
            clear(tag(Purpose::Collective, 2, 7)),
        ];
        for (index, left) in all.iter().enumerate() {
            assert_eq!(left & MORE, 0);
            assert!(all[index + 1..].iter().all(|right| left != right));
        }
    }
}
