//! Functions of numbers that the runtime computes: `mod` and `modulo` of real numbers, and the parts that these are
//! kept in (Fortran 2018, 16.9; `flang/Runtime/numeric.h`). Of other kinds than 4 and 8, of numbers that are too small
//! to be normal, and of what is no number, nothing is computed.

use super::elements::{Number, Type, made};
use crate::flow::Flow;
use crate::value::{Scalar, signed};

/// A function of numbers, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(name: &str, a: &[Scalar]) -> Option<Flow> {
    let (what, kinds) = name.split_at(name.find(|byte: char| byte.is_ascii_digit())?);
    let of = match kinds.split('_').next()? {
        "4" => Type::Real(4),
        "8" => Type::Real(8),
        _ => return None,
    };
    let (into, operands) = match (what, kinds) {
        ("ModReal" | "ModuloReal" | "Scale", _) => (of, a.get(..2)?),
        ("Fraction", _) => (of, a.get(..1)?),
        ("Exponent", "4_4" | "8_4") => (Type::Integer(4), a.get(..1)?),
        ("Exponent", "4_8" | "8_8") => (Type::Integer(8), a.get(..1)?),
        _ => return None,
    };
    let value = match of.number(&operands[..1]) {
        Number::Real(value) => value,
        _ => return None,
    };
    let exponent =
        exponent(value).filter(|_| value.abs() >= f64::from(f32::MIN_POSITIVE) || of == Type::Real(8));
    let second = || match of.number(&operands[1..]) {
        Number::Real(value) => value,
        _ => f64::NAN,
    };
    let real = |value: f64| (value.is_finite() && value != 0.0).then_some(Number::Real(value));
    let number = match what {
        "ModReal" => Some(value % second())
            .filter(|rest| rest.is_finite())
            .map(Number::Real),
        "ModuloReal" => {
            let (rest, second) = (value % second(), second());
            let is_other_side = rest != 0.0 && (rest < 0.0) != (second < 0.0);
            // What is added is rounded in the kind of the numbers.
            let rest = if is_other_side { rest + second } else { rest };
            Some(rest).filter(|rest| rest.is_finite()).map(Number::Real)
        }
        "Exponent" => exponent.map(Number::Integer),
        "Fraction" => exponent.and_then(|exponent| real(scaled(value, -exponent)?)),
        _ => {
            let by = signed(operands[1].bits, 64);
            exponent.and_then(|_| real(scaled(value, by)?))
        }
    };
    let [value, _] = made(name, into, number, operands);
    Some(Flow::Return(value))
}

/// The exponent of a number that is its fraction, from 0.5 to 1, times a power of two.
fn exponent(value: f64) -> Option<i64> {
    let raw = (value.to_bits() >> 52 & 0x7ff) as i64;
    (value.is_normal()).then_some(raw - 1022)
}

/// A number times a power of two, if that is exact in all kinds.
fn scaled(value: f64, by: i64) -> Option<f64> {
    let of = exponent(value)?;
    let small = |exponent: i64| (-120..=120).contains(&exponent);
    (small(of) && small(by) && small(of + by)).then(|| value * 2.0_f64.powi(by as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart() {
        let real = |name: &str, values: [f64; 2]| match call(
            name,
            &values.map(|value| Scalar::known(value.to_bits())),
        ) {
            Some(Flow::Return(value)) => value,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(real("ModReal8", [-7.5, 2.0]).double(), -1.5);
        assert_eq!(real("ModuloReal8", [-7.5, 2.0]).double(), 0.5);
        assert_eq!(real("ModuloReal8", [7.5, 2.0]).double(), 1.5);
        assert!(real("ModReal8", [1.0, 0.0]).is_uncomputed());
        assert_eq!(real("Exponent8_4", [8.0, 0.0]), Scalar::known(4));
        assert_eq!(real("Exponent8_4", [0.75, 0.0]), Scalar::known(0));
        assert_eq!(real("Fraction8", [-6.0, 0.0]).double(), -0.75);
        let scale = call("Scale8", &[Scalar::known(0.75_f64.to_bits()), Scalar::known(3)]);
        assert!(matches!(scale, Some(Flow::Return(value)) if value.double() == 6.0));
        assert!(call("SumInteger4", &[]).is_none());
    }
}
