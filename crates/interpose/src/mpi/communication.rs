//! Messages and collective operations (MPI-4.1 chapters 3, 6 and 8.6): each orders processes in its own direction, and touches
//! buffers. What a call communicates is said by [`farside_calls::communication`]; here it is recorded.
//!
//! Probes order nothing by themselves: the receive follows. Calls to and from `MPI_PROC_NULL` do nothing and are not
//! recorded.

use super::buffer::{access, any_watched};
use super::communicator::Communicator;
use super::{leave, request};
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_calls::collective::Ends;
use farside_calls::communication::{Begun, Communication, Numbers};
use farside_calls::communicator::Communicator as _;
use farside_calls::meaning::Meaning;
use farside_calls::signature::Role;
use farside_events::{AccessKind, EventKind, Outcome, PostId, Rank, RequestId};
use std::sync::Arc;

/// A communication, as a call of this process described it.
pub(super) struct Described {
    pub(super) what: Communication<Arc<Communicator>>,
    /// The call.
    pub(super) name: &'static str,
    /// Where it returns to.
    pub(super) pc: usize,
}

/// This process' numbers.
struct OwnNumbers;

impl Numbers<Arc<Communicator>> for OwnNumbers {
    fn request(&mut self) -> RequestId {
        request::next_id()
    }

    fn post(&mut self) -> PostId {
        request::next_post()
    }

    fn sequence(&mut self, comm: &Arc<Communicator>) -> u64 {
        comm.next_collective()
    }
}

/// Observes a call that communicates. Its buffers are only looked at when it can matter: when memory is watched now, or may
/// be when the communication is over later.
pub(crate) fn communicate(view: &mut CallView, meaning: Meaning, ends: Ends) -> After {
    let buffers = ends != Ends::Returning || any_watched();
    let described = Described {
        what: Communication::of(meaning, view, buffers)?,
        name: view.name(),
        pc: view.return_address(),
    };
    if described.what.is_nothing() {
        return None;
    }
    match ends {
        Ends::Persistent => Some(Box::new(move |view| {
            if view.failure().is_none() {
                request::insert_persistent(view.handle_behind(Role::Request), described);
            }
        })),
        Ends::Request => {
            let begun = described.begin(view, true);
            let described = Arc::new(described);
            Some(Box::new(move |view| {
                if view.failure().is_none() {
                    request::insert_begun(view.handle_behind(Role::Request), described, begun);
                }
                leave(view);
            }))
        }
        Ends::Returning => {
            let begun = described.begin(view, false);
            let receive = described.what.receive();
            if receive.is_some_and(|receive| receive.envelope().is_none()) {
                view.want_status(Role::Status);
            }
            Some(Box::new(move |view| described.over(view, begun)))
        }
    }
}

impl Described {
    /// Records that it begins, in a call that is left by who called this.
    pub(super) fn begin(&self, view: &CallView, later: bool) -> Begun {
        access(self.what.loads(), AccessKind::Load, self.name, self.pc);
        let (begun, calls) = self.what.begin(later, &mut OwnNumbers, self.name);
        for (k, call) in calls.into_iter().flatten().enumerate() {
            if k > 0 {
                record(EventKind::Leave(Outcome::Done));
            }
            record(EventKind::Enter {
                call,
                stack: view.stack(),
            });
        }
        begun
    }

    /// The call that waited for it returned.
    fn over(&self, view: &CallView, begun: Begun) {
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
