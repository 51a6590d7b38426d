//! Synchronisation calls (MPI-4.1 §12.5).

use super::window::Window;
use super::{enter, leave, left, window};
use crate::call::{After, CallView, Returned, Then};
use crate::memory;
use crate::recorder::record;
use farside_calls::signature::Role;
use farside_calls::synchronisation::{Completes, call_on_window};
use farside_events::{Call, CallKind, EventKind, Outcome};

/// Records a synchronising call.
pub(crate) fn synchronise(view: &mut CallView, kind: CallKind) -> After {
    let window = window::argument(view)?;
    let call = call_on_window(kind, view, &window)?;
    match kind {
        CallKind::Lock => window.lock(),
        CallKind::Unlock => window.unlock(),
        CallKind::Post => window.post(),
        CallKind::Sync => memory::synchronise_view(),
        _ => {}
    }
    // It cannot block and programs call it in loops, so it is recorded after it returned, and only if the epoch ended
    // or the call failed, or it said for the first time that the epoch goes on.
    if kind == CallKind::Test {
        return Some(Then::new(move |view| tested(view, &window, call)));
    }
    let target = match Completes::of(&call) {
        Completes::Nothing => {
            enter(view, call);
            return Some(Then::Plain(|view| leave(view)));
        }
        Completes::To(_) => Some(view.int(Role::TargetRank)),
        Completes::All => None,
    };
    enter(view, call);
    Some(Then::To(window, target))
}

impl Returned for Window {
    /// A call that completes operations returned.
    fn returned(&self, view: &mut CallView, target: Option<i32>) {
        match view.failure() {
            None => self.complete(target, left(view)),
            Some(_) => leave(view),
        }
    }
}

/// `MPI_Win_test` returned.
fn tested(view: &CallView, window: &Window, call: Call) {
    let over = view.out_int(Role::Flag) != 0;
    if view.failure().is_some() {
        enter(view, call);
        leave(view);
    } else if over || window.test() {
        enter(view, call);
        record(EventKind::Leave(Outcome::Flag(over)));
    }
}
