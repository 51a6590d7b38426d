//! What the program computes from values that only a run knows: expressions over registers of the calculus.
//!
//! Expressions of the calculus are over whole numbers, those of C over words. [`Expression::range`] bounds the values
//! that an expression can have; where they might leave what C and the calculus agree on, nothing is built.

use farside_pgas::ast::BinaryOperator;
use farside_pgas::lower::MAX_DOMAIN;
use std::rc::Rc;

/// A register of the calculus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Register(u32);

impl Register {
    pub(crate) fn new(number: u32) -> Self {
        Self(number)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// An expression whose value is that of the C program, as a signed number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Expression {
    Number(i64),
    Register(Register),
    Not(Rc<Expression>),
    Binary(BinaryOperator, Rc<Expression>, Rc<Expression>),
}

/// Numbers beyond it are not computed with.
const MOST: i64 = 1 << 40;

impl Expression {
    /// Least and greatest value.
    pub(crate) fn range(&self) -> (i64, i64) {
        use BinaryOperator as B;
        match self {
            Self::Number(value) => (*value, *value),
            Self::Register(_) => (0, i64::from(MAX_DOMAIN) - 1),
            Self::Not(_) => (0, 1),
            Self::Binary(operator, left, right) => {
                let ((a, b), (c, d)) = (left.range(), right.range());
                match operator {
                    B::Add => (a.saturating_add(c), b.saturating_add(d)),
                    B::Subtract => (a.saturating_sub(d), b.saturating_sub(c)),
                    B::Multiply => {
                        let all =
                            [(a, c), (a, d), (b, c), (b, d)].map(|(one, other)| one.saturating_mul(other));
                        (min(&all), all.into_iter().max().unwrap_or(0))
                    }
                    // Only built with a positive divisor.
                    B::Divide => {
                        let all = [(a, c), (a, d), (b, c), (b, d)].map(|(one, by)| one.div_euclid(by.max(1)));
                        (min(&all), all.into_iter().max().unwrap_or(0))
                    }
                    B::Remainder => (0, d.saturating_sub(1).max(0)),
                    _ => (0, 1),
                }
            }
        }
    }

    /// Whether it is 0 or 1.
    pub(crate) fn is_truth(&self) -> bool {
        self.range().0 >= 0 && self.range().1 <= 1
    }

    /// The two numbers put together; `None` if the result may be one that C has no room for in so many bits.
    pub(crate) fn computed(
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        bits: u32,
    ) -> Option<Self> {
        let result = Self::binary(operator, left, right)?;
        let (least, most) = result.range();
        let room = 1_i64 << (bits.clamp(1, 41) - 1);
        (least >= -room && most < room).then_some(result)
    }

    /// The product; `None` if it may have no room in so many bits. A product of 32 bits has room as an unsigned number,
    /// too: a signed one that is larger is none of C (C11 §6.5). Then it is [wide](Self::is_wide).
    pub(crate) fn product(left: &Expression, right: &Expression, bits: u32) -> Option<Self> {
        let product = Self::binary(BinaryOperator::Multiply, left, right)?;
        let (least, most) = product.range();
        let fits = bits == 32 && least >= -(1 << 31) && most < 1 << 32;
        if fits {
            return Some(product);
        }
        Self::computed(BinaryOperator::Multiply, left, right, bits)
    }

    /// Whether it may be a number of 32 bits that is another one as a signed number: a large product.
    pub(crate) fn is_wide(&self, bits: u32) -> bool {
        let (least, most) = self.range();
        bits == 32 && (least < i64::from(i32::MIN) || most > i64::from(i32::MAX))
    }

    /// The quotient of C, which is the nearest number that is not further from 0, by a positive number; `None` if it is
    /// not followed.
    pub(crate) fn quotient(left: &Expression, right: &Expression, bits: u32) -> Option<Self> {
        use BinaryOperator as B;
        if left.range().0 >= 0 {
            return Self::computed(B::Divide, left, right, bits);
        }
        let less = Self::computed(B::Subtract, right, &Self::Number(1), bits)?;
        let negative = Self::computed(B::Less, left, &Self::Number(0), bits)?;
        let up = Self::computed(B::Multiply, &negative, &less, bits)?;
        let sum = Self::computed(B::Add, left, &up, bits)?;
        Self::computed(B::Divide, &sum, right, bits)
    }

    /// What the quotient of C leaves, by a positive number; `None` if it is not followed.
    pub(crate) fn rest(left: &Expression, right: &Expression, bits: u32) -> Option<Self> {
        use BinaryOperator as B;
        if left.range().0 >= 0 {
            return Self::computed(B::Remainder, left, right, bits);
        }
        let quotient = Self::quotient(left, right, bits)?;
        let product = Self::computed(B::Multiply, &quotient, right, bits)?;
        Self::computed(B::Subtract, left, &product, bits)
    }

