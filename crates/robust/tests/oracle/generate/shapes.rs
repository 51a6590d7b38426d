//! Known shapes, with drawn synchronisation.

use super::Writer;
use super::commands::{awaiting, condition, neighbour};
use crate::automaton::Code;
use farside_pgas::ast::{AtomicOperation, BinaryOperator, Completion, Direction};
use farside_pgas::calculus::{Atomic, Command, Expression, Transfer};

impl Writer<'_> {
    /// Nothing, a wait or a fence, or whatever there is.
    fn between(&mut self, queue: &Expression, code: &mut Code, rank: usize) {
        let wait = |completion| Command::Wait {
            queues: vec![queue.clone()],
            handles: Vec::new(),
            completion,
        };
        let command = match self.random.below(6) {
            0 | 1 => wait(Completion::Full),
            2 => wait(Completion::Local),
            3 => Command::Fence {
                queue: queue.clone(),
                rank: None,
            },
            4 => self.synchronise(rank),
            _ => return,
        };
        code.step(command);
    }

    fn copy(&self, direction: Direction, local: i64, to: i64, remote: i64, queue: &Expression) -> Command {
        Command::Transfer(Transfer {
            direction,
            local: Expression::Constant(local),
            rank: Expression::Constant(to),
            remote: Expression::Constant(remote),
            queue: queue.clone(),
            handle: None,
            after_earlier: false,
        })
    }

    /// Data, then a flag; who sees the flag looks at the data.
    pub(super) fn message(&mut self) -> Vec<Code> {
        let ranks = self.program.ranks as usize;
        let flag = self.program.cells.len() as i64 - 1;
        let mut codes = vec![Code::default(); ranks];
        let to = 1 + self.random.below(ranks - 1) as i64;
        let (data, signal) = (self.queue(), self.queue());
        let first = self.copy(Direction::Write, 0, to, 0, &data);
        codes[0].step(first);
        self.between(&data, &mut codes[0], 0);
        let queue = if self.random.chance(60) { &data } else { &signal };
        let second = self.copy(Direction::Write, flag, to, flag, queue);
        codes[0].step(second);
        let reader = &mut codes[to as usize];
        let register = self.register();
        if self.random.chance(50) {
            reader.step(awaiting(register, Expression::Constant(flag), 1));
        } else {
            reader.step(Command::Load {
                into: register,
                address: Expression::Constant(flag),
                until: None,
            });
            reader.step(condition(
                BinaryOperator::NotEqual,
                Expression::Register(register),
                0,
            ));
        }
        reader.step(Command::Load {
            into: register,
            address: Expression::Constant(0),
            until: None,
        });
        self.operations = self.operations.saturating_sub(2);
        codes
    }

    /// Each tells the other, and looks whether the other has told it.
    pub(super) fn buffering(&mut self) -> Vec<Code> {
        let ranks = self.program.ranks as usize;
        let mut codes = vec![Code::default(); ranks];
        let seen = self.program.cells.len() as i64 - 1;
        for (rank, code) in codes.iter_mut().enumerate() {
            let queue = self.queue();
            let to = (rank + 1) % ranks;
            let tell = self.copy(Direction::Write, 0, to as i64, seen, &queue);
            code.step(tell);
            self.between(&queue, code, rank);
            let address = Expression::Constant(if self.random.chance(70) { seen } else { 0 });
            let into = self.register();
            code.step(match self.random.below(4) {
                0 => awaiting(into, address, 1),
                1 => awaiting(into, address, 0),
                _ => Command::Load {
                    into,
                    address,
                    until: None,
                },
            });
        }
        self.operations = self.operations.saturating_sub(ranks);
        codes
    }

    /// Figure 1 of the paper, with a put or a get, and with something before the barrier.
    pub(super) fn exchange(&mut self) -> Vec<Code> {
        let ranks = self.program.ranks as usize;
        let mut code = Code::default();
        let queue = self.queue();
        let direction = self.random.pick(&[Direction::Write, Direction::Read]);
        let last = self.program.cells.len() as i64 - 1;
        let mut transfer = self.copy(direction, 0, 0, last, &queue);
        if let Command::Transfer(transfer) = &mut transfer {
            transfer.rank = neighbour(1);
        }
        code.step(transfer);
        self.between(&queue, &mut code, 0);
        code.step(Command::Barrier);
        let (into, address) = (self.register(), self.cell());
        code.step(Command::Load {
            into,
            address,
            until: None,
        });
        self.operations = self.operations.saturating_sub(ranks);
        vec![code; ranks]
    }

    /// Each leaves its name, and writes to whom it found, as in a list lock.
    pub(super) fn names(&mut self) -> Code {
        let mut code = Code::default();
        let (queue, last) = (self.queue(), self.program.cells.len() as i64 - 1);
        let role = i64::from(self.program.domain > self.program.ranks);
        let sum = |operator, left, right| Expression::Binary(operator, Box::new(left), Box::new(right));
        let own = sum(BinaryOperator::Add, Expression::Me, Expression::Constant(role));
        let home = match self.random.chance(50) {
            true => neighbour(1),
            false => Expression::Constant(0),
        };
        let swap = self.random.chance(70);
        code.step(Command::Atomic(Atomic {
            operation: match swap {
                true => AtomicOperation::Swap,
                false => AtomicOperation::CompareSwap,
            },
            local: Some(Expression::Constant(last)),
            rank: home,
            remote: Expression::Constant(0),
            operand: own.clone(),
            expected: (!swap).then_some(Expression::Constant(0)),
            queue: queue.clone(),
            handle: None,
        }));
        self.between(&queue, &mut code, 0);
        let into = self.register();
        code.step(Command::Load {
            into,
            address: Expression::Constant(last),
            until: None,
        });
        let found = Expression::Register(into);
        if role > 0 {
            code.step(condition(BinaryOperator::NotEqual, found.clone(), 0));
        }
        if self.random.chance(40) {
            code.step(Command::Store {
                address: Expression::Constant(last),
                value: own,
            });
        }
        let mut write = self.copy(Direction::Write, last, 0, 0, &queue);
        if let Command::Transfer(transfer) = &mut write {
            transfer.rank = sum(BinaryOperator::Subtract, found, Expression::Constant(role));
        }
        code.step(write);
        self.between(&queue, &mut code, 0);
        self.operations = self.operations.saturating_sub(2);
        code
    }
}
