//! Polling several cells at once, until one is not 0.

use crate::ast::{BinaryOperator, Expression, Place, Statement, StatementKind, Target, UnaryOperator};

/// One of the cells.
pub(super) struct Poll {
    index: Expression,
    cell: Target,
    seen: Target,
}

impl Poll {
    /// `seen` is the register that it is loaded to.
    pub(super) fn new(index: Expression, cell: Target, seen: Target) -> Self {
        Self { index, cell, seen }
    }

    fn load(&self) -> StatementKind {
        StatementKind::Assign {
            into: self.seen.clone(),
            value: Expression::Value(self.cell.clone()),
        }
    }

    fn found(&self, found: &Target) -> StatementKind {
        StatementKind::Assign {
            into: found.clone(),
            value: self.index.clone(),
        }
    }

    fn is_zero(&self) -> Expression {
        let seen = Expression::Value(self.seen.clone());
        Expression::Unary(UnaryOperator::Not, Box::new(seen))
    }
}

/// Gives `found` the index of one of the cells that are not 0, once there is one: as many ways to go on as there are
/// such cells.
pub(super) fn any(polls: &[Poll], found: &Target, place: &Place) -> Vec<StatementKind> {
    let way = |poll: &Poll| {
        let kinds = [
            poll.load(),
            StatementKind::While {
                condition: poll.is_zero(),
                body: placed(vec![poll.load()], place),
            },
            poll.found(found),
        ];
        placed(kinds.to_vec(), place)
    };
    vec![StatementKind::Choice(polls.iter().map(way).collect())]
}

/// Gives `found` the index of the first cell that is not 0. All are looked at in each turn, so that each turn is a poll
/// of all.
pub(super) fn first(polls: &[Poll], found: &Target, place: &Place) -> Vec<StatementKind> {
    let placed = |kinds| placed(kinds, place);
    let loads: Vec<StatementKind> = polls.iter().map(Poll::load).collect();
    let condition = polls
        .iter()
        .map(Poll::is_zero)
        .reduce(|left, right| Expression::Binary(BinaryOperator::And, Box::new(left), Box::new(right)))
        .unwrap_or(Expression::Number(0, place.clone()));
    let mut statements = loads.clone();
    statements.push(StatementKind::While {
        condition,
        body: placed(loads),
    });
    let mut which: Vec<StatementKind> = Vec::new();
    for poll in polls.iter().rev() {
        let assign = poll.found(found);
        which = if which.is_empty() {
            vec![assign]
        } else {
            vec![StatementKind::If {
                condition: Expression::Value(poll.seen.clone()),
                then: placed(vec![assign]),
                otherwise: placed(which),
            }]
        };
    }
    statements.extend(which);
    statements
}

fn placed(kinds: Vec<StatementKind>, place: &Place) -> Vec<Statement> {
    let statement = |kind| Statement {
        kind,
        place: place.clone(),
    };
    kinds.into_iter().map(statement).collect()
}
