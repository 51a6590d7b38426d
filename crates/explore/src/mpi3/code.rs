//! A program as code that a process can step through: loops and branches become jumps.

use crate::ExploreError;
use farside_litmus::ast::{
    BinaryOperator, Expression, Operation, Program, Rank, RegisterId, Statement, StatementKind, VariableId,
};
use farside_models::mpi3::action::ActionKind;

/// A program, ready to run.
#[derive(Debug)]
pub(super) struct Code<'p> {
    pub(super) program: &'p Program,
    pub(super) processes: Vec<Vec<Instruction<'p>>>,
    /// Loop counters that each process needs.
    pub(super) counters: Vec<usize>,
}

/// One step of a process.
#[derive(Debug)]
pub(super) enum Instruction<'p> {
    /// A statement.
    Do(Step<'p>),
    /// Goes on if the condition holds, else jumps.
    Test {
        condition: &'p Expression,
        otherwise: usize,
    },
    /// Enters the loop again if the condition holds and the bound is not reached, else jumps.
    Turn {
        condition: &'p Expression,
        counter: usize,
        bound: u32,
        exit: usize,
    },
    /// Sets a counter to 0.
    Reset(usize),
    /// Jumps.
    Goto(usize),
}

/// A statement that does something.
#[derive(Debug)]
pub(super) struct Step<'p> {
    pub(super) statement: &'p Statement,
    pub(super) does: Does<'p>,
    /// Its number among the statements of its process, as written.
    pub(super) number: usize,
}

/// What a statement does.
#[derive(Debug)]
pub(super) enum Does<'p> {
    Load(RegisterId, VariableId),
    Store(VariableId, &'p Expression),
    Assign(RegisterId, &'p Expression),
    Remote(Remote),
    Synchronise(ActionKind),
}

/// A communication call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Remote {
    pub(super) kind: ActionKind,
    pub(super) location: VariableId,
    pub(super) target: Rank,
    /// What it reads at the origin, in order: source, or operand, or compare and swap.
    pub(super) reads: Vec<VariableId>,
    /// What it writes at the origin.
    pub(super) into: Option<VariableId>,
    /// What an accumulate does.
    pub(super) operation: Option<Operation>,
}

impl Remote {
    /// Whether the target is written.
    pub(super) fn writes(&self) -> bool {
        self.kind != ActionKind::Rcg && self.operation != Some(Operation::NoOp)
    }

    /// Whether the target is read.
    pub(super) fn fetches(&self) -> bool {
        matches!(self.kind, ActionKind::Rcg | ActionKind::Rag | ActionKind::Ras)
    }

    /// What the target holds afterwards, given what it holds and what was read at the origin.
    pub(super) fn result(&self, stored: i64, operands: &[i64]) -> i64 {
        match (self.kind, operands) {
            (ActionKind::Rcp, [value]) => *value,
            (ActionKind::Rac | ActionKind::Rag, [operand]) => {
                accumulate(self.operation.unwrap_or(Operation::NoOp), stored, *operand)
            }
            (ActionKind::Ras, [compare, swap]) if stored == *compare => *swap,
            _ => stored,
        }
    }
}

impl<'p> Code<'p> {
    /// # Errors
    /// A statement that names a rank which does not exist, or as its own memory that of another process.
    pub(super) fn new(program: &'p Program, model: &str) -> Result<Self, ExploreError> {
        let mut code = Self {
            program,
            processes: Vec::new(),
            counters: Vec::new(),
        };
        for (rank, process) in (0..).map(Rank).zip(&program.processes) {
            let mut writer = Writer {
                program,
                rank,
                model,
                instructions: Vec::new(),
                counters: 0,
                number: 0,
            };
            writer.block(&process.statements)?;
            code.processes.push(writer.instructions);
            code.counters.push(writer.counters);
        }
        Ok(code)
    }

    /// The owner of a variable.
    pub(super) fn owner(&self, variable: VariableId) -> Rank {
        self.program.variables[variable.0 as usize].owner
    }

    pub(super) fn processes(&self) -> usize {
        self.processes.len()
    }

    pub(super) fn ranks(&self) -> impl Iterator<Item = Rank> + use<> {
        (0..self.processes.len() as u32).map(Rank)
    }
}

struct Writer<'p, 'm> {
    program: &'p Program,
    rank: Rank,
    model: &'m str,
    instructions: Vec<Instruction<'p>>,
    counters: usize,
    number: usize,
}

