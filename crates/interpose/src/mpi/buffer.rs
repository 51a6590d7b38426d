//! User buffers of messages and collectives: the library loads and stores them on behalf of the program.
//!
//! Only memory that is watched matters, so nothing is done as long as there is none.

use crate::memory;
use farside_calls::datatype::Elements;
use farside_events::AccessKind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Ranges that are watched now.
static WATCHED: AtomicUsize = AtomicUsize::new(0);

/// Whether any memory is watched.
pub(super) fn any_watched() -> bool {
    WATCHED.load(Ordering::Relaxed) != 0
}

/// Starts to watch a range.
pub(super) fn watch(address: usize, length: usize) {
    if length > 0 {
        WATCHED.fetch_add(1, Ordering::Relaxed);
        memory::track(address, length);
    }
}

/// Ends one [`watch`] of the same range.
pub(super) fn unwatch(address: usize, length: usize) {
    if length > 0 {
        WATCHED.fetch_sub(1, Ordering::Relaxed);
        memory::untrack(address, length);
    }
}

/// The call `name`, which returns to `pc`, loads or stores these elements now.
pub(super) fn access<'e>(
    buffers: impl IntoIterator<Item = &'e Elements>,
    kind: AccessKind,
    name: &'static str,
    pc: usize,
) {
    if !any_watched() {
        return;
    }
    for elements in buffers {
        let (start, length) = elements.span();
        if memory::watched(start as usize, length as usize) {
            for (address, length) in elements.pieces() {
                memory::library_access(kind, name, address as usize, length as usize, pc);
            }
        }
    }
}