    /// The two numbers put together, simplified; `None` if it is not followed.
    pub(crate) fn binary(operator: BinaryOperator, left: &Expression, right: &Expression) -> Option<Self> {
        use BinaryOperator as B;
        let small = |expression: &Expression| {
            let (least, most) = expression.range();
            least > -MOST && most < MOST
        };
        if operator == B::Multiply {
            let bound = |e: &Expression| e.range().0.unsigned_abs().max(e.range().1.unsigned_abs());
            bound(left)
                .checked_mul(bound(right))
                .filter(|&product| product < 1 << 62)?;
        } else if matches!(operator, B::Divide | B::Remainder) {
            // The quotient is the greatest number that is not above; what is left of it is never negative.
            (right.range().0 > 0).then_some(())?;
        } else if matches!(operator, B::Add | B::Subtract) && !(small(left) && small(right)) {
            // Addresses are large: one of two may be, if the other is small.
            (small(left) || small(right)).then_some(())?;
        }
        Some(match (operator, left, right) {
            (_, Self::Number(a), Self::Number(b)) => Self::Number(number(operator, *a, *b)),
            (B::Subtract, _, Self::Number(b)) => {
                return Self::binary(B::Add, left, &Self::Number(b.wrapping_neg()));
            }
            (B::Add, Self::Number(_), _) => return Self::binary(B::Add, right, left),
            (B::Add | B::Multiply, _, Self::Number(value))
                if *value == i64::from(operator == B::Multiply) =>
            {
                left.clone()
            }
            (B::Add, Self::Binary(B::Add, inner, more), Self::Number(b)) => match &**more {
                Self::Number(a) => return Self::binary(B::Add, inner, &Self::Number(a.wrapping_add(*b))),
                _ => Self::Binary(operator, left.clone().into(), right.clone().into()),
            },
            (B::NotEqual, truth, Self::Number(0)) if truth.is_truth() => truth.clone(),
            (B::Equal, truth, Self::Number(0)) if truth.is_truth() => truth.clone().negated(),
            (B::NotEqual, truth, Self::Number(1)) if truth.is_truth() => truth.clone().negated(),
            (B::Equal, truth, Self::Number(1)) if truth.is_truth() => truth.clone(),
            // `r + 1 == 3` is `r == 2`.
            (
                B::Equal | B::NotEqual | B::Less | B::LessOrEqual | B::Greater | B::GreaterOrEqual,
                Self::Binary(B::Add, inner, more),
                Self::Number(b),
            ) => match &**more {
                Self::Number(a) => return Self::binary(operator, inner, &Self::Number(b.wrapping_sub(*a))),
                _ => Self::Binary(operator, left.clone().into(), right.clone().into()),
            },
            _ => Self::Binary(operator, left.clone().into(), right.clone().into()),
        })
    }

    /// `!e`; of `!e`, `e`.
    pub(crate) fn negated(self) -> Self {
        use BinaryOperator as B;
        match self {
            Self::Not(inner) if inner.is_truth() => (*inner).clone(),
            Self::Number(value) => Self::Number(i64::from(value == 0)),
            Self::Binary(B::Equal, left, right) => Self::Binary(B::NotEqual, left, right),
            Self::Binary(B::NotEqual, left, right) => Self::Binary(B::Equal, left, right),
            other => Self::Not(other.into()),
        }
    }

