//! Requests (MPI-4.1 §3.7): what each stands for, and what its completion means.
//!
//! A handle may stand for several operations at once, since libraries hand out one shared handle for operations that
//! are complete from the start. Such operations are kept in a row; a completion is that of the one whose request
//! variable is meant, else of the oldest.
//!
//! Limit: a request that the program frees (`MPI_Request_free`) completes without an event.

mod completion;
mod persistent;

pub(super) use completion::{complete_all, complete_any, complete_one, complete_some, get_status};
pub(super) use persistent::Template;
pub(super) use persistent::start;

use super::buffer::Buffers;
use super::communicator::{Child, Communicator};
use super::identity::Counter;
use super::operation::InFlight;
use super::table::HandleHasher;
use crate::abi::{constants, pmpi};
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_calls::signature::Role;
use farside_events::{AccessKind, CommId, EventKind, PostId, RequestId};
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Requests = HashMap<usize, Vec<Entry>, BuildHasherDefault<HandleHasher>>;

static REQUESTS: Mutex<Requests> = Mutex::new(HashMap::with_hasher(BuildHasherDefault::new()));
static NEXT: Counter = Counter::new();
static NEXT_POST: Counter = Counter::new();

/// A fresh request identity.
pub(super) fn next_id() -> RequestId {
    RequestId(NEXT.next())
}

/// A fresh post identity.
pub(super) fn next_post() -> PostId {
    PostId(NEXT_POST.next())
}

/// What a request stands for.
struct Entry {
    state: State,
    /// Address of the request variable that the operation was given, or 0.
    variable: usize,
    /// How to start it again, for a persistent request.
    template: Option<Arc<Template>>,
    cancelled: bool,
}

enum State {
    /// Persistent and not started, or already seen to be complete.
    Inactive,
    Send(RequestId),
    Receive(Receive),
    /// `MPI_Isendrecv`.
    SendReceive(RequestId, Receive),
    Collective {
        comm: CommId,
        sequence: u64,
        stores: Stores,
        child: Option<Child>,
    },
    Operation(InFlight),
}

/// A posted receive.
pub(super) struct Receive {
    pub(super) post: PostId,
    pub(super) comm: Arc<Communicator>,
    /// Source rank and tag, when they are not wildcards.
    pub(super) source: Option<i32>,
    pub(super) tag: Option<i32>,
    pub(super) stores: Stores,
}

/// What the library stores when a call completes.
#[derive(Clone, Default)]
pub(super) struct Stores {
    pub(super) buffers: Buffers,
    pub(super) name: &'static str,
    pub(super) pc: usize,
}

impl Stores {
    pub(super) fn done(&self) {
        self.buffers.access(AccessKind::Store, self.name, self.pc);
    }
}

pub(super) fn insert_send(handle: usize, id: RequestId) {
    insert(handle, State::Send(id), None);
}

pub(super) fn insert_receive(handle: usize, receive: Receive) {
    insert(handle, State::Receive(receive), None);
}

pub(super) fn insert_send_receive(handle: usize, id: RequestId, receive: Receive) {
    insert(handle, State::SendReceive(id, receive), None);
}

/// `variable` is the address of the request variable.
pub(super) fn insert_operation(handle: usize, variable: usize, operation: InFlight) {
    insert_at(handle, variable, State::Operation(operation), None);
}

pub(super) fn insert_collective(handle: usize, comm: CommId, sequence: u64, stores: Stores) {
    let state = State::Collective {
        comm,
        sequence,
        stores,
        child: None,
    };
    insert(handle, state, None);
}

/// The request of a communicator creation.
pub(super) fn insert_creation(handle: usize, _: RequestId, child: Child) {
    let state = State::Collective {
        comm: child.parent.id,
        sequence: child.sequence,
        stores: Stores::default(),
        child: Some(child),
    };
    insert(handle, state, None);
}

