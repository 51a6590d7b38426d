//! Point-to-point messages (MPI-4.1 chapter 3). Probes order nothing by themselves: the receive follows.
//!
//! Calls to and from `MPI_PROC_NULL` do nothing and are not recorded.

use super::buffer::{Buffers, any_watched};
use super::communicator::{self, Communicator};
use super::request::{self, Receive, Stores, Template};
use super::{datatype, leave};
use crate::abi::constants;
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_calls::collective::Ends;
use farside_calls::signature::Role;
use farside_events::{AccessKind, Call, EventKind, Outcome, PostId, Rank, RequestId, SendMode};
use std::sync::Arc;

/// `MPI_Send` and all calls of that form.
pub(crate) fn send(view: &mut CallView, mode: SendMode, ends: Ends) -> After {
    let comm = communicator::argument(view)?;
    let dest = comm.peer(view.int(Role::Destination))?;
    let tag = view.int(Role::SendTag);
    if ends == Ends::Persistent {
        let loads = sent(view, true);
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let template = Template::Send {
                    comm,
                    dest,
                    tag,
                    mode,
                    loads,
                    name: view.name(),
                    pc: view.return_address(),
                };
                request::insert_persistent(view.handle_behind(Role::Request), template);
            }
        }));
    }
    let name = view.name();
    sent(view, false).access(AccessKind::Load, name, view.return_address());
    let id = (ends == Ends::Request).then(request::next_id);
    enter_send(view, &comm, dest, tag, mode, id);
    match id {
        None => Some(Box::new(|view| leave(view))),
        Some(id) => Some(Box::new(move |view| {
            if view.failure().is_none() {
                request::insert_send(view.handle_behind(Role::Request), id);
            }
            leave(view);
        })),
    }
}

/// `MPI_Recv`, `MPI_Irecv`, `MPI_Recv_init`
pub(crate) fn receive(view: &mut CallView, ends: Ends) -> After {
    let comm = communicator::argument(view)?;
    let (source, tag) = matching(view)?;
    let stores = Stores {
        buffers: received(view, ends != Ends::Returning),
        name: view.name(),
        pc: view.return_address(),
    };
    if ends == Ends::Persistent {
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let template = Template::Receive {
                    comm,
                    source,
                    tag,
                    stores,
                };
                request::insert_persistent(view.handle_behind(Role::Request), template);
            }
        }));
    }
    let post = request::next_post();
    let id = (ends == Ends::Request).then(request::next_id);
    enter_receive(view, &comm, post, source, tag, id);
    if id.is_some() {
        return Some(Box::new(move |view| {
            if view.failure().is_none() {
                let receive = Receive {
                    post,
                    comm,
                    source,
                    tag,
                    stores,
                };
                request::insert_receive(view.handle_behind(Role::Request), receive);
            }
            leave(view);
        }));
    }
    if source.is_none() || tag.is_none() {
        view.want_status(Role::Status);
    }
    Some(Box::new(move |view| {
        leave_received(view, &comm, source, tag);
        stores.done();
    }))
}

