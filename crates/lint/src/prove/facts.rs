//! What is known of the process, and what operators make of numbers in its rank.

use super::affine::{Term, Variable};
use super::number::{Number, Stop};
use super::question::{Condition, Prover};
use crate::ir::{Arithmetic, Predicate};
use crate::value::{mask, signed};

/// Factors and constants beyond these make a number that may not fit into its width for common numbers of ranks.
const LARGEST: [i64; 2] = [1 << 16, 1 << 40];
/// Quotients by the number of ranks that are looked for.
const QUOTIENTS: i64 = 4;

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

    pub(super) fn is_negative(&mut self, term: Term) -> Result<bool, Stop> {
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

    /// A term as a number; any value if there is none, or if it is one that may not fit.
    pub(super) fn or_any(&self, term: Option<Term>, bits: u32) -> Number {
        let most = LARGEST[usize::from(bits > 32)];
        let fits = |term: &Term| {
            let affine = self.prover.terms.get(*term);
            let mut factors = affine.parts().iter().map(|(_, factor)| factor);
            let small = |number: &i64| number.unsigned_abs() <= most.unsigned_abs();
            affine.parts().is_empty() || factors.all(small) && small(&affine.constant())
        };
        term.filter(fits)
            .map_or(Number::Any, |term| self.number(term, bits))
    }

    pub(super) fn on_terms(
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
    pub(super) fn compared(
        &mut self,
        predicate: Predicate,
        left: Term,
        right: Term,
        bits: u32,
    ) -> Result<Number, Stop> {
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
