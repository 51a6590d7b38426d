//! GPI-1. Queues are numbered; those of one queue to one process are ordered.
//!
//! Limit: its atomic counters are not translated.

use super::statements::{no_result, read, wait, write};
use super::{Rule, gaspi::numbered};
use crate::ast::{Order, StatementKind};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "writeDmaGPI",
        form: "writeDmaGPI(&local, &remote, sizeof(int), rank, queue)",
        meaning: "write(local, rank, remote, gpi_queue[queue])",
        source: "003 §2.1: asynchronous; ordered in a queue to one process",
        arguments: 5,
        apply: |t, call, into| {
            no_result(call, into)?;
            let [local, remote, count, rank, queue] = &call.arguments[..] else {
                return Ok(Vec::new());
            };
            let queue = numbered(t, call, queue, Order::PerTarget)?;
            let pairs = t.pairs(local, remote, count)?;
            Ok(pairs
                .into_iter()
                .map(|(from, to)| write(from, rank, to, &queue, None))
                .collect())
        },
    },
    Rule {
        name: "readDmaGPI",
        form: "readDmaGPI(&local, &remote, sizeof(int), rank, queue)",
        meaning: "read(local, rank, remote, gpi_queue[queue])",
        source: "003 §2.1: asynchronous; ordered in a queue to one process",
        arguments: 5,
        apply: |t, call, into| {
            no_result(call, into)?;
            let [local, remote, count, rank, queue] = &call.arguments[..] else {
                return Ok(Vec::new());
            };
            let queue = numbered(t, call, queue, Order::PerTarget)?;
            let pairs = t.pairs(local, remote, count)?;
            Ok(pairs
                .into_iter()
                .map(|(to, from)| read(to, rank, from, &queue, None))
                .collect())
        },
    },
    Rule {
        name: "waitDmaGPI",
        form: "waitDmaGPI(queue)",
        meaning: "wait gpi_queue[queue]",
        source: "003 §2.1: all of the queue complete, on both sides",
        arguments: 1,
        apply: |t, call, into| {
            no_result(call, into)?;
            Ok(vec![wait(&numbered(
                t,
                call,
                &call.arguments[0],
                Order::PerTarget,
            )?)])
        },
    },
    Rule {
        name: "barrierGPI",
        form: "barrierGPI()",
        meaning: "barrier",
        source: "GPI-1 manual: completes nothing",
        arguments: 0,
        apply: |_, call, into| {
            no_result(call, into)?;
            Ok(vec![StatementKind::Barrier])
        },
    },
];
