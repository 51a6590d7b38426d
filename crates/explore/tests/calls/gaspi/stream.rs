//! A schedule as the event stream that `crates/interpose` (its folder `gaspi`) would record.

use crate::case::{Case, Role, call};
use crate::schedule::Step;
use crate::stream::{Stream, WIN, buffer, line, lines};
use farside_events::*;
use farside_litmus::ast::{Access, StatementKind, VariableId};
use farside_race::{Gaspi, Options, RawFinding};

/// The races that the detector finds on a schedule: the lines of both places.
pub(crate) fn races(case: &Case, steps: &[Step], gaspi: Gaspi) -> Vec<[u64; 2]> {
    lines(&found(case, steps, gaspi))
}

/// What the detector finds on a schedule.
pub(crate) fn found(case: &Case, steps: &[Step], gaspi: Gaspi) -> Vec<RawFinding> {
    let options = Options {
        gaspi,
        ..Options::default()
    };
    let mut stream = Stream::new(case, "GASPI, library of version 17.1", Interface::Gaspi, options);
    let mut next = 0;
    for step in steps {
        take(&mut stream, step, &mut next);
    }
    for rank in 0..stream.size() {
        stream.call(rank, 3, Call::Finalize);
    }
    stream.end()
}

/// One step of a rank.
fn take(stream: &mut Stream<'_>, step: &Step, next: &mut u64) {
    let rank = step.rank;
    let at = line(rank, step.number);
    let statement = &stream.case().program.processes[rank as usize].statements[step.number];
    let (queue, kind) = call(&statement.kind);
    let kind = kind.clone();
    let mut request = |kind, target: VariableId| {
        *next += 1;
        Operation {
            id: OperationId(*next),
            kind,
            channel: ChannelId(queue.0),
            stack: StackId(at),
            ..stream.operation(target)
        }
    };
    let origin = |access: &Access| Some(buffer(stream.address(access.variable)));
    match kind {
        StatementKind::Load { from, .. } => stream.access(rank, at, AccessKind::Load, from.variable),
        StatementKind::Store { into, .. } => stream.access(rank, at, AccessKind::Store, into.variable),
        StatementKind::Put { target, from } => {
            let (origin, write) = (origin(&from), request(OperationKind::Put, target.variable));
            stream.issue(rank, Operation { origin, ..write });
        }
        StatementKind::Get { into, target } => {
            let (result, read) = (origin(&into), request(OperationKind::Get, target.variable));
            stream.issue(rank, Operation { result, ..read });
        }
        StatementKind::PutNotify {
            target,
            from,
            notification,
        } => {
            let (origin, write) = (origin(&from), request(OperationKind::Put, target.variable));
            let notice = flag(notification.flag, false);
            stream.issue(
                rank,
                Operation {
                    origin,
                    notice,
                    ..write
                },
            );
        }
        StatementKind::GetNotify {
            into,
            target,
            flag: set,
        } => {
            let (result, read) = (origin(&into), request(OperationKind::Get, target.variable));
            let notice = flag(set, false);
            stream.issue(
                rank,
                Operation {
                    result,
                    notice,
                    ..read
                },
            );
        }
        StatementKind::Notify(notification) => {
            let bare = Operation {
                displacement: 0,
                target_count: 0,
                notice: flag(notification.flag, true),
                ..request(OperationKind::Put, notification.flag)
            };
            stream.issue(rank, bare);
        }
        StatementKind::Rga { target, operand, .. } => {
            let add = stream.case().program.variables[operand.variable.0 as usize].value;
            let word = request(OperationKind::FetchAndOp, target.variable);
            let id = word.id;
            let done = Some(RequestId(id.0));
            let word = Operation {
                channel: ChannelId::DEFAULT,
                operator: Some(AccumulateOp::Sum),
                operand: Some(add as u64),
                request: done,
                ..word
            };
            stream.issue(rank, word);
            let value = step.value as u64;
            stream.event(rank, EventKind::Fetched { operation: id, value });
            stream.done(rank, done);
        }
        StatementKind::Await(flag) => {
            debug_assert_eq!(stream.case().roles[flag.0 as usize], Role::Flag);
            let seen = EventKind::FlagSeen {
                win: WIN,
                number: flag.0,
                taken: None,
            };
            stream.event(rank, seen);
        }
        StatementKind::WaitQueue(queue) => {
            let wait = Call::Flush {
                win: WIN,
                target: None,
                channel: Some(ChannelId(queue.0)),
                local: true,
            };
            stream.call(rank, at, wait);
        }
        StatementKind::Barrier => stream.barrier(rank, at, "gaspi_barrier"),
        other => panic!("not in these programs: {other:?}"),
    }
}

/// The notification that a variable stands for.
fn flag(variable: VariableId, follows: bool) -> Option<Notice> {
    Some(Notice::Flag(Flag {
        win: WIN,
        number: variable.0,
        value: 1,
        last: true,
        follows,
    }))
}
