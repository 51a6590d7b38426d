//! Matched probes (MPI-4.1 §3.8.2): `MPI_Mprobe` takes a message out of the queue, `MPI_Mrecv` receives it.
//!
//! The match is made by the probe, so that is where the receive is posted, with the source and tag that were found.

use super::communicator::{self, Communicator};
use super::message::{enter_receive, received};
use super::request::{self, Receive, Stores};
use super::table::Table;
use super::{found_nothing, leave};
use crate::abi::constants;
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_calls::collective::Ends;
use farside_calls::mpi::Waits;
use farside_calls::signature::Role;
use farside_events::{Call, EventKind, Outcome, PostId};
use std::sync::Arc;

static MESSAGES: Table<Message> = Table::new();

/// A message that was matched and not yet received.
struct Message {
    post: PostId,
    comm: Arc<Communicator>,
    source: i32,
    tag: i32,
}

/// `MPI_Mprobe`, `MPI_Improbe`
pub(crate) fn probe(view: &mut CallView, waits: Waits) -> After {
    view.want_status(Role::Status);
    let comm = communicator::argument(view)?;
    Some(Box::new(move |view| {
        if view.failure().is_some() || found_nothing(view, waits) {
            return;
        }
        let handle = view.handle_behind(Role::Message);
        let constants = constants();
        if handle == constants.message_no_proc || handle == constants.message_null {
            return;
        }
        let (source, tag) = view.status(Role::Status, 0);
        let post = request::next_post();
        enter_receive(
            view,
            &comm,
            post,
            Some(source),
            Some(tag),
            Some(request::next_id()),
        );
        record(EventKind::Leave(Outcome::Done));
        let message = Message {
            post,
            comm,
            source,
            tag,
        };
        MESSAGES.insert(handle, Arc::new(message));
    }))
}

/// `MPI_Mrecv`, `MPI_Imrecv`
pub(crate) fn receive(view: &mut CallView, ends: Ends) -> After {
    let message = MESSAGES.remove(view.handle_behind(Role::Message))?;
    let stores = Stores {
        buffers: received(view, ends != Ends::Returning),
        name: view.name(),
        pc: view.return_address(),
    };
    if ends == Ends::Request {
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let receive = Receive {
                    post: message.post,
                    comm: Arc::clone(&message.comm),
                    source: Some(message.source),
                    tag: Some(message.tag),
                    stores,
                };
                request::insert_receive(view.handle_behind(Role::Request), receive);
            }
        }));
    }
    record(EventKind::Enter {
        call: Call::Completion {
            name: view.name().into(),
        },
        stack: view.stack(),
    });
    Some(Box::new(move |view| {
        if view.failure().is_none() {
            record(EventKind::ReceiveDone {
                post: message.post,
                source: message.comm.peer(message.source),
                tag: message.tag,
            });
        }
        leave(view);
        stores.done();
    }))
}
