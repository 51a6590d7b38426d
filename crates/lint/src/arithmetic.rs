//! What operators compute.

use crate::ir::{Arithmetic, AtomicOperator, Conversion, FloatArithmetic, FloatPredicate, Predicate, Type};
use crate::value::{NEGATED, Scalar, derived, is_mapped, mask, signed};

/// An integer operation on numbers. Division by zero gives zero: the program is wrong, but not in its memory.
#[inline]
pub(crate) fn integers(operator: Arithmetic, bits: u32, left: u64, right: u64) -> u64 {
    mask(operator.of(bits, left, right).unwrap_or(0), bits)
}

/// An integer operation.
pub(crate) fn integer(operator: Arithmetic, bits: u32, left: Scalar, right: Scalar) -> Scalar {
    // `!condition` is the same condition, negated.
    let symbol = match (operator, bits, right) {
        (Arithmetic::Xor, 1, Scalar { bits: 1, symbol: 0 }) if !left.is_known() => left.symbol ^ NEGATED,
        _ => derived((operator as u8, bits), &[left, right]),
    };
    Scalar {
        bits: integers(operator, bits, left.bits, right.bits),
        symbol,
    }
}

/// A comparison of integers. `ne` and `eq` of the same operands share a symbol's decision through `negated`.
pub(crate) fn compare(predicate: Predicate, bits: u32, left: Scalar, right: Scalar) -> Scalar {
    let holds = predicate.holds(bits, left.bits, right.bits);
    let (normal, negated) = match predicate {
        Predicate::Ne => (Predicate::Eq, true),
        Predicate::Ugt => (Predicate::Ule, true),
        Predicate::Uge => (Predicate::Ult, true),
        Predicate::Sgt => (Predicate::Sle, true),
        Predicate::Sge => (Predicate::Slt, true),
        normal => (normal, false),
    };
    let asks_for_address = matches!(normal, Predicate::Eq)
        .then(|| is_mapped(left, right))
        .flatten();
    let mut symbol = asks_for_address.unwrap_or_else(|| derived(("compare", normal as u8), &[left, right]));
    if negated && symbol != 0 {
        symbol |= NEGATED;
    }
    Scalar {
        bits: u64::from(holds),
        symbol,
    }
}

/// A number in the 64 bits in which all arithmetic is done.
#[inline]
fn widen(ty: &Type, bits: u64) -> f64 {
    match ty {
        Type::Float => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// A number in the bits of its type.
#[inline]
fn narrow(ty: &Type, value: f64) -> u64 {
    match ty {
        Type::Float => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// A floating-point operation on numbers.
#[inline]
pub(crate) fn floats(operator: FloatArithmetic, ty: &Type, left: u64, right: u64) -> u64 {
    let (a, b) = (widen(ty, left), widen(ty, right));
    let result = match operator {
        FloatArithmetic::Add => a + b,
        FloatArithmetic::Sub => a - b,
        FloatArithmetic::Mul => a * b,
        FloatArithmetic::Div => a / b,
        FloatArithmetic::Rem => a % b,
        FloatArithmetic::Neg => -a,
    };
    narrow(ty, result)
}

/// A floating-point operation.
pub(crate) fn float(operator: FloatArithmetic, ty: &Type, left: Scalar, right: Scalar) -> Scalar {
    Scalar {
        bits: floats(operator, ty, left.bits, right.bits),
        symbol: derived(("float", operator as u8), &[left, right]),
    }
}

/// A comparison of floating-point numbers that are known.
#[inline]
pub(crate) fn floats_compare(predicate: FloatPredicate, ty: &Type, left: u64, right: u64) -> bool {
    match widen(ty, left).partial_cmp(&widen(ty, right)) {
        Some(std::cmp::Ordering::Less) => predicate.less,
        Some(std::cmp::Ordering::Equal) => predicate.equal,
        Some(std::cmp::Ordering::Greater) => predicate.greater,
        None => predicate.unordered,
    }
}

/// A comparison of floating-point numbers.
pub(crate) fn float_compare(predicate: FloatPredicate, ty: &Type, left: Scalar, right: Scalar) -> Scalar {
    let key = (
        predicate.less,
        predicate.equal,
        predicate.greater,
        predicate.unordered,
    );
    Scalar {
        bits: u64::from(floats_compare(predicate, ty, left.bits, right.bits)),
        symbol: derived(key, &[left, right]),
    }
}

/// The bits of a number, as conversions see it.
fn width(ty: &Type) -> u32 {
    match ty {
        Type::Integer(bits) => *bits,
        Type::Float => 32,
        _ => 64,
    }
}

/// A conversion of a number.
#[inline]
pub(crate) fn converted(conversion: Conversion, from: &Type, to: &Type, value: u64) -> u64 {
    match conversion {
        Conversion::ZeroExtend | Conversion::Keep => value,
        Conversion::Truncate => mask(value, width(to)),
        Conversion::SignExtend => mask(signed(value, width(from)) as u64, width(to)),
        Conversion::FloatToFloat => narrow(to, widen(from, value)),
        Conversion::SignedToFloat => narrow(to, signed(value, width(from)) as f64),
        Conversion::UnsignedToFloat => narrow(to, value as f64),
        Conversion::FloatToSigned => mask(widen(from, value) as i64 as u64, width(to)),
        Conversion::FloatToUnsigned => mask(widen(from, value) as u64, width(to)),
    }
}

/// A conversion.
pub(crate) fn convert(conversion: Conversion, from: &Type, to: &Type, value: Scalar) -> Scalar {
    // Widening keeps the value, and so what is known of it.
    let symbol = match conversion {
        Conversion::ZeroExtend | Conversion::SignExtend | Conversion::Keep => value.symbol,
        _ => derived(("convert", conversion as u8, width(to)), &[value]),
    };
    Scalar {
        bits: converted(conversion, from, to, value.bits),
        symbol,
    }
}

/// What an atomic update leaves.
pub(crate) fn atomic(operator: AtomicOperator, bits: u32, old: Scalar, value: Scalar) -> Scalar {
    let pick = |left: bool| if left { old } else { value };
    match operator {
        AtomicOperator::Exchange | AtomicOperator::Other => value,
        AtomicOperator::Add => integer(Arithmetic::Add, bits, old, value),
        AtomicOperator::Sub => integer(Arithmetic::Sub, bits, old, value),
        AtomicOperator::And => integer(Arithmetic::And, bits, old, value),
        AtomicOperator::Or => integer(Arithmetic::Or, bits, old, value),
        AtomicOperator::Xor => integer(Arithmetic::Xor, bits, old, value),
        AtomicOperator::Max => pick(signed(old.bits, bits) >= signed(value.bits, bits)),
        AtomicOperator::Min => pick(signed(old.bits, bits) <= signed(value.bits, bits)),
        AtomicOperator::UMax => pick(old.bits >= value.bits),
        AtomicOperator::UMin => pick(old.bits <= value.bits),
    }
}
