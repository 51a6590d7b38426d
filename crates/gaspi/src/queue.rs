//! Queues: what was posted to each, and when it is complete here (GASPI 17.1 §8.1, §8.2.3, §8.5).
//!
//! Promise: a queue that is full refuses (QUEUE_FULL), and nothing is posted then. [`Queues::wait`] completes what any
//! thread posted before it, locally; writes may still be under way to their targets.
//!
//! Limits: after an error a queue is to be purged; until then its requests count.

use crate::abi::{Failure, NotificationValue, Number, Outcome, QUEUES, QueueId, Timeout};
use crate::net::{Net, locked};
use farside_fabric::{Rank, Scope, Ticket};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// In the last byte of a notification's word: it is whole, for bytes arrive from the first to the last.
const MARK: u64 = 1 << 56;

/// The word of a notification.
pub(crate) fn word_of(value: NotificationValue) -> u64 {
    u64::from(value) | MARK
}

/// The value in the word of a notification; 0: there is none.
pub(crate) fn value_of(word: u64) -> NotificationValue {
    match word & MARK {
        0 => 0,
        _ => word as u32,
    }
}

/// A notification to this rank itself, due when reads are complete.
struct Due {
    tickets: Vec<Ticket>,
    cell: *const AtomicU64,
    word: u64,
}

// SAFETY: the cell is an atomic word of an exposed segment, whatever the thread.
unsafe impl Send for Due {}

/// A request that was not complete when it was posted.
struct Pending {
    /// So many requests were posted before.
    number: u64,
    ticket: Ticket,
    /// The word of a notification, which the transport still reads.
    word: Option<Box<u64>>,
}

struct Queue {
    /// The number of the scope, and 1 more; 0: there is no such queue.
    scope: AtomicU64,
    /// Requests since the start.
    posted: AtomicU64,
    /// So many of them are complete, for all that is known.
    complete: AtomicU64,
    /// A bit for each rank that requests went to since the queue was empty.
    targets: Vec<AtomicU64>,
    /// What was not complete when it was posted.
    pending: Mutex<Vec<Pending>>,
    due: Mutex<Vec<Due>>,
}

/// All queues of a rank.
pub(crate) struct Queues {
    all: Vec<Queue>,
    depth: u32,
    /// Notifications that are due, of all queues.
    due: AtomicU32,
}

/// Room for requests that are about to be posted.
pub(crate) struct Room<'a> {
    queue: &'a Queue,
    queues: &'a Queues,
    scope: Scope,
    /// So many requests were posted before.
    number: u64,
    left: u32,
}

impl Queues {
    /// So many queues to begin with, of so many requests each.
    pub(crate) fn new(net: &Net, number: u32, depth: u32) -> farside_fabric::Result<Self> {
        let queue = |index: usize| {
            let scope = match (index as u32) < number {
                true => u64::from(net.fabric().open_scope()?.0) + 1,
                false => 0,
            };
            Ok(Queue {
                scope: AtomicU64::new(scope),
                posted: AtomicU64::new(0),
                complete: AtomicU64::new(0),
                targets: (0..net.size().div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
                pending: Mutex::default(),
                due: Mutex::default(),
            })
        };
        Ok(Self {
            all: (0..QUEUES).map(queue).collect::<farside_fabric::Result<_>>()?,
            depth,
            due: AtomicU32::new(0),
        })
    }

    fn open(&self, queue: QueueId) -> Outcome<(&Queue, Scope)> {
        let queue = self.all.get(queue as usize).ok_or(Failure::QUEUE)?;
        match queue.scope.load(Ordering::Acquire) {
            0 => Err(Failure::QUEUE),
            number => Ok((queue, Scope((number - 1) as u32))),
        }
    }

    /// Number of queues.
    pub(crate) fn number(&self) -> Number {
        let is_open = |queue: &&Queue| queue.scope.load(Ordering::Acquire) != 0;
        self.all.iter().filter(is_open).count() as Number
    }

    /// Requests of a queue since it was waited for.
    pub(crate) fn size(&self, queue: QueueId) -> Outcome<Number> {
        self.open(queue).map(|(queue, _)| queue.size() as Number)
    }

    /// A further queue (GASPI 17.1 §8.5).
    pub(crate) fn create(&self, net: &Net) -> Outcome<QueueId> {
        for (id, queue) in (0..).zip(&self.all) {
            let free = || queue.scope.load(Ordering::Acquire) == 0;
            if !free() {
                continue;
            }
            let scope = net.fabric().open_scope().map_err(|error| net.failure(&error))?;
            let number = u64::from(scope.0) + 1;
            let taken = queue
                .scope
                .compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire);
            if taken.is_ok() {
                return Ok(id);
            }
            let _ = net.fabric().close_scope(scope);
        }
        Err(Failure::QUEUE)
    }

