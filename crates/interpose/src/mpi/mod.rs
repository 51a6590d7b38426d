//! What each MPI call means: one observer per call, for all languages and libraries.
//!
//! An observer records what its call releases before the call is forwarded, and what it acquires after it returned
//! (see `farside_events::Event::time`). The files follow the chapters of the standard: [`session`] (MPI-4.1 §11),
//! [`communicator`] (§7), [`datatype`] (§5), [`message`] (§3), [`collective`] (§6), [`window`], [`operation`] and [`epoch`] (§12).

pub(crate) mod buffer;
pub(crate) mod collective;
pub(crate) mod communicator;
pub(crate) mod datatype;
pub(crate) mod epoch;
mod identity;
pub(crate) mod local;
pub(crate) mod matched;
pub(crate) mod message;
mod modules;
mod neighborhood;
pub(crate) mod operation;
mod pending;
pub(crate) mod request;
pub(crate) mod session;
mod table;
pub(crate) mod typemap;
pub(crate) mod window;

use crate::hooks::CallView;
use crate::recorder::record;
use farside_events::{EventKind, Outcome};

/// Leaves the entered call as the library says.
fn leave(view: &CallView) {
    record(EventKind::Leave(match view.failure() {
        None => Outcome::Done,
        Some(code) => Outcome::Failed(code),
    }));
}

/// A call that this version does not understand: the report will say so.
pub(crate) fn not_understood(view: &mut CallView) -> crate::hooks::After {
    crate::recorder::unknown_call(view.name());
    None
}
