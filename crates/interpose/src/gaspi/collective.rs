//! Barriers and reductions of groups (GASPI 17.1 §11).

use super::meeting::Meeting;
use super::{After, Call, SUCCESS, group};
use crate::memory;
use farside_calls::gaspi::Collective;
use farside_events::AccessKind;

/// `gaspi_barrier(group, timeout)`, `gaspi_allreduce(send, receive, number, operation, type, group, timeout)`,
/// `gaspi_allreduce_user(send, receive, number, size, function, state, group, timeout)`.
pub(super) fn meet(call: &Call, what: Collective) -> After {
    let (number, timeout, bytes) = match what {
        Collective::Barrier => (call.small(0), call.word(1), 0),
        Collective::Allreduce => {
            let bytes = call.number(2) as usize * size_of_type(call.number(4));
            (call.small(5), call.word(6), bytes)
        }
        Collective::AllreduceUser => {
            let bytes = (call.number(2) as usize).saturating_mul(call.address(3));
            (call.small(6), call.word(7), bytes)
        }
    };
    let touch = move |call: &Call, kind, place| {
        if bytes > 0 {
            let name = call.function().name();
            memory::library_access(kind, name, call.address(place), bytes, call.return_address());
        }
    };
    touch(call, AccessKind::Load, 0);
    let meeting = Meeting::begin(call, (number, group::comm(number)), timeout, &agreed(call, what))?;
    Some(Box::new(move |call: &Call, code| {
        meeting.end(code);
        if code == SUCCESS {
            touch(call, AccessKind::Store, 1);
        }
    }))
}

/// What all ranks give the same, and what this one gives.
fn agreed(call: &Call, what: Collective) -> Vec<(&'static str, u64)> {
    let value = |(name, place): &(&'static str, usize)| (*name, call.word(*place));
    what.agreed().iter().map(value).collect()
}

/// Bytes of a type, by the numbers of GPI-2.
fn size_of_type(number: u32) -> usize {
    match number {
        0..=2 => 4,
        3..=5 => 8,
        _ => 0,
    }
}
