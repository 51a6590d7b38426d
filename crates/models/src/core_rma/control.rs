//! Control flow: the ways through each process, with loops unrolled up to their bounds.
//!
//! Promise: every combination of branches once, except those that constants exclude; a way that would need more turns
//! than a loop's bound is dropped and [`Ways::bounded`] is set. Limits: at most [`LIMIT`] steps in all ways together.

use super::accessed::accessed;
use super::{Completion, CoreModel, Rule, value};
use farside_litmus::ast::{Expression, Operation, Program, Rank, Statement, StatementKind};

/// Steps that all ways of a program may have together.
pub const LIMIT: usize = 1 << 18;

/// A step of a process on one way.
#[derive(Clone, Debug)]
pub enum Step<'p> {
    /// A statement without inner statements.
    Simple {
        /// Which.
        statement: &'p Statement,
        /// For a compare and swap, whether it succeeds, where the model's orders depend on that.
        succeeds: Option<bool>,
    },
    /// A branch taken.
    Branch {
        /// What it asks.
        condition: &'p Expression,
        /// What the answer must be.
        holds: bool,
    },
}

/// The ways through each process of a program.
#[derive(Clone, Debug)]
pub struct Ways<'p> {
    /// By process.
    pub processes: Vec<Vec<Vec<Step<'p>>>>,
    /// Whether a way was dropped because of a loop's bound.
    pub bounded: bool,
}

/// Why a program cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// coreRMA has no such statement.
    NoSuchStatement {
        /// Whose.
        rank: Rank,
        /// Which.
        statement: Box<Statement>,
    },
    /// More actions than a bit row holds.
    TooManyActions {
        /// How many.
        actions: usize,
    },
    /// More than [`LIMIT`] steps, or more than 256 computed registers on a path.
    TooManyWays,
}

/// All ways through the processes of a program.
///
/// # Errors
/// A statement that coreRMA does not have; too many ways.
pub fn ways<'p>(program: &'p Program, model: &CoreModel) -> Result<Ways<'p>, Unfit> {
    let forks = model.has(Rule::CasF) != model.has(Rule::CasT);
    let mut walk = Walk {
        forks,
        steps: 0,
        bounded: false,
    };
    let known = Known::of(program, model);
    let mut processes = Vec::with_capacity(program.processes.len());
    for (rank, process) in (0..).zip(&program.processes) {
        known.check(Rank(rank), &process.statements)?;
        processes.push(walk.process(&process.statements, process.registers.len())?);
    }
    Ok(Ways {
        processes,
        bounded: walk.bounded,
    })
}

/// Which statements there are.
struct Known {
    completion: Completion,
    /// By variable: whether it is a flag.
    flags: Vec<bool>,
}

impl Known {
    fn of(program: &Program, model: &CoreModel) -> Self {
        fn mark(statements: &[Statement], flags: &mut [bool]) {
            for statement in statements {
                match &statement.kind {
                    StatementKind::While { body, .. } => mark(body, flags),
                    StatementKind::If { then, otherwise, .. } => {
                        mark(then, flags);
                        mark(otherwise, flags);
                    }
                    kind => accessed(kind, &mut |variable, flag| flags[variable.0 as usize] |= flag),
                }
            }
        }
        let mut flags = vec![false; program.variables.len()];
        for process in &program.processes {
            mark(&process.statements, &mut flags);
        }
        Self {
            completion: model.completion,
            flags,
        }
    }

