//! The values of one process of any job: numbers in its rank and the number of ranks.
//!
//! Deviation from the machine: a number that is not known before the program runs is a mathematical integer, so sums
//! that do not fit into their width are taken not to happen. Of an `int` that is no defined behaviour (C17 §6.5); of
//! an unsigned number it is a limit.

use super::facts::Facts;
use super::number::{Number, Stop};
use crate::arithmetic;
use crate::execute::machine::Domain;
use crate::ir::{Arithmetic, Conversion, FloatArithmetic, FloatPredicate, Predicate, Type};

/// Numbers of any job.
#[derive(Debug)]
pub(super) struct Generic;

impl Domain for Generic {
    type Number = Number;
    type Sum = Number;
    type Notes<'n> = Facts<'n>;
    type Stop = Stop;

    fn integer(
        operator: Arithmetic,
        bits: u32,
        left: Number,
        right: Number,
        mut facts: Facts<'_>,
    ) -> Result<Number, Stop> {
        Ok(match (left, right) {
            (Number::Known(left), Number::Known(right)) => {
                Number::Known(arithmetic::integers(operator, bits, left, right))
            }
            (Number::Any, _) | (_, Number::Any) => Number::Any,
            (Number::Pointer(object, at), Number::Pointer(other, from)) => match operator {
                Arithmetic::Sub if object == other => {
                    let distance = facts.prover.terms.sum(at, from, -1);
                    facts.or_any(distance, bits)
                }
                _ => Number::Any,
            },
            (Number::Pointer(object, at), number) | (number, Number::Pointer(object, at)) => {
                let factor = match operator {
                    Arithmetic::Add => 1,
                    Arithmetic::Sub if left != number => -1,
                    _ => return Ok(Number::Any),
                };
                let by = facts.term(number, 64);
                let moved = by.and_then(|by| facts.prover.terms.sum(at, by, factor));
                moved.map_or(Number::Any, |at| Number::Pointer(object, at))
            }
            _ => facts.on_terms(operator, bits, left, right)?,
        })
    }

    fn float(operator: FloatArithmetic, ty: &Type, left: Number, right: Number) -> Result<Number, Stop> {
        Ok(match (left, right) {
            (Number::Known(left), Number::Known(right)) => {
                Number::Known(arithmetic::floats(operator, ty, left, right))
            }
            _ => Number::Any,
        })
    }

    fn compare(
        predicate: Predicate,
        bits: u32,
        left: Number,
        right: Number,
        mut facts: Facts<'_>,
    ) -> Result<Number, Stop> {
        match (left, right) {
            (Number::Known(left), Number::Known(right)) => {
                Ok(Number::Known(u64::from(predicate.holds(bits, left, right))))
            }
            (Number::Pointer(object, at), Number::Pointer(other, from)) if object == other => {
                facts.compared(predicate, at, from, 1)
            }
            (Number::Pointer(..), Number::Pointer(..) | Number::Known(0))
            | (Number::Known(0), Number::Pointer(..)) => Ok(match predicate {
                Predicate::Eq => Number::Known(0),
                Predicate::Ne => Number::Known(1),
                _ => Number::Any,
            }),
            (Number::Any | Number::Pointer(..), _) | (_, Number::Any | Number::Pointer(..)) => {
                Ok(Number::Any)
            }
            _ => {
                let (Some(left), Some(right)) = (facts.term(left, bits), facts.term(right, bits)) else {
                    return Ok(Number::Any);
                };
                facts.compared(predicate, left, right, bits)
            }
        }
    }

    fn float_compare(
        predicate: FloatPredicate,
        ty: &Type,
        left: Number,
        right: Number,
    ) -> Result<Number, Stop> {
        Ok(match (left, right) {
            (Number::Known(left), Number::Known(right)) => {
                Number::Known(u64::from(arithmetic::floats_compare(predicate, ty, left, right)))
            }
            _ => Number::Any,
        })
    }

    fn convert(
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: Number,
        mut facts: Facts<'_>,
    ) -> Result<Number, Stop> {
        let bits = |ty: &Type| match ty {
            Type::Integer(bits) => *bits,
            _ => 64,
        };
        Ok(match value {
            Number::Known(value) => Number::Known(arithmetic::converted(conversion, from, to, value)),
            Number::Any => Number::Any,
            Number::Pointer(..) => match conversion {
                Conversion::Keep => value,
                Conversion::ZeroExtend | Conversion::Truncate if bits(to) >= 64 && bits(from) >= 64 => value,
                _ => Number::Any,
            },
            Number::Term(term) => match conversion {
                Conversion::Keep | Conversion::SignExtend => value,
                Conversion::ZeroExtend if bits(from) >= 64 => value,
                Conversion::ZeroExtend => match facts.is_negative(term)? {
                    false => value,
                    true => {
                        let wide = facts.prover.terms.plus(term, 1 << bits(from));
                        facts.or_any(wide, bits(to))
                    }
                },
                Conversion::Truncate if bits(to) >= 32 => value,
                _ => Number::Any,
            },
        })
    }

    fn sum(base: Number, constant: i64, facts: Facts<'_>) -> Number {
        offset(base, constant, facts)
    }

    fn add(sum: &mut Number, index: Number, bits: u32, scale: i64, mut facts: Facts<'_>) {
        let Some(index) = facts.term(index, bits) else {
            *sum = Number::Any;
            return;
        };
        let Some(moved) = facts.prover.terms.times(index, scale) else {
            *sum = Number::Any;
            return;
        };
        *sum = match *sum {
            Number::Pointer(object, at) => {
                let at = facts.prover.terms.sum(at, moved, 1);
                at.map_or(Number::Any, |at| Number::Pointer(object, at))
            }
            Number::Known(base) => match facts.prover.terms.known(moved) {
                Some(moved) => Number::Known(base.wrapping_add_signed(moved)),
                None => Number::Any,
            },
            _ => Number::Any,
        };
    }

    fn total(sum: Number, _: Facts<'_>) -> Number {
        sum
    }
}

fn offset(base: Number, constant: i64, facts: Facts<'_>) -> Number {
    match base {
        Number::Known(base) => Number::Known(base.wrapping_add_signed(constant)),
        Number::Pointer(object, at) => {
            let at = facts.prover.terms.plus(at, constant);
            at.map_or(Number::Any, |at| Number::Pointer(object, at))
        }
        Number::Term(_) | Number::Any => Number::Any,
    }
}
