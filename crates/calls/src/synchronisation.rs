//! Synchronising calls on a window (MPI-4.1 §12.5): the event that a call is recorded as, and what it completes.

use crate::arguments::{Arguments, Window};
use crate::mpi::Synchronisation;
use crate::signature::Role;
use farside_events::{Call, LockKind, Rank};

/// The call as an event says it; `None` if its window is not known, or its target is `MPI_PROC_NULL`.
pub fn synchronising_call<A: Arguments>(
    meaning: Synchronisation,
    call: &A,
    window: &A::Window,
) -> Option<Call> {
    let win = window.id();
    let assertions = || call.numbers().assertions(call.int(Role::Assertion));
    let target = || window.peer(call.int(Role::TargetRank));
    Some(match meaning {
        Synchronisation::Fence => Call::Fence {
            win,
            assertions: assertions(),
        },
        Synchronisation::Post => Call::Post {
            win,
            group: call.group(),
            assertions: assertions(),
        },
        Synchronisation::Start => Call::Start {
            win,
            group: call.group(),
            assertions: assertions(),
        },
        Synchronisation::Complete => Call::Complete { win },
        Synchronisation::Wait => Call::Wait { win, test: false },
        Synchronisation::Test => Call::Wait { win, test: true },
        Synchronisation::Lock => Call::Lock {
            win,
            target: target()?,
            kind: if call.int(Role::LockType) == call.numbers().lock_exclusive {
                LockKind::Exclusive
            } else {
                LockKind::Shared
            },
            assertions: assertions(),
        },
        Synchronisation::Unlock => Call::Unlock {
            win,
            target: target()?,
        },
        Synchronisation::LockAll => Call::LockAll {
            win,
            assertions: assertions(),
        },
        Synchronisation::UnlockAll => Call::UnlockAll { win },
        Synchronisation::Flush { local } => Call::Flush {
            win,
            target: match call.signature().has(Role::TargetRank) {
                true => Some(target()?),
                false => None,
            },
            local,
        },
        Synchronisation::Sync => Call::Sync { win },
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
