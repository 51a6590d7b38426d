//! The values of one process of any job: numbers in its rank and the number of ranks.
//!
//! Deviation from the machine: a number that is not known before the program runs is a mathematical integer, so sums that
//! do not fit into their width are taken not to happen. Of an `int` that is no defined behaviour (C17 §6.5); of an
//! unsigned number it is a limit.

use super::affine::{Term, Variable};
use super::question::{Condition, Prover};
use super::run::Outside;
use crate::arithmetic;
use crate::execute::machine::Domain;
use crate::ir::{Arithmetic, Conversion, FloatArithmetic, FloatPredicate, Predicate, Type};
use crate::value::{Scalar, mask, signed};

/// Quotients by the number of ranks that are looked for.
const QUOTIENTS: i64 = 4;

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

/// What is known of the process.
pub(super) struct Facts<'n> {
    pub(super) prover: &'n mut Prover,
    pub(super) given: &'n [Condition],
}

impl Facts<'_> {
    /// Whether a condition holds of the process.
    pub(super) fn decide(&mut self, condition: Condition) -> Result<bool, Stop> {
        let decided = self.prover.decides(self.given, condition);
        decided.ok_or(Stop::Fork(condition))
    }

    fn is_negative(&mut self, term: Term) -> Result<bool, Stop> {
        self.decide(Condition::NotNegative(term)).map(|holds| !holds)
    }

    /// A number as a term; `None` if it is none.
    pub(super) fn term(&mut self, number: Number, bits: u32) -> Option<Term> {
        match number {
            Number::Known(value) => Some(self.prover.terms.constant(signed(mask(value, bits), bits))),
            Number::Term(term) => Some(term),
            Number::Pointer(..) | Number::Any => None,
        }
    }

    /// A term as a number.
    pub(super) fn number(&self, term: Term, bits: u32) -> Number {
        let known = self.prover.terms.known(term);
        known.map_or(Number::Term(term), |value| {
            Number::Known(mask(value as u64, bits))
        })
    }

    fn or_any(&self, term: Option<Term>, bits: u32) -> Number {
        term.map_or(Number::Any, |term| self.number(term, bits))
    }

    fn on_terms(
        &mut self,
        operator: Arithmetic,
        bits: u32,
        left: Number,
        right: Number,
    ) -> Result<Number, Stop> {
        let (Some(a), Some(b)) = (self.term(left, bits), self.term(right, bits)) else {
            return Ok(Number::Any);
        };
        let by = self.prover.terms.known(b);
        let terms = &mut self.prover.terms;
        let result = match operator {
            Arithmetic::Add => terms.sum(a, b, 1),
            Arithmetic::Sub => terms.sum(a, b, -1),
            Arithmetic::Mul => terms.product(a, b),
            Arithmetic::Shl => match by {
                Some(by @ 0..32) => terms.times(a, 1 << by),
                _ => None,
            },
            Arithmetic::AShr => match by {
                Some(by @ 0..32) => Some(terms.variable(Variable::Quotient(a, 1 << by))),
                _ => None,
            },
            Arithmetic::LShr => match by {
                Some(by @ 0..32) if !self.is_negative(a)? => {
                    Some(self.prover.terms.variable(Variable::Quotient(a, 1 << by)))
                }
                _ => None,
            },
            // The low bits of a number, negative ones included.
            Arithmetic::And => match by {
                Some(by) if by >= 0 && (by + 1) & by == 0 => {
                    Some(terms.variable(Variable::Modulo(a, by + 1)))
                }
                _ => None,
            },
            Arithmetic::Or => None,
            Arithmetic::Xor => match by {
                Some(-1) => {
                    let minus = terms.times(a, -1);
                    minus.and_then(|minus| terms.plus(minus, -1))
                }
                Some(bit) if bit > 0 && bit & (bit - 1) == 0 => {
                    let above = if bit == 1 {
                        a
                    } else {
                        terms.variable(Variable::Quotient(a, bit))
                    };
                    let lowest = terms.variable(Variable::Modulo(above, 2));
                    let step = if self.decide(Condition::Zero(lowest))? {
                        bit
                    } else {
                        -bit
                    };
                    self.prover.terms.plus(a, step)
                }
                _ => None,
            },
            Arithmetic::SDiv | Arithmetic::SRem | Arithmetic::UDiv | Arithmetic::URem => {
                let is_signed = matches!(operator, Arithmetic::SDiv | Arithmetic::SRem);
                let negative = self.is_negative(a)?;
                if negative && !is_signed {
                    return Ok(Number::Any);
                }
                // C rounds towards zero (C17 §6.5.5).
                let sign = if negative { -1 } else { 1 };
                let positive = self.prover.terms.times(a, sign);
                let rest = matches!(operator, Arithmetic::SRem | Arithmetic::URem);
                match positive {
                    Some(positive) => self
                        .divided(positive, b, rest)?
                        .and_then(|result| self.prover.terms.times(result, sign)),
                    None => None,
                }
            }
        };
        Ok(self.or_any(result, bits))
    }

    /// A term that is not negative, divided by another one: the quotient, or the rest.
    fn divided(&mut self, term: Term, by: Term, rest: bool) -> Result<Option<Term>, Stop> {
        if let Some(by) = self.prover.terms.known(by) {
            if by < 1 {
                return Ok(None);
            }
            let part = if rest {
                Variable::Modulo(term, by)
            } else {
                Variable::Quotient(term, by)
            };
            if let Some(known) = self.prover.terms.known(term) {
                let value = if rest {
                    known.rem_euclid(by)
                } else {
                    known.div_euclid(by)
                };
                return Ok(Some(self.prover.terms.constant(value)));
            }
            return Ok(Some(self.prover.terms.variable(part)));
        }
        if !self.decide(Condition::NotNegative(by))? || self.decide(Condition::Zero(by))? {
            return Ok(None);
        }
        let mut left = term;
        for quotient in 0..QUOTIENTS {
            let Some(less) = self.prover.terms.sum(left, by, -1) else {
                return Ok(None);
            };
            if self.is_negative(less)? {
                let quotient = self.prover.terms.constant(quotient);
                return Ok(Some(if rest { left } else { quotient }));
            }
            left = less;
        }
        Ok(None)
    }

    /// Whether `left` and `right` compare so.
    fn compared(&mut self, predicate: Predicate, left: Term, right: Term, bits: u32) -> Result<Number, Stop> {
        let unsigned = matches!(
            predicate,
            Predicate::Ugt | Predicate::Uge | Predicate::Ult | Predicate::Ule
        );
        if unsigned && bits > 1 {
            let (left, right) = (self.is_negative(left)?, self.is_negative(right)?);
            if left != right {
                // A negative number is a large one without its sign.
                let greater = matches!(predicate, Predicate::Ugt | Predicate::Uge);
                return Ok(Number::Known(u64::from(left == greater)));
            }
        }
        let terms = &mut self.prover.terms;
        let (greater, less) = (terms.sum(left, right, -1), terms.sum(right, left, -1));
        let (Some(greater), Some(less)) = (greater, less) else {
            return Ok(Number::Any);
        };
        let holds = match predicate {
            Predicate::Eq => self.decide(Condition::Zero(greater))?,
            Predicate::Ne => !self.decide(Condition::Zero(greater))?,
            Predicate::Uge | Predicate::Sge => self.decide(Condition::NotNegative(greater))?,
            Predicate::Ult | Predicate::Slt => !self.decide(Condition::NotNegative(greater))?,
            Predicate::Ule | Predicate::Sle => self.decide(Condition::NotNegative(less))?,
            Predicate::Ugt | Predicate::Sgt => !self.decide(Condition::NotNegative(less))?,
        };
        Ok(Number::Known(u64::from(holds)))
    }
}

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
                let result = arithmetic::integer(operator, bits, Scalar::known(left), Scalar::known(right));
                Number::Known(result.bits)
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
                let result = arithmetic::float(operator, ty, Scalar::known(left), Scalar::known(right));
                Number::Known(result.bits)
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
                let result = arithmetic::compare(predicate, bits, Scalar::known(left), Scalar::known(right));
                Ok(Number::Known(result.bits))
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
                let result =
                    arithmetic::float_compare(predicate, ty, Scalar::known(left), Scalar::known(right));
                Number::Known(result.bits)
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
            Number::Known(value) => {
                Number::Known(arithmetic::convert(conversion, from, to, Scalar::known(value)).bits)
            }
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

    fn total(sum: Number) -> Number {
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
