//! The accesses of a race as statements, with the variables that they need: `X` is the cell in question, what else an
//! operation reads or writes is a variable of its own.

use crate::epochs::Need;
use crate::item::{Group, Item};
use crate::reason::Reason;
use crate::sketch::Sketch;
use farside_findings::{Act, Api, Scene, SceneAccess, Transfer, TransferKind};
use farside_litmus::ast::{Access, Expression, Observable, Operation, Rank, StatementKind};

/// What the accesses are put down as: each lane has its accesses, and nothing else.
pub(crate) fn cast(scene: &Scene) -> Result<Sketch, Reason> {
    let lanes: Vec<u32> = scene.lanes.iter().map(|lane| lane.rank).collect();
    if let [one, other] = lanes.as_slice()
        && one == other
    {
        return Err(Reason::Threads);
    }
    let owner = |access: &SceneAccess| match access.transfer {
        Some(transfer) if access.at_target => transfer.target,
        _ => access.rank,
    };
    let [first, second] = &scene.accesses;
    if owner(first) != owner(second) {
        return Err(Reason::Shared);
    }
    let mut ranks: Vec<u32> = scene.accesses.iter().map(|access| access.rank).collect();
    let transfers = scene.accesses.iter().filter_map(|access| access.transfer);
    ranks.extend(transfers.map(|transfer| transfer.target));
    ranks.sort_unstable();
    ranks.dedup();
    let mut sketch = Sketch::new(scene.api, ranks, &lanes);
    let process = sketch.process(owner(first)).unwrap_or(0);
    let cell = sketch.variable("X", process, 0);
    for lane in 0..lanes.len() {
        for (index, act) in scene.lanes[lane].acts.iter().enumerate() {
            let Act::Access(number) = *act else { continue };
            let Some(access) = scene.accesses.get(usize::from(number)) else {
                continue;
            };
            let kinds = statements(&mut sketch, access, number, cell);
            sketch.lane_mut(lane).extend(
                kinds
                    .into_iter()
                    .map(|kind| Item::new(kind, Group::Access(number)).of_act(index)),
            );
        }
    }
    if scene.accesses.iter().any(|access| access.writes) {
        sketch.show(Observable::Variable(cell.variable));
    }
    Ok(sketch)
}

fn statements(sketch: &mut Sketch, access: &SceneAccess, number: u8, cell: Access) -> Vec<StatementKind> {
    let process = sketch.process(access.rank).unwrap_or(0);
    let Some(transfer) = access.transfer else {
        return vec![local(sketch, access, (number, process), cell)];
    };
    let target = sketch.process(transfer.target).unwrap_or(0);
    sketch.need(Need::new(number, Rank(target as u32), transfer.epoch));
    let mut props = Props {
        sketch,
        number,
        process,
        target,
    };
    let operation = match access.at_target {
        true => props.at_target(transfer, cell),
        false => props.at_origin(transfer, access.writes, cell),
    };
    props.issued(transfer, operation)
}

/// A load or a store.
fn local(
    sketch: &mut Sketch,
    access: &SceneAccess,
    (number, process): (u8, usize),
    cell: Access,
) -> StatementKind {
    if access.writes {
        let value = Expression::Number(written(number));
        return StatementKind::Store { into: cell, value };
    }
    let name = if number == 0 { "a" } else { "b" };
    let into = sketch.register(name, process);
    sketch.show(Observable::Register(Rank(process as u32), into));
    StatementKind::Load { into, from: cell }
}

/// What an access writes.
fn written(number: u8) -> i64 {
    i64::from(number) + 1
}

/// What an operation needs besides the cell.
struct Props<'s> {
    sketch: &'s mut Sketch,
    number: u8,
    process: usize,
    target: usize,
}

