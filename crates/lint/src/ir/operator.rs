//! Operators, comparisons, conversions, and what atomic accesses order.

use crate::value::signed;
use serde::{Deserialize, Serialize};

/// Integer operators, as LLVM names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// Floating-point operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatArithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Neg,
}

/// Integer comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Predicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Floating-point comparisons; `unordered` is the answer for NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct FloatPredicate {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    pub unordered: bool,
}

/// Conversions of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Conversion {
    ZeroExtend,
    SignExtend,
    Truncate,
    Keep,
    FloatToFloat,
    SignedToFloat,
    UnsignedToFloat,
    FloatToSigned,
    FloatToUnsigned,
}

/// What an atomic access orders besides itself (C11 §7.17.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Ordering {
    Relaxed,
    Acquire,
    Release,
    /// Acquire and release, or stronger.
    Both,
}

impl Ordering {
    /// Whether what came before is made known.
    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::Both)
    }

    /// Whether what was made known is learnt.
    pub fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::Both)
    }
}

/// Atomic updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum AtomicOperator {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    Other,
}

impl Arithmetic {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::UDiv,
        Self::URem,
        Self::SDiv,
        Self::SRem,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::LShr,
        Self::AShr,
    ];

    /// Whether it is a quotient or a remainder.
    #[must_use]
    pub fn divides(self) -> bool {
        matches!(self, Self::UDiv | Self::URem | Self::SDiv | Self::SRem)
    }

    /// What it makes of two numbers of so many bits, of which only so many count in the result; `None` for a division
    /// by zero.
    #[must_use]
    pub fn of(self, bits: u32, a: u64, b: u64) -> Option<u64> {
        let (sa, sb) = (signed(a, bits), signed(b, bits));
        Some(match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Mul => a.wrapping_mul(b),
            Self::UDiv => a.checked_div(b)?,
            Self::URem => a.checked_rem(b)?,
            Self::SDiv => sa.checked_div(sb)? as u64,
            Self::SRem => sa.checked_rem(sb)? as u64,
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::Shl => a.checked_shl(b as u32).unwrap_or(0),
            Self::LShr => a.checked_shr(b as u32).unwrap_or(0),
            Self::AShr => sa.checked_shr(b as u32).unwrap_or(0) as u64,
        })
    }
}

impl Predicate {
    /// Whether it holds of two numbers of so many bits.
    #[must_use]
    pub fn holds(self, bits: u32, a: u64, b: u64) -> bool {
        let (sa, sb) = (signed(a, bits), signed(b, bits));
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Ugt => a > b,
            Self::Uge => a >= b,
            Self::Ult => a < b,
            Self::Ule => a <= b,
            Self::Sgt => sa > sb,
            Self::Sge => sa >= sb,
            Self::Slt => sa < sb,
            Self::Sle => sa <= sb,
        }
    }
}
