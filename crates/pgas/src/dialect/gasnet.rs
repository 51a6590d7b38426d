//! GASNet-1, the extended interface. Operations with handles are an unordered queue, `gasnet_nb`; those with an
//! implicit handle two, `gasnet_puts` and `gasnet_gets`; blocking ones a queue of their own.
//!
//! Limit: the split-phase barrier (`gasnet_barrier_notify`, `gasnet_barrier_wait`) is not in the calculus; programs
//! write `gasnet_barrier()` where nothing stands between the two.

use super::statements::{no_result, read, result, wait, wait_local, write};
use super::translation::Sent;
use super::{Rule, Translation};
use crate::ast::{Call, Order, StatementKind, Target};
use crate::diagnostic::Diagnostic;

type Translated = Result<Vec<StatementKind>, Diagnostic>;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "gasnet_put",
        form: "gasnet_put(node, &dest, &source, sizeof(int))",
        meaning: "write(source, node, dest, gasnet_blocking); wait gasnet_blocking",
        source: "003 §2.1: synchronous; GASNet 1.8 §3.1",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let queue = t.queue("gasnet_blocking", Order::Unordered, call);
            let mut statements = puts(t, call, &queue, None)?;
            statements.push(wait(&queue));
            Ok(statements)
        },
    },
    Rule {
        name: "gasnet_get",
        form: "gasnet_get(&dest, node, &source, sizeof(int))",
        meaning: "read(dest, node, source, gasnet_blocking); wait gasnet_blocking",
        source: "003 §2.1: synchronous; GASNet 1.8 §3.1",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let queue = t.queue("gasnet_blocking", Order::Unordered, call);
            let mut statements = gets(t, call, &queue, None)?;
            statements.push(wait(&queue));
            Ok(statements)
        },
    },
    Rule {
        name: "gasnet_put_nb",
        form: "h = gasnet_put_nb(node, &dest, &source, sizeof(int))",
        meaning: "write(source, node, dest, gasnet_nb, h); wait_local h",
        source: "003 §2.1; GASNet 1.8 §3.2: not bulk, so the source may be changed at once",
        arguments: 4,
        apply: |t, call, into| {
            let handle = returned(t, call, into)?;
            let queue = t.queue("gasnet_nb", Order::Unordered, call);
            let mut statements = puts(t, call, &queue, Some(&handle))?;
            statements.push(wait_local(&handle));
            Ok(statements)
        },
    },
    Rule {
        name: "gasnet_put_nb_bulk",
        form: "h = gasnet_put_nb_bulk(node, &dest, &source, sizeof(int))",
        meaning: "write(source, node, dest, gasnet_nb, h)",
        source: "003 §2.1; GASNet 1.8 §3.2: bulk, so the source is in use until the sync",
        arguments: 4,
        apply: |t, call, into| {
            let handle = returned(t, call, into)?;
            let queue = t.queue("gasnet_nb", Order::Unordered, call);
            puts(t, call, &queue, Some(&handle))
        },
    },
    Rule {
        name: "gasnet_get_nb",
        form: "h = gasnet_get_nb(&dest, node, &source, sizeof(int))",
        meaning: "read(dest, node, source, gasnet_nb, h)",
        source: "003 §2.1",
        arguments: 4,
        apply: |t, call, into| {
            let handle = returned(t, call, into)?;
            let queue = t.queue("gasnet_nb", Order::Unordered, call);
            gets(t, call, &queue, Some(&handle))
        },
    },
    Rule {
        name: "gasnet_wait_syncnb",
        form: "gasnet_wait_syncnb(h)",
        meaning: "wait h",
        source: "003 §2.1: full completion",
        arguments: 1,
        apply: |t, call, into| {
            no_result(call, into)?;
            match t.handle(&call.arguments[0])? {
                Some(handle) => Ok(vec![wait(&handle)]),
                None => Err(Diagnostic::new(
                    "there is no handle to wait for",
                    call.arguments[0].place(),
                )),
            }
        },
    },
    Rule {
        name: "gasnet_put_nbi",
        form: "gasnet_put_nbi(node, &dest, &source, sizeof(int))",
        meaning: "write(source, node, dest, gasnet_puts, gasnet_put); wait_local gasnet_put",
        source: "GASNet 1.8 §3.3",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let queue = t.queue("gasnet_puts", Order::Unordered, call);
            let handle = t.own_handle("gasnet_put", call);
            let mut statements = puts(t, call, &queue, Some(&handle))?;
            statements.push(wait_local(&handle));
            Ok(statements)
        },
    },
    Rule {
        name: "gasnet_put_nbi_bulk",
        form: "gasnet_put_nbi_bulk(node, &dest, &source, sizeof(int))",
        meaning: "write(source, node, dest, gasnet_puts)",
        source: "GASNet 1.8 §3.3",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let queue = t.queue("gasnet_puts", Order::Unordered, call);
            puts(t, call, &queue, None)
        },
    },
    Rule {
        name: "gasnet_get_nbi",
        form: "gasnet_get_nbi(&dest, node, &source, sizeof(int))",
        meaning: "read(dest, node, source, gasnet_gets)",
        source: "GASNet 1.8 §3.3",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let queue = t.queue("gasnet_gets", Order::Unordered, call);
            gets(t, call, &queue, None)
        },
    },
    Rule {
        name: "gasnet_wait_syncnbi_puts",
        form: "gasnet_wait_syncnbi_puts()",
        meaning: "wait gasnet_puts",
        source: "003 §2.1: full completion; GASNet 1.8 §3.3",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            Ok(vec![wait(&t.queue("gasnet_puts", Order::Unordered, call))])
        },
    },
    Rule {
        name: "gasnet_wait_syncnbi_gets",
        form: "gasnet_wait_syncnbi_gets()",
        meaning: "wait gasnet_gets",
        source: "003 §2.1; GASNet 1.8 §3.3",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            Ok(vec![wait(&t.queue("gasnet_gets", Order::Unordered, call))])
        },
    },
    Rule {
        name: "gasnet_wait_syncnbi_all",
        form: "gasnet_wait_syncnbi_all()",
        meaning: "wait gasnet_puts; wait gasnet_gets",
        source: "003 §2.1; GASNet 1.8 §3.3",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            let puts = t.queue("gasnet_puts", Order::Unordered, call);
            Ok(vec![
                wait(&puts),
                wait(&t.queue("gasnet_gets", Order::Unordered, call)),
            ])
        },
    },
    Rule {
        name: "gasnet_put_val",
        form: "gasnet_put_val(node, &dest, value, sizeof(int))",
        meaning: "gasnet_value = value; write(gasnet_value, node, dest, gasnet_blocking); wait gasnet_blocking",
        source: "GASNet 1.8 §3.4",
        arguments: 4,
        apply: put_value,
    },
    Rule {
        name: "gasnet_get_val",
        form: "r = gasnet_get_val(node, &source, sizeof(int))",
        meaning: "read(gasnet_result, node, source, gasnet_blocking); wait gasnet_blocking; r = gasnet_result",
        source: "GASNet 1.8 §3.4",
        arguments: 3,
        apply: get_value,
    },
    Rule {
        name: "gasnet_barrier",
        form: "gasnet_barrier()",
        meaning: "barrier",
        source: "GASNet 1.8 §2.6: completes nothing",
        arguments: 0,
        apply: |_, call, into| {
            no_result(call, into)?;
            Ok(vec![StatementKind::Barrier])
        },
    },
];

