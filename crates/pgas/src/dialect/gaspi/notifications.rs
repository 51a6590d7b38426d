//! Notifications: the cells `s_notify` of a segment `s`, written after data and polled.

use super::super::Translation;
use super::super::statements::{no_result, wait_local, write};
use super::super::translation::{constant, plus};
use super::{MAX_NUMBER, Translated, named, out};
use crate::ast::{BinaryOperator, Call, Expression, StatementKind, Target, UnaryOperator};
use crate::diagnostic::Diagnostic;

/// The cell of a notification. If its number is not known, there are as many as processes.
pub(super) fn notification(
    t: &mut Translation<'_>,
    call: &Call,
    segment: &Expression,
    id: &Expression,
) -> Result<Target, Diagnostic> {
    let (Target::Name(name) | Target::Element(name, _)) = t.memory(segment)? else {
        return Err(Diagnostic::new("a segment is a shared variable", segment.place()));
    };
    let count = match constant(id) {
        Some(number @ 0..=MAX_NUMBER) => u32::try_from(number).unwrap_or(0) + 1,
        Some(number) => {
            return Err(Diagnostic::new(
                format!("notification {number}; the numbers go from 0 to {MAX_NUMBER}"),
                id.place(),
            ));
        }
        None => t.ranks(),
    };
    Ok(t.cell_of(&format!("{}_notify", name.text), count, id.clone(), call))
}

pub(super) fn notify(
    t: &mut Translation<'_>,
    call: &Call,
    of: [&Expression; 4],
    queue: &Target,
) -> Translated {
    let [segment, rank, id, value] = of;
    let remote = notification(t, call, segment, id)?;
    let sent = t.sent("gaspi_value", value, call);
    let handle = sent.reused.then(|| t.own_handle("gaspi_sent", call));
    let mut statements = sent.before;
    let mut command = write(sent.from, rank, remote, queue, handle.as_ref());
    if let StatementKind::Transfer { after_earlier, .. } = &mut command {
        *after_earlier = true;
    }
    statements.push(command);
    statements.extend(handle.as_ref().map(wait_local));
    Ok(statements)
}

pub(super) fn wait_some(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [segment, first, count, found, timeout] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    named(timeout, "GASPI_BLOCK")?;
    let (count, found) = (t.count(count)?, out(found)?);
    let place = &call.name.place;
    if count == 1 {
        let cell = Expression::Value(notification(t, call, segment, first)?);
        let poll = StatementKind::While {
            condition: not(&cell),
            body: Vec::new(),
        };
        return Ok(vec![
            poll,
            StatementKind::Assign {
                into: found,
                value: first.clone(),
            },
        ]);
    }
    let mut ids = Vec::new();
    for at in 0..count {
        let id = plus(first.clone(), Expression::Number(at, first.place()));
        let cell = notification(t, call, segment, &id)?;
        ids.push((id, cell, t.register(&format!("gaspi_seen_{at}"), call)));
    }
    // All are looked at in each turn, so that each turn is a poll of all.
    let loads: Vec<StatementKind> = ids
        .iter()
        .map(|(_, cell, seen)| StatementKind::Assign {
            into: seen.clone(),
            value: Expression::Value(cell.clone()),
        })
        .collect();
    let none = ids
        .iter()
        .map(|(_, _, seen)| not(&Expression::Value(seen.clone())));
    let condition = none
        .reduce(|left, right| Expression::Binary(BinaryOperator::And, Box::new(left), Box::new(right)))
        .unwrap_or(Expression::Number(0, place.clone()));
    let placed = |kinds: &[StatementKind]| {
        kinds
            .iter()
            .map(|kind| crate::ast::Statement {
                kind: kind.clone(),
                place: place.clone(),
            })
            .collect::<Vec<_>>()
    };
    let mut statements = loads.clone();
    statements.push(StatementKind::While {
        condition,
        body: placed(&loads),
    });
    let mut which: Vec<StatementKind> = Vec::new();
    for (id, _, seen) in ids.iter().rev() {
        let assign = StatementKind::Assign {
            into: found.clone(),
            value: id.clone(),
        };
        which = if which.is_empty() {
            vec![assign]
        } else {
            vec![StatementKind::If {
                condition: Expression::Value(seen.clone()),
                then: placed(&[assign]),
                otherwise: placed(&which),
            }]
        };
    }
    statements.extend(which);
    Ok(statements)
}

fn not(expression: &Expression) -> Expression {
    Expression::Unary(UnaryOperator::Not, Box::new(expression.clone()))
}
