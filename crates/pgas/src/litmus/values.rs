//! Which values variables and registers can have.
//!
//! Promise: [`largest`] is at least every value of every execution. A value is made by a chain of statements, each of
//! which is executed before the next; so copies are followed until nothing new comes, and arithmetic as often as a way
//! through the program has some.

use super::{MAX_VALUES, place};
use crate::diagnostic::Diagnostic;
use farside_litmus::ast::{
    BinaryOperator, Expression, Operation, Place, Program, Statement, StatementKind, VariableId,
};
use std::collections::BTreeSet;

/// The largest value.
///
/// # Errors
/// Values below 0, and too many values.
pub(super) fn largest(test: &Program) -> Result<i64, Diagnostic> {
    let mut known = Known {
        variables: test
            .variables
            .iter()
            .map(|variable| BTreeSet::from([variable.value]))
            .collect(),
        registers: test
            .processes
            .iter()
            .map(|process| vec![BTreeSet::from([0]); process.registers.len()])
            .collect(),
    };
    for variable in &test.variables {
        refuse_negative(variable.value, &variable.place)?;
    }
    let executed: usize = test
        .processes
        .iter()
        .map(|process| computations(&process.statements))
        .sum();
    // Numbers of the text are there from the beginning, wherever they are copied to; a result of arithmetic counts in
    // the next turn.
    while known.copies(test)? {}
    for turn in 0..=executed.min(MAX_VALUES) {
        let before = known.clone();
        let source = before.clone();
        for (rank, process) in test.processes.iter().enumerate() {
            known.run(rank, &process.statements, turn < executed, &source)?;
        }
        while known.copies(test)? {}
        if known == before {
            break;
        }
    }
    let values = known
        .variables
        .iter()
        .chain(known.registers.iter().flatten())
        .flatten();
    Ok(values.copied().max().unwrap_or(0))
}

/// The values of variables, and of registers by process.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    variables: Vec<BTreeSet<i64>>,
    registers: Vec<Vec<BTreeSet<i64>>>,
}

impl Known {
    /// Follows copies once; whether something was new.
    fn copies(&mut self, test: &Program) -> Result<bool, Diagnostic> {
        let before = self.clone();
        for (rank, process) in test.processes.iter().enumerate() {
            self.run(rank, &process.statements, false, &before)?;
        }
        Ok(*self != before)
    }

