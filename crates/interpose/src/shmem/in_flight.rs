//! Operations that are not known to be complete: which objects they use, and which buffers.

use super::{enter, leave};
use crate::memory;
use farside_events::{Call as Entered, StackId, WinId};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was used since the last quiet.
#[derive(Debug)]
struct Open {
    wins: BTreeSet<WinId>,
    /// Buffers that are in use until then, which are watched.
    buffers: Vec<(usize, usize)>,
}

static OPEN: Mutex<Open> = Mutex::new(Open {
    wins: BTreeSet::new(),
    buffers: Vec::new(),
});

fn open() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An operation was issued on a window, and uses a buffer until a quiet.
pub(super) fn used(win: WinId, buffer: Option<(usize, usize)>) {
    let mut open = open();
    open.wins.insert(win);
    if let Some((address, length)) = buffer {
        memory::track(address, length);
        open.buffers.push((address, length));
    }
}

/// All operations of this process are complete.
pub(super) fn complete(stack: StackId) {
    let (wins, buffers) = {
        let mut open = open();
        (std::mem::take(&mut open.wins), std::mem::take(&mut open.buffers))
    };
    for win in wins {
        enter(
            Entered::Flush {
                win,
                target: None,
                local: false,
            },
            stack,
        );
        leave();
    }
    for (address, length) in buffers {
        memory::untrack(address, length);
    }
}

/// Whether there are any.
pub(super) fn any() -> bool {
    !open().wins.is_empty()
}
