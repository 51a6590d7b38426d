//! What takes part in a finding: a load, a store, a call. Which word a program's interface has for it, the phrasebook
//! says.

use farside_events::{Call, CallKind, Interface, Rank, WindowFlavor};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an access or a call is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Name {
    /// A load instruction.
    Load,
    /// A store instruction.
    Store,
    /// A call that the detector knows, of the interface that the finding is told in.
    Call(CallKind),
    /// One of this interface.
    CallOf(Interface, CallKind),
    /// The call that makes such a window.
    Making(WindowFlavor),
    /// As the stream has it: a library function, a collective, a message.
    Text(Arc<str>),
}

impl Name {
    /// The name of a call of this interface that is entered, and the rank that it is directed to.
    #[must_use]
    pub fn of(call: &Call, interface: Interface) -> (Self, Option<Rank>) {
        let text = |name: &str| Self::Text(Arc::from(name));
        match call {
            Call::Collective { name, .. } | Call::Completion { name } => (text(name), None),
            Call::Send { name, dest, .. } => (text(name), *dest),
            Call::Await { name, .. } => (text(name), None),
            Call::Receive { name, source, .. } => (text(name), *source),
            Call::Lock { target, .. } | Call::Unlock { target, .. } => {
                (Self::CallOf(interface, CallKind::of(call)), Some(*target))
            }
            Call::Flush { target, .. } => (Self::CallOf(interface, CallKind::of(call)), *target),
            // What is called without a window belongs to no interface that a window tells.
            _ if call.window().is_none() => (Self::Call(CallKind::of(call)), None),
            _ => (Self::CallOf(interface, CallKind::of(call)), None),
        }
    }
}

impl From<CallKind> for Name {
    fn from(kind: CallKind) -> Self {
        Self::Call(kind)
    }
}