    /// Ends a queue whose requests are complete.
    ///
    /// # Errors
    /// QUEUE: there is none; ERROR: requests are pending.
    pub(crate) fn delete(&self, net: &Net, queue: QueueId) -> Outcome {
        let (queue, scope) = self.open(queue)?;
        net.fabric().close_scope(scope).map_err(|_| Failure::ERROR)?;
        queue.scope.store(0, Ordering::Release);
        queue.forget(self);
        Ok(())
    }

    /// Forgets what was posted, whether it is complete or not: after an error.
    pub(crate) fn purge(&self, net: &Net, queue: QueueId) -> Outcome {
        let (queue, scope) = self.open(queue)?;
        // Once this has failed the transport touches no buffer of the queue any more.
        let _ = net.fabric().flush_local(scope, None);
        if net.fabric().close_scope(scope).is_ok() {
            let fresh = net.fabric().open_scope().map_err(|error| net.failure(&error))?;
            queue.scope.store(u64::from(fresh.0) + 1, Ordering::Release);
        }
        queue.forget(self);
        Ok(())
    }

    /// Waits until what was posted is complete locally.
    pub(crate) fn wait(&self, net: &Net, queue: QueueId, timeout: Timeout) -> Outcome {
        let (queue, _) = self.open(queue)?;
        let posted = queue.posted.load(Ordering::Acquire);
        net.wait(timeout, &|rank| queue.is_target(rank), &mut || {
            self.settle(net);
            queue.is_complete(net, posted)
        })?;
        if net.is_any_lost(&|rank| queue.is_target(rank)) {
            // What went to a rank that is lost may have gone nowhere.
            return Err(Failure::ERROR);
        }
        self.settle(net);
        queue.complete.fetch_max(posted, Ordering::AcqRel);
        if queue.size() == 0 {
            let forget = |bits: &AtomicU64| bits.store(0, Ordering::Relaxed);
            queue.targets.iter().for_each(forget);
        }
        Ok(())
    }

    /// Room for requests to a rank.
    ///
    /// # Errors
    /// QUEUE: there is none; QUEUE_FULL.
    #[inline]
    pub(crate) fn reserve(&self, queue: QueueId, target: Rank, requests: u32) -> Outcome<Room<'_>> {
        let (queue, scope) = self.open(queue)?;
        let more = |posted: u64| {
            let pending = posted.saturating_sub(queue.complete.load(Ordering::Acquire));
            let fits = pending + u64::from(requests) <= u64::from(self.depth);
            fits.then(|| posted + u64::from(requests))
        };
        let number = queue
            .posted
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more)
            .map_err(|_| Failure::QUEUE_FULL)?;
        let (bits, bit) = (&queue.targets[target as usize / 64], 1 << (target % 64));
        if bits.load(Ordering::Relaxed) & bit == 0 {
            bits.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(Room {
            queue,
            queues: self,
            scope,
            number,
            left: requests,
        })
    }

    /// Gives the notifications whose reads are complete.
    #[inline]
    pub(crate) fn settle(&self, net: &Net) {
        if self.due.load(Ordering::Acquire) == 0 {
            return;
        }
        for queue in &self.all {
            let mut due = locked(&queue.due);
            let before = due.len();
            due.retain(|due| !due.try_give(net));
            let given = before - due.len();
            drop(due);
            if given > 0 {
                self.due.fetch_sub(given as u32, Ordering::AcqRel);
                net.fabric().wake(net.rank());
            }
        }
    }

    /// Completes everything, at its targets, too: before memory goes.
    pub(crate) fn flush(&self, net: &Net) {
        for id in 0..QUEUES as QueueId {
            if let Ok((_, scope)) = self.open(id) {
                // If it fails, the transport touches the buffers no more.
                let _ = net.fabric().flush(scope, None);
            }
        }
        self.settle(net);
    }
}

