//! Random programs of GASPI: 2 to 3 ranks, few requests on one or two queues, all that orders them.
//!
//! A program is made as a sequence of pieces (an access, a notification that is posted and awaited, a barrier), so that
//! many have no race; then some statements are dropped or swapped. No notification is posted twice, so none is lost.

use crate::case::{Case, Role, call};
use crate::writer::Writer;
use farside_litmus::ast::{Expression, Notification, Queue, Rank, StatementKind, VariableId};

/// The program of a seed, with so many pieces at most.
pub(crate) fn generate(seed: u64, most: u32) -> Case {
    let mut writer = Writer::new(seed);
    for _ in 0..2 + writer.below(most - 1) {
        piece(&mut writer);
    }
    if writer.below(4) == 0 {
        writer.disturb(|statement, _| matches!(call(&statement.kind).1, StatementKind::Barrier));
    }
    writer.finish(&format!("gaspi{seed}"))
}

fn post(writer: &mut Writer, rank: u32, queue: Queue, request: StatementKind) {
    let kind = match queue {
        Queue(0) => request,
        _ => StatementKind::On {
            queue,
            operation: Box::new(request),
        },
    };
    writer.add(rank, kind);
}

fn flag(writer: &mut Writer, owner: u32) -> VariableId {
    let name = format!("f{}", writer.count());
    writer.variable(&name, owner, Role::Flag)
}

fn piece(writer: &mut Writer) {
    let [rank, other] = [writer.rank(), writer.rank()];
    let queue = writer.queue();
    match writer.below(20) {
        0..=2 => {
            let (into, from) = (writer.register(rank), writer.data(rank));
            writer.add(rank, StatementKind::Load { into, from });
        }
        3 | 4 => {
            let into = writer.data(rank);
            let value = Expression::Number(i64::from(2 + writer.below(8)));
            writer.add(rank, StatementKind::Store { into, value });
        }
        5..=7 => write(writer, rank, other, queue),
        8 | 9 => {
            let (into, target) = (writer.data(rank), writer.data(other));
            if into != target {
                post(writer, rank, queue, StatementKind::Get { into, target });
            }
        }
        10 => {
            let (into, target) = (writer.data(rank), writer.data(other));
            if into != target {
                let flag = flag(writer, rank);
                post(
                    writer,
                    rank,
                    queue,
                    StatementKind::GetNotify { into, target, flag },
                );
                writer.add(rank, StatementKind::Await(flag));
            }
        }
        11 | 12 => {
            let (into, operand, target) = (writer.value(rank), writer.value(rank), writer.data(other));
            let add = StatementKind::Rga {
                into,
                target,
                operand,
            };
            writer.add(rank, add);
        }
        13 | 14 => writer.add(rank, StatementKind::WaitQueue(queue)),
        15 | 16 => notify(writer, rank, other, queue),
        17 | 18 => {
            for rank in 0..writer.ranks() {
                writer.add(rank, StatementKind::Barrier);
            }
        }
        _ => {
            write(writer, rank, other, queue);
            notify(writer, rank, other, queue);
        }
    }
}

fn write(writer: &mut Writer, rank: u32, other: u32, queue: Queue) {
    let (target, from) = (writer.data(other), writer.data(rank));
    if target != from {
        post(writer, rank, queue, StatementKind::Put { target, from });
    }
}

/// A notification is posted, by itself or after data, and awaited.
fn notify(writer: &mut Writer, rank: u32, other: u32, queue: Queue) {
    let flag = flag(writer, other);
    let notification = Notification { flag, value: 1 };
    let (target, from) = (writer.data(other), writer.data(rank));
    let kind = match writer.below(2) {
        1 if target != from => StatementKind::PutNotify {
            target,
            from,
            notification,
        },
        _ => StatementKind::Notify(notification),
    };
    post(writer, rank, queue, kind);
    writer.add(other, StatementKind::Await(flag));
}

/// The program in words.
pub(crate) fn describe(case: &Case) -> String {
    let program = &case.program;
    let mut text = String::new();
    for (rank, process) in (0..).zip(&program.processes) {
        text += &format!("rank {rank}\n");
        for (number, statement) in process.statements.iter().enumerate() {
            let words = farside_litmus::print_statement(program, Rank(rank), &statement.kind);
            text += &format!("  {number}: {words}\n");
        }
    }
    text
}
