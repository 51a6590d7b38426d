//! What a load waits for: the least value that ends it.

use super::access::Access;
use super::flow::Flow;
use farside_pgas::ast::{BinaryOperator, UnaryOperator};
use farside_pgas::calculus::{Command, Expression, Register};

/// The least value that ends a load: one expression, and a number added to it.
pub(super) struct Wanted<'p> {
    least: &'p Expression,
    more: i64,
}

impl<'p> Wanted<'p> {
    /// What an access waits for, if it is a load that waits until its value equals an expression, or is not below one.
    pub(super) fn of(flow: &Flow<'p>, access: &Access) -> Option<Self> {
        match &flow.code().transitions[access.at().1].command {
            Command::Load {
                into,
                until: Some(until),
                ..
            } => Self::within(until, *into, true),
            _ => None,
        }
    }

    fn within(until: &'p Expression, into: Register, holds: bool) -> Option<Self> {
        use BinaryOperator as B;
        match until {
            Expression::Unary(UnaryOperator::Not, inner) => Self::within(inner, into, !holds),
            Expression::Binary(operator, left, right) => {
                let is_loaded = |side: &Expression| *side == Expression::Register(into);
                let (least, operator) = match (is_loaded(left), is_loaded(right)) {
                    (true, false) => (&**right, *operator),
                    (false, true) => (&**left, mirrored(*operator)?),
                    _ => return None,
                };
                let more = match (operator, holds) {
                    (B::Equal | B::GreaterOrEqual, true) | (B::NotEqual | B::Less, false) => 0,
                    (B::Greater, true) | (B::LessOrEqual, false) => 1,
                    _ => return None,
                };
                // What is loaded must not say itself what it is compared with.
                (!least.names(into)).then_some(Self { least, more })
            }
            _ => None,
        }
    }

    /// The expression.
    pub(super) fn least(&self) -> &'p Expression {
        self.least
    }

    /// What is added to it.
    pub(super) fn more(&self) -> i64 {
        self.more
    }
}

/// The comparison with its sides exchanged.
fn mirrored(operator: BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    Some(match operator {
        B::Equal | B::NotEqual => operator,
        B::Less => B::Greater,
        B::LessOrEqual => B::GreaterOrEqual,
        B::Greater => B::Less,
        B::GreaterOrEqual => B::LessOrEqual,
        _ => return None,
    })
}
