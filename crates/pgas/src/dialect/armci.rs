//! ARMCI. Operations of a process to one target are one ordered queue: the array `armci` has a queue a target.
//!
//! Limit: `ARMCI_Fence` waits for the queue of the target, so for non-blocking gets from there as well, which the
//! library does not promise.

use super::statements::{atomic, no_result, read, result, wait, wait_local, write};
use super::translation::Sent;
use super::{Rule, Translation};
use crate::ast::{AtomicOperation, Call, Expression, Order, Statement, StatementKind, Target};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;

type Translated = Result<Vec<StatementKind>, Diagnostic>;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "ARMCI_Put",
        form: "ARMCI_Put(&source, &dest, sizeof(int), proc)",
        meaning: "write(source, proc, dest, armci[proc], armci_put); wait_local armci_put",
        source: "003 §2.1: ordered per target; blocking is local: the source may be reused",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let handle = t.own_handle("armci_put", call);
            let mut statements = writes(t, call, Some(&handle))?;
            statements.push(wait_local(&handle));
            Ok(statements)
        },
    },
    Rule {
        name: "ARMCI_NbPut",
        form: "ARMCI_NbPut(&source, &dest, sizeof(int), proc, &h)",
        meaning: "write(source, proc, dest, armci[proc], h)",
        source: "003 §2.1",
        arguments: 5,
        apply: |t, call, into| {
            no_result(call, into)?;
            let handle = t.handle(&call.arguments[4])?;
            writes(t, call, handle.as_ref())
        },
    },
    Rule {
        name: "ARMCI_PutValue",
        form: "ARMCI_PutValueInt(value, &dest, proc)",
        meaning: "armci_value = value; write(armci_value, proc, dest, armci[proc], armci_put); wait_local armci_put",
        source: "003 §2.1, as ARMCI_Put",
        arguments: 3,
        apply: put_value,
    },
    Rule {
        name: "ARMCI_Get",
        form: "ARMCI_Get(&source, &dest, sizeof(int), proc)",
        meaning: "read(dest, proc, source, armci[proc], armci_get); wait armci_get",
        source: "003 §2.1: synchronous; the data has arrived",
        arguments: 4,
        apply: |t, call, into| {
            no_result(call, into)?;
            let handle = t.own_handle("armci_get", call);
            let mut statements = reads(t, call, Some(&handle))?;
            statements.push(wait(&handle));
            Ok(statements)
        },
    },
    Rule {
        name: "ARMCI_NbGet",
        form: "ARMCI_NbGet(&source, &dest, sizeof(int), proc, &h)",
        meaning: "read(dest, proc, source, armci[proc], h); without a handle, armci_gets",
        source: "003 §2.1",
        arguments: 5,
        apply: |t, call, into| {
            no_result(call, into)?;
            let handle = match t.handle(&call.arguments[4])? {
                Some(handle) => handle,
                None => t.own_handle("armci_gets", call),
            };
            reads(t, call, Some(&handle))
        },
    },
    Rule {
        name: "ARMCI_GetValue",
        form: "r = ARMCI_GetValueInt(&source, proc)",
        meaning: "read(armci_result, proc, source, armci[proc], armci_get); wait armci_get; r = armci_result",
        source: "003 §2.1, as ARMCI_Get",
        arguments: 2,
        apply: get_value,
    },
    Rule {
        name: "ARMCI_Wait",
        form: "ARMCI_Wait(&h)",
        meaning: "wait_local h, if h is of puts; wait h, if it is of gets",
        source: "003 §2.1: after it, read data has arrived; written data might not have reached its destination",
        arguments: 1,
        apply: wait_for_handle,
    },
    Rule {
        name: "ARMCI_WaitAll",
        form: "ARMCI_WaitAll()",
        meaning: "wait_local armci; wait of the handles of all gets",
        source: "003 §2.1, as ARMCI_Wait",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            channels(t, call);
            let mut statements = vec![wait_local(&every(call))];
            statements.push(wait(&t.own_handle("armci_gets", call)));
            let gets: Vec<String> = t
                .used_for
                .iter()
                .filter(|(_, used)| used.1)
                .map(|(name, _)| name.clone())
                .collect();
            statements.extend(
                gets.iter()
                    .map(|name| wait(&Target::Name(super::walk::made(name, &call.name.place)))),
            );
            Ok(statements)
        },
    },
    Rule {
        name: "ARMCI_Fence",
        form: "ARMCI_Fence(proc)",
        meaning: "wait armci[proc]",
        source: "ARMCI manual: all puts to the process are complete at the target",
        arguments: 1,
        apply: |t, call, into| {
            no_result(call, into)?;
            Ok(vec![wait(&channel(t, call, &call.arguments[0]))])
        },
    },
    Rule {
        name: "ARMCI_AllFence",
        form: "ARMCI_AllFence()",
        meaning: "wait armci",
        source: "ARMCI manual: ARMCI_Fence of every process",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            channels(t, call);
            Ok(vec![wait(&every(call))])
        },
    },
    Rule {
        name: "ARMCI_Barrier",
        form: "ARMCI_Barrier()",
        meaning: "wait armci; barrier",
        source: "ARMCI manual: ARMCI_AllFence, then a barrier",
        arguments: 0,
        apply: |t, call, into| {
            no_result(call, into)?;
            channels(t, call);
            Ok(vec![wait(&every(call)), StatementKind::Barrier])
        },
    },
    Rule {
        name: "armci_msg_barrier",
        form: "armci_msg_barrier()",
        meaning: "barrier",
        source: "ARMCI manual: of messages; completes nothing",
        arguments: 0,
        apply: |_, call, into| {
            no_result(call, into)?;
            Ok(vec![StatementKind::Barrier])
        },
    },
    Rule {
        name: "ARMCI_Rmw",
        form: "ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &r, &dest, value, proc)",
        meaning: "fetch_add(armci_result, proc, dest, value, armci_rmw); wait armci_rmw; r = armci_result; swap: ARMCI_SWAP, r is also the value",
        source: "ARMCI manual: atomic and blocking; not ordered with puts",
        arguments: 5,
        apply: rmw,
    },
];

