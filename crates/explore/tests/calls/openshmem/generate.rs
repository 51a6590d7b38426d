//! Random OpenSHMEM programs: 2 to 3 PEs, few operations, all that orders them.
//!
//! A program is made as a sequence of pieces (an access, a flag that is set and awaited, a barrier), so that many have
//! no race; then some statements are dropped or swapped. No flag is set twice, so none is lost, and whether a program
//! ends does not hang on its schedule.

use crate::case::{Case, DEFAULT, Role, call};
use crate::writer::Writer;
use farside_litmus::ast::{Access, Expression, Notification, Queue, Rank, StatementKind};
use std::ops::{Deref, DerefMut};

/// What writes a program of OpenSHMEM.
struct Calls(Writer);

impl Deref for Calls {
    type Target = Writer;

    fn deref(&self) -> &Writer {
        &self.0
    }
}

impl DerefMut for Calls {
    fn deref_mut(&mut self) -> &mut Writer {
        &mut self.0
    }
}

/// The program of a seed, with so many pieces at most.
pub(crate) fn generate(seed: u64, most: u32) -> Case {
    let mut calls = Calls(Writer::new(seed));
    for _ in 0..2 + calls.below(most - 1) {
        calls.piece();
    }
    if calls.below(4) == 0 {
        // A blocking get stays with its return.
        calls.disturb(|statement, roles| match call(&statement.kind).1 {
            StatementKind::Await(flag) => roles[flag.0 as usize] == Role::Returned,
            StatementKind::GetNotify { .. } | StatementKind::Barrier => true,
            _ => false,
        });
    }
    calls.0.finish(&format!("shmem{seed}"))
}

impl Calls {
    /// Adds an operation, on some context.
    fn issue(&mut self, rank: u32, operation: StatementKind) {
        let queue = self.queue();
        self.issue_on(rank, queue, operation);
    }

    fn issue_on(&mut self, rank: u32, queue: Queue, operation: StatementKind) {
        let kind = match (queue, &operation) {
            // The model takes atomics for those of GASPI, which have no queue, unless it is named.
            (DEFAULT, StatementKind::Rga { .. } | StatementKind::Cas { .. }) | (Queue(1..), _) => {
                StatementKind::On {
                    queue,
                    operation: Box::new(operation),
                }
            }
            _ => operation,
        };
        self.add(rank, kind);
    }

    fn quiet(&mut self, rank: u32) {
        let context = self.queue();
        self.add(rank, StatementKind::WaitQueue(context));
    }

    fn fence(&mut self, rank: u32) {
        let [into, target, compare, swap] = [(); 4].map(|()| self.value(rank));
        self.issue(
            rank,
            StatementKind::Cas {
                into,
                target,
                compare,
                swap,
            },
        );
    }

    /// The source of a put to a variable: another one of this PE's memory, or a value that was copied out.
    fn source(&mut self, rank: u32, target: Access) -> Access {
        let from = self.data(rank);
        match self.below(2) {
            0 if from != target => from,
            _ => self.value(rank),
        }
    }

    fn piece(&mut self) {
        let [rank, other] = [self.rank(), self.rank()];
        match self.below(20) {
            0..=2 => {
                let from = self.data(rank);
                let into = self.register(rank);
                self.add(rank, StatementKind::Load { into, from });
            }
            3 | 4 => {
                let into = self.data(rank);
                let value = Expression::Number(i64::from(2 + self.below(8)));
                self.add(rank, StatementKind::Store { into, value });
            }
            5..=7 => {
                let target = self.data(other);
                let from = self.source(rank, target);
                self.issue(rank, StatementKind::Put { target, from });
            }
            8 => {
                let (into, target) = (self.data(rank), self.data(other));
                if into != target {
                    self.issue(rank, StatementKind::Get { into, target });
                }
            }
            9 | 10 => {
                // A blocking get into memory, or into a register.
                let (into, target) = match self.below(2) {
                    0 => (self.data(rank), self.data(other)),
                    _ => (self.value(rank), self.data(other)),
                };
                if into == target {
                    return;
                }
                let name = format!("b{}", self.count());
                let flag = self.variable(&name, rank, Role::Returned);
                self.issue(rank, StatementKind::GetNotify { into, target, flag });
                self.add(rank, StatementKind::Await(flag));
            }
            11 | 12 => {
                let (into, operand, target) = (self.value(rank), self.value(rank), self.data(other));
                self.issue(
                    rank,
                    StatementKind::Rga {
                        into,
                        target,
                        operand,
                    },
                );
            }
            13 => self.quiet(rank),
            14 => self.fence(rank),
            15 | 16 => self.message(rank, other),
            17 | 18 => {
                let completes = self.below(2) == 0;
                for rank in 0..self.ranks() {
                    if completes {
                        self.add(rank, StatementKind::WaitQueue(DEFAULT));
                    }
                    self.add(rank, StatementKind::Barrier);
                }
            }
            _ => {
                // Release, set, wait: as programs do it.
                let target = self.data(other);
                let from = self.source(rank, target);
                self.issue(rank, StatementKind::Put { target, from });
                match self.below(2) {
                    0 => self.quiet(rank),
                    _ => self.fence(rank),
                }
                self.message(rank, other);
            }
        }
    }

    /// A flag is set at another PE, by itself or as a signal after data, and awaited there.
    fn message(&mut self, rank: u32, other: u32) {
        let name = format!("f{}", self.count());
        let flag = self.variable(&name, other, Role::Flag);
        let notification = Notification { flag, value: 1 };
        let target = self.data(other);
        let kind = match self.below(2) {
            0 => StatementKind::Notify(notification),
            _ => StatementKind::PutNotify {
                from: self.source(rank, target),
                target,
                notification,
            },
        };
        self.issue(rank, kind);
        self.add(other, StatementKind::Await(flag));
    }
}

/// The program in words, with what its words stand for in OpenSHMEM.
pub(crate) fn describe(case: &Case) -> String {
    let program = &case.program;
    let mut text = String::new();
    for (rank, process) in (0..).zip(&program.processes) {
        text += &format!("PE {rank}\n");
        for (number, statement) in process.statements.iter().enumerate() {
            let words = match &statement.kind {
                StatementKind::WaitQueue(queue) => format!("quiet({})", queue.0),
                kind if matches!(call(kind).1, StatementKind::Cas { .. }) => {
                    format!("fence({})", call(kind).0.0)
                }
                kind => farside_litmus::print_statement(program, Rank(rank), kind),
            };
            text += &format!("  {number}: {words}\n");
        }
    }
    text
}
