//! Random programs, by seed: for comparing engines and for measuring them.
//!
//! Promise: the same seed and shape give the same program on every machine and in every later version.

pub mod queues;

use farside_litmus::ast::{
    Access, Atomicity, BinaryOperator, Expression, Observable, Place, Process, Program, Rank, RegisterId,
    Statement, StatementKind, Variable, VariableId,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What random programs look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Actions of the program, first values not counted.
    pub actions: usize,
    /// Processes.
    pub processes: u32,
    /// Variables; the first ones belong to different processes.
    pub variables: u32,
    /// How many accesses of a hundred are not atomic.
    pub nonatomic: u32,
    /// How many programs of a hundred also show the final values of variables.
    pub finals: u32,
    /// How many programs of a hundred have a branch.
    pub branches: u32,
    /// How many programs of a hundred have a loop.
    pub loops: u32,
}

impl Shape {
    /// Two processes with a variable each, all accesses atomic, outcomes of registers: what benchmarks measure.
    #[must_use]
    pub fn two_processes(actions: usize) -> Self {
        Self {
            actions,
            processes: 2,
            variables: 2,
            nonatomic: 0,
            finals: 0,
            branches: 0,
            loops: 0,
        }
    }
}

/// The program of this seed and shape.
#[must_use]
pub fn program(seed: u64, shape: Shape) -> Program {
    let mut writer = Writer {
        random: Random(SplitMix64::seed_from_u64(seed)),
        shape,
        constant: 1,
    };
    writer.program(seed)
}

/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (OOPSLA 2014).
struct Random(SplitMix64);

impl Random {
    /// A number below `bound`.
    fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound.max(1));
        u32::try_from(self.0.next_u64() % bound).unwrap_or(0)
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

struct Writer {
    random: Random,
    shape: Shape,
    /// The next number to be written.
    constant: i64,
}

impl Writer {
    fn program(&mut self, seed: u64) -> Program {
        let processes = self.shape.processes.max(1);
        let variables = (0..self.shape.variables.max(1))
            .map(|index| Variable {
                name: ["X", "Y", "Z", "V", "W"]
                    .get(index as usize)
                    .map_or_else(|| format!("X{index}"), |&name| name.into()),
                owner: Rank(index % processes),
                value: i64::from(self.random.below(2)),
                place: Place::default(),
            })
            .collect();
        let mut program = Program {
            name: format!("random{seed}"),
            about: Vec::new(),
            accesses: Atomicity::Atomic,
            variables,
            processes: vec![Process::default(); processes as usize],
            locations: Vec::new(),
            filter: None,
            condition: None,
        };
        let mut left = self.shape.actions;
        while left > 0 {
            let rank = Rank(self.random.below(processes));
            left -= self.statement(&mut program, rank, left);
        }
        if self.random.percent(self.shape.branches) {
            self.branch(&mut program);
        }
        // Nothing is drawn where no loop is wanted: programs of a seed stay what they were.
        if self.shape.loops > 0 && self.random.percent(self.shape.loops) {
            self.repeat(&mut program);
        }
        if self.random.percent(self.shape.finals) {
            self.finals(&mut program);
        }
        program
    }

    /// Adds a statement of at most `left` actions; returns how many it has.
    fn statement(&mut self, program: &mut Program, rank: Rank, left: usize) -> usize {
        let own: Vec<VariableId> = (0..)
            .zip(&program.variables)
            .filter(|(_, variable)| variable.owner == rank)
            .map(|(index, _)| VariableId(index))
            .collect();
        let any = VariableId(self.random.below(self.shape.variables));
        let largest = match left {
            _ if own.is_empty() => 0,
            1 => 2,
            2 => 4,
            3 => 5,
            _ => 6,
        };
        // Loads and puts and gets are more frequent than the rest.
        let kind = match self.random.below(10) {
            0..=2 => 0,
            3 => 1,
            4 => 2,
            5 | 6 => 3,
            7 => 4,
            8 => 5,
            _ => 6,
        };
        let kind = if kind > largest {
            self.random.below(3)
        } else {
            kind
        };
        let own_access = |writer: &mut Self| {
            let index = writer.random.below(u32::try_from(own.len()).unwrap_or(1));
            writer.access(own.get(index as usize).copied().unwrap_or(any))
        };
        let (kind, actions) = match kind {
            0 | 1 if own.is_empty() => (self.flush(), 1),
            0 => {
                let from = own_access(self);
                let registers = &mut program.processes[rank.0 as usize].registers;
                let into = RegisterId(u32::try_from(registers.len()).unwrap_or(0));
                registers.push(format!("r{}", into.0));
                (StatementKind::Load { into, from }, 1)
            }
            1 => {
                let registers = program.processes[rank.0 as usize].registers.len();
                let value = self.value(u32::try_from(registers).unwrap_or(0));
                let into = own_access(self);
                (StatementKind::Store { into, value }, 1)
            }
            2 => (self.flush(), 1),
            3 => {
                let [into, target] = [own_access(self), self.access(any)];
                (StatementKind::Get { into, target }, 2)
            }
            4 => {
                let [target, from] = [self.access(any), own_access(self)];
                (StatementKind::Put { target, from }, 2)
            }
            5 => {
                let [into, target, operand] = [own_access(self), self.access(any), own_access(self)];
                (
                    StatementKind::Rga {
                        into,
                        target,
                        operand,
                    },
                    3,
                )
            }
            _ => {
                let [into, target, compare, swap] = [
                    own_access(self),
                    self.access(any),
                    own_access(self),
                    own_access(self),
                ];
                (
                    StatementKind::Cas {
                        into,
                        target,
                        compare,
                        swap,
                    },
                    4,
                )
            }
        };
        program.processes[rank.0 as usize].statements.push(Statement {
            kind,
            place: Place::default(),
        });
        actions
    }