/// `MPI_Sendrecv` and its forms: recorded as a non-blocking send, then the receive.
pub(crate) fn send_receive(view: &mut CallView, ends: Ends) -> After {
    let loads = sent(view, false);
    let stores = received(view, ends == Ends::Request);
    let comm = communicator::argument(view)?;
    let (name, pc) = (view.name(), view.return_address());
    let send = comm
        .peer(view.int(Role::Destination))
        .map(|dest| (dest, request::next_id()));
    let matching = matching(view);
    if let Some((dest, id)) = send {
        loads.access(AccessKind::Load, name, pc);
        enter_send(
            view,
            &comm,
            dest,
            view.int(Role::SendTag),
            SendMode::Standard,
            Some(id),
        );
        record(EventKind::Leave(Outcome::Done));
    }
    let Some((source, tag)) = matching else {
        // Only the send is real.
        let (_, id) = send?;
        return Some(Box::new(move |view| match ends {
            Ends::Request if view.failure().is_none() => {
                request::insert_send(view.handle_behind(Role::Request), id);
            }
            Ends::Returning if view.failure().is_none() => record(EventKind::SendDone { request: id }),
            _ => {}
        }));
    };
    let post = request::next_post();
    let stores = Stores {
        buffers: stores,
        name,
        pc,
    };
    let id = (ends == Ends::Request).then(request::next_id);
    enter_receive(view, &comm, post, source, tag, id);
    if ends == Ends::Returning {
        if source.is_none() || tag.is_none() {
            view.want_status(Role::Status);
        }
        return Some(Box::new(move |view| {
            let ok = view.failure().is_none();
            leave_received(view, &comm, source, tag);
            if let Some((_, id)) = send
                && ok
            {
                record(EventKind::SendDone { request: id });
            }
            stores.done();
        }));
    }
    Some(Box::new(move |view| {
        if view.failure().is_none() {
            let handle = view.handle_behind(Role::Request);
            let receive = Receive {
                post,
                comm,
                source,
                tag,
                stores,
            };
            match send {
                Some((_, id)) => request::insert_send_receive(handle, id, receive),
                None => request::insert_receive(handle, receive),
            }
        }
        leave(view);
    }))
}

pub(super) fn enter_receive(
    view: &CallView,
    comm: &Communicator,
    post: PostId,
    source: Option<i32>,
    tag: Option<i32>,
    request: Option<RequestId>,
) {
    record(EventKind::Enter {
        call: Call::Receive {
            post,
            comm: comm.id,
            source: source.and_then(|source| comm.peer(source)),
            tag,
            request,
            name: view.name().into(),
        },
        stack: view.stack(),
    });
}

fn enter_send(
    view: &CallView,
    comm: &Communicator,
    dest: Rank,
    tag: i32,
    mode: SendMode,
    request: Option<RequestId>,
) {
    record(EventKind::Enter {
        call: Call::Send {
            comm: comm.id,
            dest: Some(dest),
            tag,
            mode,
            request,
            name: view.name().into(),
        },
        stack: view.stack(),
    });
}

/// Leaves a blocking receive with what it received.
fn leave_received(view: &CallView, comm: &Arc<Communicator>, source: Option<i32>, tag: Option<i32>) {
    if view.failure().is_some() {
        leave(view);
        return;
    }
    let (source, tag) = match (source, tag) {
        (Some(source), Some(tag)) => (source, tag),
        _ => view.status(Role::Status, 0),
    };
    record(EventKind::Leave(Outcome::Received {
        source: comm.peer(source),
        tag,
    }));
}

/// Source and tag to match, without wildcards; `None` for a receive from `MPI_PROC_NULL`.
fn matching(view: &CallView) -> Option<(Option<i32>, Option<i32>)> {
    let (source, tag) = (view.int(Role::Source), view.int(Role::ReceiveTag));
    constants().numbers.matching(source, tag)
}

/// The elements that a call takes from the process. Only looked at when it can matter: when memory is watched now, or may
/// be when the call completes `later`.
pub(super) fn sent(view: &CallView, later: bool) -> Buffers {
    elements(view, [Role::SendBuffer, Role::SendCount, Role::SendType], later)
}

/// The elements that a call gives to the process, likewise.
pub(super) fn received(view: &CallView, later: bool) -> Buffers {
    elements(
        view,
        [Role::ReceiveBuffer, Role::ReceiveCount, Role::ReceiveType],
        later,
    )
}

fn elements(view: &CallView, [buffer, count, datatype]: [Role; 3], later: bool) -> Buffers {
    let mut buffers = Buffers::default();
    if later || any_watched() {
        let datatype = datatype::argument(view, datatype);
        buffers.add(view.choice(buffer).address(), view.count(count), &datatype);
    }
    buffers
}
