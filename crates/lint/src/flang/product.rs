//! Products of vectors and matrices: `dot_product` and `matmul` (Fortran 2018, 16.9).
//!
//! Source: `flang/Runtime/reduction.h`, `matmul.h` and `matmul-transpose.h` of LLVM 19. Promise: real numbers are
//! multiplied in the order of the elements, once in the largest kind and once in that of the result; where these
//! differ, or no number comes out, nothing is computed.

use super::arrays::MOST;
use super::descriptor::Descriptor;
use super::elements::{Elements, Number, Type, made, make, put, rounded};
use super::reduction::times;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;
use farside_events::AccessKind;

/// A product, by its name without `_FortranA`; `None` if it is none, or not followed.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    if let Some(rest) = name.strip_prefix("Matmul") {
        let (is_transposed, rest) = without(rest, "Transpose");
        let (is_direct, _) = without(rest, "Direct");
        let [result, one, other] = [0, 1, 2].map(|index| at(index).bits);
        return matrices(caller, name, (is_transposed, is_direct), [result, one, other]);
    }
    let (has_parts, rest) = without(name, "Cpp");
    if !rest.starts_with("DotProduct") {
        return None;
    }
    let first = usize::from(has_parts);
    let vectors = [at(first).bits, at(first + 1).bits].map(|at| Descriptor::at(caller, at));
    for vector in &vectors {
        vector.access(caller, name, AccessKind::Load);
    }
    let [one, other] = [0, 1].map(|nth| Elements::of(caller, &vectors[nth]));
    let value = one.zip(other).and_then(|(one, other)| {
        let into = one.kind().joined(other.kind())?;
        let pairs: Vec<(u64, u64)> = (0..vectors[0].count()).map(|nth| (nth, nth)).collect();
        Some((into, line(name, (&one, &other), into, &pairs, true)))
    });
    match (value, has_parts) {
        (Some((_, [value, _])), false) => Some(Flow::Return(value)),
        (None, false) => Some(Flow::Return(Scalar::uncomputed())),
        (Some((into, value)), true) => {
            put(caller, at(0).bits, into, value);
            Some(NOTHING)
        }
        (None, true) => None,
    }
}

fn without<'n>(name: &'n str, begin: &str) -> (bool, &'n str) {
    match name.strip_prefix(begin) {
        Some(rest) => (true, rest),
        None => (false, name),
    }
}

/// The product of two matrices, or of a matrix and a vector.
fn matrices(
    caller: &mut Caller<'_>,
    name: &str,
    (is_transposed, is_direct): (bool, bool),
    [result, one, other]: [u64; 3],
) -> Option<Flow> {
    let [left, right] = [one, other].map(|at| Descriptor::at(caller, at));
    let (rows, between, columns, extents) = match (&left.extents()[..], &right.extents()[..]) {
        ([between, rows], [_, columns]) if is_transposed => {
            (*rows, *between, *columns, vec![*rows, *columns])
        }
        ([between, rows], [_]) if is_transposed => (*rows, *between, 1, vec![*rows]),
        ([rows, between], [_, columns]) => (*rows, *between, *columns, vec![*rows, *columns]),
        ([rows, between], [_]) => (*rows, *between, 1, vec![*rows]),
        ([between], [_, columns]) => (1, *between, *columns, vec![*columns]),
        _ => return None,
    };
    for matrix in [&left, &right] {
        matrix.access(caller, name, AccessKind::Load);
    }
    let (one, other) = (Elements::of(caller, &left)?, Elements::of(caller, &right)?);
    let into = one.kind().joined(other.kind())?;
    let is_large = rows.saturating_mul(between).saturating_mul(columns) > MOST;
    if rows.saturating_mul(columns) > MOST {
        return None;
    }
    let values: Vec<_> = (0..rows * columns)
        .map(|nth| {
            let (row, column) = (nth % rows, nth / rows);
            if is_large {
                return [Scalar::uncomputed(); 2];
            }
            let pairs = (0..between).map(|place| {
                let left = if is_transposed {
                    place + between * row
                } else {
                    row + rows * place
                };
                (left, place + between * column)
            });
            line(name, (&one, &other), into, &pairs.collect::<Vec<_>>(), false)
        })
        .collect();
    if is_direct {
        let target = Descriptor::at(caller, result);
        if Type::of(&target) != Some(into) || target.count() != rows * columns {
            return None;
        }
        target.access(caller, name, AccessKind::Store);
        for (nth, value) in (0..).zip(values) {
            put(caller, target.address(nth), into, value);
        }
    } else {
        make(caller, result, into, &extents, values);
    }
    Some(NOTHING)
}

