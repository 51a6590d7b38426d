//! What somebody may be waiting for.
//!
//! A process that polls a word, or waits for it, comes to its end when the operation that leaves the value has reached
//! the word. No rule of MPI says that it does before a call that completes it. So a flush after which its process
//! waits for others must stay if values are awaited: without it the two might wait for each other for ever, which no
//! judgement of accesses shows. A fetching operation has reached its target when it is complete at its origin.
//!
//! A process waits in every call that others can keep it in, and wherever it looks at a value. It need not wait any
//! more for what an unlock, or the end of the window, completes: these are not taken away while operations need them.

use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;

/// What must not be taken away from a completing call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Awaited {
    /// Anything may be.
    #[default]
    Nothing,
    /// Completion at the origin.
    AtOrigin,
    /// Completion at the target.
    AtTarget,
}

/// Completing calls whose operations would be open without them.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// By process: the call, its window, and what it gives.
    loose: HashMap<Rank, Vec<(usize, WinId, Awaited)>>,
    awaited: Vec<(usize, Awaited)>,
    values: bool,
}

impl Progress {
    /// A call completes operations that are open.
    pub(super) fn complete(&mut self, rank: Rank, visit: usize, win: WinId, gives: Awaited) {
        if gives != Awaited::Nothing {
            self.loose.entry(rank).or_default().push((visit, win, gives));
        }
    }

    /// All operations of a process on a window are complete by a call that stays.
    pub(super) fn settle(&mut self, rank: Rank, win: WinId) {
        if let Some(loose) = self.loose.get_mut(&rank) {
            loose.retain(|(_, of, _)| *of != win);
        }
    }

    /// A process may wait for others.
    pub(super) fn wait(&mut self, rank: Rank) {
        let loose = self.loose.remove(&rank);
        self.awaited.extend(
            loose
                .into_iter()
                .flatten()
                .map(|(visit, _, gives)| (visit, gives)),
        );
    }

    /// A process looks at a value that others leave.
    pub(super) fn look(&mut self, rank: Rank) {
        self.values = true;
        self.wait(rank);
    }

    /// The calls of which something must stay.
    pub(super) fn awaited(&self) -> impl Iterator<Item = (usize, Awaited)> {
        let all = self.awaited.iter().filter(|_| self.values);
        all.copied()
    }
}
