//! Values as functions of the rounds of a loop and of loops within it: `base + round * step + inner round * inner
//! step`, as far as arithmetic keeps them so.
//!
//! A line of `bits` bits says what a register holds: the number modulo `2^bits`, zero-extended. Addition, subtraction,
//! multiplication by a constant and truncation respect that; whatever looks at the whole number (a comparison, a
//! widening, an address) first bounds the rounds so that the number does not wrap ([`Bound`]).

use super::bound::{Bound, NESTED, Whole};
use crate::arithmetic;
use crate::ir::{Arithmetic, Conversion, Predicate, Type};
use crate::value::{Scalar, Symbol, mask, signed, source};

/// What each round of each loop adds, from the outermost loop on.
pub(super) type Steps = [u64; NESTED];

/// A value in each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) base: u64,
    pub(super) steps: Steps,
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

impl Line {
    /// The same value in every round; `None` if it was not computed.
    pub(super) fn constant(value: Scalar, bits: u32) -> Option<Self> {
        (!value.is_uncomputed()).then_some(Self {
            base: value.bits,
            steps: [0; NESTED],
            bits,
            symbol: value.symbol,
        })
    }

    /// What begins with `start` and is `end` one round of a loop later, if each round of it adds the same; `None` if
    /// not as much is known of both.
    pub(super) fn through(start: Self, end: Self, depth: usize) -> Option<Self> {
        let step = mask(end.base.wrapping_sub(start.base), end.bits);
        let (known, end_known) = (start.first().is_known(), end.first().is_known());
        let symbol = match (known, end_known) {
            // In all rounds but the first, it is marked as the end is.
            (true, true) if step == 0 => end.symbol,
            (true, true) => 0,
            (false, false) if step != 0 || start.symbol == end.symbol => start.symbol,
            _ => return None,
        };
        let as_wide = start.bits == end.bits || start.is_fixed() && start.base == mask(start.base, end.bits);
        if !as_wide || start.steps != end.steps {
            return None;
        }
        let mut line = Self {
            base: start.base,
            symbol,
            ..end
        };
        line.steps[depth] = step;
        Some(line)
    }

    /// Whether a round that begins with this value, and ends with the other, is followed by one that begins with this
    /// value's next.
    pub(super) fn goes_on(self, end: Self, depth: usize) -> bool {
        let step = self.steps[depth];
        let next = mask(self.base.wrapping_add(step), self.bits);
        let same = (next, self.steps) == (end.base, end.steps) && (self.is_fixed() || self.bits == end.bits);
        let (known, end_known) = (self.first().is_known(), end.first().is_known());
        same && known == end_known && (known || step != 0 || self.symbol == end.symbol)
    }

    /// Whether it is the same in all rounds.
    pub(super) fn is_fixed(self) -> bool {
        self.steps == [0; NESTED]
    }

    /// The value in a round, if it is the same in all of them.
    pub(super) fn fixed(self) -> Option<Scalar> {
        self.is_fixed().then_some(self.first())
    }

    /// The value in the first rounds.
    pub(super) fn first(self) -> Scalar {
        Scalar {
            bits: self.base,
            symbol: self.symbol,
        }
    }

    /// The value in one round of a loop. Of one that comes from outside, no two rounds have the same.
    pub(super) fn in_round(mut self, depth: usize, round: u64) -> Self {
        let step = std::mem::take(&mut self.steps[depth]);
        if round == 0 || step == 0 {
            return self;
        }
        self.symbol = match self.first().is_known() {
            true => 0,
            false => source(("round", self.symbol, step, round)),
        };
        self.base = mask(self.base.wrapping_add(step.wrapping_mul(round)), self.bits);
        self
    }