pub(super) fn insert_persistent(handle: usize, template: Template) {
    insert(handle, State::Inactive, Some(Arc::new(template)));
}

fn insert(handle: usize, state: State, template: Option<Arc<Template>>) {
    insert_at(handle, 0, state, template);
}

fn insert_at(handle: usize, variable: usize, state: State, template: Option<Arc<Template>>) {
    if handle == constants().request_null {
        // Complete at once and without a request to ask: only possible for operations with nothing to do.
        if let State::Operation(operation) = state {
            operation.complete();
        }
        return;
    }
    requests().entry(handle).or_default().push(Entry {
        state,
        variable,
        template,
        cancelled: false,
    });
}

fn requests() -> MutexGuard<'static, Requests> {
    REQUESTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `MPI_Cancel(request)`: from now on its status is needed to know whether it happened.
pub(crate) fn cancel(view: &mut CallView) -> After {
    let handle = view.handle_behind(Role::Request);
    if let Some(entry) = requests().get_mut(&handle).and_then(|row| row.last_mut()) {
        entry.cancelled = true;
    }
    None
}

/// `MPI_Request_free(request)`
pub(crate) fn free(view: &mut CallView) -> After {
    let handle = view.handle_behind(Role::Request);
    Some(Box::new(move |view| {
        if view.failure().is_none()
            && let Some(entry) = take(handle, view.word(Role::Request))
            && let State::Operation(operation) = entry.state
        {
            operation.end();
        }
    }))
}

/// A request completed, and is freed unless it is persistent.
fn complete(view: &CallView, handle: usize, variable: usize, status: Role, k: usize) {
    finish(view, (handle, variable), status, k, false);
}

fn take(handle: usize, variable: usize) -> Option<Entry> {
    match requests().entry(handle) {
        Slot::Vacant(_) => None,
        Slot::Occupied(mut row) => {
            let entries = row.get_mut();
            let meant = entries
                .iter()
                .position(|entry| variable != 0 && entry.variable == variable);
            let entry = entries.remove(meant.unwrap_or(0));
            if entries.is_empty() {
                row.remove();
            }
            Some(entry)
        }
    }
}

fn finish(view: &CallView, (handle, variable): (usize, usize), status: Role, k: usize, keep: bool) {
    let Some(mut entry) = take(handle, variable) else {
        return;
    };
    let state = std::mem::replace(&mut entry.state, State::Inactive);
    if keep || entry.template.is_some() {
        let cancelled = std::mem::replace(&mut entry.cancelled, false);
        requests().entry(handle).or_default().push(entry);
        report(view, state, cancelled, status, k);
    } else {
        report(view, state, entry.cancelled, status, k);
    }
}

/// Says what the completion of a request means.
fn report(view: &CallView, state: State, cancelled: bool, status: Role, k: usize) {
    let cancelled = cancelled && pmpi::was_cancelled(view.status_address(status, k));
    match state {
        State::Inactive => {}
        State::Send(request) => record(EventKind::SendDone { request }),
        State::Receive(receive) => received(view, &receive, cancelled, status, k),
        State::SendReceive(request, receive) => {
            record(EventKind::SendDone { request });
            received(view, &receive, cancelled, status, k);
        }
        State::Collective {
            comm,
            sequence,
            stores,
            child,
        } => {
            if let Some(child) = child {
                child.born();
            }
            record(EventKind::CollectiveDone { comm, sequence });
            stores.done();
        }
        State::Operation(operation) => operation.complete(),
    }
}

fn received(view: &CallView, receive: &Receive, cancelled: bool, status: Role, k: usize) {
    let (source, tag) = match (receive.source, receive.tag) {
        (Some(source), Some(tag)) => (source, tag),
        _ => view.status(status, k),
    };
    record(EventKind::ReceiveDone {
        post: receive.post,
        source: if cancelled {
            None
        } else {
            receive.comm.peer(source)
        },
        tag,
    });
    if !cancelled {
        receive.stores.done();
    }
}