impl<'p> Writer<'p, '_> {
    fn block(&mut self, statements: &'p [Statement]) -> Result<(), ExploreError> {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'p Statement) -> Result<(), ExploreError> {
        match &statement.kind {
            StatementKind::While {
                condition,
                bound,
                body,
            } => {
                let counter = self.counters;
                self.counters += 1;
                self.instructions.push(Instruction::Reset(counter));
                let start = self.instructions.len();
                self.instructions.push(Instruction::Goto(0));
                self.block(body)?;
                self.instructions.push(Instruction::Goto(start));
                let exit = self.instructions.len();
                self.instructions[start] = Instruction::Turn {
                    condition,
                    counter,
                    bound: *bound,
                    exit,
                };
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let test = self.instructions.len();
                self.instructions.push(Instruction::Goto(0));
                self.block(then)?;
                let end = self.instructions.len();
                self.instructions.push(Instruction::Goto(0));
                self.instructions[test] = Instruction::Test {
                    condition,
                    otherwise: end + 1,
                };
                self.block(otherwise)?;
                self.instructions[end] = Instruction::Goto(self.instructions.len());
            }
            _ => {
                let does = self.does(statement)?;
                let step = Step {
                    statement,
                    does,
                    number: self.number,
                };
                self.number += 1;
                self.instructions.push(Instruction::Do(step));
            }
        }
        Ok(())
    }

    fn does(&self, statement: &'p Statement) -> Result<Does<'p>, ExploreError> {
        use StatementKind as Kind;
        let refused = || ExploreError::NotInModel {
            model: self.model.to_owned(),
            statement: super::text(self.program, self.rank, statement),
            place: statement.place.clone(),
        };
        let own = |access: &farside_litmus::ast::Access| {
            let variable = self.program.variables.get(access.variable.0 as usize);
            variable
                .filter(|variable| variable.owner == self.rank)
                .map(|_| access.variable)
                .ok_or_else(refused)
        };
        let known = |rank: Rank| {
            let exists = (rank.0 as usize) < self.program.processes.len();
            if exists { Ok(()) } else { Err(refused()) }
        };
        let remote = |kind, target: &farside_litmus::ast::Access, reads, into, operation| {
            let variable = self.program.variables.get(target.variable.0 as usize);
            let owner = variable.ok_or_else(refused)?.owner;
            known(owner)?;
            let reads = if operation == Some(Operation::NoOp) {
                Vec::new()
            } else {
                reads
            };
            Ok(Does::Remote(Remote {
                kind,
                location: target.variable,
                target: owner,
                reads,
                into,
                operation,
            }))
        };
        let synchronise = |kind| Ok(Does::Synchronise(kind));
        match &statement.kind {
            Kind::Load { into, from } => Ok(Does::Load(*into, own(from)?)),
            Kind::Store { into, value } => Ok(Does::Store(own(into)?, value)),
            Kind::Assign { into, value } => Ok(Does::Assign(*into, value)),
            Kind::Get { into, target } => remote(ActionKind::Rcg, target, vec![], Some(own(into)?), None),
            Kind::Put { target, from } => remote(ActionKind::Rcp, target, vec![own(from)?], None, None),
            Kind::Accumulate {
                target,
                operand,
                operation,
            } => remote(
                ActionKind::Rac,
                target,
                vec![own(operand)?],
                None,
                Some(*operation),
            ),
            Kind::Rga {
                into,
                target,
                operand,
            } => {
                let (operand, into) = (own(operand)?, own(into)?);
                remote(
                    ActionKind::Rag,
                    target,
                    vec![operand],
                    Some(into),
                    Some(Operation::Sum),
                )
            }
            Kind::GetAccumulate {
                into,
                target,
                operand,
                operation,
            }
            | Kind::FetchAndOp {
                into,
                target,
                operand,
                operation,
            } => {
                let (operand, into) = (own(operand)?, own(into)?);
                remote(
                    ActionKind::Rag,
                    target,
                    vec![operand],
                    Some(into),
                    Some(*operation),
                )
            }
            Kind::Cas {
                into,
                target,
                compare,
                swap,
            }
            | Kind::CompareAndSwap {
                into,
                target,
                compare,
                swap,
            } => {
                let reads = vec![own(compare)?, own(swap)?];
                remote(ActionKind::Ras, target, reads, Some(own(into)?), None)
            }
            Kind::Flush(rank) => known(*rank).and_then(|()| synchronise(ActionKind::Sfl)),
            Kind::FlushLocal(rank) => known(*rank).and_then(|()| synchronise(ActionKind::Sfll)),
            Kind::LockShared(rank) => known(*rank).and_then(|()| synchronise(ActionKind::Sls)),
            Kind::LockExclusive(rank) => known(*rank).and_then(|()| synchronise(ActionKind::Sle)),
            Kind::Unlock(rank) => known(*rank).and_then(|()| synchronise(ActionKind::Sul)),
            Kind::Send(rank) | Kind::Receive(rank) => {
                known(*rank).and_then(|()| synchronise(ActionKind::Ses))
            }
            Kind::Post(group) => {
                group.iter().try_for_each(|rank| known(*rank))?;
                synchronise(ActionKind::Spo)
            }
            Kind::Start(group) => {
                group.iter().try_for_each(|rank| known(*rank))?;
                synchronise(ActionKind::Sst)
            }
            Kind::FlushAll => synchronise(ActionKind::Sfla),
            Kind::FlushLocalAll => synchronise(ActionKind::Sflla),
            Kind::Fence(_) => synchronise(ActionKind::Sfe),
            Kind::LockAll => synchronise(ActionKind::Sla),
            Kind::UnlockAll => synchronise(ActionKind::Sula),
            Kind::Complete => synchronise(ActionKind::Sco),
            Kind::Wait => synchronise(ActionKind::Swa),
            Kind::Sync => synchronise(ActionKind::Sws),
            Kind::Barrier => synchronise(ActionKind::Ses),
            Kind::On { .. }
            | Kind::Notify(_)
            | Kind::PutNotify { .. }
            | Kind::GetNotify { .. }
            | Kind::WaitQueue(_)
            | Kind::Await(_)
            | Kind::Take { .. }
            | Kind::While { .. }
            | Kind::If { .. } => Err(refused()),
        }
    }
}

