//! The statements that rules write.

use crate::ast::{AtomicOperation, Call, Completion, Direction, Expression, StatementKind, Target};
use crate::diagnostic::Diagnostic;

pub(super) fn write(
    local: Target,
    rank: &Expression,
    remote: Target,
    queue: &Target,
    handle: Option<&Target>,
) -> StatementKind {
    transfer(Direction::Write, local, rank, remote, queue, handle)
}

pub(super) fn read(
    local: Target,
    rank: &Expression,
    remote: Target,
    queue: &Target,
    handle: Option<&Target>,
) -> StatementKind {
    transfer(Direction::Read, local, rank, remote, queue, handle)
}

fn transfer(
    direction: Direction,
    local: Target,
    rank: &Expression,
    remote: Target,
    queue: &Target,
    handle: Option<&Target>,
) -> StatementKind {
    StatementKind::Transfer {
        direction,
        local,
        rank: rank.clone(),
        remote,
        queue: queue.clone(),
        handle: handle.cloned(),
        after_earlier: false,
    }
}

pub(super) fn atomic(
    operation: AtomicOperation,
    local: Option<Target>,
    rank: &Expression,
    remote: Target,
    operands: Vec<Expression>,
    queue: &Target,
) -> StatementKind {
    StatementKind::Atomic {
        operation,
        local,
        rank: rank.clone(),
        remote,
        operands,
        queue: queue.clone(),
        handle: None,
    }
}

pub(super) fn wait(what: &Target) -> StatementKind {
    StatementKind::Wait {
        what: what.clone(),
        completion: Completion::Full,
    }
}

pub(super) fn wait_local(what: &Target) -> StatementKind {
    StatementKind::Wait {
        what: what.clone(),
        completion: Completion::Local,
    }
}

/// `into = from`, if the result is asked for.
pub(super) fn result(into: Option<&Target>, from: &Target) -> Option<StatementKind> {
    let value = Expression::Value(from.clone());
    into.map(|into| StatementKind::Assign {
        into: into.clone(),
        value,
    })
}

/// An error if a call without a result is given to something.
pub(super) fn no_result(call: &Call, into: Option<&Target>) -> Result<(), Diagnostic> {
    match into {
        Some(into) => Err(Diagnostic::new(
            format!("`{}` has no result", call.name.text),
            into.place().clone(),
        )),
        None => Ok(()),
    }
}
