//! Values as functions of the round: `base + round * step`, as far as arithmetic keeps them so.
//!
//! A line of `bits` bits says what its value is modulo `2^bits`. Addition, subtraction, multiplication by a constant and
//! truncation respect that; whatever looks at the whole number (a comparison, a widening, an address) first bounds the rounds
//! so that the number does not wrap ([`Bound`]).

use crate::arithmetic;
use crate::ir::{Arithmetic, Conversion, Predicate, Type};
use crate::value::{Scalar, Symbol, derived, mask, signed};

/// A value in each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) base: u64,
    pub(super) step: u64,
    pub(super) bits: u32,
    pub(super) symbol: Symbol,
}

/// Why an instruction has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The result is no line; the round goes on.
    NoLine,
    /// The instruction does something that lines do not say; the round is not followed.
    NotFollowed,
}

/// The number of rounds, counted from the next one, for which what was computed holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound(pub(super) u64);

/// More rounds than any loop that ends.
pub(super) const ENDLESS: u64 = 1 << 48;

impl Line {
    /// The same value in every round.
    pub(super) fn constant(value: Scalar, bits: u32) -> Self {
        Self {
            base: value.bits,
            step: 0,
            bits,
            symbol: value.symbol,
        }
    }

    /// The value in a round, if it is the same in all of them.
    pub(super) fn fixed(self) -> Option<Scalar> {
        (mask(self.step, self.bits) == 0).then_some(Scalar {
            bits: mask(self.base, self.bits),
            symbol: self.symbol,
        })
    }

    /// The value in a round.
    pub(super) fn at(self, round: u64) -> Scalar {
        Scalar {
            bits: mask(self.base.wrapping_add(self.step.wrapping_mul(round)), self.bits),
            symbol: self.symbol,
        }
    }

    /// Whether both have the same values in all rounds.
    pub(super) fn agrees(self, other: Self) -> bool {
        let same = |a, b| mask(a, self.bits) == mask(b, self.bits);
        same(self.base, other.base) && same(self.step, other.step)
    }

    /// Its first value and its step as whole numbers of `bits` bits, of which `bound` then says how long they do not wrap.
    pub(super) fn whole(self, bits: u32, is_signed: bool, bound: &mut Bound) -> (i128, i128) {
        let step = i128::from(signed(self.step, bits));
        let (base, least, most) = if is_signed {
            let most = (1i128 << (bits - 1)) - 1;
            (i128::from(signed(self.base, bits)), -most - 1, most)
        } else {
            (i128::from(mask(self.base, bits)), 0, (1i128 << bits) - 1)
        };
        let rounds = match step {
            0 => i128::from(ENDLESS),
            1.. => (most - base) / step + 1,
            _ => (base - least) / -step + 1,
        };
        bound.limit(rounds);
        (base, step)
    }

    /// An integer operation; `None` if the result is no line.
    pub(super) fn arithmetic(operator: Arithmetic, bits: u32, left: Self, right: Self) -> Option<Self> {
        if let (Some(left), Some(right)) = (left.fixed(), right.fixed()) {
            return Some(Self::constant(
                arithmetic::integer(operator, bits, left, right),
                bits,
            ));
        }
        let (base, step) = match (operator, left.fixed(), right.fixed()) {
            (Arithmetic::Add, ..) => (
                left.base.wrapping_add(right.base),
                left.step.wrapping_add(right.step),
            ),
            (Arithmetic::Sub, ..) => (
                left.base.wrapping_sub(right.base),
                left.step.wrapping_sub(right.step),
            ),
            (Arithmetic::Mul, _, Some(factor)) => (
                left.base.wrapping_mul(factor.bits),
                left.step.wrapping_mul(factor.bits),
            ),
            (Arithmetic::Mul, Some(factor), _) => (
                right.base.wrapping_mul(factor.bits),
                right.step.wrapping_mul(factor.bits),
            ),
            (Arithmetic::Shl, _, Some(shift)) if shift.bits < u64::from(bits) => {
                (left.base << shift.bits, left.step << shift.bits)
            }
            _ => return None,
        };
        Some(Self {
            base: mask(base, bits),
            step: mask(step, bits),
            bits,
            symbol: symbol(&[left, right]),
        })
    }

    /// A comparison, with a bound within which it always has the result that it has now.
    pub(super) fn compare(
        predicate: Predicate,
        bits: u32,
        left: Self,
        right: Self,
        bound: &mut Bound,
    ) -> Self {
        let now = arithmetic::compare(predicate, bits, left.at(0), right.at(0));
        if left.fixed().is_none() || right.fixed().is_none() {
            let is_signed = matches!(
                predicate,
                Predicate::Sgt | Predicate::Sge | Predicate::Slt | Predicate::Sle
            );
            let (left, right) = (
                left.whole(bits, is_signed, bound),
                right.whole(bits, is_signed, bound),
            );
            let (difference, step) = (left.0 - right.0, left.1 - right.1);
            let holds = |round: u64| {
                let difference = difference + i128::from(round) * step;
                match predicate {
                    Predicate::Eq => difference == 0,
                    Predicate::Ne => difference != 0,
                    Predicate::Ugt | Predicate::Sgt => difference > 0,
                    Predicate::Uge | Predicate::Sge => difference >= 0,
                    Predicate::Ult | Predicate::Slt => difference < 0,
                    Predicate::Ule | Predicate::Sle => difference <= 0,
                }
            };
            bound.limit(match predicate {
                // They differ up to the round in which they meet, if they do.
                Predicate::Ne
                    if holds(0) && step != 0 && difference % step == 0 && -difference / step > 0 =>
                {
                    -difference / step
                }
                Predicate::Ne if holds(0) => i128::from(ENDLESS),
                // All others change once at most.
                _ => i128::from(first_change(bound.0, holds)),
            });
        }
        Self::constant(now, 1)
    }

