//! What operators compute.

use crate::ir::{Arithmetic, AtomicOperator, Conversion, FloatArithmetic, FloatPredicate, Predicate, Type};
use crate::value::{NEGATED, Scalar, derived, mask, signed};

/// An integer operation. Division by zero gives an unknown result: the program is wrong, but not in its memory.
pub(crate) fn integer(operator: Arithmetic, bits: u32, left: Scalar, right: Scalar) -> Scalar {
    let (a, b) = (left.bits, right.bits);
    let result = operator.of(bits, a, b).unwrap_or(0);
    // `!condition` is the same condition, negated.
    let symbol = match (operator, bits, right) {
        (Arithmetic::Xor, 1, Scalar { bits: 1, symbol: 0 }) if !left.is_known() => left.symbol ^ NEGATED,
        _ => derived((operator as u8, bits), &[left, right]),
    };
    Scalar {
        bits: mask(result, bits),
        symbol,
    }
}

/// A comparison of integers. `ne` and `eq` of the same operands share a symbol's decision through `negated`.
pub(crate) fn compare(predicate: Predicate, bits: u32, left: Scalar, right: Scalar) -> Scalar {
    let (a, b) = (left.bits, right.bits);
    let holds = predicate.holds(bits, a, b);
    let (normal, negated) = match predicate {
        Predicate::Ne => (Predicate::Eq, true),
        Predicate::Ugt => (Predicate::Ule, true),
        Predicate::Uge => (Predicate::Ult, true),
        Predicate::Sgt => (Predicate::Sle, true),
        Predicate::Sge => (Predicate::Slt, true),
        normal => (normal, false),
    };
    let mut symbol = derived(("compare", normal as u8), &[left, right]);
    if negated && symbol != 0 {
        symbol |= NEGATED;
    }
    Scalar {
        bits: u64::from(holds),
        symbol,
    }
}

/// A number in the 64 bits in which all arithmetic is done.
pub(crate) fn widen(ty: &Type, value: Scalar) -> f64 {
    match ty {
        Type::Float => f64::from(f32::from_bits(value.bits as u32)),
        _ => value.double(),
    }
}

/// A number in the bits of its type.
pub(crate) fn narrow(ty: &Type, value: f64) -> u64 {
    match ty {
        Type::Float => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// A floating-point operation.
pub(crate) fn float(operator: FloatArithmetic, ty: &Type, left: Scalar, right: Scalar) -> Scalar {
    let (a, b) = (widen(ty, left), widen(ty, right));
    let result = match operator {
        FloatArithmetic::Add => a + b,
        FloatArithmetic::Sub => a - b,
        FloatArithmetic::Mul => a * b,
        FloatArithmetic::Div => a / b,
        FloatArithmetic::Rem => a % b,
        FloatArithmetic::Neg => -a,
    };
    Scalar {
        bits: narrow(ty, result),
        symbol: derived(("float", operator as u8), &[left, right]),
    }
}

/// A comparison of floating-point numbers.
pub(crate) fn float_compare(predicate: FloatPredicate, ty: &Type, left: Scalar, right: Scalar) -> Scalar {
    let holds = match widen(ty, left).partial_cmp(&widen(ty, right)) {
        Some(std::cmp::Ordering::Less) => predicate.less,
        Some(std::cmp::Ordering::Equal) => predicate.equal,
        Some(std::cmp::Ordering::Greater) => predicate.greater,
        None => predicate.unordered,
    };
    let key = (
        predicate.less,
        predicate.equal,
        predicate.greater,
        predicate.unordered,
    );
    Scalar {
        bits: u64::from(holds),
        symbol: derived(key, &[left, right]),
    }
}

/// A conversion.
pub(crate) fn convert(conversion: Conversion, from: &Type, to: &Type, value: Scalar) -> Scalar {
    let width = |ty: &Type| match ty {
        Type::Integer(bits) => *bits,
        Type::Float => 32,
        _ => 64,
    };
    let bits = match conversion {
        Conversion::ZeroExtend | Conversion::Keep => value.bits,
        Conversion::Truncate => mask(value.bits, width(to)),
        Conversion::SignExtend => mask(signed(value.bits, width(from)) as u64, width(to)),
        Conversion::FloatToFloat => narrow(to, widen(from, value)),
        Conversion::SignedToFloat => narrow(to, signed(value.bits, width(from)) as f64),
        Conversion::UnsignedToFloat => narrow(to, value.bits as f64),
        Conversion::FloatToSigned => mask(widen(from, value) as i64 as u64, width(to)),
        Conversion::FloatToUnsigned => mask(widen(from, value) as u64, width(to)),
    };
    // Widening keeps the value, and so what is known of it.
    let symbol = match conversion {
        Conversion::ZeroExtend | Conversion::SignExtend | Conversion::Keep => value.symbol,
        _ => derived(("convert", conversion as u8, width(to)), &[value]),
    };
    Scalar { bits, symbol }
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
