//! OpenSHMEM 1.5. Puts and atomics of a process are one unordered queue, `shmem_puts`; non-blocking gets another,
//! `shmem_gets`.

use super::statements::{atomic, no_result, read, result, wait, wait_local, write};
use super::{Rule, Translation};
use crate::ast::{
    AtomicOperation, BinaryOperator, Call, Expression, Order, StatementKind, Target, UnaryOperator,
};
use crate::diagnostic::Diagnostic;

type Translated = Result<Vec<StatementKind>, Diagnostic>;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "shmem_put",
        form: "shmem_put(dest, source, nelems, pe)",
        meaning: "write(source, pe, dest, shmem_puts, shmem_put); wait_local shmem_put",
        source: "003 §2.1: asynchronous, unordered; OpenSHMEM 1.5 §9.5.1: returns when the source may be reused",
        arguments: 4,
        apply: |t, call, into| put(t, call, into, true),
    },
    Rule {
        name: "shmem_put_nbi",
        form: "shmem_put_nbi(dest, source, nelems, pe)",
        meaning: "write(source, pe, dest, shmem_puts)",
        source: "OpenSHMEM 1.5 §9.6.1: the source is in use until shmem_quiet",
        arguments: 4,
        apply: |t, call, into| put(t, call, into, false),
    },
    Rule {
        name: "shmem_p",
        form: "shmem_p(dest, value, pe)",
        meaning: "shmem_value = value; write(shmem_value, pe, dest, shmem_puts, shmem_put); wait_local shmem_put",
        source: "OpenSHMEM 1.5 §9.5.2",
        arguments: 3,
        apply: put_value,
    },
    Rule {
        name: "shmem_get",
        form: "shmem_get(dest, source, nelems, pe)",
        meaning: "read(dest, pe, source, shmem_get); wait shmem_get",
        source: "003 §2.1: synchronous; OpenSHMEM 1.5 §9.5.4",
        arguments: 4,
        apply: get,
    },
    Rule {
        name: "shmem_get_nbi",
        form: "shmem_get_nbi(dest, source, nelems, pe)",
        meaning: "read(dest, pe, source, shmem_gets)",
        source: "OpenSHMEM 1.5 §9.6.2: complete after shmem_quiet",
        arguments: 4,
        apply: get_nbi,
    },
    Rule {
        name: "shmem_g",
        form: "r = shmem_g(source, pe)",
        meaning: "read(shmem_result, pe, source, shmem_get); wait shmem_get; r = shmem_result",
        source: "OpenSHMEM 1.5 §9.5.5",
        arguments: 2,
        apply: get_value,
    },
    Rule {
        name: "shmem_fence",
        form: "shmem_fence()",
        meaning: "fence shmem_puts",
        source: "003 §2.1: orders writes; OpenSHMEM 1.5 §9.10.1: per target, puts and atomics, not gets; completes nothing",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            Ok(vec![StatementKind::Fence {
                queue: puts(t, call),
                rank: None,
            }])
        },
    },
    Rule {
        name: "shmem_quiet",
        form: "shmem_quiet()",
        meaning: "wait shmem_puts; wait shmem_gets",
        source: "OpenSHMEM 1.5 §9.10.2: completes puts, atomics and non-blocking gets",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            Ok(quiet(t, call))
        },
    },
    Rule {
        name: "shmem_barrier_all",
        form: "shmem_barrier_all()",
        meaning: "wait shmem_puts; wait shmem_gets; barrier",
        source: "OpenSHMEM 1.5 §9.9.1: a barrier of all, after the quiet of each",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            let mut statements = quiet(t, call);
            statements.push(StatementKind::Barrier);
            Ok(statements)
        },
    },
    Rule {
        name: "shmem_sync_all",
        form: "shmem_sync_all()",
        meaning: "barrier",
        source: "OpenSHMEM 1.5 §9.9.3: completes nothing",
        arguments: 0,
        apply: |_, call, into| {
            no_result(call, into)?;
            Ok(vec![StatementKind::Barrier])
        },
    },
    Rule {
        name: "shmem_wait_until",
        form: "shmem_wait_until(ivar, SHMEM_CMP_EQ, value)",
        meaning: "while !(ivar == value) { }",
        source: "OpenSHMEM 1.5 §9.8.1: polls local memory",
        arguments: 3,
        apply: |t, call, into| {
            no_result(call, into)?;
            let condition = Expression::Unary(UnaryOperator::Not, Box::new(comparison(t, call)?));
            Ok(vec![StatementKind::While {
                condition,
                body: Vec::new(),
            }])
        },
    },
    Rule {
        name: "shmem_test",
        form: "r = shmem_test(ivar, SHMEM_CMP_EQ, value)",
        meaning: "r = ivar == value",
        source: "OpenSHMEM 1.5 §9.8.7",
        arguments: 3,
        apply: |t, call, into| {
            let value = comparison(t, call)?;
            Ok(into
                .map(|into| StatementKind::Assign {
                    into: into.clone(),
                    value,
                })
                .into_iter()
                .collect())
        },
    },
    Rule {
        name: "shmem_atomic_fetch_add",
        form: "r = shmem_atomic_fetch_add(dest, value, pe)",
        meaning: "fetch_add(shmem_result, pe, dest, value, shmem_get); wait shmem_get; r = shmem_result",
        source: "OpenSHMEM 1.5 §9.7: a fetching atomic returns when it is done",
        arguments: 3,
        apply: |t, call, into| {
            let value = call.arguments[1].clone();
            fetching(t, call, into, AtomicOperation::FetchAdd, vec![value], 2)
        },
    },
    Rule {
        name: "shmem_atomic_fetch_inc",
        form: "r = shmem_atomic_fetch_inc(dest, pe)",
        meaning: "fetch_add(shmem_result, pe, dest, 1, shmem_get); wait shmem_get; r = shmem_result",
        source: "OpenSHMEM 1.5 §9.7",
        arguments: 2,
        apply: |t, call, into| {
            let one = Expression::Number(1, call.name.place.clone());
            fetching(t, call, into, AtomicOperation::FetchAdd, vec![one], 1)
        },
    },
    Rule {
        name: "shmem_atomic_swap",
        form: "r = shmem_atomic_swap(dest, value, pe)",
        meaning: "swap(shmem_result, pe, dest, value, shmem_get); wait shmem_get; r = shmem_result",
        source: "OpenSHMEM 1.5 §9.7",
        arguments: 3,
        apply: |t, call, into| {
            let value = call.arguments[1].clone();
            fetching(t, call, into, AtomicOperation::Swap, vec![value], 2)
        },
    },
    Rule {
        name: "shmem_atomic_compare_swap",
        form: "r = shmem_atomic_compare_swap(dest, cond, value, pe)",
        meaning: "cas(shmem_result, pe, dest, cond, value, shmem_get); wait shmem_get; r = shmem_result",
        source: "OpenSHMEM 1.5 §9.7",
        arguments: 4,
        apply: |t, call, into| {
            let operands = call.arguments[1..3].to_vec();
            fetching(t, call, into, AtomicOperation::CompareSwap, operands, 3)
        },
    },
    Rule {
        name: "shmem_atomic_fetch",
        form: "r = shmem_atomic_fetch(source, pe)",
        meaning: "read(shmem_result, pe, source, shmem_get); wait shmem_get; r = shmem_result",
        source: "OpenSHMEM 1.5 §9.7",
        arguments: 2,
        apply: get_value,
    },
    Rule {
        name: "shmem_atomic_set",
        form: "shmem_atomic_set(dest, value, pe)",
        meaning: "swap(_, pe, dest, value, shmem_puts)",
        source: "OpenSHMEM 1.5 §9.7: a non-fetching atomic may return before it is done; shmem_quiet completes it",
        arguments: 3,
        apply: |t, call, into| {
            let value = call.arguments[1].clone();
            silent(t, call, into, AtomicOperation::Swap, value, 2)
        },
    },
    Rule {
        name: "shmem_atomic_add",
        form: "shmem_atomic_add(dest, value, pe)",
        meaning: "fetch_add(_, pe, dest, value, shmem_puts)",
        source: "OpenSHMEM 1.5 §9.7, as shmem_atomic_set",
        arguments: 3,
        apply: |t, call, into| {
            let value = call.arguments[1].clone();
            silent(t, call, into, AtomicOperation::FetchAdd, value, 2)
        },
    },
    Rule {
        name: "shmem_atomic_inc",
        form: "shmem_atomic_inc(dest, pe)",
        meaning: "fetch_add(_, pe, dest, 1, shmem_puts)",
        source: "OpenSHMEM 1.5 §9.7, as shmem_atomic_set",
        arguments: 2,
        apply: |t, call, into| {
            let one = Expression::Number(1, call.name.place.clone());
            silent(t, call, into, AtomicOperation::FetchAdd, one, 1)
        },
    },
];

