//! Which thread does something, and where.

use crate::ir::PlaceId;
use farside_events::StackId;

/// A thread, by its process and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) rank: u32,
    pub(crate) thread: usize,
}

/// Who makes a call, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) rank: u32,
    pub(crate) thread: usize,
    pub(crate) place: PlaceId,
    /// The stack with `place` as its innermost frame.
    pub(crate) stack: StackId,
}

impl At {
    /// The thread that a process begins with.
    pub(crate) fn first(rank: u32) -> Self {
        Self { rank, thread: 0 }
    }
}

impl Site {
    /// Who makes the call.
    pub(crate) fn at(&self) -> At {
        At {
            rank: self.rank,
            thread: self.thread,
        }
    }
}
