//! The Wait and Test families (MPI-4.1 §3.7.3, §3.7.5).
//!
//! Calls of the Test family cannot block. They are recorded after they returned, and only if they found something
//! complete, since programs call them in loops.

use super::{Active, complete, finish, requests};
use crate::abi::constants;
use crate::call::{After, CallView, Then};
use crate::mpi::{enter, found_nothing, leave};
use farside_calls::meaning::Waits;
use farside_calls::signature::Role;
use farside_events::Call;

/// `MPI_Wait`, `MPI_Test`
pub(crate) fn complete_one(view: &mut CallView, waits: Waits) -> After {
    let request = view.handle_behind(Role::Request);
    if !requests().contains_key(&request) {
        return None;
    }
    if wants_status(&[request]) {
        view.want_status(Role::Status);
    }
    if waits == Waits::Blocking {
        begin(view);
    }
    Some(Then::new(move |view| {
        if found_nothing(view, waits) {
            return;
        }
        if waits == Waits::Polling {
            begin(view);
        }
        if view.failure().is_none() {
            complete(view, request, view.word(Role::Request), Role::Status, 0);
        }
        leave(view);
    }))
}

/// `MPI_Request_get_status`: tells of completion without freeing the request.
pub(crate) fn get_status(view: &mut CallView) -> After {
    let request = view.handle(Role::Request);
    if !requests().contains_key(&request) {
        return None;
    }
    if wants_status(&[request]) {
        view.want_status(Role::Status);
    }
    Some(Then::new(move |view| {
        if !found_nothing(view, Waits::Polling) {
            begin(view);
            finish(view, (request, 0), Role::Status, 0, true);
            leave(view);
        }
    }))
}

/// `MPI_Waitall`, `MPI_Testall`
pub(crate) fn complete_all(view: &mut CallView, waits: Waits) -> After {
    let handles = array(view)?;
    let place = if wants_status(&handles) {
        view.want_statuses(Role::Statuses, handles.len())
    } else {
        Vec::new()
    };
    if waits == Waits::Blocking {
        begin(view);
    }
    Some(Then::new(move |view| {
        if found_nothing(view, waits) {
            return;
        }
        if waits == Waits::Polling {
            begin(view);
        }
        if view.failure().is_none() {
            let variables = view.place(Role::Requests);
            for (k, handle) in handles.iter().enumerate() {
                complete(view, *handle, variables.variable(k), Role::Statuses, k);
            }
        }
        leave(view);
        drop(place);
    }))
}

/// `MPI_Waitany`, `MPI_Testany`
pub(crate) fn complete_any(view: &mut CallView, waits: Waits) -> After {
    let handles = array(view)?;
    if wants_status(&handles) {
        view.want_status(Role::Status);
    }
    if waits == Waits::Blocking {
        begin(view);
    }
    Some(Then::new(move |view| {
        if found_nothing(view, waits) {
            return;
        }
        if waits == Waits::Polling {
            begin(view);
        }
        if view.failure().is_none()
            && let place = position(view, &handles, view.out_int(Role::Index))
            && let Some(handle) = handles.get(place)
        {
            let variable = view.place(Role::Requests).variable(place);
            complete(view, *handle, variable, Role::Status, 0);
        }
        leave(view);
    }))
}

/// `MPI_Waitsome`, `MPI_Testsome`
pub(crate) fn complete_some(view: &mut CallView, waits: Waits) -> After {
    let handles = array(view)?;
    let place = if wants_status(&handles) {
        view.want_statuses(Role::Statuses, handles.len())
    } else {
        Vec::new()
    };
    if waits == Waits::Blocking {
        begin(view);
    }
    Some(Then::new(move |view| {
        // MPI_UNDEFINED is negative: no request was active.
        let count = usize::try_from(view.out_int(Role::Result)).unwrap_or(0);
        if waits == Waits::Polling {
            if count == 0 || view.failure().is_some() {
                return;
            }
            begin(view);
        }
        if view.failure().is_none() {
            let variables = view.place(Role::Requests);
            for k in 0..count {
                let index = position(view, &handles, view.element_int(Role::Index, k));
                if let Some(handle) = handles.get(index) {
                    complete(view, *handle, variables.variable(index), Role::Statuses, k);
                }
            }
        }
        leave(view);
        drop(place);
    }))
}

/// The requests of an array, as many as the call says; `None` if we know none of them.
pub(super) fn array(view: &CallView) -> Option<Vec<usize>> {
    let count = usize::try_from(view.int(Role::RequestCount)).unwrap_or(0);
    let handles: Vec<usize> = (0..count)
        .map(|k| view.element_handle(Role::Requests, k))
        .collect();
    let requests = requests();
    let any = handles.iter().any(|handle| requests.contains_key(handle));
    any.then_some(handles)
}

/// An index that the library returned, from 0; out of range for `MPI_UNDEFINED`. `handles` are the requests as they
/// were before the call. In Fortran indices count from 1, but MPICH 4.0's `mpi_f08` counts from 0: take the one whose
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
                row.iter().any(|entry| entry.request.is_persistent())
                    || view.element_handle(Role::Requests, k) == constants().request_null
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
        .any(|entry| match entry.request.under_way() {
            Some(Active::Communication(described, _)) => {
                entry.request.is_cancelled() || described.wants_status()
            }
            _ => false,
        })
}

fn begin(view: &CallView) {
    let name = view.name().into();
    enter(view, Call::Completion { name });
}