/// The sum of the products of pairs of elements; `conjugated`: of the conjugate of the first.
fn line(
    name: &str,
    (one, other): (&Elements, &Elements),
    into: Type,
    pairs: &[(u64, u64)],
    conjugated: bool,
) -> [Scalar; 2] {
    let mut operands = Vec::with_capacity(2 * pairs.len());
    for (left, right) in pairs {
        operands.extend_from_slice(one.operands(*left));
        operands.extend_from_slice(other.operands(*right));
    }
    let numbers = pairs
        .iter()
        .map(|(left, right)| (one.number(*left), other.number(*right)));
    made(name, into, product(numbers, into, conjugated), &operands)
}

fn product(
    numbers: impl Iterator<Item = (Number, Number)> + Clone,
    into: Type,
    conjugated: bool,
) -> Option<Number> {
    match into {
        Type::Logical(_) => {
            let both = (Number::Logical(true), Number::Logical(true));
            Some(Number::Logical(numbers.clone().any(|pair| pair == both)))
        }
        Type::Integer(_) => {
            let sum = numbers.fold(0_i64, |sum, pair| match pair {
                (Number::Integer(one), Number::Integer(other)) => sum.wrapping_add(one.wrapping_mul(other)),
                _ => sum,
            });
            Some(Number::Integer(sum))
        }
        Type::Real(size) | Type::Complex(size) => {
            let sum = |kept: u64| {
                let sum = numbers.clone().fold((0.0, 0.0), |sum, (one, other)| {
                    let (mut one, other) = (complex(one, kept), complex(other, kept));
                    if conjugated {
                        one.1 = -one.1;
                    }
                    let product = match into {
                        Type::Complex(_) => times(one, other, kept),
                        _ => (rounded(one.0 * other.0, kept), 0.0),
                    };
                    (rounded(sum.0 + product.0, kept), rounded(sum.1 + product.1, kept))
                });
                (rounded(sum.0, size), rounded(sum.1, size))
            };
            let (value, imaginary) = sum(8);
            // What is no number is not equal to itself.
            (sum(size) == (value, imaginary)).then_some(match into {
                Type::Complex(_) => Number::Complex(value, imaginary),
                _ => Number::Real(value),
            })
        }
    }
}

/// A number as one of two parts that have so many bytes.
fn complex(number: Number, size: u64) -> (f64, f64) {
    match number {
        Number::Integer(value) => (rounded(value as f64, size), 0.0),
        Number::Logical(_) => (0.0, 0.0),
        Number::Real(value) => (rounded(value, size), 0.0),
        Number::Complex(value, imaginary) => (rounded(value, size), rounded(imaginary, size)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_multiplied_and_summed_by_their_types() {
        let pairs = |one: &[Number], other: &[Number]| -> Vec<(Number, Number)> {
            one.iter().copied().zip(other.iter().copied()).collect()
        };
        let of = |pairs: Vec<(Number, Number)>, into| product(pairs.into_iter(), into, true);
        let integers = pairs(
            &[Number::Integer(3), Number::Integer(-2)],
            &[Number::Integer(5); 2],
        );
        assert_eq!(of(integers, Type::Integer(4)), Some(Number::Integer(5)));
        let mixed = pairs(&[Number::Integer(3)], &[Number::Real(0.5)]);
        assert_eq!(of(mixed, Type::Real(4)), Some(Number::Real(1.5)));
        let tenths = pairs(
            &[Number::Real(f64::from(0.1_f32)); 17],
            &[Number::Real(f64::from(0.3_f32)); 17],
        );
        assert_eq!(of(tenths, Type::Real(4)), None);
        let z = Number::Complex(1.0, 2.0);
        assert_eq!(
            of(pairs(&[z], &[z]), Type::Complex(8)),
            Some(Number::Complex(5.0, 0.0))
        );
        assert_eq!(
            product([(z, z)].into_iter(), Type::Complex(8), false),
            Some(Number::Complex(-3.0, 4.0))
        );
        let not = Number::Real(f64::NAN);
        assert_eq!(of(pairs(&[not], &[not]), Type::Real(8)), None);
        let logical = [true, false].map(Number::Logical);
        assert_eq!(
            of(pairs(&logical, &logical), Type::Logical(4)),
            Some(Number::Logical(true))
        );
    }
}
