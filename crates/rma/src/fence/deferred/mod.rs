//! `fence-def`: operations are queued, and the fence sends them as messages.
//!
//! Source: paper 002, section 3.1; Thakur, Gropp, Toonen: *Optimizing the synchronization operations in MPI one-sided
//! communication* (IJHPCA 2005), which is MPICH's ch3.
//!
//! ```text
//! origin                 target                 others
//!   | put, put            |                        |      copied into a queue
//!   |-- puts, last one -->|                        |      in the fence: as few messages as hold them
//!   |== reduce-scatter ===|========================|      how many origins come
//!   |                     | takes messages, writes |      until the last one of each
//!   |<------- got bytes --|                        |      answers of gets and atomic operations
//! ```
//!
//! No barrier: whoever is in the next epoch already has its messages wait at the target. Needs nothing; no overlap.
//! Messages a rank: one or more to each target, an answer to each origin that gets, ceil(log2 n).
//!
//! Who wants a result before the fence (a request that is waited for, an inner epoch) sends what is queued early; a
//! target answers in every call of the library that waits (`Service`), if its epoch has begun. Where memory is
//! mapped, of all or of those of a node, an epoch begins with a barrier, for [`Epoch::direct`](crate::Epoch::direct)
//! goes around the queue.

mod apply;
mod design;
mod queue;
mod words;

use super::exchange;
use crate::endpoint::Core;
use crate::mailbox::{self, Purpose};
use crate::window::core::WindowCore;
use crate::{Group, Rank, Result};
use apply::Memory;
pub(crate) use design::Def;
use farside_fabric::{CompareSwap, Fetch, Get, Message, Ticket};
use queue::{Outstanding, Queue};
use std::cell::{Cell, RefCell};
use words::{Answer, Record};

/// Tickets of queued operations: above those of transports.
const TICKETS: u64 = 1 << 63;

/// The operations of a window that are queued, and the service of those of others.
pub(crate) struct Deferred {
    group: Group,
    tag: u64,
    memory: Memory,
    queue: RefCell<Queue>,
    outstanding: RefCell<Outstanding>,
    /// Number of the epoch that is open, or was open last.
    epoch: Cell<u64>,
    /// Origins that have said which message is their last one of this epoch.
    ended: Cell<u32>,
}

impl Deferred {
    fn new(window: &WindowCore) -> Self {
        let group = window.group.clone();
        Self {
            tag: mailbox::tag(Purpose::Fence, group.context(), window.name as u32),
            memory: Memory::new(window),
            queue: RefCell::new(Queue::new(group.size())),
            group,
            outstanding: RefCell::default(),
            epoch: Cell::new(0),
            ended: Cell::new(0),
        }
    }

    /// Queues a put; its bytes are copied.
    pub(super) fn put(
        &self,
        target: Rank,
        attached: Option<u64>,
        displacement: usize,
        bytes: &[u8],
    ) -> Result<()> {
        let mut queue = self.queue.borrow_mut();
        // So that each part goes into a message.
        for (number, part) in bytes.chunks(self.part()).enumerate() {
            let displacement = displacement + number * self.part();
            queue.add(self, target, &Record::put(attached, displacement, part), part)?;
        }
        Ok(())
    }

    /// Queues a get.
    pub(crate) fn get(&self, target: Rank, attached: Option<u64>, get: &Get) -> Result<Ticket> {
        let mut queue = self.queue.borrow_mut();
        let mut last = 0;
        for begin in (0..get.bytes).step_by(self.part()) {
            let bytes = self.part().min(get.bytes - begin);
            // SAFETY: within the origin buffer.
            let sink = unsafe { get.origin.add(begin) };
            last = self.outstanding.borrow_mut().add(sink, bytes);
            let record = Record::get(attached, get.displacement + begin, bytes, last);
            queue.add(self, target, &record, &[])?;
        }
        Ok(ticket(last))
    }

    /// Queues an atomic operation; its operands are copied.
    pub(crate) fn fetch(&self, target: Rank, attached: Option<u64>, fetch: &Fetch) -> Result<Ticket> {
        let mut queue = self.queue.borrow_mut();
        let size = fetch.kind.bytes();
        let all = fetch.count * size;
        let mut last = 0;
        for begin in (0..all).step_by(self.part()) {
            let bytes = self.part().min(all - begin);
            if !fetch.results.is_null() {
                // SAFETY: within the buffer of results.
                last = self
                    .outstanding
                    .borrow_mut()
                    .add(unsafe { fetch.results.add(begin) }, bytes);
            }
            let operands: &[u8] = if fetch.operands.is_null() {
                &[]
            } else {
                // SAFETY: the caller of the operation promises so many bytes; they are copied now.
                unsafe { std::slice::from_raw_parts(fetch.operands.add(begin), bytes) }
            };
            let record = Record::fetch(attached, fetch, begin, bytes, last);
            queue.add(self, target, &record, operands)?;
        }
        Ok(ticket(last))
    }