    /// A conversion; `None` if the result is no line.
    pub(super) fn convert(
        self,
        conversion: Conversion,
        from: &Type,
        to: &Type,
        bound: &mut Bound,
    ) -> Option<Self> {
        let bits = width(to);
        if let Some(value) = self.fixed() {
            return Some(Self::constant(
                arithmetic::convert(conversion, from, to, value),
                bits,
            ));
        }
        match conversion {
            Conversion::SignExtend | Conversion::ZeroExtend => {
                let is_signed = conversion == Conversion::SignExtend;
                let (base, step) = self.whole(width(from), is_signed, bound);
                Some(Self {
                    base: base as u64,
                    step: step as u64,
                    bits,
                    symbol: self.symbol,
                })
            }
            Conversion::Truncate | Conversion::Keep => Some(Self { bits, ..self }),
            _ => None,
        }
    }
}

impl Bound {
    /// Not beyond this many rounds.
    fn limit(&mut self, rounds: i128) {
        self.0 = self.0.min(u64::try_from(rounds).unwrap_or(self.0));
    }
}

/// The symbol of what is computed from lines.
pub(super) fn symbol(lines: &[Line]) -> Symbol {
    let values: Vec<Scalar> = lines.iter().map(|line| line.at(0)).collect();
    derived("line", &values)
}

/// Bits of a scalar type.
pub(super) fn width(ty: &Type) -> u32 {
    match ty {
        Type::Integer(bits) => *bits,
        Type::Float => 32,
        _ => 64,
    }
}

/// The first round below `most` in which a condition that changes once at most is not as in round 0; `most` if there is none.
fn first_change(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let now = holds(0);
    let (mut same, mut changed) = (0, most);
    while same + 1 < changed {
        let middle = same + (changed - same) / 2;
        if holds(middle) == now {
            same = middle;
        } else {
            changed = middle;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(base: i64, step: i64, bits: u32) -> Line {
        Line {
            base: mask(base as u64, bits),
            step: mask(step as u64, bits),
            bits,
            symbol: 0,
        }
    }

    fn rounds(predicate: Predicate, left: Line, right: i64) -> (bool, u64) {
        let mut bound = Bound(ENDLESS);
        let holds = Line::compare(predicate, 32, left, line(right, 0, 32), &mut bound);
        (holds.base == 1, bound.0)
    }

    #[test]
    fn a_comparison_holds_until_the_lines_have_crossed() {
        assert_eq!(rounds(Predicate::Slt, line(0, 1, 32), 100), (true, 100));
        assert_eq!(rounds(Predicate::Slt, line(-1, 7, 32), 100), (true, 15));
        assert_eq!(rounds(Predicate::Sge, line(10, -1, 32), 0), (true, 11));
        assert_eq!(rounds(Predicate::Eq, line(5, 1, 32), 5), (true, 1));
        assert_eq!(rounds(Predicate::Ne, line(0, 3, 32), 9), (true, 3));
        assert!(!rounds(Predicate::Slt, line(100, 1, 32), 100).0);
        // It wraps before it meets 10, and then it is not what it was.
        assert_eq!(
            rounds(Predicate::Ult, line(0xffff_fff0, 1, 32), 0xffff_ffff),
            (true, 15)
        );
        assert_eq!(
            rounds(Predicate::Ne, line(0, 3, 32), 10),
            (true, (1 << 32) / 3 + 1)
        );
    }

    #[test]
    fn a_line_that_is_widened_ends_where_it_wraps() {
        let mut bound = Bound(ENDLESS);
        let (from, to) = (Type::Integer(8), Type::Integer(64));
        let wide = line(120, 1, 8).convert(Conversion::SignExtend, &from, &to, &mut bound);
        assert_eq!((wide.map(|line| line.at(7).bits), bound.0), (Some(127), 8));
        let down = line(2, -1, 8).convert(Conversion::SignExtend, &from, &to, &mut Bound(ENDLESS));
        assert_eq!(down.map(|line| line.at(5).bits as i64), Some(-3));
    }

    #[test]
    fn sums_and_multiples_of_lines_are_lines_and_products_are_not() {
        let (i, j) = (line(1, 2, 64), line(10, -1, 64));
        let of = |operator, left, right| Line::arithmetic(operator, 64, left, right);
        assert_eq!(of(Arithmetic::Add, i, j).map(|sum| sum.at(4).bits), Some(15));
        assert_eq!(
            of(Arithmetic::Mul, i, line(8, 0, 64)).map(|far| far.at(3).bits),
            Some(56)
        );
        assert_eq!(of(Arithmetic::Mul, i, j), None);
        assert_eq!(of(Arithmetic::SRem, i, line(3, 0, 64)), None);
    }
}
