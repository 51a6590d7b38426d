//! The Wait and Test families (MPI-4.1 §3.7.3, §3.7.5).
//!
//! Calls of the Test family cannot block. They are recorded after they returned, and only if they found something
//! complete, since programs call them in loops.

use super::{State, complete, finish, requests};
use crate::abi::{HandleKind, constants};
use crate::hooks::{After, CallView};
use crate::mpi::leave;
use crate::recorder::record;
use farside_events::{Call, EventKind};

/// `MPI_Wait(request, status)`
pub(crate) fn wait(view: &mut CallView) -> After {
    let request = known(view, 0)?;
    if wants_status(&[request]) {
        view.want_status(1);
    }
    enter(view);
    Some(Box::new(move |view| {
        if view.failure().is_none() {
            complete(view, request, view.word(0), 1, 0);
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
            complete(view, request, view.word(0), 2, 0);
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
            finish(view, (request, 0), 2, 0, true);
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
                complete(view, *handle, view.place(1).variable(k), statuses, k);
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
            && let place = position(view, &handles, view.out_int(index))
            && let Some(handle) = handles.get(place)
        {
            complete(view, *handle, view.place(1).variable(place), status, 0);
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
                    complete(view, *handle, view.place(1).variable(index), 4, k);
                }
            }
        }
        leave(view);
        drop(place);
    }))
}

/// The request at argument `i`, if it is one that we know.
fn known(view: &CallView, i: usize) -> Option<usize> {
    let handle = view.handle_behind(i, HandleKind::Request);
    requests().contains_key(&handle).then_some(handle)
}

/// Argument 1, an array of as many requests as argument 0 says; `None` if we know none of them.
pub(super) fn array(view: &CallView) -> Option<Vec<usize>> {
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
