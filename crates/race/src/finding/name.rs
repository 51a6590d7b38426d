//! What takes part in a finding: a load, a store, a call. Which word a program's interface has for it, the phrasebook
//! says.

use farside_events::{Call, OperationKind, Rank};
use std::sync::Arc;

/// A call of the standard, without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The variants are the names of the standard.
pub enum CallKind {
    /// A one-sided operation.
    Operation {
        kind: OperationKind,
        request: bool,
    },
    Fence,
    Post,
    Start,
    Complete,
    Wait,
    Test,
    Lock,
    LockAll,
    Unlock,
    UnlockAll,
    /// All four forms of flush.
    Flush {
        all: bool,
        local: bool,
    },
    Sync,
    Free,
    Attach,
    Detach,
    Finalize,
    /// A thread waits for another of its process.
    ThreadWait,
    /// A call whose name only the stream knows.
    Other,
}

impl CallKind {
    /// The kind of a call that is entered.
    pub fn of(call: &Call) -> Self {
        match call {
            Call::Fence { .. } => Self::Fence,
            Call::Post { .. } => Self::Post,
            Call::Start { .. } => Self::Start,
            Call::Complete { .. } => Self::Complete,
            Call::Wait { test: false, .. } => Self::Wait,
            Call::Wait { test: true, .. } => Self::Test,
            Call::Lock { .. } => Self::Lock,
            Call::LockAll { .. } => Self::LockAll,
            Call::Unlock { .. } => Self::Unlock,
            Call::UnlockAll { .. } => Self::UnlockAll,
            Call::Flush { target, local, .. } => Self::Flush {
                all: target.is_none(),
                local: *local,
            },
            Call::Sync { .. } => Self::Sync,
            Call::WinFree { .. } => Self::Free,
            Call::Attach { .. } => Self::Attach,
            Call::Detach { .. } => Self::Detach,
            Call::Finalize => Self::Finalize,
            Call::ThreadWait { .. } => Self::ThreadWait,
            Call::Collective { .. } | Call::Completion { .. } | Call::Send { .. } | Call::Receive { .. } => {
                Self::Other
            }
        }
    }

    /// The lock call for a target, or for all.
    pub(crate) fn lock(target: Option<Rank>) -> Self {
        match target {
            Some(_) => Self::Lock,
            None => Self::LockAll,
        }
    }
}

/// What an access or a call is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A load instruction.
    Load,
    /// A store instruction.
    Store,
    /// A call that the detector knows.
    Call(CallKind),
    /// As the stream has it: a library function, a collective, a message.
    Text(Arc<str>),
}

impl Name {
    /// The name of a call that is entered, and the rank that it is directed to.
    pub(crate) fn of(call: &Call) -> (Self, Option<Rank>) {
        let text = |name: &str| Self::Text(Arc::from(name));
        match call {
            Call::Collective { name, .. } | Call::Completion { name } => (text(name), None),
            Call::Send { name, dest, .. } => (text(name), *dest),
            Call::Receive { name, source, .. } => (text(name), *source),
            Call::Lock { target, .. } | Call::Unlock { target, .. } => {
                (Self::Call(CallKind::of(call)), Some(*target))
            }
            Call::Flush { target, .. } => (Self::Call(CallKind::of(call)), *target),
            _ => (Self::Call(CallKind::of(call)), None),
        }
    }
}

impl From<CallKind> for Name {
    fn from(kind: CallKind) -> Self {
        Self::Call(kind)
    }
}
