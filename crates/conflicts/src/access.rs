//! What one call or instruction does to some bytes of one process.

use farside_events::{AccumulateOp, AccumulateOps};
use serde::{Deserialize, Serialize};

/// By what way the bytes are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// A load, store or library call of the process whose address space it is (or of a neighbour, on a shared window).
    Local,
    /// An atomic instruction.
    LocalAtomic,
    /// The origin side of an RMA operation: its origin, result or compare buffer.
    Origin,
    /// The target side of an RMA operation.
    Target,
}

/// What happens to the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Effect {
    /// They are read.
    Read,
    /// They are written.
    Write,
    /// They are updated element by element by an accumulate call.
    Update(Update),
}

/// The particulars of an accumulate at its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Update {
    /// The window: accumulates through different windows over the same memory are not atomic (MPI-4.1 §12.2.1).
    pub win: farside_events::WinId,
    /// The basic type, as an index that is equal for equal types.
    pub basic: u32,
    /// Bytes of one element.
    pub size: u32,
    /// Address of any element modulo `size`: where the elements lie.
    pub phase: u32,
    /// The operator; `None` for compare-and-swap, which no operator rule constrains.
    pub operator: Option<AccumulateOp>,
    /// The window's hint about operators.
    pub hint: AccumulateOps,
    /// Whether accumulates of one origin take effect in the order of their calls.
    pub ordered: bool,
    /// Whether its place in the order of all updates is taken to matter, as a value tells it that is read, or stays.
    pub order_shows: bool,
}

/// One access, as far as conflicts depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The process that performs it (for an operation: its origin).
    pub rank: farside_events::Rank,
    /// The way.
    pub role: Role,
    /// The effect.
    pub effect: Effect,
    /// The context or queue of an operation; the default one for what is none.
    pub channel: farside_events::ChannelId,
}

impl Effect {
    /// Whether the bytes may change.
    pub fn writes(self) -> bool {
        match self {
            Self::Read => false,
            Self::Write => true,
            Self::Update(update) => update.operator != Some(AccumulateOp::NoOp),
        }
    }

    /// `reads`, `writes` or `updates`.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write => "writes",
            Self::Update(_) if self.writes() => "updates",
            Self::Update(_) => "reads",
        }
    }
}
