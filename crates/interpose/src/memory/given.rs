//! Memory of the program that windows have: that of `MPI_Win_create`, and what is attached. It must not end before a
//! window gives it back (MPI-4.1 §12.2.4, §12.2.5).

use crate::recorder::record;
use farside_events::{EventKind, Mistake, StackId, WinId};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

static GIVEN: Mutex<Vec<Given>> = Mutex::new(Vec::new());

/// What a window has.
#[derive(Clone, Copy, Debug)]
struct Given {
    window: WinId,
    base: usize,
    size: usize,
    /// The call that gave it.
    by: (&'static str, StackId),
    /// The program has freed it all the same.
    has_ended: bool,
}

fn all() -> MutexGuard<'static, Vec<Given>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call gives memory to a window.
pub(crate) fn give(window: WinId, (base, size): (usize, usize), by: (&'static str, StackId)) {
    all().push(Given {
        window,
        base,
        size,
        by,
        has_ended: false,
    });
}

/// A window gives back what begins there, or all of it.
pub(crate) fn give_back(window: WinId, base: Option<usize>) {
    all().retain(|given| given.window != window || base.is_some_and(|base| base != given.base));
}

/// A call of this name ends memory. That a window has it still is told, once.
pub(crate) fn end(name: &str, memory: &Range<usize>, stack: impl FnOnce() -> StackId) {
    let by = {
        let mut all = all();
        let is_part = |given: &&mut Given| given.base < memory.end && memory.start < given.base + given.size;
        let first = all.iter_mut().filter(|given| !given.has_ended).find(is_part);
        first.map(|given| {
            given.has_ended = true;
            given.by
        })
    };
    if let Some((by, since)) = by {
        record(EventKind::Mistaken {
            mistake: Mistake::OfWindow,
            name: name.into(),
            stack: stack(),
            earlier: Some((by.into(), since)),
        });
    }
}