fn channels(t: &mut Translation<'_>, call: &Call) {
    let first = Expression::Number(0, call.name.place.clone());
    channel(t, call, &first);
}

fn channel(t: &mut Translation<'_>, call: &Call, rank: &Expression) -> Target {
    let ranks = t.ranks();
    t.queue_of("armci", Order::Ordered, ranks, rank.clone(), call)
}

/// All queues of the array.
fn every(call: &Call) -> Target {
    Target::Name(super::walk::made("armci", &call.name.place))
}

fn writes(t: &mut Translation<'_>, call: &Call, handle: Option<&Target>) -> Translated {
    let [source, dest, count, proc, ..] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let queue = channel(t, call, proc);
    Ok(t.pairs(source, dest, count)?
        .into_iter()
        .map(|(from, to)| write(from, proc, to, &queue, handle))
        .collect())
}

fn reads(t: &mut Translation<'_>, call: &Call, handle: Option<&Target>) -> Translated {
    let [source, dest, count, proc, ..] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let queue = channel(t, call, proc);
    Ok(t.pairs(dest, source, count)?
        .into_iter()
        .map(|(to, from)| read(to, proc, from, &queue, handle))
        .collect())
}

fn put_value(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [value, dest, proc] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let (queue, dest) = (channel(t, call, proc), t.memory(dest)?);
    let Sent { before, from, reused } = t.sent("armci_value", value, call);
    let handle = reused.then(|| t.own_handle("armci_put", call));
    let mut statements = before;
    statements.push(write(from, proc, dest, &queue, handle.as_ref()));
    statements.extend(handle.as_ref().map(wait_local));
    Ok(statements)
}

