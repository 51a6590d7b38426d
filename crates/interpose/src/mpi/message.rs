//! Point-to-point messages (MPI-4.1 chapter 3). Probes order nothing by themselves: the receive follows.
//!
//! Calls to and from `MPI_PROC_NULL` do nothing and are not recorded.

use super::buffer::{Buffers, any_watched};
use super::communicator::{self, Communicator};
use super::request::{self, Receive, Stores, Template};
use super::{datatype, leave};
use crate::abi::{HandleKind, constants};
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_events::{AccessKind, Call, Ends, EventKind, Outcome, PostId, Rank, RequestId, SendMode};
use std::sync::Arc;

/// `MPI_Send(buf, count, datatype, dest, tag, comm)` and all calls of that form.
pub(crate) fn send(view: &mut CallView, ends: Ends) -> After {
    let comm = communicator::argument(view, 5)?;
    let dest = comm.peer(view.int(3))?;
    let tag = view.int(4);
    let mode = mode(view.name());
    if ends == Ends::Persistent {
        let loads = elements(view, 0, true);
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
                request::insert_persistent(view.handle_behind(6, HandleKind::Request), template);
            }
        }));
    }
    let name = view.name();
    elements(view, 0, false).access(AccessKind::Load, name, view.return_address());
    let id = (ends == Ends::Request).then(request::next_id);
    enter_send(view, &comm, dest, tag, mode, id);
    match id {
        None => Some(Box::new(|view| leave(view))),
        Some(id) => Some(Box::new(move |view| {
            if view.failure().is_none() {
                request::insert_send(view.handle_behind(6, HandleKind::Request), id);
            }
            leave(view);
        })),
    }
}

/// `MPI_Recv(buf, count, datatype, source, tag, comm, status)`, `MPI_Irecv`, `MPI_Recv_init` (a request at the end).
pub(crate) fn receive(view: &mut CallView, ends: Ends) -> After {
    let comm = communicator::argument(view, 5)?;
    let (source, tag) = matching(view, 3, 4)?;
    let stores = Stores {
        buffers: elements(view, 0, ends != Ends::Returning),
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
                request::insert_persistent(view.handle_behind(6, HandleKind::Request), template);
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
                request::insert_receive(view.handle_behind(6, HandleKind::Request), receive);
            }
            leave(view);
        }));
    }
    if source.is_none() || tag.is_none() {
        view.want_status(6);
    }
    Some(Box::new(move |view| {
        leave_received(view, &comm, source, tag, 6);
        stores.done();
    }))
}

/// `MPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
/// status)`, `MPI_Isendrecv`.
pub(crate) fn send_receive(view: &mut CallView, ends: Ends) -> After {
    let loads = elements(view, 0, false);
    let stores = elements(view, 5, ends == Ends::Request);
    both(view, &loads, stores, [3, 4, 8, 9, 10, 11], ends)
}

/// `MPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status)`,
/// `MPI_Isendrecv_replace`.
pub(crate) fn send_receive_replace(view: &mut CallView, ends: Ends) -> After {
    let loads = elements(view, 0, false);
    let stores = elements(view, 0, ends == Ends::Request);
    both(view, &loads, stores, [3, 4, 5, 6, 7, 8], ends)
}

/// A send and a receive in one call: recorded as a non-blocking send, then the receive.
fn both(view: &mut CallView, loads: &Buffers, stores: Buffers, arguments: [usize; 6], ends: Ends) -> After {
    let [dest, send_tag, source, receive_tag, comm, last] = arguments;
    let comm = communicator::argument(view, comm)?;
    let (name, pc) = (view.name(), view.return_address());
    let send = comm.peer(view.int(dest)).map(|dest| (dest, request::next_id()));
    let matching = matching(view, source, receive_tag);
    if let Some((dest, id)) = send {
        loads.access(AccessKind::Load, name, pc);
        enter_send(
            view,
            &comm,
            dest,
            view.int(send_tag),
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
                request::insert_send(view.handle_behind(last, HandleKind::Request), id);
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
            view.want_status(last);
        }
        return Some(Box::new(move |view| {
            let ok = view.failure().is_none();
            leave_received(view, &comm, source, tag, last);
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
            let handle = view.handle_behind(last, HandleKind::Request);
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
fn leave_received(
    view: &CallView,
    comm: &Arc<Communicator>,
    source: Option<i32>,
    tag: Option<i32>,
    status: usize,
) {
    if view.failure().is_some() {
        leave(view);
        return;
    }
    let (source, tag) = match (source, tag) {
        (Some(source), Some(tag)) => (source, tag),
        _ => view.status(status, 0),
    };
    record(EventKind::Leave(Outcome::Received {
        source: comm.peer(source),
        tag,
    }));
}

/// Source and tag to match, without wildcards; `None` for a receive from `MPI_PROC_NULL`.
fn matching(view: &CallView, source: usize, tag: usize) -> Option<(Option<i32>, Option<i32>)> {
    let constants = constants();
    let (source, tag) = (view.int(source), view.int(tag));
    (source != constants.proc_null).then(|| {
        (
            (source != constants.any_source).then_some(source),
            (tag != constants.any_tag).then_some(tag),
        )
    })
}

fn mode(name: &str) -> SendMode {
    if matches!(
        name,
        "MPI_Ssend" | "MPI_Issend" | "MPI_Ssend_init" | "MPI_Ssend_c" | "MPI_Issend_c" | "MPI_Ssend_init_c"
    ) {
        SendMode::Synchronous
    } else {
        SendMode::Standard
    }
}

/// The buffer at arguments `i` (address), `i + 1` (count), `i + 2` (datatype). Only looked at when it can matter:
/// when memory is watched now, or may be when the call completes later.
pub(super) fn elements(view: &CallView, i: usize, later: bool) -> Buffers {
    elements_at(view, i, i + 1, later)
}

/// The elements at argument `i`, whose number is argument `count`, with the datatype behind it.
pub(super) fn elements_at(view: &CallView, i: usize, count: usize, later: bool) -> Buffers {
    let mut buffers = Buffers::default();
    if later || any_watched() {
        let datatype = datatype::argument(view, count + 1);
        buffers.add(view.choice(i).address(), view.count(count), &datatype);
    }
    buffers
}
