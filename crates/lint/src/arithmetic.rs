//! What operators compute.

use crate::ir::{Arithmetic, AtomicOperator, Conversion, FloatArithmetic, FloatPredicate, Predicate, Type};
use crate::value::{NEGATED, Scalar, derived, is_mapped, mask, signed};

/// An integer operation on numbers. Division by zero gives zero: the program is wrong, but not in its memory.
#[inline]
pub(crate) fn integers(operator: Arithmetic, bits: u32, left: u64, right: u64) -> u64 {
    mask(operator.of(bits, left, right).unwrap_or(0), bits)
}

/// An integer operation. What an unknown operand does not change is known, and what does not change one is the same
/// value still: so are the conditions on them.
pub(crate) fn integer(operator: Arithmetic, bits: u32, left: Scalar, right: Scalar) -> Scalar {
    if let Some(simple) = simplified(operator, bits, left, right) {
        return simple;
    }
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

/// The result where it is known although an operand is not, or is that operand.
fn simplified(operator: Arithmetic, bits: u32, left: Scalar, right: Scalar) -> Option<Scalar> {
    use Arithmetic::{AShr, Add, And, LShr, Mul, Or, SDiv, SRem, Shl, Sub, UDiv, URem, Xor};
    let is = |operand: Scalar, number: u64| operand.is_known() && operand.bits == mask(number, bits);
    if left.is_known() && right.is_known() {
        return None;
    }
    let zero = Some(Scalar::known(0));
    match operator {
        Mul | And if is(left, 0) || is(right, 0) => zero,
        UDiv | SDiv | URem | SRem | Shl | LShr | AShr if is(left, 0) => zero,
        URem | SRem if is(right, 1) => zero,
        Sub | Xor if are_same(left, right) => zero,
        Add | Or | Xor if is(left, 0) => Some(right),
        Add | Sub | Or | Xor | Shl | LShr | AShr if is(right, 0) => Some(left),
        // Of one bit, 1 is -1 with a sign.
        Mul if bits > 1 && is(left, 1) => Some(right),
        Mul | UDiv | SDiv if bits > 1 && is(right, 1) => Some(left),
        And | Or if are_same(left, right) => Some(left),
        _ => None,
    }
}

/// Whether two unknown values are one.
fn are_same(left: Scalar, right: Scalar) -> bool {
    left.symbol == right.symbol && !left.is_known() && !left.is_uncomputed()
}

/// A comparison of integers. `ne` and `eq` of the same operands share a symbol's decision through `negated`.
pub(crate) fn compare(predicate: Predicate, bits: u32, left: Scalar, right: Scalar) -> Scalar {
    let holds = predicate.holds(bits, left.bits, right.bits);
    if are_same(left, right) {
        return Scalar::known(u64::from(holds));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::source;
    use proptest::prelude::*;

    /// A number, and whether it is known; two that are not known and equal have one symbol.
    fn operand((number, is_known): (u64, bool), bits: u32) -> Scalar {
        let bits = mask(number, bits);
        Scalar {
            bits,
            symbol: if is_known { 0 } else { source(bits) },
        }
    }

    proptest! {
        /// What is said of an operation on unknown operands is so by their samples.
        #[test]
        fn a_simple_result_is_what_is_computed(
            operator in prop::sample::select(Arithmetic::ALL.to_vec()),
            bits in prop::sample::select(vec![1, 8, 32, 64]),
            left in (prop_oneof![0..3_u64, any::<u64>()], any::<bool>()),
            right in (prop_oneof![0..3_u64, any::<u64>()], any::<bool>()),
        ) {
            let [left, right] = [left, right].map(|number| operand(number, bits));
            // Where it is not defined, anything may be said.
            if operator.of(bits, left.bits, right.bits).is_some()
                && let Some(simple) = simplified(operator, bits, left, right)
            {
                prop_assert_eq!(simple.bits, integers(operator, bits, left.bits, right.bits));
            }
        }
    }

    #[test]
    fn the_first_of_blocks_begins_at_zero_however_many_there_are() {
        let blocks = Scalar {
            bits: 3,
            symbol: source("blocks"),
        };
        let zero = Scalar::known(0);
        assert_eq!(integer(Arithmetic::SDiv, 32, zero, blocks), zero);
        assert_eq!(integer(Arithmetic::SRem, 32, zero, blocks), zero);
        assert_eq!(integer(Arithmetic::Mul, 32, zero, blocks), zero);
        assert_eq!(integer(Arithmetic::Add, 32, blocks, zero), blocks);
        assert!(compare(Predicate::Sle, 32, blocks, blocks).is_known());
    }
}
