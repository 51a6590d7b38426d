//! Symmetric memory that is allocated and freed (OpenSHMEM 1.5 §9.3), and that of others that is mapped here.

use super::collective::Entered;
use super::{After, Both, Call, enter, in_flight, leave, symmetric};
use crate::memory;
use crate::recorder::record;
use farside_events::{Call as Event, ChannelId, EventKind, Rank, SharedSegment, WinId, WindowFlavor};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Parts of others that are mapped here.
static MAPPED: Mutex<BTreeSet<(WinId, u32)>> = Mutex::new(BTreeSet::new());

/// `shmem_malloc` and its like: collective, with a barrier at its end. Nothing happens for no bytes.
pub(super) fn allocate(call: &Call, (bytes, times): (usize, Option<usize>)) -> After {
    let size = call
        .word(bytes)
        .saturating_mul(times.map_or(1, |times| call.word(times)));
    if size == 0 {
        return None;
    }
    let stack = call.stack();
    let entered = {
        in_flight::complete(Some(ChannelId::DEFAULT), stack);
        Entered::all(call, stack)
    };
    Some(Box::new(move |_, result| {
        entered.leave();
        if result.word != 0 {
            symmetric::make(result.word, size, WindowFlavor::Allocate, stack);
            symmetric::meet();
        }
    }))
}

/// `shmem_free(object)`: collective, with a barrier at its beginning.
pub(super) fn free(call: &Call) -> After {
    let win = symmetric::forget(call.word(0))?.win();
    let stack = call.stack();
    in_flight::complete(Some(ChannelId::DEFAULT), stack);
    enter(Event::UnlockAll { win }, stack);
    leave();
    enter(Event::WinFree { win }, stack);
    Some(Box::new(|_, _| leave()))
}

/// `shmem_ptr(object, pe)`: the part of another process may be mapped here.
pub(super) fn pointer() -> After {
    Some(Box::new(|call: &Call, result: Both| {
        let (address, pe) = (call.word(0), call.int(1));
        let (Some(object), Ok(pe)) = (symmetric::find(address), u32::try_from(pe)) else {
            return;
        };
        if result.word == 0 || result.word == address {
            return;
        }
        let is_new = MAPPED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert((object.win(), pe));
        if is_new {
            let base = result.word - (address - object.base());
            let segment = SharedSegment {
                owner: Rank(pe),
                base: base as u64,
                size: object.size() as u64,
            };
            record(EventKind::Mapped {
                win: object.win(),
                segment,
            });
            memory::track(base, object.size());
        }
    }))
}
