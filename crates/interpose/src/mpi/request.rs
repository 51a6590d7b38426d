//! Requests (MPI-4.1 §3.7): what each stands for, and what its completion means.
//!
//! A handle may stand for several operations at once, since libraries hand out one shared handle for operations that
//! are complete from the start. Such operations are kept in a row and completed one by one.
//!
//! Calls of the Test family cannot block. They are recorded after they returned, and only if they found something
//! complete, since programs call them in loops.
//!
//! Limit: a request that the program frees (`MPI_Request_free`) completes without an event.

use super::buffer::Buffers;
use super::communicator::{Child, Communicator};
use super::identity::Counter;
use super::leave;
use super::operation::InFlight;
use super::table::HandleHasher;
use crate::abi::{HandleKind, constants, pmpi};
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_events::{AccessKind, Call, CommId, Direction, EventKind, PostId, Rank, RequestId, SendMode};
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

/// A persistent operation.
pub(super) enum Template {
    Send {
        comm: Arc<Communicator>,
        dest: Rank,
        tag: i32,
        mode: SendMode,
        loads: Buffers,
        name: &'static str,
        pc: usize,
    },
    Receive {
        comm: Arc<Communicator>,
        source: Option<i32>,
        tag: Option<i32>,
        stores: Stores,
    },
    Collective {
        comm: Arc<Communicator>,
        direction: Direction,
        loads: Buffers,
        stores: Stores,
    },
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

pub(super) fn insert_operation(handle: usize, operation: InFlight) {
    insert(handle, State::Operation(operation), None);
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
    if handle == constants().request_null {
        // Complete at once and without a request to ask: only possible for operations with nothing to do.
        if let State::Operation(operation) = state {
            operation.complete();
        }
        return;
    }
    requests().entry(handle).or_default().push(Entry {
        state,
        template,
        cancelled: false,
    });
}

fn requests() -> MutexGuard<'static, Requests> {
    REQUESTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `MPI_Wait(request, status)`
pub(crate) fn wait(view: &mut CallView) -> After {
    let request = known(view, 0)?;
    if wants_status(&[request]) {
        view.want_status(1);
    }
    enter(view);
    Some(Box::new(move |view| {
        if view.failure().is_none() {
            complete(view, request, 1, 0);
        }
        leave(view);
    }))
}

/// `MPI_Test(request, flag, status)`
pub(crate) fn test(view: &mut CallView) -> After {
    let request = known(view, 0)?;
    if wants_status(&[request]) {
        view.want_status(2);
    }
    Some(Box::new(move |view| {
        if view.failure().is_none() && view.out_int(1) != 0 {
            enter(view);
            complete(view, request, 2, 0);
            leave(view);
        }
    }))
}

/// `MPI_Request_get_status(request, flag, status)`: tells of completion without freeing the request.
pub(crate) fn get_status(view: &mut CallView) -> After {
    let request = view.handle(0, HandleKind::Request);
    if !requests().contains_key(&request) {
        return None;
    }
    if wants_status(&[request]) {
        view.want_status(2);
    }
    Some(Box::new(move |view| {
        if view.failure().is_none() && view.out_int(1) != 0 {
            enter(view);
            finish(view, request, 2, 0, true);
            leave(view);
        }
    }))
}

/// `MPI_Waitall(count, requests, statuses)`
pub(crate) fn wait_all(view: &mut CallView) -> After {
    all(view, 2, None)
}

/// `MPI_Testall(count, requests, flag, statuses)`
pub(crate) fn test_all(view: &mut CallView) -> After {
    all(view, 3, Some(2))
}

fn all(view: &mut CallView, statuses: usize, flag: Option<usize>) -> After {
    let handles = array(view)?;
    let place = if wants_status(&handles) {
        view.want_statuses(statuses, handles.len())
    } else {
        Vec::new()
    };
    if flag.is_none() {
        enter(view);
    }
    Some(Box::new(move |view| {
        if nothing_yet(view, flag) {
            return;
        }
        if flag.is_some() {
            enter(view);
        }
        if view.failure().is_none() {
            for (k, handle) in handles.iter().enumerate() {
                complete(view, *handle, statuses, k);
            }
        }
        leave(view);
        drop(place);
    }))
}

/// `MPI_Waitany(count, requests, index, status)`
pub(crate) fn wait_any(view: &mut CallView) -> After {
    any(view, 2, None, 3)
}

/// `MPI_Testany(count, requests, index, flag, status)`
pub(crate) fn test_any(view: &mut CallView) -> After {
    any(view, 2, Some(3), 4)
}

fn any(view: &mut CallView, index: usize, flag: Option<usize>, status: usize) -> After {
    let handles = array(view)?;
    if wants_status(&handles) {
        view.want_status(status);
    }
    if flag.is_none() {
        enter(view);
    }
    Some(Box::new(move |view| {
        if nothing_yet(view, flag) {
            return;
        }
        if flag.is_some() {
            enter(view);
        }
        if view.failure().is_none()
            && let Some(handle) = handles.get(position(view, &handles, view.out_int(index)))
        {
            complete(view, *handle, status, 0);
        }
        leave(view);
    }))
}

/// `MPI_Waitsome(incount, requests, outcount, indices, statuses)`
pub(crate) fn wait_some(view: &mut CallView) -> After {
    some(view, false)
}

/// `MPI_Testsome`, arguments as `MPI_Waitsome`
pub(crate) fn test_some(view: &mut CallView) -> After {
    some(view, true)
}

fn some(view: &mut CallView, poll: bool) -> After {
    let handles = array(view)?;
    let place = if wants_status(&handles) {
        view.want_statuses(4, handles.len())
    } else {
        Vec::new()
    };
    if !poll {
        enter(view);
    }
    Some(Box::new(move |view| {
        // MPI_UNDEFINED is negative: no request was active.
        let count = usize::try_from(view.out_int(2)).unwrap_or(0);
        if poll && (count == 0 || view.failure().is_some()) {
            return;
        }
        if poll {
            enter(view);
        }
        if view.failure().is_none() {
            for k in 0..count {
                let index = position(view, &handles, view.element_int(3, k));
                if let Some(handle) = handles.get(index) {
                    complete(view, *handle, 4, k);
                }
            }
        }
        leave(view);
        drop(place);
    }))
}

/// `MPI_Start(request)`
pub(crate) fn start(view: &mut CallView) -> After {
    let handle = view.handle_behind(0, HandleKind::Request);
    begin(view, handle);
    None
}

/// `MPI_Startall(count, requests)`
pub(crate) fn start_all(view: &mut CallView) -> After {
    for handle in array(view)? {
        begin(view, handle);
    }
    None
}

/// `MPI_Cancel(request)`: from now on its status is needed to know whether it happened.
pub(crate) fn cancel(view: &mut CallView) -> After {
    let handle = view.handle_behind(0, HandleKind::Request);
    if let Some(entry) = requests().get_mut(&handle).and_then(|row| row.last_mut()) {
        entry.cancelled = true;
    }
    None
}

/// `MPI_Request_free(request)`
pub(crate) fn free(view: &mut CallView) -> After {
    let handle = view.handle_behind(0, HandleKind::Request);
    Some(Box::new(move |view| {
        if view.failure().is_none()
            && let Some(entry) = take(handle)
            && let State::Operation(operation) = entry.state
        {
            operation.end();
        }
    }))
}

/// The request at argument `i`, if it is one that we know.
fn known(view: &CallView, i: usize) -> Option<usize> {
    let handle = view.handle_behind(i, HandleKind::Request);
    requests().contains_key(&handle).then_some(handle)
}

/// Argument 1, an array of as many requests as argument 0 says; `None` if we know none of them.
fn array(view: &CallView) -> Option<Vec<usize>> {
    let count = usize::try_from(view.int(0)).unwrap_or(0);
    let handles: Vec<usize> = (0..count)
        .map(|k| view.element_handle(1, k, HandleKind::Request))
        .collect();
    let requests = requests();
    let any = handles.iter().any(|handle| requests.contains_key(handle));
    any.then_some(handles)
}

/// Whether a call that only asks (it has a flag) found nothing complete. Such calls are recorded after they returned,
/// and only if they found something: a loop of them may run a long time.
fn nothing_yet(view: &CallView, flag: Option<usize>) -> bool {
    flag.is_some_and(|flag| view.failure().is_some() || view.out_int(flag) == 0)
}

/// An index that the library returned, from 0; out of range for `MPI_UNDEFINED`. `handles` are the requests as they were
/// before the call. In Fortran indices count from 1, but MPICH 4.0's `mpi_f08` counts from 0: take the one whose
/// request was completed, which is null now or persistent.
fn position(view: &CallView, handles: &[usize], index: i32) -> usize {
    let position = |index: i32| usize::try_from(index).unwrap_or(usize::MAX);
    if !view.indices_from_one() {
        return position(index);
    }
    let requests = requests();
    let completed = |k: usize| {
        handles
            .get(k)
            .and_then(|before| requests.get(before))
            .is_some_and(|row| {
                row.iter().any(|entry| entry.template.is_some())
                    || view.element_handle(1, k, HandleKind::Request) == constants().request_null
            })
    };
    let first = position(index.saturating_sub(1));
    if completed(first) { first } else { position(index) }
}

/// Whether a status is needed to know what a completion means.
fn wants_status(handles: &[usize]) -> bool {
    let requests = requests();
    handles
        .iter()
        .filter_map(|handle| requests.get(handle))
        .flatten()
        .any(|entry| match &entry.state {
            State::Receive(receive) | State::SendReceive(_, receive) => {
                entry.cancelled || receive.source.is_none() || receive.tag.is_none()
            }
            State::Send(_) => entry.cancelled,
            _ => false,
        })
}

fn enter(view: &CallView) {
    record(EventKind::Enter {
        call: Call::Completion {
            name: view.name().into(),
        },
        stack: view.stack(),
    });
}

/// A request completed, and is freed unless it is persistent.
fn complete(view: &CallView, handle: usize, status: usize, k: usize) {
    finish(view, handle, status, k, false);
}

fn take(handle: usize) -> Option<Entry> {
    match requests().entry(handle) {
        Slot::Vacant(_) => None,
        Slot::Occupied(mut row) => {
            let entry = row.get_mut().pop();
            if row.get().is_empty() {
                row.remove();
            }
            entry
        }
    }
}

fn finish(view: &CallView, handle: usize, status: usize, k: usize, keep: bool) {
    let Some(mut entry) = take(handle) else { return };
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
fn report(view: &CallView, state: State, cancelled: bool, status: usize, k: usize) {
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

fn received(view: &CallView, receive: &Receive, cancelled: bool, status: usize, k: usize) {
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

/// Starts a persistent operation.
fn begin(view: &CallView, handle: usize) {
    let template = {
        let requests = requests();
        let entry = requests.get(&handle).and_then(|row| row.last());
        entry.and_then(|entry| entry.template.clone())
    };
    let Some(template) = template else { return };
    let state = match &*template {
        Template::Send {
            comm,
            dest,
            tag,
            mode,
            loads,
            name,
            pc,
        } => {
            loads.access(AccessKind::Load, name, *pc);
            let id = next_id();
            record(EventKind::Enter {
                call: Call::Send {
                    comm: comm.id,
                    dest: Some(*dest),
                    tag: *tag,
                    mode: *mode,
                    request: Some(id),
                    name: (*name).into(),
                },
                stack: view.stack(),
            });
            State::Send(id)
        }
        Template::Receive {
            comm,
            source,
            tag,
            stores,
        } => {
            let post = next_post();
            record(EventKind::Enter {
                call: Call::Receive {
                    post,
                    comm: comm.id,
                    source: source.and_then(|source| comm.peer(source)),
                    tag: *tag,
                    request: Some(next_id()),
                    name: stores.name.into(),
                },
                stack: view.stack(),
            });
            State::Receive(Receive {
                post,
                comm: Arc::clone(comm),
                source: *source,
                tag: *tag,
                stores: stores.clone(),
            })
        }
        Template::Collective {
            comm,
            direction,
            loads,
            stores,
        } => {
            loads.access(AccessKind::Load, stores.name, stores.pc);
            let sequence = comm.next_collective();
            record(EventKind::Enter {
                call: Call::Collective {
                    comm: comm.id,
                    sequence,
                    direction: direction.clone(),
                    name: stores.name.into(),
                    request: Some(next_id()),
                },
                stack: view.stack(),
            });
            State::Collective {
                comm: comm.id,
                sequence,
                stores: stores.clone(),
                child: None,
            }
        }
    };
    record(EventKind::Leave(farside_events::Outcome::Done));
    if let Some(entry) = requests().get_mut(&handle).and_then(|row| row.last_mut()) {
        entry.state = state;
    }
}
