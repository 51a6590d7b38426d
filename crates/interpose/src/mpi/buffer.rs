//! User buffers of messages and collectives: the library loads and stores them on behalf of the program.
//!
//! Only memory that is watched matters, so nothing is done as long as there is none.

use super::datatype::Datatype;
use crate::memory;
use farside_events::AccessKind;
use std::sync::Arc;
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

/// Elements in memory, as a call names them.
#[derive(Clone)]
pub(super) struct Elements {
    pub(super) address: usize,
    pub(super) count: u64,
    pub(super) datatype: Arc<Datatype>,
}

/// Buffers of one call.
#[derive(Clone, Default)]
pub(super) struct Buffers(pub(super) Vec<Elements>);

impl Buffers {
    pub(super) fn add(&mut self, address: usize, count: i64, datatype: &Option<Arc<Datatype>>) {
        if let (Some(datatype), Ok(count @ 1..)) = (datatype, u64::try_from(count)) {
            self.0.push(Elements {
                address,
                count,
                datatype: Arc::clone(datatype),
            });
        }
    }

    /// The call `name`, which returns to `pc`, loads or stores these now.
    pub(super) fn access(&self, kind: AccessKind, name: &'static str, pc: usize) {
        if !any_watched() {
            return;
        }
        for elements in &self.0 {
            let (start, length) = elements.datatype.span(elements.address, elements.count);
            if !memory::watched(start, length) {
                continue;
            }
            elements
                .datatype
                .pieces(elements.address, elements.count, |address, length| {
                    memory::library_access(kind, name, address, length, pc);
                });
        }
    }
}