fn get_value(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    let [source, proc] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let (queue, source) = (channel(t, call, proc), t.memory(source)?);
    let (handle, cell) = (
        t.own_handle("armci_get", call),
        t.cell("armci_result", None, call),
    );
    let mut statements = vec![
        read(cell.clone(), proc, source, &queue, Some(&handle)),
        wait(&handle),
    ];
    statements.extend(result(into, &cell));
    Ok(statements)
}

fn wait_for_handle(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let Some(handle) = t.handle(&call.arguments[0])? else {
        return Err(Diagnostic::new(
            "there is no handle to wait for",
            call.arguments[0].place(),
        ));
    };
    let (Target::Name(name) | Target::Element(name, _)) = &handle else {
        return Ok(Vec::new());
    };
    match t.used_for.get(&name.text) {
        Some((true, true)) => Err(Diagnostic::new(
            format!("`{}` is the handle of puts and of gets", name.text),
            name.place.clone(),
        )
        .hint("a wait means something else for each; use two handles")),
        Some((false, true)) => Ok(vec![wait(&handle)]),
        Some((true, false)) => Ok(vec![wait_local(&handle)]),
        None | Some((false, false)) => Err(Diagnostic::new(
            format!("no operation has the handle `{}`", name.text),
            name.place.clone(),
        )
        .hint("give it to ARMCI_NbPut or ARMCI_NbGet")),
    }
}

fn rmw(t: &mut Translation<'_>, call: &Call, into: Option<&Target>) -> Translated {
    no_result(call, into)?;
    let [operation, local, remote, extra, proc] = &call.arguments[..] else {
        return Ok(Vec::new());
    };
    let name = match operation {
        Expression::Value(Target::Name(name)) => name.text.as_str(),
        _ => "",
    };
    let (Expression::Address(local) | Expression::Value(local)) = local else {
        return Err(Diagnostic::new("an address is missing here", local.place()));
    };
    let (operation, operand) = match name {
        "ARMCI_FETCH_AND_ADD" | "ARMCI_FETCH_AND_ADD_LONG" => (AtomicOperation::FetchAdd, extra.clone()),
        "ARMCI_SWAP" | "ARMCI_SWAP_LONG" => (AtomicOperation::Swap, Expression::Value(local.clone())),
        _ => {
            return Err(Diagnostic::new("no such operation", operation.place())
                .hint("one of ARMCI_FETCH_AND_ADD, ARMCI_SWAP"));
        }
    };
    let queue = t.queue("armci_rmw", Order::Ordered, call);
    let (cell, remote) = (t.cell("armci_result", None, call), t.memory(remote)?);
    let mut statements = vec![
        atomic(operation, Some(cell.clone()), proc, remote, vec![operand], &queue),
        wait(&queue),
    ];
    statements.extend(result(Some(local), &cell));
    Ok(statements)
}

/// Which handles are given to puts, and which to gets.
pub(super) fn uses_of_handles(statements: &[Statement], uses: &mut BTreeMap<String, (bool, bool)>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Call { call, .. } => {
                let (Some(Expression::Value(target) | Expression::Address(target)), put) =
                    (call.arguments.last(), call.name.text == "ARMCI_NbPut")
                else {
                    continue;
                };
                let (Target::Name(name) | Target::Element(name, _)) = target else {
                    continue;
                };
                if name.text != "NULL" && (put || call.name.text == "ARMCI_NbGet") {
                    let used = uses.entry(name.text.clone()).or_default();
                    if put {
                        used.0 = true;
                    } else {
                        used.1 = true;
                    }
                }
            }
            StatementKind::If { then, otherwise, .. }
            | StatementKind::Rank {
                body: then,
                otherwise,
                ..
            } => {
                uses_of_handles(then, uses);
                uses_of_handles(otherwise, uses);
            }
            StatementKind::While { body, .. } | StatementKind::Loop(body) => uses_of_handles(body, uses),
            StatementKind::Choice(ways) => ways.iter().for_each(|way| uses_of_handles(way, uses)),
            _ => {}
        }
    }
}
