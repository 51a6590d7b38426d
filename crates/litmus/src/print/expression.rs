//! Expressions, with as few parentheses as they can be read with.

use super::register;
use crate::ast::{BinaryOperator, Expression, Process};
use crate::parser::binding;

pub(super) fn expression(process: &Process, root: &Expression) -> String {
    within(process, root, 0)
}

/// What an assignment assigns. `||` stands in parentheses, since `|` separates columns.
pub(super) fn right_side(process: &Process, root: &Expression) -> String {
    within(process, root, binding(BinaryOperator::Or) + 1)
}

/// In parentheses if it binds less tightly than `least`.
fn within(process: &Process, root: &Expression, least: u8) -> String {
    match root {
        Expression::Number(number) => number.to_string(),
        Expression::Register(id) => register(process, *id).to_owned(),
        // `-3` is a number: its negative keeps its parentheses.
        Expression::Negative(inner) => match **inner {
            Expression::Number(0..) => format!("-({})", within(process, inner, 0)),
            _ => format!("-{}", within(process, inner, 6)),
        },
        Expression::Not(inner) => format!("!{}", within(process, inner, 6)),
        Expression::Binary(operator, left, right) => {
            let binding = binding(*operator);
            let text = format!(
                "{} {} {}",
                within(process, left, binding),
                operator_name(*operator),
                within(process, right, binding + 1)
            );
            if binding < least {
                format!("({text})")
            } else {
                text
            }
        }
    }
}

fn operator_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterOrEqual => ">=",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
    }
}
