//! Messages and collective operations (MPI-4.1 chapters 3, 6 and 8.6): each orders processes in its own direction,
//! and touches buffers. What a call communicates is said by [`farside_calls::communication`]; here it is recorded.
//!
//! Probes order nothing by themselves: the receive follows. Calls to and from `MPI_PROC_NULL` do nothing and are not
//! recorded.

use super::buffer::any_watched;
use super::described::Described;
use super::{leave, matches, request};
use crate::call::{After, CallView, Then};
use farside_calls::collective::Ends;
use farside_calls::communication::{Begun, Communication};
use farside_calls::meaning::Meaning;
use farside_calls::signature::Role;
use std::sync::Arc;

/// Observes a call that communicates. Its buffers are only looked at when it can matter: when memory is watched now,
/// or may be when the communication is over later.
pub(crate) fn communicate(view: &mut CallView, meaning: Meaning, ends: Ends) -> After {
    let buffers = ends != Ends::Returning || any_watched();
    let what = Communication::of(meaning, view, buffers)?;
    if what.is_nothing() {
        return None;
    }
    let described = Described::by(view, what);
    match ends {
        Ends::Persistent => Some(Then::new(move |view| {
            if view.failure().is_none() {
                request::insert_persistent(view.handle_behind(Role::Request), described);
            }
        })),
        Ends::Request => {
            let begun = described.begin(view, true);
            choose(view, &described, begun);
            let described = Arc::new(described);
            Some(Then::new(move |view| {
                if view.failure().is_none() {
                    request::insert_begun(view.handle_behind(Role::Request), described, begun);
                }
                leave(view);
            }))
        }
        Ends::Returning => {
            let begun = described.begin(view, false);
            choose(view, &described, begun);
            if described.wants_status() {
                view.want_status(Role::Status);
            }
            Some(Then::new(move |view| described.over(view, begun)))
        }
    }
}

/// A receive from any source takes a given message, if it is to.
fn choose(view: &mut CallView, described: &Described, begun: Begun) {
    let what = described.what();
    let any = what.receive().is_some_and(|receive| receive.source.is_none());
    if let (true, Some(post)) = (any, begun.receive) {
        matches::choose(view, &what.comm, post);
    }
}
