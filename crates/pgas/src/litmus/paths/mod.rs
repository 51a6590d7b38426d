//! Processes as their paths: loops unrolled, what follows a branch repeated after each of its ways, flushes waited for
//! where they must be.

mod operations;

use super::refusal::is_of_mpi;
use super::{MAX_STATEMENTS, Names, place, plain_name};
use crate::ast::{
    BinaryOperator, Completion, Expression, Place, Statement, StatementKind, Target, UnaryOperator,
};
use crate::diagnostic::Diagnostic;
use farside_litmus::ast as litmus;
use litmus::{StatementKind as Kind, VariableId};
use operations::{Operation, operation};

/// The processes of a test: a block for each.
pub(super) fn processes(test: &litmus::Program, names: &Names<'_>) -> Result<Vec<Statement>, Diagnostic> {
    let mpi = test
        .processes
        .iter()
        .any(|process| process.statements.iter().any(is_of_mpi));
    let mut written = 0;
    let mut blocks = Vec::new();
    for (rank, process) in (0..).zip(&test.processes) {
        let mut paths = Paths {
            test,
            names,
            rank,
            mpi,
            written,
        };
        let rest: Vec<Next<'_>> = process.statements.iter().rev().map(Next::Statement).collect();
        let body = paths.path(rest, Flying::default())?;
        written = paths.written;
        blocks.push(Statement {
            kind: StatementKind::Rank {
                ranks: vec![(rank, rank)],
                body,
                otherwise: Vec::new(),
            },
            place: process
                .statements
                .first()
                .map(|first| place(&first.place))
                .unwrap_or_default(),
        });
    }
    Ok(blocks)
}

/// What is still to be done on a path; the last comes first.
#[derive(Clone)]
enum Next<'t> {
    Statement(&'t litmus::Statement),
    /// A loop with so many turns left.
    Turns(&'t litmus::Statement, u32),
}

/// What the network has of a process, on a path.
#[derive(Clone, Default)]
pub(super) struct Flying {
    /// Targets of operations that no flush follows.
    issued: Vec<u32>,
    /// Targets whose flush is not yet waited for.
    flushed: Vec<u32>,
    /// Own variables that an operation on a target will write, and whether a wait was for it.
    pub(super) results: Vec<(VariableId, u32)>,
}

impl Flying {
    fn wait(&mut self, target: u32) {
        self.flushed.retain(|&known| known != target);
        self.issued.retain(|&known| known != target);
        self.results.retain(|&(_, known)| known != target);
    }
}

pub(super) struct Paths<'t> {
    pub(super) test: &'t litmus::Program,
    pub(super) names: &'t Names<'t>,
    pub(super) rank: u32,
    /// MPI routes nothing in order, and waits for a flush where it stands.
    mpi: bool,
    written: usize,
}

