//! Numbers and operators in SMT-LIB 2: bit vectors.

use crate::ir::{Arithmetic, Predicate};

/// A number of 64 bits.
pub(super) fn constant(value: u64) -> String {
    format!("#x{value:016x}")
}

/// The low bits of a number.
pub(super) fn low(value: &str, bits: u32) -> String {
    match bits {
        64.. => value.to_owned(),
        bits => format!("((_ extract {} 0) {value})", bits - 1),
    }
}

/// A number of so many bits in 64.
pub(super) fn wide(value: &str, bits: u32) -> String {
    match bits {
        64.. => value.to_owned(),
        1 => format!("((_ zero_extend 63) {value})"),
        bits => format!("((_ sign_extend {}) {value})", 64 - bits),
    }
}

/// The operator on bit vectors.
pub(super) fn operation(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Add => "bvadd",
        Arithmetic::Sub => "bvsub",
        Arithmetic::Mul => "bvmul",
        Arithmetic::UDiv => "bvudiv",
        Arithmetic::URem => "bvurem",
        Arithmetic::SDiv => "bvsdiv",
        Arithmetic::SRem => "bvsrem",
        Arithmetic::And => "bvand",
        Arithmetic::Or => "bvor",
        Arithmetic::Xor => "bvxor",
        Arithmetic::Shl => "bvshl",
        Arithmetic::LShr => "bvlshr",
        Arithmetic::AShr => "bvashr",
    }
}

/// Sign-extended numbers of one width are in the order of these without a sign, too.
pub(super) fn relation(predicate: Predicate) -> Option<&'static str> {
    Some(match predicate {
        Predicate::Eq => "=",
        Predicate::Ult => "bvult",
        Predicate::Ule => "bvule",
        Predicate::Slt => "bvslt",
        Predicate::Sle => "bvsle",
        Predicate::Ne | Predicate::Ugt | Predicate::Uge | Predicate::Sgt | Predicate::Sge => return None,
    })
}
