//! Probes (MPI-4.1 §3.8): what one finds was sent. `MPI_Mprobe` takes a message out of the queue, `MPI_Mrecv` receives
//! it.
//!
//! The match is made by the probe, so that is where the receive is posted, with the source and tag that were found.

use super::communicator::Communicator;
use super::described::Described;
use super::table::Table;
use super::{enter, found_nothing, leave, request};
use crate::abi::constants;
use crate::call::{After, CallView, Then};
use crate::recorder::record;
use farside_calls::arguments::OfMpi as _;
use farside_calls::arguments::{self, Arguments as _};
use farside_calls::collective::Ends;
use farside_calls::communication::{Begun, Communication, What};
use farside_calls::communicator::Communicator as _;
use farside_calls::datatype::Elements;
use farside_calls::meaning::Waits;
use farside_calls::message::{RECEIVED, Receive};
use farside_calls::signature::Role;
use farside_events::{Call, EventKind, Outcome};
use std::sync::Arc;

/// Messages that were matched and not yet received.
static MESSAGES: Table<(Described, Begun)> = Table::new();

/// `MPI_Mprobe`, `MPI_Improbe`
pub(crate) fn probe(view: &mut CallView, waits: Waits) -> After {
    view.want_status(Role::Status);
    let comm = view.communicator()?;
    Some(Then::new(move |view| {
        if view.failure().is_some() || found_nothing(view, waits) {
            return;
        }
        let handle = view.handle_behind(Role::Message);
        let constants = constants();
        if handle == constants.message_no_proc || handle == constants.message_null {
            return;
        }
        let (source, tag) = view.status(Role::Status, 0);
        found(view, waits, &comm, (source, tag));
        let described = receiving(view, comm, source, tag, None);
        let begun = described.begin(view, true);
        record(EventKind::Leave(Outcome::Done));
        MESSAGES.insert(handle, Arc::new((described, begun)));
    }))
}

/// `MPI_Probe`, `MPI_Iprobe`
pub(crate) fn look(view: &mut CallView, waits: Waits) -> After {
    view.want_status(Role::Status);
    let comm = view.communicator()?;
    Some(Then::new(move |view| {
        if view.failure().is_none() && !found_nothing(view, waits) {
            let envelope = view.status(Role::Status, 0);
            found(view, waits, &comm, envelope);
        }
    }))
}

/// Records that a message was found; that of `MPI_PROC_NULL` nobody has sent.
fn found(view: &CallView, waits: Waits, comm: &Communicator, (source, tag): (i32, i32)) {
    if let Some(source) = comm.peer(source) {
        let is_any = view.int(Role::Source) == view.numbers().any_source;
        record(EventKind::Probed {
            comm: comm.id(),
            source,
            tag,
            by_chance: waits == Waits::Polling || is_any,
        });
    }
}

/// `MPI_Mrecv`, `MPI_Imrecv`
pub(crate) fn receive(view: &mut CallView, ends: Ends) -> After {
    let message = MESSAGES.remove(view.handle_behind(Role::Message))?;
    let (posted, begun) = (&message.0, message.1);
    let (source, tag) = posted.what().receive()?.envelope()?;
    let stores = arguments::elements(view, RECEIVED);
    let described = receiving(view, Arc::clone(&posted.what().comm), source, tag, stores);
    if ends == Ends::Request {
        return Some(Then::new(move |view| {
            if view.failure().is_none() {
                let handle = view.handle_behind(Role::Request);
                request::insert_begun(handle, Arc::new(described), begun);
            }
        }));
    }
    let name = view.name().into();
    enter(view, Call::Completion { name });
    Some(Then::new(move |view| {
        if view.failure().is_none() {
            described.complete(view, begun, false, Role::Status, 0);
        }
        leave(view);
    }))
}

/// The receive of a message that is known.
fn receiving(
    view: &CallView,
    comm: Arc<Communicator>,
    source: i32,
    tag: i32,
    stores: Option<Elements>,
) -> Described {
    let receive = Receive {
        source: Some(source),
        tag: Some(tag),
        stores,
    };
    let what = What::Messages(None, Some(receive));
    Described::by(view, Communication { comm, what })
}