/// The target that a synchronising statement names.
pub(super) fn target_of(kind: &StatementKind) -> Option<Rank> {
    match kind {
        StatementKind::Flush(rank)
        | StatementKind::FlushLocal(rank)
        | StatementKind::LockShared(rank)
        | StatementKind::LockExclusive(rank)
        | StatementKind::Unlock(rank)
        | StatementKind::Send(rank)
        | StatementKind::Receive(rank) => Some(*rank),
        _ => None,
    }
}

/// The value of an expression over registers.
pub(super) fn evaluate(expression: &Expression, registers: &[i64]) -> i64 {
    let value = |expression: &Expression| evaluate(expression, registers);
    match expression {
        Expression::Number(number) => *number,
        Expression::Register(register) => registers.get(register.0 as usize).copied().unwrap_or(0),
        Expression::Negative(inner) => value(inner).wrapping_neg(),
        Expression::Not(inner) => i64::from(value(inner) == 0),
        Expression::Binary(operator, left, right) => {
            let (a, b) = (value(left), value(right));
            match operator {
                BinaryOperator::Add => a.wrapping_add(b),
                BinaryOperator::Subtract => a.wrapping_sub(b),
                BinaryOperator::Multiply => a.wrapping_mul(b),
                BinaryOperator::Equal => i64::from(a == b),
                BinaryOperator::NotEqual => i64::from(a != b),
                BinaryOperator::Less => i64::from(a < b),
                BinaryOperator::LessOrEqual => i64::from(a <= b),
                BinaryOperator::Greater => i64::from(a > b),
                BinaryOperator::GreaterOrEqual => i64::from(a >= b),
                BinaryOperator::And => i64::from(a != 0 && b != 0),
                BinaryOperator::Or => i64::from(a != 0 || b != 0),
            }
        }
    }
}

fn accumulate(operation: Operation, stored: i64, operand: i64) -> i64 {
    match operation {
        Operation::Sum => stored.wrapping_add(operand),
        Operation::Product => stored.wrapping_mul(operand),
        Operation::Minimum => stored.min(operand),
        Operation::Maximum => stored.max(operand),
        Operation::And => stored & operand,
        Operation::Or => stored | operand,
        Operation::Xor => stored ^ operand,
        Operation::Replace => operand,
        Operation::NoOp => stored,
    }
}
