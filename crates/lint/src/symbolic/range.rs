//! What a step may be for all numbers of a range at once.
//!
//! Promise: the result of each pair of operands within their ranges lies within the range of the result, or is
//! undefined, and then the range says that some may be. Source: interval arithmetic, as in Moore 1966; ends are exact,
//! for all numbers are integers.

use crate::ir::{Arithmetic, Predicate};
use crate::value::{mask, signed};

/// The least and the largest number, of 64 bits with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    least: i64,
    largest: i64,
    /// Some of them may be undefined.
    may_fail: bool,
}

impl Range {
    /// The range from a number to another.
    pub(super) fn between(least: i64, largest: i64) -> Self {
        Self {
            least,
            largest,
            may_fail: false,
        }
    }

    /// One number.
    pub(super) fn one(value: u64) -> Self {
        Self::between(value as i64, value as i64)
    }

    /// One of two numbers.
    pub(super) fn either(one: u64, other: u64) -> Self {
        let (one, other) = (one as i64, other as i64);
        Self::between(one.min(other), one.max(other))
    }

    /// Whether all of it is this number; `None`: some of it may be, or something may be undefined.
    pub(super) fn is(self, truth: u64) -> Option<bool> {
        match (self.least, self.largest) {
            (0, 0) | (1, 1) if self.least as u64 != truth => Some(false),
            (0, 0) | (1, 1) if !self.may_fail => Some(true),
            _ => None,
        }
    }

    /// Any number of so many bits, as [`widened`](super::steps) gives it.
    fn any(bits: u32) -> Self {
        match bits {
            1 => Self::between(0, 1),
            64.. => Self::between(i64::MIN, i64::MAX),
            _ => Self::between(-1 << (bits - 1), (1 << (bits - 1)) - 1),
        }
    }

    fn also_failing(self, may_fail: bool) -> Self {
        Self {
            may_fail: self.may_fail || may_fail,
            ..self
        }
    }

    fn known(self) -> Option<i64> {
        (self.least == self.largest).then_some(self.least)
    }

    fn is_within(self, other: Self) -> bool {
        other.least <= self.least && self.largest <= other.largest
    }

    /// The low bits of each.
    pub(super) fn truncated(self, bits: u32) -> Self {
        let any = Self::any(bits);
        match self.is_within(any) {
            true => self,
            false => any.also_failing(self.may_fail),
        }
    }

    /// Whether a comparison holds.
    pub(super) fn compared(predicate: Predicate, left: Self, right: Self) -> Self {
        let no_signs = left.least >= 0 && right.least >= 0;
        let (surely, never) = match predicate {
            Predicate::Eq => (
                left.known().is_some() && left.known() == right.known(),
                left.largest < right.least || right.largest < left.least,
            ),
            Predicate::Slt => (left.largest < right.least, left.least >= right.largest),
            Predicate::Sle => (left.largest <= right.least, left.least > right.largest),
            Predicate::Ult if no_signs => (left.largest < right.least, left.least >= right.largest),
            Predicate::Ule if no_signs => (left.largest <= right.least, left.least > right.largest),
            _ => (false, false),
        };
        let holds = match (surely, never) {
            (true, _) => Self::between(1, 1),
            (_, true) => Self::between(0, 0),
            _ => Self::between(0, 1),
        };
        holds.also_failing(left.may_fail || right.may_fail)
    }

    /// The results of an operator on numbers of so many bits; `None` if all of them are undefined.
    pub(super) fn combined(operator: Arithmetic, bits: u32, left: Self, right: Self) -> Option<Self> {
        let any = Self::any(bits);
        let fails = left.may_fail || right.may_fail;
        if let Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul = operator {
            return left.whole(operator, right, bits);
        }
        // Operators look at the low bits of their operands only.
        if !left.is_within(any) || !right.is_within(any) {
            return Some(any.also_failing(fails || operator.divides()));
        }
        if let (Some(one), Some(other)) = (left.known(), right.known()) {
            let result = operator.of(bits, mask(one as u64, bits), mask(other as u64, bits))?;
            let result = match bits {
                1 => result & 1,
                _ => signed(mask(result, bits), bits) as u64,
            };
            return Some(Self::one(result).also_failing(fails));
        }
        let no_sign = left.least >= 0;
        let by = right.known().filter(|by| *by >= 0);
        let ends = |of: fn(i64, i64) -> i64, by: i64| Self::between(of(left.least, by), of(left.largest, by));
        let result = match (operator, by) {
            (Arithmetic::SDiv, Some(by @ 1..)) => ends(|a, b| a / b, by),
            (Arithmetic::UDiv, Some(by @ 1..)) if no_sign => ends(|a, b| a / b, by),
            (Arithmetic::SRem, Some(by @ 1..)) => left.remainder(by),
            (Arithmetic::URem, Some(by @ 1..)) if no_sign => left.remainder(by),
            (Arithmetic::And, Some(by)) if bits > 1 => {
                let most = if no_sign { by.min(left.largest) } else { by };
                Self::between(0, most)
            }
            (Arithmetic::AShr, Some(by @ 0..64)) => ends(|a, b| a >> b, by),
            (Arithmetic::LShr, Some(by @ 0..64)) if no_sign => ends(|a, b| a >> b, by),
            (Arithmetic::Shl, Some(by @ 0..63)) => {
                let [least, largest] = [left.least, left.largest].map(|end| i128::from(end) << by);
                match (i64::try_from(least), i64::try_from(largest)) {
                    (Ok(least), Ok(largest)) => Self::between(least, largest).truncated(bits),
                    _ => any,
                }
            }
            _ => any,
        };
        // By zero, or the least number by -1.
        let undefined = operator.divides() && right.least <= 0;
        Some(result.also_failing(fails || undefined))
    }

