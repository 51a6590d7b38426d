//! Which variables a statement accesses.

use farside_litmus::ast::{Access, StatementKind, VariableId};

/// Calls `found` for every variable of a simple statement; `true` where it is a flag.
pub(super) fn accessed(kind: &StatementKind, found: &mut dyn FnMut(VariableId, bool)) {
    let mut data = |accesses: &[Access]| accesses.iter().for_each(|access| found(access.variable, false));
    match kind {
        StatementKind::Load { from, .. } => data(&[*from]),
        StatementKind::Store { into, .. } => data(&[*into]),
        StatementKind::Get { into, target } => data(&[*into, *target]),
        StatementKind::Put { target, from } => data(&[*target, *from]),
        StatementKind::Rga {
            into,
            target,
            operand,
        }
        | StatementKind::GetAccumulate {
            into,
            target,
            operand,
            ..
        }
        | StatementKind::FetchAndOp {
            into,
            target,
            operand,
            ..
        } => data(&[*into, *target, *operand]),
        StatementKind::Cas {
            into,
            target,
            compare,
            swap,
        }
        | StatementKind::CompareAndSwap {
            into,
            target,
            compare,
            swap,
        } => data(&[*into, *target, *compare, *swap]),
        StatementKind::On { operation, .. } => accessed(operation, found),
        StatementKind::Notify(notification) => found(notification.flag, true),
        StatementKind::PutNotify {
            target,
            from,
            notification,
        } => {
            data(&[*target, *from]);
            found(notification.flag, true);
        }
        StatementKind::GetNotify { into, target, flag } => {
            data(&[*into, *target]);
            found(*flag, true);
        }
        StatementKind::Await(flag) | StatementKind::Take { flag, .. } => found(*flag, true),
        _ => {}
    }
}