impl<'t> Paths<'t> {
    fn path(&mut self, mut rest: Vec<Next<'t>>, mut flying: Flying) -> Result<Vec<Statement>, Diagnostic> {
        let mut done = Vec::new();
        while let Some(next) = rest.pop() {
            let (statement, turns) = match next {
                Next::Statement(statement) => (statement, None),
                Next::Turns(statement, turns) => (statement, Some(turns)),
            };
            self.written += 1;
            if self.written > MAX_STATEMENTS {
                return Err(Diagnostic::new(
                    format!("more than {MAX_STATEMENTS} statements when its paths are written out"),
                    place(&statement.place),
                )
                .hint("fewer branches, or a smaller bound"));
            }
            match &statement.kind {
                Kind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let [then, otherwise] = [then, otherwise].map(|way| behind(&rest, way));
                    let branch = StatementKind::If {
                        condition: self.expression(condition, &statement.place),
                        then: self.path(then, flying.clone())?,
                        otherwise: self.path(otherwise, flying)?,
                    };
                    done.push(at(&statement.place, branch));
                    return Ok(done);
                }
                Kind::While {
                    condition,
                    bound,
                    body,
                } => {
                    let condition = self.expression(condition, &statement.place);
                    let left = turns.unwrap_or(*bound);
                    if left == 0 {
                        // A path that would need more turns is none.
                        let over =
                            StatementKind::Assume(Expression::Unary(UnaryOperator::Not, Box::new(condition)));
                        done.push(at(&statement.place, over));
                        continue;
                    }
                    let mut again = rest.clone();
                    again.push(Next::Turns(statement, left - 1));
                    let branch = StatementKind::If {
                        condition,
                        then: self.path(behind(&again, body), flying.clone())?,
                        otherwise: self.path(rest, flying)?,
                    };
                    done.push(at(&statement.place, branch));
                    return Ok(done);
                }
                _ => self.simple(statement, &rest, &mut flying, &mut done)?,
            }
        }
        self.settle(&mut flying, &Place::default(), &mut done);
        Ok(done)
    }

    fn simple(
        &mut self,
        statement: &litmus::Statement,
        rest: &[Next<'t>],
        flying: &mut Flying,
        done: &mut Vec<Statement>,
    ) -> Result<(), Diagnostic> {
        let here = place(&statement.place);
        match &statement.kind {
            Kind::Assign { into, value } => done.push(self.assign(*into, value, &statement.place)),
            Kind::Load { into, from } => {
                self.settle(flying, &here, done);
                let load = StatementKind::Assign {
                    into: Target::Name(self.names.register(self.rank, *into)),
                    value: Expression::Value(self.names.variable(from.variable)),
                };
                done.push(at(&statement.place, load));
            }
            Kind::Store { into, value } => {
                self.settle(flying, &here, done);
                let store = StatementKind::Assign {
                    into: self.names.variable(into.variable),
                    value: self.expression(value, &statement.place),
                };
                done.push(at(&statement.place, store));
            }
            Kind::Flush(target) | Kind::Unlock(target) => {
                flying.flushed.push(target.0);
                if self.mpi {
                    self.settle(flying, &here, done);
                }
            }
            Kind::FlushAll | Kind::UnlockAll => {
                flying.flushed.extend(0..self.test.processes.len() as u32);
                if self.mpi {
                    self.settle(flying, &here, done);
                }
            }
            Kind::FlushLocal(target) => done.push(self.wait(target.0, Completion::Local, &here)),
            Kind::FlushLocalAll => {
                for target in 0..self.test.processes.len() as u32 {
                    done.push(self.wait(target, Completion::Local, &here));
                }
            }
            Kind::Fence(_) => {
                flying.flushed.extend(0..self.test.processes.len() as u32);
                self.settle(flying, &here, done);
                done.push(at(&statement.place, StatementKind::Barrier));
            }
            Kind::Barrier => {
                self.settle(flying, &here, done);
                done.push(at(&statement.place, StatementKind::Barrier));
            }
            Kind::LockAll | Kind::LockShared(_) | Kind::Sync => {}
            _ => {
                if let Some(operation) = operation(&statement.kind) {
                    self.operation(statement, &operation, rest, flying, done)?;
                }
            }
        }
        Ok(())
    }

    fn operation(
        &mut self,
        statement: &litmus::Statement,
        operation: &Operation,
        rest: &[Next<'t>],
        flying: &mut Flying,
        done: &mut Vec<Statement>,
    ) -> Result<(), Diagnostic> {
        let target = self.names.owner(operation.target);
        if flying.flushed.contains(&target) {
            done.push(self.wait(target, Completion::Full, &place(&statement.place)));
            flying.wait(target);
        }
        for &operand in &operation.operands {
            if let Some(why) = self.changes(operand, rest, flying) {
                let name = &self.test.variables[operand.0 as usize].name;
                return Err(Diagnostic::new(
                    format!(
                        "the calculus reads `{name}` at once, but {why} while the network may still read it"
                    ),
                    place(&statement.place),
                )
                .hint("flush before the change, or use another variable"));
            }
        }
        let routed = !self.mpi && target != self.rank && flying.issued.contains(&target);
        done.extend(self.issue(operation, target, routed, &statement.place));
        flying.issued.push(target);
        flying
            .results
            .extend(operation.result.map(|result| (result, target)));
        Ok(())
    }

    /// What changes an own variable from here on, other than by stores that are done.
    fn changes(&self, variable: VariableId, rest: &[Next<'t>], flying: &Flying) -> Option<&'static str> {
        let writes_later = rest.iter().any(|next| {
            let (Next::Statement(statement) | Next::Turns(statement, _)) = next;
            writes(&statement.kind, variable)
        });
        let by_others = self.test.processes.iter().any(|process| {
            process
                .statements
                .iter()
                .any(|statement| remotely(&statement.kind, variable))
        });
        if by_others {
            Some("a remote operation changes it")
        } else if writes_later {
            Some("a later statement changes it")
        } else if flying.results.iter().any(|&(result, _)| result == variable) {
            Some("it is the result of an operation that is not complete")
        } else {
            None
        }
    }

    fn assign(
        &self,
        into: litmus::RegisterId,
        value: &litmus::Expression,
        here: &litmus::Place,
    ) -> Statement {
        let assign = StatementKind::Assign {
            into: Target::Name(self.names.register(self.rank, into)),
            value: self.expression(value, here),
        };
        at(here, assign)
    }

    /// Waits for the flushes so far.
    fn settle(&self, flying: &mut Flying, here: &Place, done: &mut Vec<Statement>) {
        let mut targets = flying.flushed.clone();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            if flying.issued.contains(&target) {
                done.push(self.wait(target, Completion::Full, here));
            }
            flying.wait(target);
        }
    }

    fn wait(&self, target: u32, completion: Completion, here: &Place) -> Statement {
        Statement {
            kind: StatementKind::Wait {
                what: self.queue(target),
                completion,
            },
            place: here.clone(),
        }
    }

    pub(super) fn queue(&self, target: u32) -> Target {
        let name = plain_name(self.names.queue(), Place::default());
        Target::Element(name, Box::new(number(i64::from(target))))
    }

    fn expression(&self, expression: &litmus::Expression, here: &litmus::Place) -> Expression {
        let inner = |inner| Box::new(self.expression(inner, here));
        match expression {
            litmus::Expression::Number(value) => Expression::Number(*value, place(here)),
            litmus::Expression::Register(register) => {
                Expression::Value(Target::Name(self.names.register(self.rank, *register)))
            }
            litmus::Expression::Negative(negated) => Expression::Unary(UnaryOperator::Minus, inner(negated)),
            litmus::Expression::Not(negated) => Expression::Unary(UnaryOperator::Not, inner(negated)),
            litmus::Expression::Binary(operator, left, right) => {
                use litmus::BinaryOperator as L;
                let operator = match operator {
                    L::Add => BinaryOperator::Add,
                    L::Subtract => BinaryOperator::Subtract,
                    L::Multiply => BinaryOperator::Multiply,
                    L::Equal => BinaryOperator::Equal,
                    L::NotEqual => BinaryOperator::NotEqual,
                    L::Less => BinaryOperator::Less,
                    L::LessOrEqual => BinaryOperator::LessOrEqual,
                    L::Greater => BinaryOperator::Greater,
                    L::GreaterOrEqual => BinaryOperator::GreaterOrEqual,
                    L::And => BinaryOperator::And,
                    L::Or => BinaryOperator::Or,
                };
                Expression::Binary(operator, inner(left), inner(right))
            }
        }
    }
}

/// `block`, and then `rest`.
fn behind<'t>(rest: &[Next<'t>], block: &'t [litmus::Statement]) -> Vec<Next<'t>> {
    let mut all = rest.to_vec();
    all.extend(block.iter().rev().map(Next::Statement));
    all
}

pub(super) fn number(value: i64) -> Expression {
    Expression::Number(value, Place::default())
}

pub(super) fn at(here: &litmus::Place, kind: StatementKind) -> Statement {
    Statement {
        kind,
        place: place(here),
    }
}

/// Whether the statement, or one in it, stores to the variable or has its result there.
fn writes(kind: &Kind, variable: VariableId) -> bool {
    let any = |statements: &[litmus::Statement]| statements.iter().any(|inner| writes(&inner.kind, variable));
    match kind {
        Kind::Store { into, .. } => into.variable == variable,
        Kind::While { body, .. } => any(body),
        Kind::If { then, otherwise, .. } => any(then) || any(otherwise),
        _ => operation(kind).is_some_and(|operation| operation.result == Some(variable)),
    }
}

/// Whether it is the target of a remote write in the statement.
fn remotely(kind: &Kind, variable: VariableId) -> bool {
    let any =
        |statements: &[litmus::Statement]| statements.iter().any(|inner| remotely(&inner.kind, variable));
    match kind {
        Kind::While { body, .. } => any(body),
        Kind::If { then, otherwise, .. } => any(then) || any(otherwise),
        _ => {
            operation(kind).is_some_and(|operation| operation.target == variable && operation.writes_target())
        }
    }
}