fn puts(t: &mut Translation<'_>, call: &Call) -> Target {
    t.queue("shmem_puts", Order::Unordered, call)
}

fn gets(t: &mut Translation<'_>, call: &Call) -> Target {
    t.queue("shmem_gets", Order::Unordered, call)
}

/// The queue of the one blocking get.
fn blocking(t: &mut Translation<'_>, call: &Call) -> Target {
    t.queue("shmem_get", Order::Unordered, call)
}

fn quiet(t: &mut Translation<'_>, call: &Call) -> Vec<StatementKind> {
    vec![wait(&puts(t, call)), wait(&gets(t, call))]
}

fn put(t: &mut Translation<'_>, call: &Call, into: Option<&Target>, blocking: bool) -> Translated {
    no_result(call, into)?;
    let [dest, source, count, pe] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let queue = puts(t, call);
    let handle = blocking.then(|| t.own_handle("shmem_put", call));
    let pairs = t.pairs(source, dest, count)?;
    let writes = pairs
        .into_iter()
        .map(|(from, to)| write(from, pe, to, &queue, handle.as_ref()));
    Ok(writes.chain(handle.as_ref().map(wait_local)).collect())
}

fn put_value(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [dest, value, pe] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let (queue, dest) = (puts(t, call), t.memory(dest)?);
    let sent = t.sent("shmem_value", value, call);
    let handle = sent.reused.then(|| t.own_handle("shmem_put", call));
    let mut statements = sent.before;
    statements.push(write(sent.from, pe, dest, &queue, handle.as_ref()));
    statements.extend(handle.as_ref().map(wait_local));
    Ok(statements)
}

