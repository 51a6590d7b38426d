//! What the detector takes as it was in the run, and what is open without it: that any order of atomic operations is
//! right, that locks exclude, and that values that were read stay what they were.

use farside_events::{Call, Event, EventKind, LockKind, OperationKind};
use farside_race::{Options, Polling, Updates};

/// Atomic operations conflict where their order shows, and so does what is read again and again.
pub(crate) fn without(options: Options) -> Options {
    Options {
        updates: Updates::Ordered,
        polling: Polling::Report,
        ..options
    }
}

/// Nothing is left open for locks or, where they do not count, values; whether the event is left.
pub(crate) fn take(event: &mut Event, values: bool) -> bool {
    match &mut event.kind {
        EventKind::Enter {
            call: Call::Lock { kind, .. },
            ..
        } => *kind = LockKind::Shared,
        EventKind::Fetched { .. } | EventKind::Seen { .. } => return values,
        _ => {}
    }
    true
}

/// Whether an event makes a difference there.
pub(crate) fn need(kind: &EventKind) -> bool {
    match kind {
        EventKind::Enter { call, .. } => matches!(
            call,
            Call::Lock {
                kind: LockKind::Exclusive,
                ..
            }
        ),
        EventKind::Operation(operation) => !matches!(operation.kind, OperationKind::Put | OperationKind::Get),
        EventKind::Seen { .. } => true,
        _ => false,
    }
}