    /// Queues a compare-and-swap; its operands are copied.
    pub(crate) fn swap(&self, target: Rank, attached: Option<u64>, swap: &CompareSwap) -> Result<Ticket> {
        let size = swap.kind.bytes();
        let mut operands = [0; 16];
        // SAFETY: the caller of the operation promises an element each.
        unsafe {
            swap.expected.copy_to_nonoverlapping(operands.as_mut_ptr(), size);
            swap.replacement
                .copy_to_nonoverlapping(operands[size..].as_mut_ptr(), size);
        }
        let number = self.outstanding.borrow_mut().add(swap.result, size);
        let record = Record::swap(attached, swap, number);
        self.queue
            .borrow_mut()
            .add(self, target, &record, &operands[..2 * size])?;
        Ok(ticket(number))
    }

    /// The most bytes of an operation that go into one message; a multiple of every size of an element.
    fn part(&self) -> usize {
        let room = self.group.core().fabric().capabilities().message_bytes;
        (room - words::HEAD - Record::BYTES) / 8 * 8
    }

    /// Sends operations; in a fence they may leave together with its first step.
    fn send(&self, target: Rank, message: &[u8], in_fence: bool) -> Result<()> {
        let target = self.group.world_rank(target)?;
        let fabric = self.group.core().fabric();
        Ok(if in_fence {
            fabric.send_along(target, self.tag, message)
        } else {
            fabric.send(target, self.tag, message)
        }?)
    }

    /// Whether a queued operation is complete. Sends what is queued.
    pub(crate) fn test(&self, ticket: Ticket) -> Result<bool> {
        self.queue.borrow_mut().send_all(self, false)?;
        self.serve(self.group.core())?;
        Ok(!self.outstanding.borrow().has(ticket.number() & !TICKETS))
    }

    /// Waits until the target is in the epoch, for an operation that is not queued: it answers then.
    pub(crate) fn await_epoch(&self, target: Rank) -> Result<()> {
        if self.group.core().fabric().capabilities().mapped {
            // The epoch has begun with a barrier.
            return Ok(());
        }
        let number = self.outstanding.borrow_mut().add(std::ptr::null_mut(), 0);
        let question = Record::get(None, 0, 0, number);
        self.queue.borrow_mut().add(self, target, &question, &[])?;
        self.hurry()
    }

    /// Sends what is queued, and waits for all answers.
    pub(crate) fn hurry(&self) -> Result<()> {
        let result = self.hurry_all();
        if result.is_err() {
            self.abandon();
        }
        result
    }

    fn hurry_all(&self) -> Result<()> {
        self.queue.borrow_mut().send_all(self, false)?;
        self.group
            .core()
            .wait(|| Ok(self.outstanding.borrow().is_empty()))
    }

    /// Drops what is queued; answers that still come are not looked at.
    pub(super) fn abandon(&self) {
        self.outstanding.borrow_mut().clear();
        if let Ok(mut queue) = self.queue.try_borrow_mut() {
            queue.clear();
        }
    }

    /// The fence.
    fn complete(&self) -> Result<()> {
        let targets = self.queue.borrow_mut().send_all(self, true)?;
        let marks = exchange::dense(self.group.size(), &targets, |_| 1)?;
        let origins = exchange::reduce_scatter(&self.group, marks)?;
        let done = || Ok(self.ended.get() == origins && self.outstanding.borrow().is_empty());
        self.group.core().wait(done)?;
        self.ended.set(0);
        Ok(())
    }

    /// Does what a message of an origin says, and answers.
    fn execute(&self, origin: Rank, message: &[u8]) -> Result<()> {
        let mut answer = Answer::new(self.epoch.get());
        let limit = self.group.core().fabric().capabilities().message_bytes;
        for (record, payload) in words::records(message)? {
            if let Some((number, bytes)) = self.memory.apply(&record, payload)?
                && !answer.add(number, &bytes, limit)
            {
                self.send(origin, answer.bytes(), false)?;
                answer = Answer::new(self.epoch.get());
                answer.add(number, &bytes, limit);
            }
        }
        if !answer.is_empty() {
            self.send(origin, answer.bytes(), false)?;
        }
        if words::is_last(message) {
            self.ended.set(self.ended.get() + 1);
        }
        Ok(())
    }
}

impl Deferred {
    fn serve(&self, core: &Core) -> Result<()> {
        let open = self.epoch.get();
        let wanted = |message: &Message| {
            message.tag == self.tag
                && (words::is_answer(&message.bytes) || words::epoch(&message.bytes) <= open)
        };
        while let Some(message) = core.mailbox.take(core.fabric(), &wanted)? {
            if words::is_answer(&message.bytes) {
                self.outstanding.borrow_mut().accept(&message.bytes)?;
                continue;
            }
            let origin = self
                .group
                .rank_of(message.source)
                .ok_or(crate::Error::Broken("group"))?;
            self.execute(origin, &message.bytes)?;
        }
        Ok(())
    }
}

fn ticket(number: u64) -> Ticket {
    if number == 0 {
        Ticket::DONE
    } else {
        Ticket::new(TICKETS | number)
    }
}

/// Whether a ticket is of a queued operation.
pub(crate) fn is_queued(ticket: Ticket) -> bool {
    ticket.number() & TICKETS != 0
}