fn get(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [dest, source, count, pe] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let queue = blocking(t, call);
    let reads = t
        .pairs(dest, source, count)?
        .into_iter()
        .map(|(to, from)| read(to, pe, from, &queue, None));
    Ok(reads.chain([wait(&queue)]).collect())
}

fn get_nbi(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [dest, source, count, pe] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let queue = gets(t, call);
    Ok(t.pairs(dest, source, count)?
        .into_iter()
        .map(|(to, from)| read(to, pe, from, &queue, None))
        .collect())
}

fn get_value(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    let [source, pe] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let (queue, cell, source) = (
        blocking(t, call),
        t.cell("shmem_result", None, call),
        t.memory(source)?,
    );
    let mut statements = vec![read(cell.clone(), pe, source, &queue, None), wait(&queue)];
    statements.extend(result(into, &cell));
    Ok(statements)
}

fn fetching(
    t: &mut Translation<'_>,
    call: &Call,
    into: Option<&Target>,
    operation: AtomicOperation,
    operands: Vec<Expression>,
    pe: usize,
) -> Translated {
    let (queue, cell, dest) = (
        blocking(t, call),
        t.cell("shmem_result", None, call),
        t.memory(&call.arguments[0])?,
    );
    let command = atomic(
        operation,
        Some(cell.clone()),
        &call.arguments[pe],
        dest,
        operands,
        &queue,
    );
    let mut statements = vec![command, wait(&queue)];
    statements.extend(result(into, &cell));
    Ok(statements)
}

fn silent(
    t: &mut Translation<'_>,
    call: &Call,
    into: Option<&Target>,
    operation: AtomicOperation,
    operand: Expression,
    pe: usize,
) -> Translated {
    no_result(call, into)?;
    let (queue, dest) = (puts(t, call), t.memory(&call.arguments[0])?);
    Ok(vec![atomic(
        operation,
        None,
        &call.arguments[pe],
        dest,
        vec![operand],
        &queue,
    )])
}

fn comparison(t: &Translation<'_>, call: &Call) -> Result<Expression, Diagnostic> {
    let [variable, comparison, value] = &call.arguments[..] else {
        return Err(Diagnostic::new(
            "a comparison is missing",
            call.name.place.clone(),
        ));
    };
    let name = match comparison {
        Expression::Value(Target::Name(name)) => name.text.as_str(),
        _ => "",
    };
    let operator = match name {
        "SHMEM_CMP_EQ" => BinaryOperator::Equal,
        "SHMEM_CMP_NE" => BinaryOperator::NotEqual,
        "SHMEM_CMP_GT" => BinaryOperator::Greater,
        "SHMEM_CMP_GE" => BinaryOperator::GreaterOrEqual,
        "SHMEM_CMP_LT" => BinaryOperator::Less,
        "SHMEM_CMP_LE" => BinaryOperator::LessOrEqual,
        _ => {
            return Err(Diagnostic::new("no such comparison", comparison.place()).hint(
                "one of SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE",
            ));
        }
    };
    let variable = Expression::Value(t.memory(variable)?);
    Ok(Expression::Binary(
        operator,
        Box::new(variable),
        Box::new(value.clone()),
    ))
}