    /// The value in one round of each loop, from the outermost on.
    #[inline]
    pub(super) fn in_rounds(self, rounds: [u64; NESTED]) -> Scalar {
        if !self.first().is_known() {
            let each = rounds.into_iter().enumerate();
            return each
                .fold(self, |line, (depth, round)| line.in_round(depth, round))
                .first();
        }
        let mut now = self.first();
        for (step, round) in self.steps.into_iter().zip(rounds) {
            if step != 0 && round != 0 {
                now = Scalar::known(now.bits.wrapping_add(step.wrapping_mul(round)));
            }
        }
        now.bits = mask(now.bits, self.bits);
        now
    }

    /// Its low bits.
    pub(super) fn narrow(self, bits: u32) -> Self {
        if bits >= self.bits {
            return self;
        }
        Self {
            base: mask(self.base, bits),
            steps: self.steps.map(|step| mask(step, bits)),
            bits,
            ..self
        }
    }

    /// The same as a line of 64 bits, as long as it does not wrap.
    pub(super) fn wide(self, bound: &mut Bound) -> Self {
        let whole = self.whole(64, false, bound);
        Self {
            base: whole.base() as u64,
            steps: whole.steps().map(|step| step as u64),
            bits: 64,
            ..self
        }
    }

    /// What its low `bits` bits are, as whole numbers; `bound` then says how long these do not wrap.
    pub(super) fn whole(self, bits: u32, is_signed: bool, bound: &mut Bound) -> Whole {
        // What has fewer bits is zero in all others, and so is its sign.
        let (bits, is_signed) = match !self.is_fixed() && self.bits < bits {
            true => (self.bits, false),
            false => (bits, is_signed),
        };
        let steps = self.steps.map(|step| i128::from(signed(step, bits)));
        let (base, least, most) = if is_signed {
            let most = (1i128 << (bits - 1)) - 1;
            (i128::from(signed(self.base, bits)), -most - 1, most)
        } else {
            (i128::from(mask(self.base, bits)), 0, (1i128 << bits) - 1)
        };
        let whole = Whole::new(base, steps);
        bound.stay_within(whole, least, most);
        whole
    }

