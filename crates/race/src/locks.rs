//! Lock epochs and the order between them.
//!
//! Source: MPI-4.1 §12.5.3; Hoefler et al. 2014, §3.2. Two epochs on one lock, of which one is exclusive, exclude each
//! other. Which of them came first is an accident of the run, so that their order alone must not order what lies
//! around them: else a race would be seen or hidden by chance. As in the weak causal order of Kini, Mathur and
//! Viswanathan (PLDI 2017), the release of an epoch is ordered before a later epoch's access only from the first
//! access of the later one that conflicts with an access of the earlier: then the later one has seen it.
//!
//! Deviation: the order taken from a conflicting access holds for everything that the thread does after it.

use crate::finding::Site;
use farside_clocks::{Epoch, VectorClock};
use farside_events::{LockKind, Rank, WinId};
use std::cell::{Cell, RefCell};

/// One epoch between a lock and its unlock.
#[derive(Debug)]
pub(crate) struct LockEpoch {
    pub(crate) win: WinId,
    /// `None` for `MPI_Win_lock_all`.
    pub(crate) target: Option<Rank>,
    pub(crate) kind: LockKind,
    pub(crate) rank: Rank,
    pub(crate) nocheck: bool,
    pub(crate) site: Site,
    /// What the process knew when it let go of the lock, its operations in the epoch being complete.
    pub(crate) released: RefCell<Option<VectorClock>>,
    /// The moment of release.
    pub(crate) release: Cell<Option<Epoch>>,
}

impl LockEpoch {
    /// Whether the two cannot be open at the same time.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        self.win == other.win
            && self.rank != other.rank
            && (self.target == other.target || self.target.is_none() || other.target.is_none())
            && (self.kind == LockKind::Exclusive || other.kind == LockKind::Exclusive)
    }
}
