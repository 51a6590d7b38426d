//! Messages and collective operations, as far as they are alike: read once, begun, and over; in a call that waits,
//! with a request, or as often as a persistent request is started (MPI-4.1 §3.7, §3.9, §6.13).
//!
//! A communication is begun with the buffers and processes of the call that described it, whenever it is started.

use crate::arguments::OfMpi;
use crate::collective::Plan;
use crate::communicator::Communicator;
use crate::datatype::Elements;
use crate::meaning::Meaning;
use crate::message::{Receive, Send};
use farside_events::{Call, CommId, EventKind, PostId, Rank, RequestId, SendMode};

/// What a call communicates, but through windows.
#[derive(Clone, Debug)]
pub struct Communication<C> {
    /// With whom.
    pub comm: C,
    /// What.
    pub what: What,
}

/// What is communicated.
#[derive(Clone, Debug)]
pub enum What {
    /// A message that is sent, one that is received, both, or none: to and from `MPI_PROC_NULL`.
    Messages(Option<Send>, Option<Receive>),
    /// With all of the communicator.
    Collective(Plan),
}

/// Where the numbers come from that a process gives to what it begins.
pub trait Numbers<C> {
    /// The next request.
    fn request(&mut self) -> RequestId;
    /// The next receive.
    fn post(&mut self) -> PostId;
    /// The number of the next collective call on a communicator.
    fn sequence(&mut self, comm: &C) -> u64;
}

/// A communication that has begun: by what numbers its end is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// The send, if it is over later than the call that is recorded for it.
    pub send: Option<RequestId>,
    /// The receive.
    pub receive: Option<PostId>,
    /// The collective operation.
    pub collective: Option<(CommId, u64)>,
}

impl<C: Communicator> Communication<C> {
    /// What a call of this meaning communicates; `None` if its communicator is not known, or it has another meaning.
    /// Without `buffers` nobody asks for elements, and reading costs less.
    pub fn of<A>(meaning: Meaning, call: &mut A, buffers: bool) -> Option<Self>
    where
        A: OfMpi<Communicator = C>,
    {
        let comm = call.communicator()?;
        let what = match meaning {
            Meaning::Send(mode, _) => What::Messages(Send::of(mode, call, &comm, buffers), None),
            Meaning::Receive(_) => What::Messages(None, Receive::of(call, buffers)),
            Meaning::SendReceive(_) => What::Messages(
                Send::of(SendMode::Standard, call, &comm, buffers),
                Receive::of(call, buffers),
            ),
            Meaning::Collective(form, _) => What::Collective(Plan::of(form, call, &comm, buffers)),
            _ => return None,
        };
        Some(Self { comm, what })
    }

    /// Begins it: `enter` gets the calls that it is recorded as, all but the last of which are left at once. `later`
    /// says that it is over later than the call that begins it.
    pub fn begin(
        &self,
        later: bool,
        numbers: &mut impl Numbers<C>,
        name: &str,
        mut enter: impl FnMut(Call),
    ) -> Begun {
        let mut begun = Begun::default();
        match &self.what {
            What::Messages(send, receive) => {
                if let Some(send) = send {
                    // The receive that follows may be needed for the message to be sent.
                    begun.send = (later || receive.is_some()).then(|| numbers.request());
                    enter(send.call(&self.comm, begun.send, name));
                }
                if let Some(receive) = receive {
                    let post = numbers.post();
                    begun.receive = Some(post);
                    let request = later.then(|| numbers.request());
                    enter(receive.call(&self.comm, post, request, name));
                }
            }
            What::Collective(plan) => {
                let sequence = numbers.sequence(&self.comm);
                begun.collective = Some((self.comm.id(), sequence));
                enter(Call::Collective {
                    comm: self.comm.id(),
                    sequence,
                    direction: plan.direction.clone(),
                    name: name.into(),
                    request: later.then(|| numbers.request()),
                });
            }
        }
        begun
    }

    /// What is read when it begins.
    pub fn loads(&self) -> impl Iterator<Item = &Elements> {
        let (message, plan) = match &self.what {
            What::Messages(send, _) => (send.as_ref().and_then(|send| send.loads.as_ref()), None),
            What::Collective(plan) => (None, Some(plan)),
        };
        message.into_iter().chain(plan.into_iter().flat_map(Plan::loads))
    }

    /// What is written when it is over.
    pub fn stores(&self) -> impl Iterator<Item = &Elements> {
        let (message, plan) = match &self.what {
            What::Messages(_, receive) => {
                (receive.as_ref().and_then(|receive| receive.stores.as_ref()), None)
            }
            What::Collective(plan) => (None, Some(plan)),
        };
        message.into_iter().chain(plan.into_iter().flat_map(Plan::stores))
    }

    /// The receive that it has.
    pub fn receive(&self) -> Option<&Receive> {
        match &self.what {
            What::Messages(_, receive) => receive.as_ref(),
            What::Collective(_) => None,
        }
    }

    /// Whether nothing is communicated.
    pub fn is_nothing(&self) -> bool {
        matches!(self.what, What::Messages(None, None))
    }
}

impl Begun {
    /// What is recorded when a request for it is complete; `got` is who sent the message that was received, and its
    /// tag.
    pub fn done(self, got: impl FnOnce() -> (Option<Rank>, i32)) -> impl Iterator<Item = EventKind> {
        let sent = self.send.map(|request| EventKind::SendDone { request });
        let received = self.receive.map(|post| {
            let (source, tag) = got();
            EventKind::ReceiveDone { post, source, tag }
        });
        let met = self.collective;
        let met = met.map(|(comm, sequence)| EventKind::CollectiveDone { comm, sequence });
        sent.into_iter().chain(received).chain(met)
    }
}

/// A description is moved about while a call is recorded; one of more than 128 bytes is moved by `memcpy`, which the
/// preloaded library looks at like any other.
const _: () = assert!(size_of::<Communication<usize>>() <= 112);