impl Props<'_> {
    fn variable(&mut self, letter: &str, process: usize, value: i64) -> Access {
        self.sketch
            .variable(&format!("{letter}{}", self.number + 1), process, value)
    }

    /// What the origin hands in.
    fn operand(&mut self, value: i64) -> Access {
        self.variable("S", self.process, value)
    }

    /// What the origin gets.
    fn result(&mut self) -> Access {
        let result = self.variable("R", self.process, 0);
        self.sketch.show(Observable::Variable(result.variable));
        result
    }

    /// The operation on the cell at its target.
    fn at_target(&mut self, transfer: Transfer, cell: Access) -> StatementKind {
        let value = written(self.number);
        match transfer.kind {
            // An add of OpenSHMEM is not done at return, unlike what the model has for one that fetches. What it races
            // with is not atomic, so that a put is as good.
            TransferKind::Accumulate if self.sketch.api() == Api::Shmem => StatementKind::Put {
                target: cell,
                from: self.operand(value),
            },
            TransferKind::Put => StatementKind::Put {
                target: cell,
                from: self.operand(value),
            },
            TransferKind::Get => StatementKind::Get {
                into: self.result(),
                target: cell,
            },
            _ => {
                let operand = self.operand(if transfer.only_reads { 0 } else { value });
                self.atomic(transfer, cell, (None, Some(operand)))
            }
        }
    }

    /// The operation that has the cell for a buffer.
    fn at_origin(&mut self, transfer: Transfer, writes: bool, cell: Access) -> StatementKind {
        let value = written(self.number);
        let there = match transfer.kind {
            TransferKind::Put | TransferKind::Accumulate => {
                let there = self.variable("D", self.target, 0);
                self.sketch.show(Observable::Variable(there.variable));
                there
            }
            _ => self.variable("D", self.target, value),
        };
        match transfer.kind {
            TransferKind::Put => StatementKind::Put {
                target: there,
                from: cell,
            },
            TransferKind::Get => StatementKind::Get {
                into: cell,
                target: there,
            },
            // One that is not done at return: what it gets is as late as that of a get.
            _ if writes && self.sketch.api() == Api::Shmem && !transfer.blocking => StatementKind::Get {
                into: cell,
                target: there,
            },
            _ if writes => {
                let operand = self.operand(0);
                self.atomic(transfer, there, (Some(cell), Some(operand)))
            }
            _ => self.atomic(transfer, there, (None, Some(cell))),
        }
    }

    fn atomic(
        &mut self,
        transfer: Transfer,
        target: Access,
        (into, operand): (Option<Access>, Option<Access>),
    ) -> StatementKind {
        let operand = operand.unwrap_or(target);
        let operation = match transfer.only_reads {
            true => Operation::NoOp,
            false => Operation::Sum,
        };
        let api = self.sketch.api();
        if transfer.kind == TransferKind::Accumulate && api == Api::Mpi {
            return StatementKind::Accumulate {
                target,
                operand,
                operation,
            };
        }
        let into = into.unwrap_or_else(|| self.result());
        match (api, transfer.kind) {
            (Api::Mpi | Api::Gaspi, TransferKind::CompareAndSwap) => {
                let compare = self.variable("C", self.process, 0);
                let swap = operand;
                match api {
                    Api::Mpi => StatementKind::CompareAndSwap {
                        into,
                        target,
                        compare,
                        swap,
                    },
                    _ => StatementKind::Cas {
                        into,
                        target,
                        compare,
                        swap,
                    },
                }
            }
            (Api::Mpi, TransferKind::GetAccumulate) => StatementKind::GetAccumulate {
                into,
                target,
                operand,
                operation,
            },
            (Api::Mpi, _) => StatementKind::FetchAndOp {
                into,
                target,
                operand,
                operation,
            },
            // In the model of OpenSHMEM a compare and swap stands for something else; one atomic is as good as another.
            _ => StatementKind::Rga {
                into,
                target,
                operand,
            },
        }
    }

    /// The operation on its queue, and its return if it is blocking.
    fn issued(&mut self, transfer: Transfer, operation: StatementKind) -> Vec<StatementKind> {
        let api = self.sketch.api();
        if api == Api::Mpi {
            return vec![operation];
        }
        let queue = self.sketch.queue(transfer.queue);
        let on = |operation: StatementKind| {
            let atomic = matches!(operation, StatementKind::Rga { .. } | StatementKind::Cas { .. });
            let named = match api {
                // The model takes atomics for those of GASPI, which have no queue, unless it is named.
                Api::Shmem => atomic || queue.0 > 0,
                _ => !atomic && queue.0 > 0,
            };
            match named {
                true => StatementKind::On {
                    queue,
                    operation: Box::new(operation),
                },
                false => operation,
            }
        };
        match operation {
            StatementKind::Get { into, target } if transfer.blocking => {
                let flag = self.variable("B", self.process, 0).variable;
                vec![
                    on(StatementKind::GetNotify { into, target, flag }),
                    StatementKind::Await(flag),
                ]
            }
            operation => vec![on(operation)],
        }
    }
}
