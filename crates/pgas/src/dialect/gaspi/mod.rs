//! GASPI. Queues are numbered and unordered; a segment is a shared variable, an offset an index in it; the
//! notifications of a segment `s` are an array `s_notify`.
//!
//! Deviation: the paper says that a wait completes the operations of its queue on both sides, and so it is under the
//! name `gaspi`. The GASPI standard (version 17.1, section 8.5) promises the local side only, and notifications for the
//! other: so it is under the name `gaspi17`, where reads have a handle for each queue besides.

mod notifications;

use super::statements::{atomic, no_result, read, result, wait, wait_local, write};
use super::translation::{constant, element};
use super::{Rule, Translation};
use crate::ast::{AtomicOperation, Call, Expression, Order, StatementKind, Target};
use crate::diagnostic::Diagnostic;
use notifications::{notification, notify, wait_some};

type Translated = Result<Vec<StatementKind>, Diagnostic>;

/// Largest number of a queue or notification.
const MAX_NUMBER: i64 = 63;

pub(super) const RULES: [Rule; 12] = [
    Rule {
        name: "gaspi_write",
        form: "gaspi_write(local, offset, rank, remote, offset, size, queue, GASPI_BLOCK)",
        meaning: "write(local[offset], rank, remote[offset], gaspi_queue[queue])",
        source: "003 §2.1: asynchronous; no order within a queue",
        arguments: 8,
        apply: |t, call, into| {
            let queue = posted(t, call, into, 6, 7)?;
            writes(t, call, &queue)
        },
    },
    Rule {
        name: "gaspi_read",
        form: "gaspi_read(local, offset, rank, remote, offset, size, queue, GASPI_BLOCK)",
        meaning: "read(local[offset], rank, remote[offset], gaspi_queue[queue])",
        source: "003 §2.1: asynchronous; no order within a queue",
        arguments: 8,
        apply: |t, call, into| {
            let queue = posted(t, call, into, 6, 7)?;
            let pairs = pairs(t, call)?;
            Ok(pairs
                .into_iter()
                .map(|(to, from)| read(to, &call.arguments[2], from, &queue, None))
                .collect())
        },
    },
    Rule {
        name: "gaspi_wait",
        form: "gaspi_wait(queue, GASPI_BLOCK)",
        meaning: "wait gaspi_queue[queue]",
        source: "003 §2.1: all of the queue complete, on both sides (GASPI 17.1 §8.5: the local side)",
        arguments: 2,
        apply: |t, call, into| Ok(vec![wait(&posted(t, call, into, 0, 1)?)]),
    },
    Rule {
        name: "gaspi_barrier",
        form: "gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)",
        meaning: "barrier",
        source: "GASPI 17.1 §11.2: completes nothing",
        arguments: 2,
        apply: |_, call, into| {
            no_result(call, into)?;
            named(&call.arguments[0], "GASPI_GROUP_ALL")?;
            named(&call.arguments[1], "GASPI_BLOCK")?;
            Ok(vec![StatementKind::Barrier])
        },
    },
    Rule {
        name: "gaspi_notify",
        form: "gaspi_notify(remote, rank, id, value, queue, GASPI_BLOCK)",
        meaning: "gaspi_value = value; write_after(gaspi_value, rank, remote_notify[id], gaspi_queue[queue])",
        source: "GASPI 17.1 §8.4: not before earlier writes of the queue to the process; nothing is said of later ones",
        arguments: 6,
        apply: |t, call, into| {
            let queue = posted(t, call, into, 4, 5)?;
            let [segment, rank, id, value, ..] = &call.arguments[..] else {
                return Ok(Vec::new());
            };
            notify(t, call, [segment, rank, id, value], &queue)
        },
    },
    Rule {
        name: "gaspi_write_notify",
        form: "gaspi_write_notify(local, offset, rank, remote, offset, size, id, value, queue, GASPI_BLOCK)",
        meaning: "gaspi_write, then gaspi_notify",
        source: "GASPI 17.1 §8.4",
        arguments: 10,
        apply: |t, call, into| {
            let queue = posted(t, call, into, 8, 9)?;
            let mut statements = writes(t, call, &queue)?;
            let of = [
                &call.arguments[3],
                &call.arguments[2],
                &call.arguments[6],
                &call.arguments[7],
            ];
            statements.extend(notify(t, call, of, &queue)?);
            Ok(statements)
        },
    },
    Rule {
        name: "gaspi_notify_waitsome",
        form: "gaspi_notify_waitsome(segment, first_id, count, &id, GASPI_BLOCK)",
        meaning: "while segment_notify[first_id] == 0 { }; id = first_id (for several, the first that is not 0)",
        source: "GASPI 17.1 §8.4: polls local memory",
        arguments: 5,
        apply: wait_some,
    },
    Rule {
        name: "gaspi_notify_reset",
        form: "gaspi_notify_reset(segment, id, &old)",
        meaning: "swap(gaspi_result, me, segment_notify[id], 0, gaspi_atomic); wait gaspi_atomic; old = gaspi_result",
        source: "GASPI 17.1 §8.4: atomic",
        arguments: 3,
        apply: |t, call, into| {
            no_result(call, into)?;
            let cell = notification(t, call, &call.arguments[0], &call.arguments[1])?;
            let (me, zero) = (
                Expression::Me(call.name.place.clone()),
                Expression::Number(0, call.name.place.clone()),
            );
            fetching(
                t,
                call,
                AtomicOperation::Swap,
                &me,
                cell,
                vec![zero],
                &call.arguments[2],
            )
        },
    },
    Rule {
        name: "gaspi_atomic_fetch_add",
        form: "gaspi_atomic_fetch_add(segment, offset, rank, value, &old, GASPI_BLOCK)",
        meaning: "fetch_add(gaspi_result, rank, segment[offset], value, gaspi_atomic); wait gaspi_atomic; old = gaspi_result",
        source: "GASPI 17.1 §10: blocking",
        arguments: 6,
        apply: |t, call, into| {
            no_result(call, into)?;
            let [segment, offset, rank, value, old, timeout] = &call.arguments[..] else {
                return Ok(Vec::new());
            };
            named(timeout, "GASPI_BLOCK")?;
            let remote = t.segment(segment, offset)?;
            fetching(
                t,
                call,
                AtomicOperation::FetchAdd,
                rank,
                remote,
                vec![value.clone()],
                old,
            )
        },
    },
    Rule {
        name: "gaspi_atomic_compare_swap",
        form: "gaspi_atomic_compare_swap(segment, offset, rank, comparator, value, &old, GASPI_BLOCK)",
        meaning: "cas(gaspi_result, rank, segment[offset], comparator, value, gaspi_atomic); wait gaspi_atomic; old = gaspi_result",
        source: "GASPI 17.1 §10: blocking",
        arguments: 7,
        apply: |t, call, into| {
            no_result(call, into)?;
            let [segment, offset, rank, comparator, value, old, timeout] = &call.arguments[..] else {
                return Ok(Vec::new());
            };
            named(timeout, "GASPI_BLOCK")?;
            let remote = t.segment(segment, offset)?;
            let operands = vec![comparator.clone(), value.clone()];
            fetching(t, call, AtomicOperation::CompareSwap, rank, remote, operands, old)
        },
    },
    Rule {
        name: "gaspi_proc_rank",
        form: "gaspi_proc_rank(&r)",
        meaning: "r = me",
        source: "GASPI 17.1 §6",
        arguments: 1,
        apply: |_, call, into| {
            no_result(call, into)?;
            let value = Expression::Me(call.name.place.clone());
            Ok(vec![StatementKind::Assign {
                into: out(&call.arguments[0])?,
                value,
            }])
        },
    },
    Rule {
        name: "gaspi_proc_num",
        form: "gaspi_proc_num(&r)",
        meaning: "r = n",
        source: "GASPI 17.1 §6",
        arguments: 1,
        apply: |_, call, into| {
            no_result(call, into)?;
            let value = Expression::Ranks(call.name.place.clone());
            Ok(vec![StatementKind::Assign {
                into: out(&call.arguments[0])?,
                value,
            }])
        },
    },
];