    fn check(&self, rank: Rank, statements: &[Statement]) -> Result<(), Unfit> {
        for statement in statements {
            match &statement.kind {
                StatementKind::While { body, .. } => self.check(rank, body)?,
                StatementKind::If { then, otherwise, .. } => {
                    self.check(rank, then)?;
                    self.check(rank, otherwise)?;
                }
                kind if self.has(kind) => {}
                _ => {
                    return Err(Unfit::NoSuchStatement {
                        rank,
                        statement: Box::new(statement.clone()),
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether there is such a simple statement. A variable is a flag or holds data, not both.
    fn has(&self, kind: &StatementKind) -> bool {
        let queues = self.completion == Completion::Queues;
        let known = match kind {
            StatementKind::Load { .. }
            | StatementKind::Store { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Get { .. }
            | StatementKind::Put { .. }
            | StatementKind::Rga { .. }
            | StatementKind::Cas { .. }
            | StatementKind::CompareAndSwap { .. }
            | StatementKind::Barrier => true,
            StatementKind::FetchAndOp { operation, .. } => !queues || *operation == Operation::Sum,
            StatementKind::GetAccumulate { .. } | StatementKind::Flush(_) | StatementKind::FlushAll => {
                !queues
            }
            StatementKind::On { operation, .. } => queues && self.has(operation),
            StatementKind::Notify(_)
            | StatementKind::PutNotify { .. }
            | StatementKind::GetNotify { .. }
            | StatementKind::WaitQueue(_)
            | StatementKind::Await(_)
            | StatementKind::Take { .. } => queues,
            _ => false,
        };
        let mut one_use = true;
        accessed(kind, &mut |variable, flag| {
            one_use &= flag == self.flags[variable.0 as usize]
        });
        known && one_use
    }
}

/// Statements being walked through; of a loop, with what it asks and its turns left.
#[derive(Clone)]
struct Frame<'p> {
    statements: &'p [Statement],
    next: usize,
    turns: Option<(&'p Expression, u32)>,
}

/// A way being walked.
#[derive(Clone)]
struct Way<'p> {
    frames: Vec<Frame<'p>>,
    steps: Vec<Step<'p>>,
    /// What registers hold, where constants alone decide it.
    constants: Vec<Option<i64>>,
}

struct Walk {
    forks: bool,
    steps: usize,
    bounded: bool,
}

impl Walk {
    fn process<'p>(
        &mut self,
        statements: &'p [Statement],
        registers: usize,
    ) -> Result<Vec<Vec<Step<'p>>>, Unfit> {
        let mut done = Vec::new();
        let mut open = vec![Way {
            frames: vec![Frame {
                statements,
                next: 0,
                turns: None,
            }],
            steps: Vec::new(),
            constants: vec![Some(0); registers],
        }];
        while let Some(mut way) = open.pop() {
            loop {
                self.steps += 1;
                if self.steps > LIMIT {
                    return Err(Unfit::TooManyWays);
                }
                let Some(frame) = way.frames.last_mut() else {
                    done.push(way.steps);
                    break;
                };
                let statements = frame.statements;
                if let Some(statement) = statements.get(frame.next) {
                    frame.next += 1;
                    way.pass(statement, self, &mut open)?;
                } else if let Some((condition, turns)) = frame.turns {
                    if !way.turn(condition, turns, self, &mut open)? {
                        break;
                    }
                } else {
                    way.frames.pop();
                }
            }
        }
        Ok(done)
    }

    /// Counts a copy of a way by its length.
    fn copy<'p>(&mut self, way: &Way<'p>) -> Result<Way<'p>, Unfit> {
        self.steps += way.steps.len();
        if self.steps > LIMIT {
            return Err(Unfit::TooManyWays);
        }
        Ok(way.clone())
    }
}

impl<'p> Way<'p> {
    /// Goes through a statement; further ways that open here are put aside.
    fn pass(&mut self, statement: &'p Statement, walk: &mut Walk, open: &mut Vec<Self>) -> Result<(), Unfit> {
        match &statement.kind {
            StatementKind::While {
                condition,
                bound,
                body,
            } => self.frames.push(Frame {
                statements: body,
                next: body.len(),
                turns: Some((condition, *bound)),
            }),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let block = |statements| Frame {
                    statements,
                    next: 0,
                    turns: None,
                };
                match constant(condition, &self.constants) {
                    Some(value) => self.frames.push(block(if value != 0 { then } else { otherwise })),
                    None => {
                        let mut other = walk.copy(self)?;
                        other.branch(condition, false);
                        other.frames.push(block(otherwise));
                        open.push(other);
                        self.branch(condition, true);
                        self.frames.push(block(then));
                    }
                }
            }
            kind => {
                match kind {
                    StatementKind::Load { into, .. } | StatementKind::Take { into, .. } => {
                        self.constants[into.0 as usize] = None
                    }
                    StatementKind::Assign { into, value } => {
                        self.constants[into.0 as usize] = constant(value, &self.constants);
                    }
                    _ => {}
                }
                let cas = matches!(
                    kind,
                    StatementKind::Cas { .. } | StatementKind::CompareAndSwap { .. }
                );
                if cas && walk.forks {
                    let mut other = walk.copy(self)?;
                    other.steps.push(Step::Simple {
                        statement,
                        succeeds: Some(false),
                    });
                    open.push(other);
                }
                self.steps.push(Step::Simple {
                    statement,
                    succeeds: (cas && walk.forks).then_some(true),
                });
            }
        }
        Ok(())
    }

    /// At the head of a loop. Whether the way goes on.
    fn turn(
        &mut self,
        condition: &'p Expression,
        turns: u32,
        walk: &mut Walk,
        open: &mut Vec<Self>,
    ) -> Result<bool, Unfit> {
        let known = constant(condition, &self.constants);
        if known == Some(0) {
            self.frames.pop();
            return Ok(true);
        }
        if known.is_none() {
            let mut exit = walk.copy(self)?;
            exit.branch(condition, false);
            exit.frames.pop();
            open.push(exit);
            self.branch(condition, true);
        }
        if turns == 0 {
            walk.bounded = true;
            return Ok(false);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.next = 0;
            frame.turns = Some((condition, turns - 1));
        }
        Ok(true)
    }

    fn branch(&mut self, condition: &'p Expression, holds: bool) {
        self.steps.push(Step::Branch { condition, holds });
    }
}

/// The expression's value, if constants alone decide it.
fn constant(expression: &Expression, registers: &[Option<i64>]) -> Option<i64> {
    Some(match expression {
        Expression::Number(number) => *number,
        Expression::Register(register) => (*registers.get(register.0 as usize)?)?,
        Expression::Negative(inner) => constant(inner, registers)?.wrapping_neg(),
        Expression::Not(inner) => i64::from(constant(inner, registers)? == 0),
        Expression::Binary(operator, left, right) => {
            value::binary(*operator, constant(left, registers)?, constant(right, registers)?)
        }
    })
}
