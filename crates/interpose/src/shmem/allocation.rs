//! Symmetric memory that is allocated and freed (OpenSHMEM 1.5 §9.3), and that of others that is mapped here.

use super::collective::Entered;
use super::{After, Call, in_flight, symmetric};
use crate::machine::Both;
use crate::memory;
use crate::recorder::record;
use farside_events::{ChannelId, EventKind, Rank, SharedSegment, WinId, WindowFlavor};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Parts of others that are mapped here.
static MAPPED: Mutex<BTreeSet<(WinId, u32)>> = Mutex::new(BTreeSet::new());

/// `shmem_malloc` and its like: collective, with a barrier at its end. Nothing happens for no bytes.
pub(super) fn allocate(call: &Call, (bytes, times): (usize, Option<usize>)) -> After {
    let size = call
        .word(bytes)
        .saturating_mul(times.map_or(1, |times| call.word(times)));
    make(call, size)
}

fn make(call: &Call, size: usize) -> After {
    if size == 0 {
        return None;
    }
    let stack = call.stack();
    in_flight::complete(Some(ChannelId::DEFAULT), stack);
    let entered = Entered::all(call, stack);
    entered.agree("the size", size as u64);
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
    let object = symmetric::find(call.word(0))?;
    let stack = call.stack();
    in_flight::complete(Some(ChannelId::DEFAULT), stack);
    let entered = Entered::all(call, stack);
    entered.agree("the number of the allocation", object.number());
    Some(Box::new(move |call, _| {
        entered.leave();
        symmetric::end(object, (call.function().name(), stack));
    }))
}

/// `shmem_realloc(object, size)`: as allocating where there is no object, as freeing for no bytes; else the object is
/// no more, and another one is made, wherever it lies. One of its two barriers is there (§9.3.1): all have come.
pub(super) fn reallocate(call: &Call) -> After {
    let (address, size) = (call.word(0), call.word(1));
    match (address, size) {
        (0, _) => return make(call, size),
        (_, 0) => return free(call),
        _ => {}
    }
    let object = symmetric::find(address)?;
    let stack = call.stack();
    in_flight::complete(Some(ChannelId::DEFAULT), stack);
    let entered = Entered::all(call, stack);
    entered.agree("the number of the allocation", object.number());
    entered.agree("the size", size as u64);
    Some(Box::new(move |call, result| {
        entered.leave();
        if result.word != 0 {
            symmetric::end(object, (call.function().name(), stack));
            // Nobody writes to the new one before all have given up the old one.
            symmetric::meet();
            symmetric::make(result.word, size, WindowFlavor::Allocate, stack);
            symmetric::meet();
        }
    }))
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
