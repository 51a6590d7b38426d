//! Point-to-point messages (MPI-4.1 chapter 3): what a call sends and receives.
//!
//! What goes to `MPI_PROC_NULL` or comes from it is no message.

use crate::arguments::{Arguments, OfMpi, elements};
use crate::communicator::Communicator;
use crate::datatype::Elements;
use crate::signature::Role;
use farside_events::{Call, PostId, Rank, RequestId, SendMode};

/// The elements that a call takes from the process.
pub const SENT: [Role; 3] = [Role::SendBuffer, Role::SendCount, Role::SendType];
/// The elements that a call gives to the process.
pub const RECEIVED: [Role; 3] = [Role::ReceiveBuffer, Role::ReceiveCount, Role::ReceiveType];

/// A message that is sent.
#[derive(Clone, Debug)]
pub struct Send {
    /// To whom.
    pub to: Rank,
    /// With which tag.
    pub tag: i32,
    /// Whether it waits for its receiver.
    pub mode: SendMode,
    /// What is sent.
    pub loads: Option<Elements>,
}

/// A receive.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The rank in the communicator that it receives from; `None` for any.
    pub source: Option<i32>,
    /// The tag; `None` for any.
    pub tag: Option<i32>,
    /// Where the data go.
    pub stores: Option<Elements>,
}

impl Send {
    /// What a call sends; `None` if that is nothing. Without `buffers` nobody asks for the elements.
    pub fn of<A: Arguments>(
        mode: SendMode,
        call: &mut A,
        comm: &A::Communicator,
        buffers: bool,
    ) -> Option<Self> {
        Some(Self {
            to: comm.peer(call.int(Role::Destination))?,
            tag: call.int(Role::SendTag),
            mode,
            loads: buffers.then(|| elements(call, SENT)).flatten(),
        })
    }

    /// The call as an event says it.
    pub fn call(&self, comm: &impl Communicator, request: Option<RequestId>, name: &str) -> Call {
        Call::Send {
            comm: comm.id(),
            dest: Some(self.to),
            tag: self.tag,
            mode: self.mode,
            request,
            name: name.into(),
        }
    }
}

impl Receive {
    /// What a call receives; `None` if that is nothing. Without `buffers` nobody asks for the elements.
    pub fn of<A: OfMpi>(call: &mut A, buffers: bool) -> Option<Self> {
        let (source, tag) = (call.int(Role::Source), call.int(Role::ReceiveTag));
        let (source, tag) = call.numbers().matching(source, tag)?;
        Some(Self {
            source,
            tag,
            stores: buffers.then(|| elements(call, RECEIVED)).flatten(),
        })
    }

    /// The call as an event says it.
    pub fn call(
        &self,
        comm: &impl Communicator,
        post: PostId,
        request: Option<RequestId>,
        name: &str,
    ) -> Call {
        Call::Receive {
            post,
            comm: comm.id(),
            source: self.source.and_then(|source| comm.peer(source)),
            tag: self.tag,
            request,
            name: name.into(),
        }
    }

    /// Rank and tag of the message, if it is known before it comes.
    pub fn envelope(&self) -> Option<(i32, i32)> {
        self.source.zip(self.tag)
    }
}
