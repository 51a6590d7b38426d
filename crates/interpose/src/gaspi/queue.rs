//! Queues (GASPI 17.1 §8.2.3, §8.5): what was posted where, and what is complete.
//!
//! A queue that is deleted and made again is another channel.

use super::{After, Call, SUCCESS, enter, leave, segment};
use crate::recorder::unknown_call;
use farside_events::{Call as Event, ChannelId, StackId};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A queue of this rank.
#[derive(Debug)]
struct Queue {
    /// How often one of this number was deleted.
    deleted: u32,
    /// The segments that its requests have reached so far. None is ever left out: a thread that waits may not know of
    /// all requests, and then another wait completes the others.
    segments: BTreeSet<u8>,
}

/// By number.
static QUEUES: Mutex<[Queue; 256]> = Mutex::new(
    [const {
        Queue {
            deleted: 0,
            segments: BTreeSet::new(),
        }
    }; 256],
);

fn queues() -> MutexGuard<'static, [Queue; 256]> {
    QUEUES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    fn channel(&self, number: u8) -> ChannelId {
        // 0 is that of what has none.
        ChannelId(1 + u32::from(number) + 256 * self.deleted)
    }
}

/// The channel that a queue is.
pub(super) fn channel(number: u8) -> ChannelId {
    queues()[usize::from(number)].channel(number)
}

/// A request to this segment of some rank is in a queue.
pub(super) fn used(number: u8, segment: u8) {
    queues()[usize::from(number)].segments.insert(segment);
}

/// `gaspi_wait(queue, timeout)`.
pub(super) fn wait() -> After {
    Some(Box::new(|call: &Call, code| {
        if code == SUCCESS {
            complete(call.small(0), true, call.stack());
        }
    }))
}

/// `gaspi_queue_delete(queue)`.
pub(super) fn delete() -> After {
    Some(Box::new(|call: &Call, code| {
        if code == SUCCESS {
            let queue = &mut queues()[usize::from(call.small(0))];
            queue.deleted += 1;
            queue.segments.clear();
        }
    }))
}

/// `gaspi_queue_purge(queue, timeout)`: what became of its requests nobody knows.
pub(super) fn purge() -> After {
    Some(Box::new(|call: &Call, code| {
        if code == SUCCESS {
            unknown_call(call.function().name());
            complete(call.small(0), false, call.stack());
        }
    }))
}

/// What was posted to a queue is complete, here only or altogether.
fn complete(number: u8, local: bool, stack: StackId) {
    let (channel, segments) = {
        let queues = queues();
        let queue = &queues[usize::from(number)];
        (queue.channel(number), queue.segments.clone())
    };
    for number in segments {
        let flush = Event::Flush {
            win: segment::window(number),
            target: None,
            local,
            channel: Some(channel),
        };
        enter(flush, stack);
        leave();
    }
}
