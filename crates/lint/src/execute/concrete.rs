//! The values that a program has.

use super::machine::Domain;
use crate::arithmetic;
use crate::ir::{Arithmetic, Conversion, FloatArithmetic, FloatPredicate, Predicate, Type};
use crate::symbolic::Terms;
use crate::value::{RANK, Scalar, derived, signed};
use std::convert::Infallible;
use std::marker::PhantomData;

/// Numbers with where they come from. There is always a result: `Stop` is what the machine gives for other reasons.
#[derive(Debug)]
pub(super) struct Concrete<Stop = Infallible>(PhantomData<Stop>);

/// What is noted of operands.
#[derive(Debug)]
pub(super) struct Ranks<'n> {
    /// How many processes there are.
    size: u32,
    /// Set if a comparison of the own rank speaks of a process that is not there.
    missing: &'n mut bool,
    /// What unknown values are made of.
    terms: &'n mut Terms,
}

impl<'n> Ranks<'n> {
    pub(super) fn new(size: u32, (missing, terms): (&'n mut bool, &'n mut Terms)) -> Self {
        Self { size, missing, terms }
    }
}

/// An address that is being made, with what it is made of.
#[derive(Debug)]
pub(super) struct Sum {
    bits: u64,
    constant: i64,
    parts: [Scalar; FEW],
    count: usize,
    /// All parts, if there are more than a few.
    many: Vec<Scalar>,
    /// What it is so far, where it is noted what unknown values are made of.
    number: Option<Scalar>,
}

/// So many parts of a sum are kept without asking for memory.
const FEW: usize = 4;

impl<Stop> Domain for Concrete<Stop> {
    type Number = Scalar;
    type Sum = Sum;
    type Notes<'n> = Ranks<'n>;
    type Stop = Stop;

    #[inline]
    fn integer(
        operator: Arithmetic,
        bits: u32,
        left: Scalar,
        right: Scalar,
        notes: Ranks<'_>,
    ) -> Result<Scalar, Stop> {
        let result = arithmetic::integer(operator, bits, left, right);
        notes.terms.arithmetic(operator, bits, [left, right], result);
        Ok(result)
    }

    #[inline]
    fn float(operator: FloatArithmetic, ty: &Type, left: Scalar, right: Scalar) -> Result<Scalar, Stop> {
        Ok(arithmetic::float(operator, ty, left, right))
    }

    #[inline]
    fn compare(
        predicate: Predicate,
        bits: u32,
        left: Scalar,
        right: Scalar,
        ranks: Ranks<'_>,
    ) -> Result<Scalar, Stop> {
        *ranks.missing |= names_missing_rank(predicate, left, right, ranks.size);
        let result = arithmetic::compare(predicate, bits, left, right);
        ranks.terms.compare(predicate, bits, [left, right], result);
        Ok(result)
    }

    #[inline]
    fn float_compare(
        predicate: FloatPredicate,
        ty: &Type,
        left: Scalar,
        right: Scalar,
    ) -> Result<Scalar, Stop> {
        Ok(arithmetic::float_compare(predicate, ty, left, right))
    }

    #[inline]
    fn convert(
        conversion: Conversion,
        from: &Type,
        to: &Type,
        value: Scalar,
        notes: Ranks<'_>,
    ) -> Result<Scalar, Stop> {
        let result = arithmetic::convert(conversion, from, to, value);
        if let (Conversion::Truncate, Type::Integer(bits)) = (conversion, to) {
            notes.terms.truncate(*bits, value, result);
        }
        Ok(result)
    }

    #[inline]
    fn sum(base: Scalar, constant: i64, notes: Ranks<'_>) -> Sum {
        let bits = base.bits.wrapping_add_signed(constant);
        let noted = notes.terms.are_noted().then_some(notes.terms);
        let number = noted.map(|terms| match base.is_known() {
            true => Scalar::known(bits),
            false => added(base, Scalar::known(constant as u64), terms),
        });
        Sum {
            bits,
            number,
            constant,
            parts: [base; FEW],
            count: 1,
            many: Vec::new(),
        }
    }