    /// An integer operation; `None` if the result is no line.
    pub(super) fn arithmetic(operator: Arithmetic, bits: u32, left: Self, right: Self) -> Option<Self> {
        let first = arithmetic::integer(operator, bits, left.first(), right.first());
        // What wraps in fewer bits than the result has is no line of that many.
        if [left, right]
            .iter()
            .any(|line| !line.is_fixed() && line.bits < bits)
        {
            return None;
        }
        let each = |step: fn(u64, u64) -> u64| {
            let mut steps = left.steps;
            steps
                .iter_mut()
                .zip(right.steps)
                .for_each(|(left, right)| *left = step(*left, right));
            steps
        };
        let steps = match (operator, left.fixed(), right.fixed()) {
            (_, Some(_), Some(_)) => [0; NESTED],
            (Arithmetic::Add, ..) => each(u64::wrapping_add),
            (Arithmetic::Sub, ..) => each(u64::wrapping_sub),
            (Arithmetic::Mul, _, Some(factor)) => left.steps.map(|step| step.wrapping_mul(factor.bits)),
            (Arithmetic::Mul, Some(factor), _) => right.steps.map(|step| step.wrapping_mul(factor.bits)),
            (Arithmetic::Shl, _, Some(shift)) if shift.bits < u64::from(bits) => {
                left.steps.map(|step| step << shift.bits)
            }
            _ => return None,
        };
        Some(Self {
            base: first.bits,
            steps: steps.map(|step| mask(step, bits)),
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
        let now = arithmetic::compare(predicate, bits, left.first(), right.first());
        if !left.is_fixed() || !right.is_fixed() {
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
            bound.keep(predicate, left - right);
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
        let first = arithmetic::convert(conversion, from, to, self.first());
        match conversion {
            Conversion::Keep => Some(self),
            Conversion::ZeroExtend => Some(self.wide(bound)),
            Conversion::Truncate => Some(Self {
                symbol: first.symbol,
                ..self.narrow(width(to))
            }),
            Conversion::SignExtend => {
                let whole = self.whole(width(from), true, bound);
                Some(Self {
                    base: first.bits,
                    steps: whole.steps().map(|step| mask(step as u64, width(to))),
                    bits: width(to),
                    symbol: first.symbol,
                })
            }
            _ if self.is_fixed() => Self::constant(first, width(to)),
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::UNCOMPUTED;

    fn line(base: i64, step: i64, bits: u32) -> Line {
        Line {
            base: mask(base as u64, bits),
            steps: [mask(step as u64, bits), 0, 0],
            bits,
            symbol: 0,
        }
    }

    fn endless() -> Bound {
        Bound::of_loop(0)
    }

    fn rounds(predicate: Predicate, left: Line, right: i64) -> (bool, u64) {
        let mut bound = endless();
        let holds = Line::compare(predicate, 32, left, line(right, 0, 32), &mut bound);
        (holds.is_some_and(|holds| holds.base == 1), bound.rounds())
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
        let mut bound = endless();
        let (from, to) = (Type::Integer(8), Type::Integer(64));
        let wide = line(120, 1, 8).convert(Conversion::SignExtend, &from, &to, &mut bound);
        assert_eq!(
            (wide.map(|line| line.in_round(0, 7).base), bound.rounds()),
            (Some(127), 8)
        );
        let down = line(2, -1, 8).convert(Conversion::SignExtend, &from, &to, &mut endless());
        assert_eq!(down.map(|line| line.in_round(0, 5).base as i64), Some(-3));
    }

    #[test]
    fn a_line_of_few_bits_is_no_line_of_more_once_it_wraps() {
        let (byte, one) = (line(250, 1, 8), line(1, 0, 64));
        assert_eq!(Line::arithmetic(Arithmetic::Add, 32, byte, one), None);
        let mut bound = endless();
        let below = Line::compare(Predicate::Ult, 32, byte, line(1000, 0, 64), &mut bound);
        assert_eq!((below.map(|below| below.base), bound.rounds()), (Some(1), 6));
        let wide = line(0x1ff, 1, 64).narrow(8);
        assert_eq!((wide.in_round(0, 0).base, wide.in_round(0, 1).base), (255, 0));
        assert_eq!(byte.narrow(64), byte);
    }

    #[test]
    fn what_goes_from_round_to_round_is_known_of_both_ends_or_of_none() {
        let known = Scalar::known;
        let from = |symbol, bits| Scalar { bits, symbol };
        let constant = |value| Line::constant(value, 64).unwrap();
        let through = |start, end| Line::through(constant(start), constant(end), 0);
        assert_eq!(through(known(3), known(5)), Some(line(3, 2, 64)));
        assert_eq!(through(known(3), from(9, 3)), None);
        assert_eq!(through(from(9, 3), known(3)), None);
        assert_eq!(through(from(9, 3), from(11, 3)), None);
        assert_eq!(Line::constant(from(UNCOMPUTED, 3), 64), None);
        let counter = through(from(9, 0), from(11, 1)).unwrap();
        let symbols = [0, 1, 2].map(|round| counter.in_round(0, round).symbol);
        assert!(symbols[0] == 9 && symbols[1] != 9 && symbols[1] != symbols[2] && symbols[1] & 1 == 1);
        assert!(counter.goes_on(Line { base: 1, ..counter }, 0) && !counter.goes_on(line(1, 1, 64), 0));
    }

    #[test]
    fn sums_and_multiples_of_lines_are_lines_and_products_are_not() {
        let (i, j) = (line(1, 2, 64), line(10, -1, 64));
        let of = |operator, left, right| Line::arithmetic(operator, 64, left, right);
        assert_eq!(
            of(Arithmetic::Add, i, j).map(|sum| sum.in_round(0, 4).base),
            Some(15)
        );
        assert_eq!(
            of(Arithmetic::Mul, i, line(8, 0, 64)).map(|far| far.in_round(0, 3).base),
            Some(56)
        );
        assert_eq!(of(Arithmetic::Mul, i, j), None);
        assert_eq!(of(Arithmetic::SRem, i, line(3, 0, 64)), None);
    }
}
