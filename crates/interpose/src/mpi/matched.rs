//! Matched probes (MPI-4.1 §3.8.2): `MPI_Mprobe` takes a message out of the queue, `MPI_Mrecv` receives it.
//!
//! The match is made by the probe, so that is where the receive is posted, with the source and tag that were found.

use super::communicator::{self, Communicator};
use super::leave;
use super::message::{elements, enter_receive};
use super::request::{self, Receive, Stores};
use super::table::Table;
use crate::abi::{HandleKind, constants};
use crate::hooks::{After, CallView};
use crate::recorder::record;
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

/// `MPI_Mprobe(source, tag, comm, message, status)`
pub(crate) fn probe(view: &mut CallView) -> After {
    view.want_status(4);
    found(view, None, 3, 4)
}

/// `MPI_Improbe(source, tag, comm, flag, message, status)`
pub(crate) fn immediate_probe(view: &mut CallView) -> After {
    view.want_status(5);
    found(view, Some(3), 4, 5)
}

fn found(view: &mut CallView, flag: Option<usize>, message: usize, status: usize) -> After {
    let comm = communicator::argument(view, 2)?;
    Some(Box::new(move |view| {
        if view.failure().is_some() || flag.is_some_and(|flag| view.out_int(flag) == 0) {
            return;
        }
        let handle = view.handle_behind(message, HandleKind::Message);
        let constants = constants();
        if handle == constants.message_no_proc || handle == constants.message_null {
            return;
        }
        let (source, tag) = view.status(status, 0);
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

/// `MPI_Mrecv(buf, count, datatype, message, status)`
pub(crate) fn receive(view: &mut CallView) -> After {
    let message = MESSAGES.remove(view.handle_behind(3, HandleKind::Message))?;
    let stores = stores(view, false);
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

/// `MPI_Imrecv(buf, count, datatype, message, request)`
pub(crate) fn immediate_receive(view: &mut CallView) -> After {
    let message = MESSAGES.remove(view.handle_behind(3, HandleKind::Message))?;
    let stores = stores(view, true);
    Some(Box::new(move |view| {
        if view.failure().is_none() {
            let receive = Receive {
                post: message.post,
                comm: Arc::clone(&message.comm),
                source: Some(message.source),
                tag: Some(message.tag),
                stores,
            };
            request::insert_receive(view.handle_behind(4, HandleKind::Request), receive);
        }
    }))
}

fn stores(view: &CallView, later: bool) -> Stores {
    Stores {
        buffers: elements(view, 0, later),
        name: view.name(),
        pc: view.return_address(),
    }
}
