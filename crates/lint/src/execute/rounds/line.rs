//! Values as functions of the round: `base + round * step`, as far as arithmetic keeps them so.
//!
//! A line of `bits` bits says what a register holds: the number modulo `2^bits`, zero-extended. Addition, subtraction,
//! multiplication by a constant and truncation respect that; whatever looks at the whole number (a comparison, a
//! widening, an address) first bounds the rounds so that the number does not wrap ([`Bound`]).

use crate::arithmetic;
use crate::ir::{Arithmetic, Conversion, Predicate, Type};
use crate::value::{Scalar, Symbol, mask, signed, source};

/// A value in each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) base: u64,
    pub(super) step: u64,
    pub(super) bits: u32,
    /// Where the value of the first round comes from. A line is never of what was not computed: that is no line.
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
    /// The same value in every round; `None` if it was not computed.
    pub(super) fn constant(value: Scalar, bits: u32) -> Option<Self> {
        (!value.is_uncomputed()).then_some(Self {
            base: value.bits,
            step: 0,
            bits,
            symbol: value.symbol,
        })
    }

    /// What begins with `start` and is `end` one round later, if each round adds the same; `None` if not as much is
    /// known of both.
    pub(super) fn through(start: Scalar, end: Self) -> Option<Self> {
        let step = mask(end.base.wrapping_sub(start.bits), end.bits);
        let symbol = match (start.is_known(), end.at(0).is_known()) {
            // In all rounds but the first, it is marked as the end is.
            (true, true) if step == 0 => end.symbol,
            (true, true) => 0,
            (false, false) if step != 0 || start.symbol == end.symbol => start.symbol,
            _ => return None,
        };
        let is_line = !start.is_uncomputed() && start.bits == mask(start.bits, end.bits);
        is_line.then_some(Self {
            base: start.bits,
            step,
            bits: end.bits,
            symbol,
        })
    }

    /// Whether a round that begins with this value, and ends with the other, is followed by one that begins with this
    /// value's next.
    pub(super) fn goes_on(self, end: Self) -> bool {
        let next = mask(self.base.wrapping_add(self.step), self.bits);
        let same = (next, self.step) == (end.base, end.step) && (self.step == 0 || self.bits == end.bits);
        let (known, end_known) = (self.at(0).is_known(), end.at(0).is_known());
        same && known == end_known && (known || self.step != 0 || self.symbol == end.symbol)
    }

    /// The value in a round, if it is the same in all of them.
    pub(super) fn fixed(self) -> Option<Scalar> {
        (self.step == 0).then_some(self.at(0))
    }

    /// The value in a round. Of one that comes from outside, no two rounds have the same.
    pub(super) fn at(self, round: u64) -> Scalar {
        let first = Scalar {
            bits: self.base,
            symbol: self.symbol,
        };
        if round == 0 || self.step == 0 {
            return first;
        }
        Scalar {
            bits: mask(self.base.wrapping_add(self.step.wrapping_mul(round)), self.bits),
            symbol: match first.is_known() {
                true => 0,
                false => source(("round", self.symbol, self.step, round)),
            },
        }
    }

    /// Its low bits.
    pub(super) fn narrow(self, bits: u32) -> Self {
        if bits >= self.bits {
            return self;
        }
        Self {
            base: mask(self.base, bits),
            step: mask(self.step, bits),
            bits,
            ..self
        }
    }

    /// The same as a line of 64 bits, as long as it does not wrap.
    pub(super) fn wide(self, bound: &mut Bound) -> Self {
        let (base, step) = self.whole(64, false, bound);
        Self {
            base: base as u64,
            step: step as u64,
            bits: 64,
            ..self
        }
    }

    /// What its low `bits` bits are in the first round, and their step, as whole numbers; `bound` then says how long
    /// these do not wrap.
    pub(super) fn whole(self, bits: u32, is_signed: bool, bound: &mut Bound) -> (i128, i128) {
        // What has fewer bits is zero in all others, and so is its sign.
        let (bits, is_signed) = match self.step != 0 && self.bits < bits {
            true => (self.bits, false),
            false => (bits, is_signed),
        };
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
        let first = arithmetic::integer(operator, bits, left.at(0), right.at(0));
        // What wraps in fewer bits than the result has is no line of that many.
        if [left, right]
            .iter()
            .any(|line| line.step != 0 && line.bits < bits)
        {
            return None;
        }
        let step = match (operator, left.fixed(), right.fixed()) {
            (_, Some(_), Some(_)) => 0,
            (Arithmetic::Add, ..) => left.step.wrapping_add(right.step),
            (Arithmetic::Sub, ..) => left.step.wrapping_sub(right.step),
            (Arithmetic::Mul, _, Some(factor)) => left.step.wrapping_mul(factor.bits),
            (Arithmetic::Mul, Some(factor), _) => right.step.wrapping_mul(factor.bits),
            (Arithmetic::Shl, _, Some(shift)) if shift.bits < u64::from(bits) => left.step << shift.bits,
            _ => return None,
        };
        Some(Self {
            base: first.bits,
            step: mask(step, bits),
            bits,
            symbol: first.symbol,
        })
    }

    /// A comparison, with a bound within which it always has the result that it has now; `None` if it depends on the
    /// outside world anew in each round.
    pub(super) fn compare(
        predicate: Predicate,
        bits: u32,
        left: Self,
        right: Self,
        bound: &mut Bound,
    ) -> Option<Self> {
        let now = arithmetic::compare(predicate, bits, left.at(0), right.at(0));
        if left.fixed().is_none() || right.fixed().is_none() {
            if !now.is_known() {
                return None;
            }
            // Registers are compared as a whole, but for a sign.
            let (bits, is_signed) = match predicate {
                Predicate::Sgt | Predicate::Sge | Predicate::Slt | Predicate::Sle => (bits, true),
                _ => (64, false),
            };
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
                Predicate::Eq | Predicate::Ne => match (difference, step) {
                    (_, 0) => i128::from(ENDLESS),
                    (0, _) => 1,
                    // They differ up to the round in which they meet, if they do.
                    _ if difference % step == 0 && -difference / step > 0 => -difference / step,
                    _ => i128::from(ENDLESS),
                },
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
        let first = arithmetic::convert(conversion, from, to, self.at(0));
        match conversion {
            Conversion::Keep => Some(self),
            Conversion::ZeroExtend => Some(self.wide(bound)),
            Conversion::Truncate => Some(Self {
                symbol: first.symbol,
                ..self.narrow(width(to))
            }),
            Conversion::SignExtend => {
                let (_, step) = self.whole(width(from), true, bound);
                Some(Self {
                    base: first.bits,
                    step: mask(step as u64, width(to)),
                    bits: width(to),
                    symbol: first.symbol,
                })
            }
            _ if self.step == 0 => Self::constant(first, width(to)),
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

/// Bits of a scalar type.
pub(super) fn width(ty: &Type) -> u32 {
    match ty {
        Type::Integer(bits) => *bits,
        Type::Float => 32,
        _ => 64,
    }
}

/// The first round below `most` in which a condition that changes once at most is not as in round 0; `most` if there is
/// none.
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
    use crate::value::UNCOMPUTED;

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
        (holds.is_some_and(|holds| holds.base == 1), bound.0)
    }

    #[test]
    fn a_comparison_holds_until_the_lines_have_crossed() {
        assert_eq!(rounds(Predicate::Slt, line(0, 1, 32), 100), (true, 100));
        assert_eq!(rounds(Predicate::Slt, line(-1, 7, 32), 100), (true, 15));
        assert_eq!(rounds(Predicate::Sge, line(10, -1, 32), 0), (true, 11));
        assert_eq!(rounds(Predicate::Eq, line(5, 1, 32), 5), (true, 1));
        // It becomes true for a single round.
        assert_eq!(rounds(Predicate::Eq, line(0, 1, 32), 7), (false, 7));
        assert!(!rounds(Predicate::Eq, line(8, 1, 32), 7).0);
        assert_eq!(rounds(Predicate::Ne, line(7, 1, 32), 7), (false, 1));
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
    fn a_line_of_few_bits_is_no_line_of_more_once_it_wraps() {
        let (byte, one) = (line(250, 1, 8), line(1, 0, 64));
        assert_eq!(Line::arithmetic(Arithmetic::Add, 32, byte, one), None);
        let mut bound = Bound(ENDLESS);
        let below = Line::compare(Predicate::Ult, 32, byte, line(1000, 0, 64), &mut bound);
        assert_eq!((below.map(|below| below.base), bound.0), (Some(1), 6));
        let wide = line(0x1ff, 1, 64).narrow(8);
        assert_eq!((wide.at(0).bits, wide.at(1).bits), (255, 0));
        assert_eq!(byte.narrow(64), byte);
    }

    #[test]
    fn what_goes_from_round_to_round_is_known_of_both_ends_or_of_none() {
        let known = Scalar::known;
        let from = |symbol, bits| Scalar { bits, symbol };
        let constant = |value| Line::constant(value, 64).unwrap();
        assert_eq!(Line::through(known(3), constant(known(5))), Some(line(3, 2, 64)));
        assert_eq!(Line::through(known(3), constant(from(9, 3))), None);
        assert_eq!(Line::through(from(9, 3), constant(known(3))), None);
        assert_eq!(Line::through(from(9, 3), constant(from(11, 3))), None);
        assert_eq!(Line::through(from(UNCOMPUTED, 3), constant(from(9, 4))), None);
        let counter = Line::through(from(9, 0), constant(from(11, 1))).unwrap();
        let symbols = [0, 1, 2].map(|round| counter.at(round).symbol);
        assert!(symbols[0] == 9 && symbols[1] != 9 && symbols[1] != symbols[2] && symbols[1] & 1 == 1);
        assert!(counter.goes_on(Line { base: 1, ..counter }) && !counter.goes_on(line(1, 1, 64)));
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