/// The rules by the standard where the paper says otherwise.
pub(super) const RULES_17: [Rule; RULES.len()] = {
    let mut rules = RULES;
    let mut at = 0;
    while at < rules.len() {
        match rules[at].name.as_bytes() {
            b"gaspi_read" => rules[at] = READ_17,
            b"gaspi_wait" => rules[at] = WAIT_17,
            _ => {}
        }
        at += 1;
    }
    rules
};

const READ_17: Rule = Rule {
    name: "gaspi_read",
    form: "gaspi_read(local, offset, rank, remote, offset, size, queue, GASPI_BLOCK)",
    meaning: "read(local[offset], rank, remote[offset], gaspi_queue[queue], gaspi_reads[queue])",
    source: "GASPI 17.1 §8.2: asynchronous; no order within a queue",
    arguments: 8,
    apply: |t, call, into| {
        let queue = posted(t, call, into, 6, 7)?;
        let handle = reads_of(t, call, &queue, &call.arguments[6])?;
        let pairs = pairs(t, call)?;
        Ok(pairs
            .into_iter()
            .map(|(to, from)| read(to, &call.arguments[2], from, &queue, Some(&handle)))
            .collect())
    },
};

const WAIT_17: Rule = Rule {
    name: "gaspi_wait",
    form: "gaspi_wait(queue, GASPI_BLOCK)",
    meaning: "wait_local gaspi_queue[queue]; wait gaspi_reads[queue]",
    source: "GASPI 17.1 §8.5: complete on the local side: sources may be reused, read data is there",
    arguments: 2,
    apply: |t, call, into| {
        let queue = posted(t, call, into, 0, 1)?;
        let handle = reads_of(t, call, &queue, &call.arguments[0])?;
        Ok(vec![wait_local(&queue), wait(&handle)])
    },
};

