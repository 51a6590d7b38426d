//! Values: what writers write and registers hold, in terms of what readers read.

use farside_litmus::ast::{BinaryOperator, Operation, Value};

/// A value in terms of what actions read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A number.
    Number(i64),
    /// What this action reads.
    Read(usize),
    /// Index into [`super::Path::assigned`].
    Assigned(usize),
    /// `-t`
    Negative(Box<Term>),
    /// `!t`
    Not(Box<Term>),
    /// `t + u`
    Binary(BinaryOperator, Box<Term>, Box<Term>),
}

/// What a writer writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A value of registers; a first value.
    Term(Term),
    /// What another action of the statement reads.
    Copy(usize),
    /// `stored operation operand` (GA).
    Operation {
        /// Which.
        operation: Operation,
        /// The read of the target.
        stored: usize,
        /// The read of the operand.
        operand: usize,
    },
    /// `swap` if `stored = compare`, else `stored` (CAS-T, CAS-F).
    CompareAndSwap {
        /// The read of the target.
        stored: usize,
        /// `er1`
        compare: usize,
        /// `er2`
        swap: usize,
    },
}

/// `a operator b` on numbers; arithmetic wraps, a comparison is 1 or 0.
#[must_use]
pub fn binary(operator: BinaryOperator, a: i64, b: i64) -> i64 {
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

/// What an rga with this operation leaves at the target.
#[must_use]
pub fn accumulate(operation: Operation, stored: Value, operand: Value) -> Value {
    match (operation, stored, operand) {
        (Operation::Replace, _, operand) => operand,
        (Operation::NoOp, stored, _) => stored,
        (_, Value::Undefined, _) | (_, _, Value::Undefined) => Value::Undefined,
        (operation, Value::Known(stored), Value::Known(operand)) => Value::Known(match operation {
            Operation::Sum => stored.wrapping_add(operand),
            Operation::Product => stored.wrapping_mul(operand),
            Operation::Minimum => stored.min(operand),
            Operation::Maximum => stored.max(operand),
            Operation::And => stored & operand,
            Operation::Or => stored | operand,
            Operation::Xor => stored ^ operand,
            Operation::Replace => operand,
            Operation::NoOp => stored,
        }),
    }
}

/// What a cas leaves at the target.
#[must_use]
pub fn compare_and_swap(stored: Value, compare: Value, swap: Value) -> Value {
    match (stored, compare) {
        (Value::Known(stored), Value::Known(compare)) if stored == compare => swap,
        (Value::Known(stored), Value::Known(_)) => Value::Known(stored),
        _ => Value::Undefined,
    }
}

impl Term {
    /// Its value, given the values of reads and of assigned terms; `None` if one of those it needs has none.
    pub fn evaluate(
        &self,
        read: &mut dyn FnMut(usize) -> Option<Value>,
        assigned: &mut dyn FnMut(usize) -> Option<Value>,
    ) -> Option<Value> {
        Some(match self {
            Self::Number(number) => Value::Known(*number),
            Self::Read(action) => read(*action)?,
            Self::Assigned(index) => assigned(*index)?,
            Self::Negative(term) => match term.evaluate(read, assigned)? {
                Value::Known(number) => Value::Known(number.wrapping_neg()),
                Value::Undefined => Value::Undefined,
            },
            Self::Not(term) => match term.evaluate(read, assigned)? {
                Value::Known(number) => Value::Known(i64::from(number == 0)),
                Value::Undefined => Value::Undefined,
            },
            Self::Binary(operator, left, right) => {
                let left = left.evaluate(read, assigned)?;
                let right = right.evaluate(read, assigned)?;
                match (left, right) {
                    (Value::Known(left), Value::Known(right)) => Value::Known(binary(*operator, left, right)),
                    _ => Value::Undefined,
                }
            }
        })
    }
}
