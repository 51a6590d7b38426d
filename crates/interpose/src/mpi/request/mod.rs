//! Requests (MPI-4.1 §3.7): what each stands for, and what its completion means.
//!
//! A handle may stand for several operations at once, since libraries hand out one shared handle for operations that
//! are complete from the start. Such operations are kept in a row; a completion is that of the one whose request
//! variable is meant, else of the oldest.
//!
//! Limit: a request that the program frees (`MPI_Request_free`) completes without an event.

mod completion;

pub(super) use completion::{complete_all, complete_any, complete_one, complete_some, get_status};

use super::communicator::{self, Child};
use super::described::Described;
use super::in_flight::InFlight;
use super::table::HandleHasher;
use super::{leave, numbers};
use crate::abi::{constants, pmpi};
use crate::call::{After, CallView, Then};
use crate::recorder::record;
use completion::array;
use farside_calls::communication::Begun;
use farside_calls::request::Request;
use farside_calls::signature::Role;
use farside_events::{Direction, EventKind, Outcome};
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Requests = HashMap<usize, Vec<Entry>, BuildHasherDefault<HandleHasher>>;

static REQUESTS: Mutex<Requests> = Mutex::new(HashMap::with_hasher(BuildHasherDefault::new()));

/// What a request stands for.
struct Entry {
    request: Request<Arc<Described>, Active>,
    /// Address of the request variable that the operation was given, or 0.
    variable: usize,
}

/// What is under way.
enum Active {
    Communication(Arc<Described>, Begun),
    Creation(Child),
    Operation(InFlight),
}

/// A communication that has begun.
pub(super) fn insert_begun(handle: usize, described: Arc<Described>, begun: Begun) {
    insert(
        handle,
        0,
        Request::active(Active::Communication(described, begun)),
    );
}

/// `variable` is the address of the request variable.
pub(super) fn insert_operation(handle: usize, variable: usize, operation: InFlight) {
    if handle == constants().request_null {
        // Complete at once and without a request to ask: only possible for operations with nothing to do.
        operation.complete();
    } else {
        insert(handle, variable, Request::active(Active::Operation(operation)));
    }
}

/// `MPI_Comm_idup`, `MPI_Comm_idup_with_info`: the new communicator exists when the request completes.
pub(crate) fn create_communicator(view: &mut CallView) -> After {
    let parent = communicator::argument(view)?;
    let sequence = communicator::enter(view, &parent, Direction::All, Some(numbers::request()));
    Some(Then::new(move |view| {
        if view.failure().is_none() {
            let child = Child::of(view, parent, sequence);
            let handle = view.handle_behind(Role::Request);
            insert(handle, 0, Request::active(Active::Creation(child)));
        }
        leave(view);
    }))
}

pub(super) fn insert_persistent(handle: usize, described: Described) {
    insert(handle, 0, Request::persistent(Arc::new(described)));
}

fn insert(handle: usize, variable: usize, request: Request<Arc<Described>, Active>) {
    if handle != constants().request_null {
        requests()
            .entry(handle)
            .or_default()
            .push(Entry { request, variable });
    }
}

fn requests() -> MutexGuard<'static, Requests> {
    REQUESTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `MPI_Cancel(request)`: from now on its status is needed to know whether it happened.
pub(crate) fn cancel(view: &mut CallView) -> After {
    let handle = view.handle_behind(Role::Request);
    if let Some(entry) = requests().get_mut(&handle).and_then(|row| row.last_mut()) {
        entry.request.cancel();
    }
    None
}

/// `MPI_Request_free(request)`
pub(crate) fn free(view: &mut CallView) -> After {
    let handle = view.handle_behind(Role::Request);
    Some(Then::new(move |view| {
        if view.failure().is_none()
            && let Some(mut entry) = take(handle, view.word(Role::Request))
            && let Some((Active::Operation(operation), _)) = entry.request.complete()
        {
            operation.end();
        }
    }))
}

/// `MPI_Start`, `MPI_Startall`
pub(crate) fn start(view: &mut CallView) -> After {
    if view.signature().has(Role::Requests) {
        for handle in array(view)? {
            begin(view, handle);
        }
    } else {
        begin(view, view.handle_behind(Role::Request));
    }
    None
}

/// Starts a persistent request.
fn begin(view: &CallView, handle: usize) {
    let template = {
        let requests = requests();
        let entry = requests.get(&handle).and_then(|row| row.last());
        entry.and_then(|entry| entry.request.template().cloned())
    };
    let Some(template) = template else { return };
    let begun = template.begin(view, true);
    record(EventKind::Leave(Outcome::Done));
    if let Some(entry) = requests().get_mut(&handle).and_then(|row| row.last_mut()) {
        entry.request.start(Active::Communication(template, begun));
    }
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
    let complete = entry.request.complete();
    if keep || entry.request.is_persistent() {
        requests().entry(handle).or_default().push(entry);
    }
    match complete {
        None => {}
        Some((Active::Communication(described, begun), cancelled)) => {
            let cancelled = cancelled && pmpi::was_cancelled(view.status_address(status, k));
            described.complete(view, begun, cancelled, status, k);
        }
        Some((Active::Creation(child), _)) => child.born(),
        Some((Active::Operation(operation), _)) => operation.complete(),
    }
}