/// The handle of the reads of a queue.
fn reads_of(
    t: &mut Translation<'_>,
    call: &Call,
    queue: &Target,
    argument: &Expression,
) -> Result<Target, Diagnostic> {
    match (queue, constant(argument)) {
        (Target::Element(_, index), Some(number)) => {
            let count = u32::try_from(number).unwrap_or(0) + 1;
            Ok(t.handle_of("gaspi_reads", count, (**index).clone(), call))
        }
        (Target::Element(name, index), None) => {
            let count = t.count_of(name).unwrap_or(1);
            Ok(t.handle_of(&format!("{}_reads", name.text), count, (**index).clone(), call))
        }
        (Target::Name(name), _) => Ok(t.own_handle(&format!("{}_reads", name.text), call)),
        (Target::Memory(_, place), _) => Err(Diagnostic::new("a queue is no memory", place.clone())),
    }
}

/// A queue by its number, or a declared one by its name.
pub(super) fn numbered(
    t: &mut Translation<'_>,
    call: &Call,
    queue: &Expression,
    order: Order,
) -> Result<Target, Diagnostic> {
    if let Expression::Value(target) = queue {
        return Ok(target.clone());
    }
    let name = if order == Order::PerTarget {
        "gpi_queue"
    } else {
        "gaspi_queue"
    };
    match constant(queue) {
        Some(number @ 0..=MAX_NUMBER) => {
            let count = u32::try_from(number).unwrap_or(0) + 1;
            Ok(t.queue_of(name, order, count, queue.clone(), call))
        }
        Some(number) => Err(Diagnostic::new(
            format!("queue {number}; the numbers go from 0 to {MAX_NUMBER}"),
            queue.place(),
        )),
        None => Err(Diagnostic::new(
            "the number of the queue is not known before the run",
            queue.place(),
        )
        .hint("declare `queue q[COUNT]` and write `q[e]`")),
    }
}

/// The queue argument of a call that blocks until it is posted.
fn posted(
    t: &mut Translation<'_>,
    call: &Call,
    into: Option<&Target>,
    queue: usize,
    timeout: usize,
) -> Result<Target, Diagnostic> {
    no_result(call, into)?;
    named(&call.arguments[timeout], "GASPI_BLOCK")?;
    numbered(t, call, &call.arguments[queue], Order::Unordered)
}

fn named(argument: &Expression, name: &str) -> Result<(), Diagnostic> {
    match argument {
        Expression::Value(Target::Name(found)) if found.text == name => Ok(()),
        _ => Err(
            Diagnostic::new(format!("only `{name}` is translated here"), argument.place())
                .hint(format!("write `{name}`")),
        ),
    }
}

/// Where a result goes: `&r`, `&x`.
fn out(argument: &Expression) -> Result<Target, Diagnostic> {
    match argument {
        Expression::Address(target) | Expression::Value(target) => Ok(target.clone()),
        _ => Err(Diagnostic::new("an address is missing here", argument.place())),
    }
}

/// Pairs of local and remote elements of arguments 0, 1 and 3, 4; 5 is how many.
fn pairs(t: &Translation<'_>, call: &Call) -> Result<Vec<(Target, Target)>, Diagnostic> {
    let local = t.segment(&call.arguments[0], &call.arguments[1])?;
    let remote = t.segment(&call.arguments[3], &call.arguments[4])?;
    let count = t.count(&call.arguments[5])?;
    (0..count)
        .map(|at| Ok((element(&local, at)?, element(&remote, at)?)))
        .collect()
}

fn writes(t: &Translation<'_>, call: &Call, queue: &Target) -> Translated {
    let pairs = pairs(t, call)?;
    Ok(pairs
        .into_iter()
        .map(|(from, to)| write(from, &call.arguments[2], to, queue, None))
        .collect())
}

fn fetching(
    t: &mut Translation<'_>,
    call: &Call,
    operation: AtomicOperation,
    rank: &Expression,
    remote: Target,
    operands: Vec<Expression>,
    old: &Expression,
) -> Translated {
    let queue = t.queue("gaspi_atomic", Order::Unordered, call);
    let (cell, old) = (t.cell("gaspi_result", None, call), out(old)?);
    let mut statements = vec![
        atomic(operation, Some(cell.clone()), rank, remote, operands, &queue),
        wait(&queue),
    ];
    statements.extend(result(Some(&old), &cell));
    Ok(statements)
}
