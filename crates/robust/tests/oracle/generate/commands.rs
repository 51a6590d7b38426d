//! Commands and expressions, drawn.

use super::Writer;
use farside_pgas::ast::{AtomicOperation, BinaryOperator, Completion, Direction};
use farside_pgas::calculus::{Atomic, Command, Expression, Handle, Queue, Register, Transfer};

impl Writer<'_> {
    pub(super) fn operation(&mut self, rank: usize) -> Command {
        match self.random.chance(70) {
            true => self.transfer(rank),
            false => self.atomic(rank),
        }
    }

    pub(super) fn transfer(&mut self, rank: usize) -> Command {
        self.operations = self.operations.saturating_sub(1);
        let direction = self
            .random
            .pick(&[Direction::Write, Direction::Write, Direction::Read]);
        let (local, to, remote) = (self.cell(), self.target(rank), self.cell());
        let (queue, handle) = (self.queue(), self.handle());
        Command::Transfer(Transfer {
            direction,
            local,
            rank: to,
            remote,
            queue,
            handle,
            after_earlier: direction == Direction::Write && self.random.chance(12),
        })
    }

    pub(super) fn atomic(&mut self, rank: usize) -> Command {
        self.operations = self.operations.saturating_sub(1);
        let operation = self.random.pick(&[
            AtomicOperation::FetchAdd,
            AtomicOperation::Swap,
            AtomicOperation::CompareSwap,
        ]);
        let local = self.random.chance(60).then(|| self.cell());
        let expected = (operation == AtomicOperation::CompareSwap)
            .then(|| Expression::Constant(self.random.below(2) as i64));
        let (to, remote, operand) = (self.target(rank), self.cell(), self.value());
        let operand = match operation == AtomicOperation::FetchAdd && self.random.chance(20) {
            true => Expression::Constant(-1),
            false => operand,
        };
        Command::Atomic(Atomic {
            operation,
            local,
            rank: to,
            remote,
            operand,
            expected,
            queue: self.queue(),
            handle: self.handle(),
        })
    }

    pub(super) fn synchronise(&mut self, rank: usize) -> Command {
        let queue = self.queue();
        if self.random.chance(30) {
            let to = self.random.chance(40).then(|| self.target(rank));
            return Command::Fence { queue, rank: to };
        }
        let completion = self
            .random
            .pick(&[Completion::Full, Completion::Full, Completion::Local]);
        let handle = if self.random.chance(40) {
            self.handle()
        } else {
            None
        };
        Command::Wait {
            queues: if handle.is_some() { Vec::new() } else { vec![queue] },
            handles: handle.into_iter().collect(),
            completion,
        }
    }

    pub(super) fn load(&mut self) -> Command {
        let (into, address) = (self.register(), self.cell());
        Command::Load {
            into,
            address,
            until: None,
        }
    }

    pub(super) fn store(&mut self) -> Command {
        let (address, value) = (self.cell(), self.value());
        Command::Store { address, value }
    }

    pub(super) fn assign(&mut self) -> Command {
        let (into, value) = (self.register(), self.value());
        Command::Assign { into, value }
    }

    /// A command that is neither an operation nor about operations.
    pub(super) fn plain(&mut self) -> Command {
        match self.random.below(3) {
            0 => self.load(),
            1 => self.store(),
            _ => self.assign(),
        }
    }

    pub(super) fn assume(&mut self) -> Command {
        let operator = self
            .random
            .pick(&[BinaryOperator::Equal, BinaryOperator::NotEqual]);
        let (register, value) = (self.register(), self.random.below(2) as i64);
        condition(operator, Expression::Register(register), value)
    }

    pub(super) fn register(&mut self) -> Register {
        Register(self.random.below(self.program.registers.len()))
    }

    pub(super) fn cell(&mut self) -> Expression {
        let cells = self.program.cells.len();
        match self.random.below(20) {
            1 => Expression::Register(self.register()),
            0 => Expression::Element {
                base: 0,
                count: cells as i64,
                index: Box::new(Expression::Register(self.register())),
            },
            _ => Expression::Constant(self.random.below(cells) as i64),
        }
    }

    /// Mostly in the domain, so that most programs have a verdict.
    pub(super) fn value(&mut self) -> Expression {
        let register = Expression::Register(self.register());
        let domain = i64::from(self.program.domain);
        match self.random.below(6) {
            0 => register,
            1 => {
                let sum = Expression::Binary(
                    BinaryOperator::Add,
                    Box::new(register),
                    Box::new(Expression::Constant(1)),
                );
                match self.random.chance(90) {
                    true => modulo(sum, domain),
                    false => sum,
                }
            }
            2 if self.program.ranks > self.program.domain && self.random.chance(90) => {
                modulo(Expression::Me, domain)
            }
            2 => Expression::Me,
            _ => Expression::Constant(self.random.below(self.program.domain as usize) as i64),
        }
    }

    pub(super) fn target(&mut self, rank: usize) -> Expression {
        let ranks = self.program.ranks as usize;
        if self.random.chance(4) {
            return Expression::Register(self.register());
        }
        let itself = self.random.chance(12);
        match (self.same, itself) {
            (true, true) => Expression::Me,
            (true, false) => neighbour(1 + self.random.below(ranks - 1) as i64),
            (false, true) => Expression::Constant(rank as i64),
            (false, false) => {
                Expression::Constant(((rank + 1 + self.random.below(ranks - 1)) % ranks) as i64)
            }
        }
    }

    pub(super) fn queue(&mut self) -> Expression {
        let index = self.random.below(self.program.queues.len());
        let group = self.program.queues[index]
            .name
            .split('[')
            .next()
            .unwrap_or_default();
        let of_group = |queue: &&Queue| queue.name.split('[').next() == Some(group);
        let count = self.program.queues.iter().filter(of_group).count() as i64;
        if count > 1 && self.random.chance(25) {
            let base = self
                .program
                .queues
                .iter()
                .take_while(|queue| !of_group(queue))
                .count() as i64;
            let index = Expression::Register(self.register());
            return Expression::Element {
                base,
                count,
                index: Box::new(index),
            };
        }
        Expression::Constant(index as i64)
    }

    pub(super) fn handle(&mut self) -> Option<Expression> {
        let handles = self.program.handles.len();
        (handles > 0 && self.random.chance(40)).then(|| {
            let handle = Handle(self.random.below(handles));
            Expression::Constant(handle.0 as i64)
        })
    }
}

fn modulo(expression: Expression, number: i64) -> Expression {
    Expression::Binary(
        BinaryOperator::Remainder,
        Box::new(expression),
        Box::new(Expression::Constant(number)),
    )
}

pub(super) fn neighbour(distance: i64) -> Expression {
    let number = |number| Box::new(Expression::Constant(number));
    Expression::Binary(
        BinaryOperator::Remainder,
        Box::new(Expression::Binary(
            BinaryOperator::Add,
            Box::new(Expression::Me),
            number(distance),
        )),
        Box::new(Expression::Ranks),
    )
}

pub(super) fn condition(operator: BinaryOperator, what: Expression, value: i64) -> Command {
    Command::Assume {
        condition: Expression::Binary(operator, Box::new(what), Box::new(Expression::Constant(value))),
        asserted: false,
    }
}

/// A load that waits for a value.
pub(super) fn awaiting(into: Register, address: Expression, value: i64) -> Command {
    let seen = Box::new(Expression::Register(into));
    Command::Load {
        into,
        address,
        until: Some(Expression::Binary(
            BinaryOperator::Equal,
            seen,
            Box::new(Expression::Constant(value)),
        )),
    }
}
