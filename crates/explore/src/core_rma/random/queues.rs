//! Random programs with queues, notifications and barriers.
//!
//! Promise: as its parent. Most programs have an execution that ends: a notification comes with somebody who awaits or
//! takes it, and all processes come to the same barriers.

use super::Random;
use farside_litmus::ast::{
    Access, Atomicity, Expression, Notification, Observable, Place, Process, Program, Queue, Rank,
    RegisterId, Statement, StatementKind, Variable, VariableId,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng;

/// What random programs with queues look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueShape {
    /// Actions of the program, about: first values and barriers are not counted.
    pub actions: usize,
    /// Processes, each with a variable and a flag.
    pub processes: u32,
    /// Queues that operations are handed to.
    pub queues: u32,
    /// How many programs of a hundred have a barrier.
    pub barriers: u32,
}

/// The program of this seed and shape.
#[must_use]
pub fn program(seed: u64, shape: QueueShape) -> Program {
    let processes = shape.processes.max(1);
    let variable = |index: u32, name: &str| Variable {
        name: format!("{name}{}", index % processes),
        owner: Rank(index % processes),
        value: 0,
        place: Place::default(),
    };
    let data = (0..processes).map(|index| variable(index, "X"));
    let flags = (0..processes).map(|index| variable(index, "N"));
    let mut writer = Writer {
        random: Random(SplitMix64::seed_from_u64(seed)),
        shape: QueueShape { processes, ..shape },
        program: Program {
            name: format!("queues{seed}"),
            about: Vec::new(),
            accesses: Atomicity::Atomic,
            variables: data.chain(flags).collect(),
            processes: vec![Process::default(); processes as usize],
            locations: Vec::new(),
            filter: None,
            condition: None,
        },
        constant: 1,
    };
    let mut left = shape.actions;
    while left > 0 {
        left = left.saturating_sub(writer.statement());
    }
    if writer.random.percent(shape.barriers) {
        writer.barrier();
    }
    writer.finals();
    writer.program
}

struct Writer {
    random: Random,
    shape: QueueShape,
    program: Program,
    /// The next number to be stored.
    constant: i64,
}

impl Writer {
    fn rank(&mut self) -> Rank {
        Rank(self.random.below(self.shape.processes))
    }

    fn add(&mut self, rank: Rank, kind: StatementKind) {
        self.program.processes[rank.0 as usize]
            .statements
            .push(Statement {
                kind,
                place: Place::default(),
            });
    }

    /// Adds an operation, in some queue; to the usual one without a word, now and then.
    fn hand(&mut self, rank: Rank, operation: StatementKind) {
        let queue = Queue(self.random.below(self.shape.queues));
        let kind = match queue {
            Queue(0) => operation,
            queue => StatementKind::On {
                queue,
                operation: Box::new(operation),
            },
        };
        self.add(rank, kind);
    }

    fn register(&mut self, rank: Rank) -> RegisterId {
        let registers = &mut self.program.processes[rank.0 as usize].registers;
        let new = RegisterId(u32::try_from(registers.len()).unwrap_or(0));
        registers.push(format!("r{}", new.0));
        new
    }

    fn flag(&self, rank: Rank) -> VariableId {
        VariableId(self.shape.processes + rank.0)
    }

    /// The owner of the flag awaits it, takes it, or both.
    fn receive(&mut self, rank: Rank) -> usize {
        let flag = self.flag(rank);
        let how = self.random.below(3);
        if how != 0 {
            self.add(rank, StatementKind::Await(flag));
        }
        if how != 1 {
            let into = self.register(rank);
            self.add(rank, StatementKind::Take { into, flag });
        }
        if how == 2 { 2 } else { 1 }
    }

    /// Adds a statement, or two that belong together; returns how many actions they have.
    fn statement(&mut self) -> usize {
        let [rank, other] = [self.rank(), self.rank()];
        let access = |rank: Rank| Access {
            variable: VariableId(rank.0),
            atomicity: Atomicity::Atomic,
        };
        let [own, target] = [access(rank), access(other)];
        let notification = Notification {
            flag: self.flag(other),
            value: 1 + i64::from(self.random.below(2)),
        };
        match self.random.below(14) {
            0 | 1 => {
                let into = self.register(rank);
                self.add(rank, StatementKind::Load { into, from: own });
                1
            }
            2 => {
                self.constant += 1;
                let value = Expression::Number(self.constant);
                self.add(rank, StatementKind::Store { into: own, value });
                1
            }
            3..=5 => {
                self.hand(rank, StatementKind::Put { target, from: own });
                2
            }
            6 => {
                self.hand(rank, StatementKind::Get { into: own, target });
                2
            }
            7 | 8 => {
                self.hand(rank, StatementKind::Notify(notification));
                1 + self.receive(other)
            }
            9 => {
                let operation = StatementKind::PutNotify {
                    target,
                    from: own,
                    notification,
                };
                self.hand(rank, operation);
                3 + self.receive(other)
            }
            10 => {
                let flag = self.flag(rank);
                self.hand(
                    rank,
                    StatementKind::GetNotify {
                        into: own,
                        target,
                        flag,
                    },
                );
                3 + self.receive(rank)
            }
            11 | 12 => {
                let queue = Queue(self.random.below(self.shape.queues));
                self.add(rank, StatementKind::WaitQueue(queue));
                1
            }
            _ => {
                let operation = StatementKind::Rga {
                    into: own,
                    target,
                    operand: own,
                };
                self.add(rank, operation);
                3
            }
        }
    }

    /// All processes come to a barrier, somewhere.
    fn barrier(&mut self) {
        for process in &mut self.program.processes {
            let places = u32::try_from(process.statements.len() + 1).unwrap_or(1);
            let statement = Statement {
                kind: StatementKind::Barrier,
                place: Place::default(),
            };
            process
                .statements
                .insert(self.random.below(places) as usize, statement);
        }
    }

    /// Shows all registers, and a variable or a flag.
    fn finals(&mut self) {
        for (rank, process) in (0..).zip(&self.program.processes) {
            for (register, _) in (0..).zip(&process.registers) {
                let shown = Observable::Register(Rank(rank), RegisterId(register));
                self.program.locations.push(shown);
            }
        }
        let variable = VariableId(self.random.below(2 * self.shape.processes));
        self.program.locations.push(Observable::Variable(variable));
    }
}
