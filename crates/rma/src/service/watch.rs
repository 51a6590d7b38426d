//! What the check is told of a service: the order that its messages make.
//!
//! Handlers run within whatever call their rank waits in, which has not to do with them: what they learn, the program
//! does not know when that call returns. So to the check they are a thread of their own. A request is a message from
//! the program, or a handler, to that thread; a reply is a message from there to the call that takes it; and the state
//! is a mutex, which each handler takes, and so do [`Service::with`](super::Service::with) and the end of the service.

use crate::endpoint::Core;
use crate::watch::{Guard, OnThread, Place};
use crate::{Group, Rank};
use farside_events::{Call, CommId, EventKind, ObjectId, Outcome, SendMode};
use std::rc::Rc;

/// The bit that tells messages of services from those of groups, and where the kind of a message is.
const SERVICE: u64 = 1 << 63;
const KIND: u32 = 60;

/// What of the check concerns a service.
pub(super) struct Order {
    core: Rc<Core>,
    /// Messages of the kinds of [`Way`].
    messages: u64,
    /// The thread of its handlers, and the mutex of their state; 0 if nobody watches.
    thread: u32,
    /// Where it was registered: what handlers receive is told to be there.
    place: Place,
}

/// Which messages keep their order among one another.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// Requests of programs.
    Program,
    /// Requests of handlers.
    Handler,
    /// The reply to a call of this number.
    Reply(u32),
}

impl Way {
    fn names(self, messages: u64) -> (CommId, i32) {
        let (kind, tag) = match self {
            Self::Program => (0, 0),
            Self::Handler => (1, 0),
            Self::Reply(call) => (2, call.cast_signed()),
        };
        (CommId(messages | kind << KIND), tag)
    }
}

impl Order {
    pub(super) fn new(group: &Group, number: u32, place: Place) -> Self {
        let core = Rc::clone(group.core());
        let thread = core.watch.as_ref().map_or(0, |watch| watch.next_thread());
        let order = Self {
            core,
            messages: SERVICE | u64::from(group.context()) << 32 | u64::from(number),
            thread,
            place,
        };
        order.release();
        order
    }

    /// A handler runs as long as the guard lives.
    pub(super) fn handler(&self) -> Option<OnThread<'_>> {
        let watch = self.core.watch.as_ref()?;
        let on_thread = watch.on_thread(self.thread);
        self.acquire();
        Some(on_thread)
    }

    /// It takes a request, of a rank of the world.
    pub(super) fn takes(&self, way: Way, source: Rank) {
        if let Some(taking) = self.receive(self.place, way, source, "handler") {
            took(Some(taking), way, source);
        }
    }

    /// Whoever runs sends a message to a rank of the world.
    pub(super) fn sends(&self, place: Place, way: Way, target: Rank, name: &'static str) {
        let Some(watch) = &self.core.watch else { return };
        let (comm, tag) = way.names(self.messages);
        watch.instant(
            place,
            Call::Send {
                comm,
                dest: Some(farside_events::Rank(target)),
                tag,
                mode: SendMode::Standard,
                request: None,
                name: name.into(),
            },
        );
    }

    /// Replies to the program leave where the service was registered.
    pub(super) fn replies(&self, call: u32, target: Rank) {
        self.sends(self.place, Way::Reply(call), target, "reply");
    }

    /// Somebody waits for a message of a rank of the world; [`took`] ends it.
    pub(super) fn receive(
        &self,
        place: Place,
        way: Way,
        source: Rank,
        name: &'static str,
    ) -> Option<Guard<'_>> {
        let watch = self.core.watch.as_ref()?;
        let (comm, tag) = way.names(self.messages);
        watch.call(
            place,
            Call::Receive {
                post: watch.next_receive(),
                comm,
                source: Some(farside_events::Rank(source)),
                tag: Some(tag),
                request: None,
                name: name.into(),
            },
        )
    }

    /// Whoever runs has the state from here on.
    pub(super) fn acquire(&self) {
        let object = self.state();
        if let Some(watch) = &self.core.watch {
            watch.record(EventKind::Acquire { object });
        }
    }

    /// The state is given back.
    pub(super) fn release(&self) {
        let object = self.state();
        if let Some(watch) = &self.core.watch {
            watch.record(EventKind::Release { object });
        }
    }

    fn state(&self) -> ObjectId {
        ObjectId(u64::from(self.thread))
    }
}

impl Drop for Order {
    fn drop(&mut self) {
        if let Some(watch) = &self.core.watch {
            let _on_thread = watch.on_thread(self.thread);
            watch.record(EventKind::ThreadEnd);
        }
    }
}

/// The message has come.
pub(super) fn took(receive: Option<Guard<'_>>, way: Way, source: Rank) {
    if let Some(mut receive) = receive {
        let tag = way.names(0).1;
        receive.leave_with(Outcome::Received {
            source: Some(farside_events::Rank(source)),
            tag,
        });
    }
}