    /// A constant, and a sum of multiples of other expressions.
    pub(crate) fn linear(&self) -> (i64, Vec<(i64, Expression)>) {
        use BinaryOperator as B;
        match self {
            Self::Number(value) => (*value, Vec::new()),
            Self::Binary(B::Add, left, right) => {
                let ((a, mut terms), (b, more)) = (left.linear(), right.linear());
                terms.extend(more);
                (a.wrapping_add(b), terms)
            }
            Self::Binary(B::Subtract, left, right) => {
                let ((a, mut terms), (b, more)) = (left.linear(), right.linear());
                terms.extend(
                    more.into_iter()
                        .map(|(factor, term)| (factor.wrapping_neg(), term)),
                );
                (a.wrapping_sub(b), terms)
            }
            Self::Binary(B::Multiply, left, right) => match (&**left, &**right) {
                (inner, Self::Number(factor)) | (Self::Number(factor), inner) => {
                    let (a, terms) = inner.linear();
                    let scaled = terms
                        .into_iter()
                        .map(|(by, term)| (by.wrapping_mul(*factor), term));
                    (a.wrapping_mul(*factor), scaled.collect())
                }
                _ => (0, vec![(1, self.clone())]),
            },
            _ => (0, vec![(1, self.clone())]),
        }
    }
}

fn min(all: &[i64]) -> i64 {
    all.iter().copied().min().unwrap_or(0)
}

fn number(operator: BinaryOperator, a: i64, b: i64) -> i64 {
    use BinaryOperator as B;
    match operator {
        B::Or => i64::from(a != 0 || b != 0),
        B::And => i64::from(a != 0 && b != 0),
        B::Equal => i64::from(a == b),
        B::NotEqual => i64::from(a != b),
        B::Less => i64::from(a < b),
        B::LessOrEqual => i64::from(a <= b),
        B::Greater => i64::from(a > b),
        B::GreaterOrEqual => i64::from(a >= b),
        B::Add => a.wrapping_add(b),
        B::Subtract => a.wrapping_sub(b),
        B::Multiply => a.wrapping_mul(b),
        B::Divide => a.checked_div_euclid(b).unwrap_or(0),
        B::Remainder => a.checked_rem_euclid(b).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of an expression whose registers have these values, as the calculus computes it.
    fn value(expression: &Expression, registers: [i64; 2]) -> i64 {
        match expression {
            Expression::Number(value) => *value,
            Expression::Register(Register(index)) => registers[*index as usize],
            Expression::Not(inner) => i64::from(value(inner, registers) == 0),
            Expression::Binary(operator, left, right) => {
                number(*operator, value(left, registers), value(right, registers))
            }
        }
    }

    const OPERATORS: [BinaryOperator; 13] = {
        use BinaryOperator as B;
        [
            B::Or,
            B::And,
            B::Equal,
            B::NotEqual,
            B::Less,
            B::LessOrEqual,
            B::Greater,
            B::GreaterOrEqual,
            B::Add,
            B::Subtract,
            B::Multiply,
            B::Divide,
            B::Remainder,
        ]
    };

    /// Numbers and registers, and with depth all that is computed of them.
    fn every(depth: u32) -> Vec<Expression> {
        let mut all: Vec<Expression> = [-1, 0, 1, 2].map(Expression::Number).to_vec();
        all.extend([0, 1].map(|index| Expression::Register(Register(index))));
        if depth > 0 {
            let inner = every(depth - 1);
            for operator in OPERATORS {
                for left in &inner {
                    all.extend(
                        inner
                            .iter()
                            .filter_map(|right| Expression::binary(operator, left, right)),
                    );
                }
            }
            all.extend(inner.into_iter().map(Expression::negated));
        }
        all
    }

    #[test]
    fn what_is_simplified_has_the_same_value_and_is_in_its_range() {
        for registers in [[0, 0], [0, 1], [3, 1], [2, 5]] {
            for left in every(1) {
                let (least, most) = left.range();
                assert!((least..=most).contains(&value(&left, registers)), "{left:?}");
                let not = i64::from(value(&left, registers) == 0);
                assert_eq!(value(&left.clone().negated(), registers), not, "{left:?}");
                for right in every(0) {
                    for operator in OPERATORS {
                        let Some(made) = Expression::binary(operator, &left, &right) else {
                            continue;
                        };
                        let plain = number(operator, value(&left, registers), value(&right, registers));
                        assert_eq!(value(&made, registers), plain, "{operator:?} {left:?} {right:?}");
                        let (constant, terms) = made.linear();
                        let terms = terms.iter().map(|(factor, term)| factor * value(term, registers));
                        assert_eq!(
                            constant + terms.sum::<i64>(),
                            plain,
                            "{operator:?} {left:?} {right:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_product_of_two_registers_is_followed_where_c_has_room_for_it() {
        let [one, other] = [0, 1].map(|index| Expression::Register(Register(index)));
        let product = Expression::product(&one, &other, 32).unwrap();
        assert!(product.is_wide(32));
        assert_eq!(value(&product, [7, 6]), 42);
        assert!(!Expression::product(&one, &other, 64).unwrap().is_wide(64));
        assert_eq!(Expression::product(&one, &other, 16), None);
    }

    #[test]
    fn quotients_and_rests_are_those_of_c() {
        for registers in [[0, 1], [1, 0], [5, 12], [12, 5], [7, 0]] {
            for left in every(1) {
                for divisor in [1, 2, 3] {
                    let (of, by) = (value(&left, registers), Expression::Number(divisor));
                    for (made, plain) in [
                        (Expression::quotient(&left, &by, 32), of / divisor),
                        (Expression::rest(&left, &by, 32), of % divisor),
                    ] {
                        let Some(made) = made else { continue };
                        assert_eq!(value(&made, registers), plain, "{left:?} {divisor}");
                        let (least, most) = made.range();
                        assert!((least..=most).contains(&plain), "{left:?} {divisor}");
                    }
                }
            }
        }
    }
}
