//! Passive communication (GASPI 17.1 §9): a send returns when a receive has taken the message.

use super::state::OF_GASPI;
use super::{BLOCK, Call, Gaspi, WORLD, code};
use crate::flow::Flow;
use crate::memory::Content;
use crate::process::Entered;
use crate::value::Scalar;
use farside_events::{AccessKind, Call as Event, EventKind, Outcome, PostId, Rank, SendMode};

/// The tag of passive messages: no message of MPI has one below 0.
const TAG: i32 = -17;

/// A message that nobody has taken.
struct Message {
    from: u32,
    to: u32,
    content: Content,
}

/// The messages under way, in the order in which they were sent.
#[derive(Default)]
pub(super) struct Messages {
    waiting: Vec<Message>,
    receives: u64,
}

impl Messages {
    /// The first message for a rank.
    fn take(&mut self, rank: u32) -> Option<Message> {
        let first = self.waiting.iter().position(|message| message.to == rank)?;
        Some(self.waiting.remove(first))
    }

    fn is_under_way(&self, from: u32) -> bool {
        self.waiting.iter().any(|message| message.from == from)
    }
}

impl Gaspi<'_, '_> {
    /// `gaspi_passive_send(segment, offset, rank, size, timeout)`. A call that does not wait for ever is followed as if
    /// it did.
    pub(super) fn send(&mut self, call: &Call<'_>) -> Flow {
        let (segment, offset, rank, size) = (call.small(0), call.word(1), call.number(2), call.word(3));
        let own = self.caller.rank();
        if self.caller.entered().is_none() {
            if !self.is_rank(rank) {
                return code::NO_RANK;
            }
            let Some(segment) = self.state().segment(segment) else {
                return code::NO_SEGMENT;
            };
            let Some(at) = segment.address(offset, size) else {
                return code::OUT_OF_LOCAL;
            };
            self.caller
                .library_access(call.name(), AccessKind::Load, at, size);
            let content = self.caller.memory(at).content(at, size);
            self.library.messages.waiting.push(Message {
                from: own,
                to: rank,
                content,
            });
            self.caller.enter(Event::Send {
                comm: WORLD,
                dest: Some(Rank(rank)),
                tag: TAG,
                mode: SendMode::Synchronous,
                request: None,
                name: call.name().into(),
            });
            self.caller.set_entered(Entered::Condition);
        }
        if self.library.messages.is_under_way(own) {
            return Flow::Block;
        }
        self.caller.done();
        code::SUCCESS
    }

    /// `gaspi_passive_receive(segment, offset, sender, size, timeout)`.
    pub(super) fn receive(&mut self, call: &Call<'_>) -> Flow {
        let (size, timeout) = (call.word(3), call.word(4));
        let Some(segment) = self.state().segment(call.small(0)) else {
            return code::NO_SEGMENT;
        };
        let Some(at) = segment.address(call.word(1), size) else {
            return code::OUT_OF_LOCAL;
        };
        let rank = self.caller.rank();
        let waits_for_ever = timeout == BLOCK;
        if waits_for_ever && self.caller.entered().is_none() {
            self.post_receive(call);
        }
        let Some(message) = self.library.messages.take(rank) else {
            return match waits_for_ever {
                true => Flow::Block,
                false => self.waits(call, timeout),
            };
        };
        if self.caller.entered().is_none() {
            self.post_receive(call);
        }
        self.caller.clear_entered();
        self.caller.emit(EventKind::Leave(Outcome::Received {
            source: Some(Rank(message.from)),
            tag: TAG,
        }));
        if call.word(2) != 0 {
            self.caller
                .put(call.word(2), 2, Scalar::known(message.from.into()));
        }
        self.caller
            .library_access(call.name(), AccessKind::Store, at, size);
        let content = message.content.part(0, size);
        self.caller.memory_mut(at).put_content(at, &content);
        code::SUCCESS
    }

    fn post_receive(&mut self, call: &Call<'_>) {
        self.library.messages.receives += 1;
        let post = PostId(OF_GASPI | self.library.messages.receives);
        self.caller.enter(Event::Receive {
            post,
            comm: WORLD,
            source: None,
            tag: Some(TAG),
            request: None,
            name: call.name().into(),
        });
        self.caller.set_entered(Entered::Condition);
    }
}
