//! What instructions do, and how control leaves a block.

use super::{
    Arithmetic, AtomicOperator, BlockId, Conversion, FloatArithmetic, FloatPredicate, Operand, Ordering,
    Predicate, Type,
};
use serde::{Deserialize, Serialize};

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // Field names say it.
pub enum Action {
    /// A local variable of `size` times `count` bytes.
    Allocate {
        size: u64,
        count: Operand,
        name: String,
        /// Whether the sources declare it by that name; else the compiler made it, or nobody knows.
        declared: bool,
        /// As [`Global::arrays`](super::Global::arrays).
        arrays: Option<Vec<u64>>,
    },
    Load {
        address: Operand,
        ty: Type,
        atomic: Option<Ordering>,
    },
    Store {
        address: Operand,
        value: Operand,
        ty: Type,
        atomic: Option<Ordering>,
    },
    /// `base + constant + sum of index (sign-extended from its bits) * scale`.
    Offset {
        base: Operand,
        constant: i64,
        terms: Vec<(Operand, u32, i64)>,
    },
    Arithmetic {
        operator: Arithmetic,
        bits: u32,
        left: Operand,
        right: Operand,
    },
    FloatArithmetic {
        operator: FloatArithmetic,
        ty: Type,
        left: Operand,
        right: Operand,
    },
    Compare {
        predicate: Predicate,
        bits: u32,
        left: Operand,
        right: Operand,
    },
    FloatCompare {
        predicate: FloatPredicate,
        ty: Type,
        left: Operand,
        right: Operand,
    },
    Convert {
        conversion: Conversion,
        from: Type,
        to: Type,
        value: Operand,
    },
    Select {
        condition: Operand,
        yes: Operand,
        no: Operand,
    },
    Call {
        callee: Operand,
        arguments: Vec<Operand>,
    },
    /// An atomic read-modify-write; the result is the old value.
    AtomicUpdate {
        operator: AtomicOperator,
        address: Operand,
        value: Operand,
        ty: Type,
        ordering: Ordering,
    },
    /// The result is the old value and whether it was exchanged.
    CompareExchange {
        address: Operand,
        expected: Operand,
        replacement: Operand,
        ty: Type,
        ordering: Ordering,
    },
    Fence(Ordering),
    /// Where an exception arrives: the exception and a number that says which handler takes it.
    LandingPad,
    Extract {
        aggregate: Operand,
        path: Vec<u32>,
    },
    Insert {
        aggregate: Operand,
        value: Operand,
        path: Vec<u32>,
    },
    /// Something that is not followed; the result is unknown.
    Unknown,
}

/// How control leaves a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum End {
    Goto(BlockId),
    Branch {
        condition: Operand,
        yes: BlockId,
        no: BlockId,
    },
    Switch {
        value: Operand,
        cases: Vec<(u64, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    /// The last instruction is a call that may throw: where control goes if it returns, and if it throws.
    Invoke {
        normal: BlockId,
        unwind: BlockId,
    },
    /// An exception goes on to the caller.
    Resume,
    Unreachable,
    /// A jump that is not followed.
    Unknown,
}

impl Action {
    /// Hands on each operand.
    pub fn for_each_operand<'a>(&'a self, mut take: impl FnMut(&'a Operand)) {
        match self {
            Self::Allocate { count: operand, .. }
            | Self::Load { address: operand, .. }
            | Self::Convert { value: operand, .. }
            | Self::Extract {
                aggregate: operand, ..
            } => take(operand),
            Self::Store { address, value, .. } | Self::AtomicUpdate { address, value, .. } => {
                [address, value].into_iter().for_each(take);
            }
            Self::Offset { base, terms, .. } => {
                take(base);
                terms.iter().for_each(|(index, _, _)| take(index));
            }
            Self::Arithmetic { left, right, .. }
            | Self::FloatArithmetic { left, right, .. }
            | Self::Compare { left, right, .. }
            | Self::FloatCompare { left, right, .. } => [left, right].into_iter().for_each(take),
            Self::Select { condition, yes, no } => [condition, yes, no].into_iter().for_each(take),
            Self::Call { callee, arguments } => {
                take(callee);
                arguments.iter().for_each(take);
            }
            Self::CompareExchange {
                address,
                expected,
                replacement,
                ..
            } => [address, expected, replacement].into_iter().for_each(take),
            Self::Insert { aggregate, value, .. } => [aggregate, value].into_iter().for_each(take),
            Self::Fence(_) | Self::LandingPad | Self::Unknown => {}
        }
    }
}