    fn access(&mut self, variable: VariableId) -> Access {
        let atomicity = if self.random.percent(self.shape.nonatomic) {
            Atomicity::NonAtomic
        } else {
            Atomicity::Atomic
        };
        Access { variable, atomicity }
    }

    fn flush(&mut self) -> StatementKind {
        StatementKind::Flush(Rank(self.random.below(self.shape.processes)))
    }

    /// A new number, or now and then a register plus one.
    fn value(&mut self, registers: u32) -> Expression {
        if registers > 0 && self.random.percent(25) {
            let register = RegisterId(self.random.below(registers));
            return Expression::Binary(
                BinaryOperator::Add,
                Box::new(Expression::Register(register)),
                Box::new(Expression::Number(1)),
            );
        }
        self.constant += 1;
        Expression::Number(self.constant)
    }

    /// Makes the last statement of a process that has registers depend on one of them.
    fn branch(&mut self, program: &mut Program) {
        for process in &mut program.processes {
            let registers = u32::try_from(process.registers.len()).unwrap_or(0);
            let writes = !matches!(
                process.statements.last(),
                None | Some(Statement {
                    kind: StatementKind::Load { .. },
                    ..
                })
            );
            if registers > 0
                && writes
                && let Some(last) = process.statements.pop()
            {
                let register = Expression::Register(RegisterId(self.random.below(registers)));
                let number = Expression::Number(i64::from(self.random.below(3)));
                let condition =
                    Expression::Binary(BinaryOperator::Equal, Box::new(register), Box::new(number));
                process.statements.push(Statement {
                    kind: StatementKind::If {
                        condition,
                        then: vec![last],
                        otherwise: Vec::new(),
                    },
                    place: Place::default(),
                });
                return;
            }
        }
    }

    /// Puts the last load of a process, and what follows it, into a loop that ends when a value was loaded. What it
    /// asks before the first turn is whether the register, which is 0 then, has the value.
    fn repeat(&mut self, program: &mut Program) {
        for process in &mut program.processes {
            let load = process
                .statements
                .iter()
                .rposition(|statement| matches!(statement.kind, StatementKind::Load { .. }));
            let Some(load) = load else { continue };
            let StatementKind::Load { into, .. } = process.statements[load].kind else {
                continue;
            };
            let body = process.statements.split_off(load);
            // Not the first value, now and then what nobody writes.
            let wanted = 1 + i64::from(self.random.below(4));
            let register = Expression::Register(into);
            process.statements.push(Statement {
                kind: StatementKind::While {
                    condition: Expression::Binary(
                        BinaryOperator::NotEqual,
                        Box::new(register),
                        Box::new(Expression::Number(wanted)),
                    ),
                    bound: 1 + self.random.below(2),
                    body,
                },
                place: Place::default(),
            });
            return;
        }
    }

    /// Shows all registers, and one variable or two.
    fn finals(&mut self, program: &mut Program) {
        for (rank, process) in (0..).zip(&program.processes) {
            for (register, _) in (0..).zip(&process.registers) {
                program
                    .locations
                    .push(Observable::Register(Rank(rank), RegisterId(register)));
            }
        }
        for _ in 0..=self.random.below(2) {
            let variable = Observable::Variable(VariableId(self.random.below(self.shape.variables)));
            if !program.locations.contains(&variable) {
                program.locations.push(variable);
            }
        }
    }
}
