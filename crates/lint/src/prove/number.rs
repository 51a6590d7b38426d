//! Numbers of one process of any job, and why there may be none.

use super::affine::Term;
use super::question::Condition;
use crate::ir::PlaceId;

/// What a register holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Number {
    /// The same in all processes: bits, zero-extended.
    Known(u64),
    /// A number in the rank and the number of ranks.
    Term(Term),
    /// An address: an object and the distance from its start.
    Pointer(u32, Term),
    /// Any value: what was read, received, or is not followed.
    #[default]
    Any,
}

/// Why an instruction has no result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// A condition holds of some processes only.
    Fork(Condition),
    /// A condition that is not known at all.
    Either,
    /// The program does what is not followed: why.
    Outside(String),
    /// Likewise, not at the instruction at hand.
    Elsewhere(Outside),
}

/// Why there is no proof: what the program does, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outside {
    pub(super) place: PlaceId,
    pub(super) reason: String,
}