    #[inline]
    fn add(sum: &mut Sum, index: Scalar, bits: u32, scale: i64, notes: Ranks<'_>) {
        let known = signed(index.bits, bits).wrapping_mul(scale);
        sum.bits = sum.bits.wrapping_add_signed(known);
        if let Some(number) = sum.number {
            sum.number = match (index.is_known(), bits) {
                (true, _) => Some(added(number, Scalar::known(known as u64), notes.terms)),
                (false, 64) => {
                    let factor = Scalar::known(scale as u64);
                    let distance = arithmetic::integer(Arithmetic::Mul, 64, index, factor);
                    notes
                        .terms
                        .arithmetic(Arithmetic::Mul, 64, [index, factor], distance);
                    Some(added(number, distance, notes.terms))
                }
                _ => None,
            };
        }
        match sum.parts.get_mut(sum.count) {
            Some(part) => *part = index,
            None => {
                if sum.many.is_empty() {
                    sum.many.extend(sum.parts);
                }
                sum.many.push(index);
            }
        }
        sum.count += 1;
    }

    #[inline]
    fn total(sum: Sum, notes: Ranks<'_>) -> Scalar {
        let parts = match sum.count {
            0..=FEW => &sum.parts[..sum.count],
            _ => &sum.many,
        };
        let total = Scalar {
            bits: sum.bits,
            symbol: derived(("offset", sum.constant), parts),
        };
        if let Some(number) = sum.number.filter(|_| !total.is_known()) {
            let nothing = Scalar::known(0);
            notes
                .terms
                .arithmetic(Arithmetic::Add, 64, [number, nothing], total);
        }
        total
    }
}

/// A sum of two numbers, of which it is noted what it is made of.
fn added(left: Scalar, right: Scalar, terms: &mut Terms) -> Scalar {
    let sum = arithmetic::integer(Arithmetic::Add, 64, left, right);
    terms.arithmetic(Arithmetic::Add, 64, [left, right], sum);
    sum
}

/// Whether a comparison of the own rank speaks of a process that is not there: `rank == 2` of a third one.
fn names_missing_rank(predicate: Predicate, left: Scalar, right: Scalar, size: u32) -> bool {
    let named = match (left.symbol, right.symbol) {
        (RANK, 0) => right,
        (0, RANK) => left,
        _ => return false,
    };
    matches!(predicate, Predicate::Eq | Predicate::Ne) && named.signed32() >= size as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(parts: &[Scalar]) -> Scalar {
        let (mut missing, mut terms) = (false, Terms::default());
        let mut sum = Concrete::<Infallible>::sum(parts[0], 5, Ranks::new(2, (&mut missing, &mut terms)));
        for part in &parts[1..] {
            let notes = Ranks::new(2, (&mut missing, &mut terms));
            Concrete::<Infallible>::add(&mut sum, *part, 32, 8, notes);
        }
        Concrete::<Infallible>::total(sum, Ranks::new(2, (&mut missing, &mut terms)))
    }

    #[test]
    fn an_address_of_many_parts_depends_on_each_of_them() {
        let known = [Scalar::known(100), Scalar::known(u64::from(u32::MAX))];
        assert_eq!(address(&known), Scalar::known(97));
        for count in 2..8 {
            let mut parts = vec![Scalar::known(1); count];
            parts[count - 1].symbol = 9;
            let unknown = address(&parts);
            assert_eq!(unknown.symbol, derived(("offset", 5i64), &parts));
            assert_eq!(unknown.bits, 6 + 8 * (count as u64 - 1));
        }
    }

    #[test]
    fn a_rank_that_is_not_there_is_named_by_equality_only() {
        let rank = Scalar {
            bits: 0,
            symbol: RANK,
        };
        let named = |predicate, other| names_missing_rank(predicate, rank, Scalar::known(other), 2);
        assert!(named(Predicate::Eq, 2) && named(Predicate::Ne, 7));
        assert!(!named(Predicate::Eq, 1) && !named(Predicate::Slt, 2));
    }
}