impl Queue {
    /// Requests that may not be complete.
    fn size(&self) -> u64 {
        let posted = self.posted.load(Ordering::Acquire);
        // Room that was reserved and not used may have been waited for.
        posted.saturating_sub(self.complete.load(Ordering::Acquire))
    }

    fn is_target(&self, rank: Rank) -> bool {
        self.targets[rank as usize / 64].load(Ordering::Relaxed) & (1 << (rank % 64)) != 0
    }

    /// Whether the first `posted` requests are complete.
    fn is_complete(&self, net: &Net, posted: u64) -> Outcome<bool> {
        let mut failed = None;
        let mut pending = locked(&self.pending);
        pending.retain(|request| match net.fabric().test(request.ticket) {
            Ok(done) => !done,
            Err(error) => {
                failed = Some(net.failure(&error));
                true
            }
        });
        match failed {
            Some(failure) => Err(failure),
            None => Ok(pending.iter().all(|request| request.number >= posted)),
        }
    }

    fn forget(&self, queues: &Queues) {
        let posted = self.posted.load(Ordering::Acquire);
        self.complete.fetch_max(posted, Ordering::AcqRel);
        self.targets
            .iter()
            .for_each(|bits| bits.store(0, Ordering::Relaxed));
        let due = std::mem::take(&mut *locked(&self.due));
        queues.due.fetch_sub(due.len() as u32, Ordering::AcqRel);
        // Words stay: the transport may not have said that it reads them no more.
        let pending = std::mem::take(&mut *locked(&self.pending));
        pending
            .into_iter()
            .filter_map(|request| request.word)
            .for_each(|word| {
                Box::leak(word);
            });
    }
}

impl Due {
    /// Whether the reads were complete, and the notification is there.
    fn try_give(&self, net: &Net) -> bool {
        let is_done = |&ticket: &Ticket| ticket == Ticket::DONE || net.fabric().test(ticket).unwrap_or(false);
        if !self.tickets.iter().all(is_done) {
            return false;
        }
        // SAFETY: a cell of a segment that is deleted only after all queues were flushed and settled.
        unsafe { &*self.cell }.store(self.word, Ordering::Release);
        true
    }
}

impl Room<'_> {
    /// What completes the requests.
    #[inline]
    pub(crate) fn scope(&self) -> Scope {
        self.scope
    }

    /// A request was posted; perhaps with the word of a notification, to be kept until it is complete.
    #[inline]
    pub(crate) fn posted(&mut self, ticket: Ticket, word: Option<Box<u64>>) {
        self.left -= 1;
        if ticket != Ticket::DONE {
            let request = Pending {
                number: self.number,
                ticket,
                word,
            };
            locked(&self.queue.pending).push(request);
        }
    }

    /// Notifies this rank when reads are complete.
    pub(crate) fn notify_after(&self, net: &Net, tickets: Vec<Ticket>, cell: &AtomicU64) {
        let due = Due {
            tickets,
            cell,
            word: word_of(1),
        };
        if due.try_give(net) {
            net.fabric().wake(net.rank());
            return;
        }
        self.queues.due.fetch_add(1, Ordering::AcqRel);
        locked(&self.queue.due).push(due);
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if self.left > 0 {
            self.queue.posted.fetch_sub(self.left.into(), Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_whether_it_is_whole() {
        assert_eq!(value_of(word_of(7)), 7);
        assert_eq!(value_of(word_of(u32::MAX)), u32::MAX);
        assert_eq!((value_of(0), value_of(7)), (0, 0));
        // The mark is in the byte that arrives last.
        assert_ne!(word_of(7).to_le_bytes()[7], 0);
    }
}
