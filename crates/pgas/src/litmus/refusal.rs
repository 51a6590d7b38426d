//! What the calculus does not have.

use super::place;
use crate::diagnostic::Diagnostic;
use farside_litmus::ast::{Access, Atomicity, Operation, Program, Rank, Statement, StatementKind};

/// Everything in a test that does not fit by its form.
pub(super) fn statements(test: &Program) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (rank, process) in (0..).zip(&test.processes) {
        for statement in &process.statements {
            check(test, Rank(rank), statement, &mut errors);
        }
    }
    errors.sort_by_key(|error| error.place.0.start);
    errors
}

/// Whether coreRMA does not have the statement, or one in it.
pub(super) fn is_of_mpi(statement: &Statement) -> bool {
    use StatementKind as S;
    match &statement.kind {
        S::Load { .. }
        | S::Store { .. }
        | S::Assign { .. }
        | S::Get { .. }
        | S::Put { .. }
        | S::Rga { .. }
        | S::Cas { .. }
        | S::GetAccumulate { .. }
        | S::FetchAndOp { .. }
        | S::CompareAndSwap { .. }
        | S::Flush(_)
        | S::FlushAll => false,
        S::While { body, .. } => body.iter().any(is_of_mpi),
        S::If { then, otherwise, .. } => then.iter().chain(otherwise).any(is_of_mpi),
        _ => true,
    }
}

fn check(test: &Program, rank: Rank, statement: &Statement, errors: &mut Vec<Diagnostic>) {
    use StatementKind as S;
    let (message, hint) = match &statement.kind {
        S::LockExclusive(_) => (
            "an exclusive lock keeps other processes out",
            "take a lock by compare_and_swap, or write `lock_all` if nobody is kept out",
        ),
        S::Post(_) | S::Start(_) | S::Complete | S::Wait => (
            "it orders some processes only",
            "write flushes and barriers in its place",
        ),
        S::Send(_) | S::Receive(_) => ("there are no messages", "poll a variable, or write a barrier"),
        S::On { .. } | S::WaitQueue(_) => (
            "it completes operations by target, not by queue",
            "write flushes, or a program with the calls of GASPI",
        ),
        S::Notify(_) | S::PutNotify { .. } | S::GetNotify { .. } | S::Await(_) | S::Take { .. } => (
            "there are no notifications",
            "poll a variable, or write a barrier",
        ),
        S::Fence(assertions) if !assertions.is_empty() => (
            "what a fence with assertions orders is left open",
            "write `fence`",
        ),
        S::Accumulate { operation, .. }
        | S::GetAccumulate { operation, .. }
        | S::FetchAndOp { operation, .. }
            if !matches!(operation, Operation::Sum | Operation::Replace | Operation::NoOp) =>
        {
            (
                "there are sum, replace, and compare and swap",
                "write `sum` or `replace`",
            )
        }
        S::While { body, .. } => {
            return body.iter().for_each(|inner| check(test, rank, inner, errors));
        }
        S::If { then, otherwise, .. } => {
            return then
                .iter()
                .chain(otherwise)
                .for_each(|inner| check(test, rank, inner, errors));
        }
        kind if accesses(kind)
            .iter()
            .any(|access| access.atomicity == Atomicity::NonAtomic) =>
        {
            (
                "the value of a non-atomic access may be undefined",
                "let it be atomic",
            )
        }
        _ => return,
    };
    let text = farside_litmus::print_statement(test, rank, &statement.kind);
    let message = format!("`{text}` has no form in the calculus: {message}");
    errors.push(Diagnostic::new(message, place(&statement.place)).hint(hint));
}

/// The accesses of a simple statement.
fn accesses(kind: &StatementKind) -> Vec<Access> {
    use StatementKind as S;
    match *kind {
        S::Load { from, .. } => vec![from],
        S::Store { into, .. } => vec![into],
        S::Get { into, target } => vec![into, target],
        S::Put { target, from } => vec![target, from],
        S::Accumulate { target, operand, .. } => vec![target, operand],
        S::Rga {
            into,
            target,
            operand,
        }
        | S::GetAccumulate {
            into,
            target,
            operand,
            ..
        }
        | S::FetchAndOp {
            into,
            target,
            operand,
            ..
        } => vec![into, target, operand],
        S::Cas {
            into,
            target,
            compare,
            swap,
        }
        | S::CompareAndSwap {
            into,
            target,
            compare,
            swap,
        } => {
            vec![into, target, compare, swap]
        }
        _ => Vec::new(),
    }
}
