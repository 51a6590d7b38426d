//! Operations on remote memory: the many names of a few.

use super::{Paths, at, number};
use crate::ast::{AtomicOperation, Direction, Expression, Statement, StatementKind};
use farside_litmus::ast::{self as litmus, StatementKind as Kind, VariableId};

/// An operation on remote memory.
pub(super) struct Operation {
    pub(super) kind: OperationKind,
    pub(super) target: VariableId,
    /// Read by the calculus when it is issued.
    pub(super) operands: Vec<VariableId>,
    /// Own variable that gets what was at the target.
    pub(super) result: Option<VariableId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OperationKind {
    Get,
    /// From this own variable.
    Put(VariableId),
    Atomic(AtomicOperation),
}

impl Operation {
    pub(super) fn writes_target(&self) -> bool {
        self.kind != OperationKind::Get
    }
}

/// The operation of a statement, if it is one.
pub(super) fn operation(kind: &Kind) -> Option<Operation> {
    let accumulate = |operation, target: &litmus::Access, operand: &litmus::Access, result| match operation {
        litmus::Operation::NoOp => Operation {
            kind: OperationKind::Get,
            target: target.variable,
            operands: Vec::new(),
            result,
        },
        operation => Operation {
            kind: OperationKind::Atomic(match operation {
                litmus::Operation::Replace => AtomicOperation::Swap,
                _ => AtomicOperation::FetchAdd,
            }),
            target: target.variable,
            operands: vec![operand.variable],
            result,
        },
    };
    Some(match kind {
        Kind::Get { into, target } => Operation {
            kind: OperationKind::Get,
            target: target.variable,
            operands: Vec::new(),
            result: Some(into.variable),
        },
        Kind::Put { target, from } => Operation {
            kind: OperationKind::Put(from.variable),
            target: target.variable,
            operands: Vec::new(),
            result: None,
        },
        Kind::Rga {
            into,
            target,
            operand,
        } => accumulate(litmus::Operation::Sum, target, operand, Some(into.variable)),
        Kind::Accumulate {
            target,
            operand,
            operation,
        } => accumulate(*operation, target, operand, None),
        Kind::GetAccumulate {
            into,
            target,
            operand,
            operation,
        }
        | Kind::FetchAndOp {
            into,
            target,
            operand,
            operation,
        } => accumulate(*operation, target, operand, Some(into.variable)),
        Kind::Cas {
            into,
            target,
            compare,
            swap,
        }
        | Kind::CompareAndSwap {
            into,
            target,
            compare,
            swap,
        } => Operation {
            kind: OperationKind::Atomic(AtomicOperation::CompareSwap),
            target: target.variable,
            operands: vec![compare.variable, swap.variable],
            result: Some(into.variable),
        },
        _ => return None,
    })
}

impl Paths<'_> {
    /// The statements of an operation; `routed` after earlier ones on its target.
    pub(super) fn issue(
        &self,
        operation: &Operation,
        target: u32,
        routed: bool,
        here: &litmus::Place,
    ) -> Vec<Statement> {
        let queue = self.queue(target);
        let rank = number(i64::from(target));
        let remote = self.names.variable(operation.target);
        let transfer = |direction, local: VariableId| StatementKind::Transfer {
            direction,
            local: self.names.variable(local),
            rank: rank.clone(),
            remote: remote.clone(),
            queue: queue.clone(),
            handle: None,
            after_earlier: routed,
        };
        let mut issued = Vec::new();
        match (operation.kind, operation.result) {
            (OperationKind::Get, Some(into)) => issued.push(transfer(Direction::Read, into)),
            // An atomic operation that neither changes nor gives anything.
            (OperationKind::Get, None) => {}
            (OperationKind::Put(from), _) => issued.push(transfer(Direction::Write, from)),
            (OperationKind::Atomic(atomic), result) => {
                if routed {
                    issued.push(StatementKind::Fence {
                        queue: queue.clone(),
                        rank: None,
                    });
                }
                issued.push(StatementKind::Atomic {
                    operation: atomic,
                    local: result.map(|result| self.names.variable(result)),
                    rank,
                    remote,
                    operands: operation
                        .operands
                        .iter()
                        .map(|&operand| Expression::Value(self.names.variable(operand)))
                        .collect(),
                    queue,
                    handle: None,
                });
            }
        }
        issued.into_iter().map(|kind| at(here, kind)).collect()
    }
}
