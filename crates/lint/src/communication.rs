//! Messages and collective operations of a process: described by a call, and under way.

use crate::communicator::Member;
use farside_calls::communication::{Begun, Communication, What};
use farside_calls::message::Receive;
use std::rc::Rc;

/// A communication, as a call of a process described it.
#[derive(Debug)]
pub(crate) struct Described {
    what: Communication<Member>,
    /// The call.
    name: &'static str,
    /// It receives from `MPI_PROC_NULL`, whose messages are there at once.
    from_nobody: bool,
}

/// A communication under way.
#[derive(Clone, Debug)]
pub(crate) struct Under {
    described: Rc<Described>,
    begun: Begun,
    /// The message that must have been received.
    message: Option<u64>,
}

impl Described {
    /// What a call communicates; `receives` says whether it asks for a message.
    pub(crate) fn new(what: Communication<Member>, name: &'static str, receives: bool) -> Self {
        Self {
            from_nobody: receives && what.receive().is_none(),
            what,
            name,
        }
    }

    /// The receive of a message that is known; none if it is `MPI_PROC_NULL`'s.
    pub(crate) fn receiving(comm: Member, receive: Option<Receive>, name: &'static str) -> Self {
        let what = What::Messages(None, receive);
        Self::new(Communication { comm, what }, name, true)
    }

    /// What is communicated.
    pub(crate) fn what(&self) -> &Communication<Member> {
        &self.what
    }

    /// The call.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it receives from `MPI_PROC_NULL`.
    pub(crate) fn is_from_nobody(&self) -> bool {
        self.from_nobody
    }
}

impl Under {
    /// It has begun; `message` must have been received for it to be over.
    pub(crate) fn new(described: &Rc<Described>, begun: Begun, message: Option<u64>) -> Self {
        Self {
            described: Rc::clone(described),
            begun,
            message,
        }
    }

    pub(crate) fn described(&self) -> &Described {
        &self.described
    }

    /// By what its end is known.
    pub(crate) fn begun(&self) -> Begun {
        self.begun
    }

    /// The message that must have been received.
    pub(crate) fn message(&self) -> Option<u64> {
        self.message
    }
}