    /// Adds what the statements make of the values in `source`.
    fn run(
        &mut self,
        rank: usize,
        statements: &[Statement],
        arithmetic: bool,
        source: &Self,
    ) -> Result<(), Diagnostic> {
        use StatementKind as S;
        for Statement { kind, place } in statements {
            match kind {
                S::Load { into, from } => {
                    let values = source.of(from.variable);
                    add(&mut self.registers[rank][into.0 as usize], values, place)?;
                }
                S::Store { into, value } => {
                    if let Some(values) = source.expression(rank, value, arithmetic) {
                        add(self.to(into.variable), &values, place)?;
                    }
                }
                S::Assign { into, value } => {
                    if let Some(values) = source.expression(rank, value, arithmetic) {
                        add(&mut self.registers[rank][into.0 as usize], &values, place)?;
                    }
                }
                S::Get { into, target } => add(self.to(into.variable), source.of(target.variable), place)?,
                S::Put { target, from } => add(self.to(target.variable), source.of(from.variable), place)?,
                S::Cas {
                    into, target, swap, ..
                }
                | S::CompareAndSwap {
                    into, target, swap, ..
                } => {
                    add(self.to(into.variable), source.of(target.variable), place)?;
                    add(self.to(target.variable), source.of(swap.variable), place)?;
                }
                S::Rga {
                    into,
                    target,
                    operand,
                } => {
                    add(self.to(into.variable), source.of(target.variable), place)?;
                    self.operate(
                        target.variable,
                        operand.variable,
                        Operation::Sum,
                        arithmetic,
                        source,
                        place,
                    )?;
                }
                S::GetAccumulate {
                    into,
                    target,
                    operand,
                    operation,
                }
                | S::FetchAndOp {
                    into,
                    target,
                    operand,
                    operation,
                } => {
                    add(self.to(into.variable), source.of(target.variable), place)?;
                    self.operate(
                        target.variable,
                        operand.variable,
                        *operation,
                        arithmetic,
                        source,
                        place,
                    )?;
                }
                S::Accumulate {
                    target,
                    operand,
                    operation,
                } => {
                    self.operate(
                        target.variable,
                        operand.variable,
                        *operation,
                        arithmetic,
                        source,
                        place,
                    )?;
                }
                S::While { body, .. } => self.run(rank, body, arithmetic, source)?,
                S::If { then, otherwise, .. } => {
                    self.run(rank, then, arithmetic, source)?;
                    self.run(rank, otherwise, arithmetic, source)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn operate(
        &mut self,
        target: VariableId,
        operand: VariableId,
        operation: Operation,
        arithmetic: bool,
        source: &Self,
        place: &Place,
    ) -> Result<(), Diagnostic> {
        match operation {
            Operation::Replace => add(self.to(target), source.of(operand), place),
            Operation::Sum if arithmetic => {
                let sums = pairs(source.of(target), source.of(operand), i64::wrapping_add);
                add(self.to(target), &sums, place)
            }
            _ => Ok(()),
        }
    }

    fn of(&self, variable: VariableId) -> &BTreeSet<i64> {
        &self.variables[variable.0 as usize]
    }

    fn to(&mut self, variable: VariableId) -> &mut BTreeSet<i64> {
        &mut self.variables[variable.0 as usize]
    }

    /// The values of an expression; none if it computes and arithmetic is not followed.
    fn expression(&self, rank: usize, expression: &Expression, arithmetic: bool) -> Option<BTreeSet<i64>> {
        (arithmetic || !computes(expression)).then(|| self.values(rank, expression))
    }

    fn values(&self, rank: usize, expression: &Expression) -> BTreeSet<i64> {
        use BinaryOperator as B;
        match expression {
            Expression::Number(number) => BTreeSet::from([*number]),
            Expression::Register(register) => self.registers[rank][register.0 as usize].clone(),
            Expression::Negative(inner) => self
                .values(rank, inner)
                .iter()
                .map(|value| value.wrapping_neg())
                .collect(),
            Expression::Not(_) => BTreeSet::from([0, 1]),
            Expression::Binary(operator, left, right) => {
                let pairs =
                    |of: fn(i64, i64) -> i64| pairs(&self.values(rank, left), &self.values(rank, right), of);
                match operator {
                    B::Add => pairs(i64::wrapping_add),
                    B::Subtract => pairs(i64::wrapping_sub),
                    B::Multiply => pairs(i64::wrapping_mul),
                    _ => BTreeSet::from([0, 1]),
                }
            }
        }
    }
}

/// What is made of each two values; no more than are too many.
fn pairs(left: &BTreeSet<i64>, right: &BTreeSet<i64>, of: impl Fn(i64, i64) -> i64) -> BTreeSet<i64> {
    let mut made = BTreeSet::new();
    for &one in left {
        for &other in right {
            made.insert(of(one, other));
            if made.len() > MAX_VALUES {
                return made;
            }
        }
    }
    made
}

fn add(to: &mut BTreeSet<i64>, values: &BTreeSet<i64>, place: &Place) -> Result<(), Diagnostic> {
    if let Some(&first) = values.first() {
        refuse_negative(first, place)?;
    }
    to.extend(values);
    if to.len() > MAX_VALUES {
        return Err(Diagnostic::new(
            format!("more than {MAX_VALUES} values: the domain of a program is finite and small"),
            super::place(place),
        )
        .hint("use smaller numbers, or fewer turns of the loop"));
    }
    Ok(())
}

fn refuse_negative(value: i64, at: &Place) -> Result<(), Diagnostic> {
    if value >= 0 {
        return Ok(());
    }
    Err(Diagnostic::new(
        format!("{value} is outside of every domain: values begin at 0"),
        place(at),
    )
    .hint("use numbers from 0 on"))
}

/// Whether the value may be one that nobody had before.
fn computes(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Negative(_)
            | Expression::Binary(
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply,
                ..
            )
    )
}

/// How many statements that compute are executed on a way, at most.
fn computations(statements: &[Statement]) -> usize {
    use StatementKind as S;
    statements.iter().fold(0_usize, |sum, statement| {
        sum.saturating_add(match &statement.kind {
            S::Store { value, .. } | S::Assign { value, .. } => usize::from(computes(value)),
            S::Rga { .. }
            | S::Accumulate {
                operation: Operation::Sum,
                ..
            }
            | S::GetAccumulate {
                operation: Operation::Sum,
                ..
            }
            | S::FetchAndOp {
                operation: Operation::Sum,
                ..
            } => 1,
            S::While { bound, body, .. } => computations(body).saturating_mul(*bound as usize),
            S::If { then, otherwise, .. } => computations(then).max(computations(otherwise)),
            _ => 0,
        })
    })
}