    /// Sums, differences and products: those that do not fit into fewer than 64 bits are undefined.
    fn whole(self, operator: Arithmetic, other: Self, bits: u32) -> Option<Self> {
        let ends = [self.least, self.largest].map(i128::from);
        let others = [other.least, other.largest].map(i128::from);
        let all = ends.into_iter().flat_map(|a| {
            others.map(|b| match operator {
                Arithmetic::Add => a + b,
                Arithmetic::Sub => a - b,
                _ => a * b,
            })
        });
        let (least, largest) = all.fold((i128::MAX, i128::MIN), |(least, largest), end| {
            (least.min(end), largest.max(end))
        });
        let any = Self::any(bits);
        let fails = self.may_fail || other.may_fail;
        let (first, last) = (i128::from(any.least), i128::from(any.largest));
        let fits = first <= least && largest <= last;
        if bits == 1 || bits >= 64 {
            let whole = if fits {
                Self::between(least as i64, largest as i64)
            } else {
                any
            };
            return Some(whole.also_failing(fails));
        }
        let (least, largest) = (least.max(first), largest.min(last));
        (least <= largest).then(|| Self::between(least as i64, largest as i64).also_failing(fails || !fits))
    }

    /// Remainders by a number above zero; they have the sign of what is divided.
    fn remainder(self, by: i64) -> Self {
        if self.least / by == self.largest / by && (self.least >= 0) == (self.largest >= 0) {
            return Self::between(self.least % by, self.largest % by);
        }
        let least = if self.least < 0 { 1 - by } else { 0 };
        let largest = if self.largest > 0 { by - 1 } else { 0 };
        Self::between(least, largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PREDICATES: [Predicate; 5] = [
        Predicate::Eq,
        Predicate::Ult,
        Predicate::Ule,
        Predicate::Slt,
        Predicate::Sle,
    ];

    fn ends() -> impl Strategy<Value = (i64, i64)> {
        let near = (-70..70i64, 0..9i64).prop_map(|(least, more)| (least, least + more));
        let far =
            (any::<i32>(), 0..9i64).prop_map(|(least, more)| (i64::from(least), i64::from(least) + more));
        let edge = (0..9i64).prop_map(|more| (i64::MAX - more, i64::MAX));
        prop_oneof![4 => near, 1 => far, 1 => edge]
    }

    fn contains(range: Range, value: u64) -> bool {
        range.least <= value as i64 && value as i64 <= range.largest
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        /// Each result of numbers within their ranges, as steps compute it, is within the range of results.
        #[test]
        fn each_result_is_within(
            (operator, bits) in (0..Arithmetic::ALL.len(), prop::sample::select(vec![1u32, 8, 32, 64])),
            (left, right) in (ends(), ends()),
        ) {
            let operator = Arithmetic::ALL[operator];
            let of = |(least, largest): (i64, i64)| Range::between(least, largest).truncated(bits);
            let (a, b) = (of(left), of(right));
            let range = Range::combined(operator, bits, a, b);
            for one in (a.least..=a.largest).take(20) {
                for other in (b.least..=b.largest).take(20) {
                    let value = super::super::steps::computed(operator, bits, one as u64, other as u64);
                    match (value, range) {
                        (Some(value), Some(range)) => prop_assert!(contains(range, value), "{one} {other} {value}"),
                        (Some(value), None) => prop_assert!(false, "{one} {other} give {value}, not nothing"),
                        (None, range) => prop_assert!(range.is_none_or(|range| range.may_fail)),
                    }
                }
            }
        }

        #[test]
        fn each_comparison_is_within(
            predicate in prop::sample::select(PREDICATES.to_vec()),
            (left, right) in (ends(), ends()),
        ) {
            let of = |(least, largest): (i64, i64)| Range::between(least, largest);
            let range = Range::compared(predicate, of(left), of(right));
            for one in left.0..=left.1 {
                for other in right.0..=right.1 {
                    let holds = predicate.holds(64, one as u64, other as u64);
                    prop_assert!(contains(range, u64::from(holds)));
                }
            }
        }
    }
}
