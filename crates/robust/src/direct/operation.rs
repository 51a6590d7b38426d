//! Open operations, and the order in which the two stages of the queues let them go (Table 1: fa and fb).

use super::set::Set;
use farside_pgas::ast::{AtomicOperation, Order};

/// A memory cell of any process: rank times cells a process, plus cell.
pub(super) type Address = usize;

/// An operation that was issued, and is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    /// Whose it is.
    pub(super) rank: usize,
    pub(super) queue: usize,
    /// The other process.
    pub(super) target: usize,
    pub(super) handle: Option<usize>,
    /// Whether popb is its effect at the target: it is a write.
    pub(super) writes_target: bool,
    /// Positions of operations that must take effect at the target first; they are in front of it.
    pub(super) after: Set,
    /// Whether a fence after it puts it before all later ones of its queue to the same target.
    pub(super) fenced: bool,
    pub(super) stage: Stage,
}

/// How far it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// In fa: popa is next.
    Requested(Request),
    /// In fb: popb is next, and puts the value there.
    Delivering(Address, u32),
    /// In fb with nothing to put anywhere: leaves it when it is the first.
    Waiting,
}

/// What popa does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Reads the source.
    Copy { source: Address, destination: Address },
    /// Reads and writes at once.
    Atomic {
        at: Address,
        operation: AtomicOperation,
        /// In the domain.
        operand: u32,
        expected: Option<u32>,
        result: Option<Address>,
    },
}

impl Operation {
    /// Whether its effect at the target is done.
    pub(super) fn took_effect(&self) -> bool {
        !self.writes_target && !self.is_requested()
    }

    /// Whether popa is still to come.
    pub(super) fn is_requested(&self) -> bool {
        matches!(self.stage, Stage::Requested(_))
    }

    /// Whether it is of that queue and target.
    pub(super) fn is_to(&self, rank: usize, queue: usize, target: usize) -> bool {
        self.rank == rank && self.queue == queue && self.target == target
    }
}

/// What a pop of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pop {
    A,
    B,
}

/// Whether an operation that was issued earlier, by the same process or another, goes first in each stage.
fn goes_first(earlier: &Operation, later: &Operation, orders: &[Order]) -> bool {
    earlier.rank == later.rank
        && earlier.queue == later.queue
        && match orders[later.queue] {
            Order::Ordered => true,
            Order::PerTarget => earlier.target == later.target,
            Order::Unordered => false,
        }
}

/// The next pop of an operation, if its queue and its fences let it go now.
pub(super) fn next_pop(open: &[Operation], position: usize, orders: &[Order]) -> Option<Pop> {
    let operation = &open[position];
    let pop = match operation.stage {
        Stage::Requested(_) => Pop::A,
        Stage::Delivering(..) => Pop::B,
        Stage::Waiting => return None,
    };
    // First in, first out, in either stage; what is still in the first stage will be in the second.
    let mut earlier = open[..position]
        .iter()
        .filter(|earlier| goes_first(earlier, operation, orders));
    if earlier.any(|earlier| pop == Pop::B || earlier.is_requested()) {
        return None;
    }
    let takes_effect = operation.writes_target == (pop == Pop::B);
    (!takes_effect || operation.after.is_empty()).then_some(pop)
}

/// An operation with nothing to deliver that is the first of its queue.
pub(super) fn idle(open: &[Operation], orders: &[Order]) -> Option<usize> {
    (0..open.len()).find(|&position| {
        let operation = &open[position];
        let mut earlier = open[..position].iter();
        operation.stage == Stage::Waiting && !earlier.any(|earlier| goes_first(earlier, operation, orders))
    })
}
