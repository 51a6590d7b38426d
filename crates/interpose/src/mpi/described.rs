//! A communication, as a call of this process described it: recorded when it begins, and when it is over.

use super::buffer::access;
use super::communicator::Communicator;
use super::{enter, leave, numbers};
use crate::call::CallView;
use crate::recorder::record;
use farside_calls::communication::{Begun, Communication, Numbers};
use farside_calls::communicator::Communicator as _;
use farside_calls::signature::Role;
use farside_events::{AccessKind, EventKind, Outcome, PostId, Rank, RequestId};
use std::sync::Arc;

/// A communication, as a call of this process described it.
pub(super) struct Described {
    what: Communication<Arc<Communicator>>,
    /// The call.
    name: &'static str,
    /// Where it returns to.
    pc: usize,
}

/// This process' numbers.
struct OwnNumbers;

impl Numbers<Arc<Communicator>> for OwnNumbers {
    fn request(&mut self) -> RequestId {
        numbers::request()
    }

    fn post(&mut self) -> PostId {
        numbers::post()
    }

    fn sequence(&mut self, comm: &Arc<Communicator>) -> u64 {
        comm.next_collective()
    }
}

impl Described {
    /// What the call at hand communicates.
    pub(super) fn by(view: &CallView, what: Communication<Arc<Communicator>>) -> Self {
        Self {
            what,
            name: view.name(),
            pc: view.return_address(),
        }
    }

    /// What is communicated.
    pub(super) fn what(&self) -> &Communication<Arc<Communicator>> {
        &self.what
    }

    /// Whether it takes a status to know which message was received.
    pub(super) fn wants_status(&self) -> bool {
        let receive = self.what.receive();
        receive.is_some_and(|receive| receive.envelope().is_none())
    }

    /// Records that it begins, in a call that is left by who called this.
    pub(super) fn begin(&self, view: &CallView, later: bool) -> Begun {
        access(self.what.loads(), AccessKind::Load, self.name, self.pc);
        let mut first = true;
        self.what.begin(later, &mut OwnNumbers, self.name, |call| {
            if !std::mem::replace(&mut first, false) {
                record(EventKind::Leave(Outcome::Done));
            }
            enter(view, call);
        })
    }

    /// The call that waited for it returned.
    pub(super) fn over(&self, view: &CallView, begun: Begun) {
        if view.failure().is_some() {
            leave(view);
            return;
        }
        record(EventKind::Leave(match begun.receive {
            None => Outcome::Done,
            Some(_) => {
                let (source, tag) = self.got(view, Role::Status, 0);
                Outcome::Received { source, tag }
            }
        }));
        if let Some(request) = begun.send {
            record(EventKind::SendDone { request });
        }
        self.stored();
    }

    /// Records that a request for it is complete; its status is the `k`-th of an argument, if one was needed.
    pub(super) fn complete(&self, view: &CallView, begun: Begun, cancelled: bool, status: Role, k: usize) {
        let got = || {
            let (source, tag) = self.got(view, status, k);
            (source.filter(|_| !cancelled), tag)
        };
        begun.done(got).for_each(record);
        if !cancelled {
            self.stored();
        }
    }

    /// Who sent the message that was received, and its tag.
    fn got(&self, view: &CallView, status: Role, k: usize) -> (Option<Rank>, i32) {
        let known = self.what.receive().and_then(|receive| receive.envelope());
        let (source, tag) = known.unwrap_or_else(|| view.status(status, k));
        (self.what.comm.peer(source), tag)
    }

    /// Its data have come.
    fn stored(&self) {
        access(self.what.stores(), AccessKind::Store, self.name, self.pc);
    }
}
