//! Statements that have no blocks.

use super::expression::{expression, right_side};
use super::{register, variable};
use crate::ast::{
    Access, Assertion, Atomicity, Notification, Operation, Process, Program, Rank, StatementKind, VariableId,
};

/// One statement of process `rank` on one line. Blocks are printed with their condition only: `while (a != 1) bound 3`.
#[must_use]
pub fn print_statement(program: &Program, rank: Rank, kind: &StatementKind) -> String {
    let none = Process::default();
    let process = program.processes.get(rank.0 as usize).unwrap_or(&none);
    match kind {
        StatementKind::While { condition, bound, .. } => {
            format!("while ({}) bound {bound}", expression(process, condition))
        }
        StatementKind::If { condition, .. } => format!("if ({})", expression(process, condition)),
        kind => simple(program, process, kind),
    }
}

/// Without blocks: empty for a statement that has one.
pub(super) fn simple(program: &Program, process: &Process, kind: &StatementKind) -> String {
    let own = |access: &Access| own(program, access);
    let owner = |id: VariableId| {
        let variable = program.variables.get(id.0 as usize);
        variable.map_or(0, |variable| variable.owner.0)
    };
    let at = |access: &Access| format!("{}@{}", own(access), owner(access.variable));
    let notification = |Notification { flag, value }: &Notification| {
        let flag = format!("{}@{}", variable(program, *flag), owner(*flag));
        match value {
            1 => flag,
            value => format!("{flag}, {value}"),
        }
    };
    let ranks = |ranks: &[Rank]| {
        ranks
            .iter()
            .map(|rank| rank.0.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match kind {
        StatementKind::Load { into, from } => format!("{} = {}", register(process, *into), own(from)),
        StatementKind::Store { into, value } => format!("{} = {}", own(into), right_side(process, value)),
        StatementKind::Assign { into, value } => {
            format!("{} = {}", register(process, *into), right_side(process, value))
        }
        StatementKind::Get { into, target } => format!("{} = get({})", own(into), at(target)),
        StatementKind::Put { target, from } => format!("put({}, {})", at(target), own(from)),
        StatementKind::Rga {
            into,
            target,
            operand,
        } => format!("{} = rga({}, {})", own(into), at(target), own(operand)),
        StatementKind::Cas {
            into,
            target,
            compare,
            swap,
        } => {
            format!(
                "{} = cas({}, {}, {})",
                own(into),
                at(target),
                own(compare),
                own(swap)
            )
        }
        StatementKind::Accumulate {
            target,
            operand,
            operation,
        } => {
            format!(
                "accumulate({}, {}, {})",
                at(target),
                own(operand),
                operation_name(*operation)
            )
        }
        StatementKind::GetAccumulate {
            into,
            target,
            operand,
            operation,
        } => {
            format!(
                "{} = get_accumulate({}, {}, {})",
                own(into),
                at(target),
                own(operand),
                operation_name(*operation)
            )
        }
        StatementKind::FetchAndOp {
            into,
            target,
            operand,
            operation,
        } => {
            format!(
                "{} = fetch_and_op({}, {}, {})",
                own(into),
                at(target),
                own(operand),
                operation_name(*operation)
            )
        }
        StatementKind::CompareAndSwap {
            into,
            target,
            compare,
            swap,
        } => {
            format!(
                "{} = compare_and_swap({}, {}, {})",
                own(into),
                at(target),
                own(compare),
                own(swap)
            )
        }
        StatementKind::On { queue, operation } => {
            format!("{} on {}", simple(program, process, operation), queue.0)
        }
        StatementKind::Notify(set) => format!("notify({})", notification(set)),
        StatementKind::PutNotify {
            target,
            from,
            notification: set,
        } => format!("put_notify({}, {}, {})", at(target), own(from), notification(set)),
        StatementKind::GetNotify { into, target, flag } => {
            format!(
                "{} = get_notify({}, {})",
                own(into),
                at(target),
                variable(program, *flag)
            )
        }
        StatementKind::WaitQueue(queue) => format!("wait_queue({})", queue.0),
        StatementKind::Await(flag) => format!("await({})", variable(program, *flag)),
        StatementKind::Take { into, flag } => {
            format!(
                "{} = take({})",
                register(process, *into),
                variable(program, *flag)
            )
        }
        StatementKind::Flush(rank) => format!("flush({})", rank.0),
        StatementKind::FlushLocal(rank) => format!("flush_local({})", rank.0),
        StatementKind::FlushAll => "flush_all".into(),
        StatementKind::FlushLocalAll => "flush_local_all".into(),
        StatementKind::Fence(assertions) if assertions.is_empty() => "fence".into(),
        StatementKind::Fence(assertions) => {
            let names = assertions.iter().map(|assertion| assertion_name(*assertion));
            format!("fence({})", names.collect::<Vec<_>>().join(", "))
        }
        StatementKind::LockShared(rank) => format!("lock_shared({})", rank.0),
        StatementKind::LockExclusive(rank) => format!("lock_exclusive({})", rank.0),
        StatementKind::Unlock(rank) => format!("unlock({})", rank.0),
        StatementKind::LockAll => "lock_all".into(),
        StatementKind::UnlockAll => "unlock_all".into(),
        StatementKind::Post(group) => format!("post({})", ranks(group)),
        StatementKind::Start(group) => format!("start({})", ranks(group)),
        StatementKind::Complete => "complete".into(),
        StatementKind::Wait => "wait".into(),
        StatementKind::Sync => "sync".into(),
        StatementKind::Barrier => "barrier".into(),
        StatementKind::Send(rank) => format!("send({})", rank.0),
        StatementKind::Receive(rank) => format!("recv({})", rank.0),
        StatementKind::While { .. } | StatementKind::If { .. } => String::new(),
    }
}

fn own(program: &Program, access: &Access) -> String {
    let mark = match access.atomicity {
        own if own == program.accesses => "",
        Atomicity::Atomic => ".a",
        Atomicity::NonAtomic => ".n",
    };
    format!("{}{mark}", variable(program, access.variable))
}

fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Sum => "sum",
        Operation::Product => "prod",
        Operation::Minimum => "min",
        Operation::Maximum => "max",
        Operation::And => "band",
        Operation::Or => "bor",
        Operation::Xor => "bxor",
        Operation::Replace => "replace",
        Operation::NoOp => "no_op",
    }
}

fn assertion_name(assertion: Assertion) -> &'static str {
    match assertion {
        Assertion::NoStore => "nostore",
        Assertion::NoPut => "noput",
        Assertion::NoPrecede => "noprecede",
        Assertion::NoSucceed => "nosucceed",
    }
}
