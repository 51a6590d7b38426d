//! Calls on a window that move no data (MPI-4.1 §12.2, §12.5): the event that a call is recorded as, and what it
//! completes.

use crate::arguments::{OfMpi, Window};
use crate::signature::Role;
use farside_events::{Call, CallKind, LockKind, Rank};

/// The call as an event says it; `None` if its target is `MPI_PROC_NULL`, or it is of no such kind.
pub fn call_on_window<A: OfMpi>(kind: CallKind, call: &A, window: &A::Window) -> Option<Call> {
    let win = window.id();
    let assertions = || call.numbers().assertions(call.int(Role::Assertion));
    let target = || window.peer(call.int(Role::TargetRank));
    Some(match kind {
        CallKind::Fence => Call::Fence {
            win,
            assertions: assertions(),
        },
        CallKind::Post => Call::Post {
            win,
            group: call.group(),
            assertions: assertions(),
        },
        CallKind::Start => Call::Start {
            win,
            group: call.group(),
            assertions: assertions(),
        },
        CallKind::Complete => Call::Complete { win },
        CallKind::Wait => Call::Wait { win, test: false },
        CallKind::Test => Call::Wait { win, test: true },
        CallKind::Lock => Call::Lock {
            win,
            target: target()?,
            kind: if call.int(Role::LockType) == call.numbers().lock_exclusive {
                LockKind::Exclusive
            } else {
                LockKind::Shared
            },
            assertions: assertions(),
        },
        CallKind::Unlock => Call::Unlock {
            win,
            target: target()?,
        },
        CallKind::LockAll => Call::LockAll {
            win,
            assertions: assertions(),
        },
        CallKind::UnlockAll => Call::UnlockAll { win },
        CallKind::Flush { all: true, local } => Call::Flush {
            win,
            target: None,
            local,
            channel: None,
        },
        CallKind::Flush { all: false, local } => Call::Flush {
            win,
            target: Some(target()?),
            local,
            channel: None,
        },
        CallKind::Sync => Call::Sync { win },
        CallKind::Free => Call::WinFree { win },
        CallKind::Attach => Call::Attach {
            win,
            address: call.address(Role::Base),
            size: call.aint(Role::Size).cast_unsigned(),
        },
        CallKind::Detach => Call::Detach {
            win,
            address: call.address(Role::Base),
        },
        // Not on a window.
        CallKind::Operation { .. }
        | CallKind::Notify
        | CallKind::Finalize
        | CallKind::ThreadWait
        | CallKind::Other => {
            return None;
        }
    })
}

/// Which of its process' operations on the window a call completes, at least at the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completes {
    /// None.
    Nothing,
    /// Those to this target.
    To(Rank),
    /// All.
    All,
}

impl Completes {
    /// What the call completes when it returns with success.
    pub fn of(call: &Call) -> Self {
        match call {
            Call::Fence { .. } | Call::Complete { .. } | Call::UnlockAll { .. } | Call::WinFree { .. } => {
                Self::All
            }
            Call::Unlock { target, .. } => Self::To(*target),
            Call::Flush { target, .. } => target.map_or(Self::All, Self::To),
            _ => Self::Nothing,
        }
    }
}
