//! What the value of an expression can be, with no look at a state.

use farside_pgas::ast::{BinaryOperator, UnaryOperator};
use farside_pgas::calculus::{Expression, Program};
use std::ops::Range;

/// The indices below `count` that an expression can have.
pub(crate) fn within(program: &Program, expression: &Expression, count: usize) -> Range<usize> {
    let (least, most) = range(expression, program.domain);
    let least = usize::try_from(least.max(0)).unwrap_or(count).min(count);
    let behind = usize::try_from(most.saturating_add(1).max(0))
        .unwrap_or(count)
        .min(count);
    least..behind.max(least)
}

/// Smallest and largest value that an expression without `me` and `n` can have, registers being below `domain`.
pub(crate) fn range(expression: &Expression, domain: u32) -> (i64, i64) {
    const ALL: (i64, i64) = (i64::MIN, i64::MAX);
    let both = |left: &Expression, right: &Expression| (range(left, domain), range(right, domain));
    match expression {
        Expression::Constant(value) => (*value, *value),
        Expression::Register(_) => (0, i64::from(domain) - 1),
        Expression::Element { base, count, index } => {
            let (least, most) = range(index, domain);
            let (least, most) = (least.max(0), most.min(count - 1));
            (base.saturating_add(least), base.saturating_add(most))
        }
        Expression::Unary(UnaryOperator::Not, _) => (0, 1),
        Expression::Binary(BinaryOperator::Add, left, right) => {
            let ((a, b), (c, d)) = both(left, right);
            match (a.checked_add(c), b.checked_add(d)) {
                (Some(least), Some(most)) => (least, most),
                _ => ALL,
            }
        }
        Expression::Binary(BinaryOperator::Subtract, left, right) => {
            let ((a, b), (c, d)) = both(left, right);
            match (a.checked_sub(d), b.checked_sub(c)) {
                (Some(least), Some(most)) => (least, most),
                _ => ALL,
            }
        }
        Expression::Binary(BinaryOperator::Remainder, _, right) => match range(right, domain) {
            (least, most) if least > 0 => (0, most - 1),
            _ => ALL,
        },
        Expression::Binary(BinaryOperator::Multiply | BinaryOperator::Divide, ..)
        | Expression::Unary(UnaryOperator::Minus, _)
        | Expression::Me
        | Expression::Ranks => ALL,
        // Comparisons and connectives.
        Expression::Binary(..) => (0, 1),
    }
}
