//! What is recorded of each MPI call: one observer per meaning, for all languages and libraries.
//!
//! What a call means is said by [`farside_calls`]; [`observe`] is the table of who looks at it. An observer records
//! what its call releases before the call is forwarded, and what it acquires after it returned (see
//! `farside_events::Event::time`). The files follow the chapters of the standard: [`session`] (MPI-4.1 §11),
//! [`communicator`] (§7), [`datatype`] (§5), [`communication`] (§3, §6), [`window`], [`operation`] and [`epoch`]
//! (§12).

mod arguments;
mod buffer;
mod communication;
pub(crate) mod communicator;
mod constructor;
mod datatype;
mod described;
mod epoch;
mod identity;
mod in_flight;
mod local;
mod matched;
mod matches;
mod modules;
mod neighborhood;
mod numbers;
mod operation;
mod pending;
mod request;
mod session;
mod table;
mod window;

pub(crate) use identity::{Counter, mix};
pub(crate) use modules::announce as announce_modules;
pub(crate) use numbers::request as next_request;
pub(crate) use session::{is_finalized, report_instrumentation};

use crate::call::{After, CallView};
use crate::recorder::{record, unknown_call};
use crate::speeds;
use farside_calls::meaning::{Completion, Making, Meaning, Waits};
use farside_calls::mistakes;
use farside_calls::signature::Role;
use farside_events::{Call, CallKind, EventKind, Mistake, Outcome};

/// Looks at a call before it is forwarded.
pub(crate) fn observe(view: &mut CallView) -> After {
    speeds::wait();
    if let Some(mistake) = mistakes::mistake(view.meaning(), view) {
        tell(view, mistake);
    }
    match view.meaning() {
        Meaning::Init => session::init(),
        Meaning::Finalize => session::finalize(view),
        Meaning::Abort => session::abort(),
        Meaning::Communicator(Making::AtOnce) => communicator::create(view),
        Meaning::Communicator(Making::Later) => request::create_communicator(view),
        Meaning::Communicator(Making::OfGroup) => communicator::create_group(view),
        Meaning::Communicator(Making::Inter) => communicator::create_inter(view),
        Meaning::CommunicatorFree => communicator::free(view),
        Meaning::TypeFree => datatype::free(view),
        Meaning::Window(flavor) => window::create(view, flavor),
        Meaning::OnWindow(CallKind::Free) => window::free(view),
        Meaning::OnWindow(CallKind::Attach) => window::attach(view),
        Meaning::OnWindow(CallKind::Detach) => window::detach(view),
        Meaning::OnWindow(call) => epoch::synchronise(view, call),
        Meaning::WindowName => window::set_name(view),
        Meaning::WindowInfo => window::set_info(view),
        Meaning::FreeMemory => window::free_memory(view),
        Meaning::Operation(kind) => operation::issue(view, kind),
        Meaning::Completion(Completion::One, waits) => request::complete_one(view, waits),
        Meaning::Completion(Completion::All, waits) => request::complete_all(view, waits),
        Meaning::Completion(Completion::Any, waits) => request::complete_any(view, waits),
        Meaning::Completion(Completion::Some, waits) => request::complete_some(view, waits),
        Meaning::RequestStatus => request::get_status(view),
        Meaning::Start => request::start(view),
        Meaning::Cancel => request::cancel(view),
        Meaning::RequestFree => request::free(view),
        Meaning::Probe(waits) => matched::look(view, waits),
        Meaning::MatchedProbe(waits) => matched::probe(view, waits),
        Meaning::MatchedReceive(ends) => matched::receive(view, ends),
        Meaning::Pack => local::pack(view),
        Meaning::Unpack => local::unpack(view),
        Meaning::ReduceLocal => local::reduce_local(view),
        Meaning::FileRead => local::file_read(view),
        Meaning::FileWrite => local::file_write(view),
        meaning @ (Meaning::Send(_, ends)
        | Meaning::Receive(ends)
        | Meaning::SendReceive(ends)
        | Meaning::Collective(_, ends)) => communication::communicate(view, meaning, ends),
        // The report will say so.
        Meaning::NotUnderstood => {
            unknown_call(view.name());
            None
        }
    }
}

/// The calls that Farside adds to one of this meaning, where recording has stopped in this process.
pub(crate) const fn added(meaning: Meaning) -> Option<fn(&CallView)> {
    match meaning {
        Meaning::Window(_) => Some(window::meet),
        Meaning::Communicator(Making::Inter) => Some(communicator::meet_inter),
        _ => None,
    }
}

/// A call is told to be wrong before it is forwarded: the library may end the program for it.
fn tell(view: &CallView, mistake: Mistake) {
    record(EventKind::Mistaken {
        mistake,
        name: view.name().into(),
        stack: view.stack(),
        earlier: None,
    });
}

/// Enters a call.
fn enter(view: &CallView, call: Call) {
    record(EventKind::Enter {
        call,
        stack: view.stack(),
    });
}

/// Leaves the entered call as the library says.
fn leave(view: &CallView) {
    record(left(view));
}

/// How the entered call is left.
fn left(view: &CallView) -> EventKind {
    EventKind::Leave(match view.failure() {
        None => Outcome::Done,
        Some(code) => Outcome::Failed(code),
    })
}

/// Whether a call that cannot wait found nothing, or failed: such calls are recorded after they returned, and only if
/// they found something, since programs call them in loops.
fn found_nothing(view: &CallView, waits: Waits) -> bool {
    waits == Waits::Polling && (view.failure().is_some() || view.out_int(Role::Flag) == 0)
}