fn returned(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Result<Target, Diagnostic> {
    let lost = || {
        Diagnostic::new(
            format!("the handle of `{}` is lost", call.name.text),
            call.name.place.clone(),
        )
    };
    t.handle_target(into.ok_or_else(lost)?)?.ok_or_else(lost)
}

fn puts(t: &Translation<'_>, call: &Call, queue: &Target, handle: Option<&Target>) -> Translated {
    let [node, dest, source, count] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    Ok(t.pairs(source, dest, count)?
        .into_iter()
        .map(|(from, to)| write(from, node, to, queue, handle))
        .collect())
}

fn gets(t: &Translation<'_>, call: &Call, queue: &Target, handle: Option<&Target>) -> Translated {
    let [dest, node, source, count] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    Ok(t.pairs(dest, source, count)?
        .into_iter()
        .map(|(to, from)| read(to, node, from, queue, handle))
        .collect())
}

fn put_value(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [node, dest, value, _] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let (queue, dest) = (
        t.queue("gasnet_blocking", Order::Unordered, call),
        t.memory(dest)?,
    );
    let Sent { before, from, .. } = t.sent("gasnet_value", value, call);
    let mut statements = before;
    statements.extend([write(from, node, dest, &queue, None), wait(&queue)]);
    Ok(statements)
}

fn get_value(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    let [node, source, _] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let (queue, source) = (
        t.queue("gasnet_blocking", Order::Unordered, call),
        t.memory(source)?,
    );
    let cell = t.cell("gasnet_result", None, call);
    let mut statements = vec![read(cell.clone(), node, source, &queue, None), wait(&queue)];
    statements.extend(result(into, &cell));
    Ok(statements)
}
