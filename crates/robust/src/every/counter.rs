//! Registers that count rounds.
//!
//! Promise: in each computation the register of a [`Counter`] holds the number of the round whenever it is read: the
//! first number, and one more for each of the steps [`Counter::is_next`] that the process has done.

use super::flow::Flow;
use farside_pgas::ast::{BinaryOperator, UnaryOperator};
use farside_pgas::calculus::{Command, Expression, Register};
use std::collections::BTreeSet;

/// Rounds up to which is followed how high a counter can be.
const MOST: i64 = 1 << 10;

/// A register that only becomes one more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counter {
    first: i64,
    /// The steps by which it becomes one more.
    next: BTreeSet<usize>,
    /// The steps that may come before it has its first number.
    before: BTreeSet<usize>,
}

/// `register + number`
pub(super) fn linear(expression: &Expression) -> Option<(Register, i64)> {
    match expression {
        Expression::Register(register) => Some((*register, 0)),
        Expression::Binary(operator, left, right) => match (operator, &**left, &**right) {
            (BinaryOperator::Add, other, Expression::Constant(by))
            | (BinaryOperator::Add, Expression::Constant(by), other) => {
                linear(other).map(|(register, number)| (register, number.saturating_add(*by)))
            }
            (BinaryOperator::Subtract, other, Expression::Constant(by)) => {
                linear(other).map(|(register, number)| (register, number.saturating_sub(*by)))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Counter {
    /// The register as a counter of a code, if it is one.
    pub(super) fn of(flow: &Flow<'_>, register: Register) -> Option<Self> {
        let steps = flow.code().transitions.iter().enumerate();
        let (mut next, mut set) = (BTreeSet::new(), Vec::new());
        for (step, transition) in steps {
            let Some(registers) = flow.before(step) else {
                continue;
            };
            match &transition.command {
                Command::Load { into, .. } if *into == register => return None,
                Command::Assign { into, value } if *into == register => {
                    let number = flow.value(value, registers).as_number();
                    match number.filter(|_| !value.names(register)) {
                        Some(first) => set.push((step, first)),
                        None if is_one_more(flow, step, value, register) => _ = next.insert(step),
                        None => return None,
                    }
                }
                _ => {}
            }
        }
        let before = match set[..] {
            [] => BTreeSet::new(),
            [(step, _)] => flow.steps_from(0, |other| other == step),
            _ => return None,
        };
        let first = match set[..] {
            [(step, first)] if !flow.steps_after(step, |_| false).contains(&step) => first,
            [] => flow.at_first(register).as_number()?,
            _ => return None,
        };
        (!next.is_empty() && next.is_disjoint(&before)).then_some(Self { first, next, before })
    }

    /// The number of the first round.
    pub(super) fn first(&self) -> i64 {
        self.first
    }

    /// Whether a round begins after a step.
    pub(super) fn is_next(&self, step: usize) -> bool {
        self.next.contains(&step)
    }

    /// Whether a step is within a round, whenever it is done.
    pub(super) fn is_within(&self, step: usize) -> bool {
        !self.before.contains(&step)
    }

    /// Whether a step of a round may come after another one of the same round.
    pub(super) fn may_follow(&self, flow: &Flow<'_>, first: usize, then: usize) -> bool {
        flow.steps_after(first, |step| self.is_next(step)).contains(&then)
    }

    /// Whether a step is done only after another one of the same round.
    pub(super) fn is_after(&self, flow: &Flow<'_>, step: usize, other: usize) -> bool {
        let without = |state| flow.steps_from(state, |passed| passed == other).contains(&step);
        step == other || !self.beginnings(flow).any(without)
    }

    /// Whether no round ends without a step.
    pub(super) fn passes(&self, flow: &Flow<'_>, step: usize) -> bool {
        let without = |state| {
            !flow
                .steps_from(state, |passed| passed == step)
                .is_disjoint(&self.next)
        };
        !self.beginnings(flow).any(without)
    }

    /// The states in which a round begins.
    fn beginnings<'f>(&'f self, flow: &'f Flow<'_>) -> impl Iterator<Item = usize> + 'f {
        let next = self.next.iter().map(|&step| flow.code().transitions[step].to);
        std::iter::once(0).chain(next)
    }
}

/// Whether an assignment makes a register one more.
fn is_one_more(flow: &Flow<'_>, step: usize, value: &Expression, register: Register) -> bool {
    match value {
        // Nothing is lost by the remainder.
        Expression::Binary(BinaryOperator::Remainder, sum, modulus) => match **modulus {
            Expression::Constant(modulus) => {
                linear(sum) == Some((register, 1))
                    && highest(flow, register, step).is_some_and(|highest| highest + 1 < modulus)
            }
            _ => false,
        },
        other => linear(other) == Some((register, 1)),
    }
}

/// How high a register can be before a step; nothing if that is not known.
fn highest(flow: &Flow<'_>, register: Register, step: usize) -> Option<i64> {
    let code = flow.code();
    let mut known: Vec<Option<i64>> = vec![None; code.states];
    known[0] = Some(flow.at_first(register).as_number()?);
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        let here = known[state].filter(|highest| *highest < MOST)?;
        for (index, transition) in code.transitions.iter().enumerate() {
            let Some(registers) = flow.before(index).filter(|_| transition.from == state) else {
                continue;
            };
            let after = match &transition.command {
                Command::Assign { into, value } if *into == register => {
                    match flow.value(value, registers).as_number() {
                        Some(number) => number,
                        // One more, or less than that by a remainder.
                        None => here + 1,
                    }
                }
                Command::Assume { condition, .. } => match at_most(condition, register, true) {
                    Some(most) => here.min(most),
                    None => here,
                },
                _ => here,
            };
            if known[transition.to].is_none_or(|before| before < after) {
                known[transition.to] = Some(after);
                open.push(transition.to);
            }
        }
    }
    known[code.transitions[step].from]
}

/// How high a register is where a condition holds, or where it does not.
fn at_most(condition: &Expression, register: Register, holds: bool) -> Option<i64> {
    match condition {
        Expression::Unary(UnaryOperator::Not, inner) => at_most(inner, register, !holds),
        Expression::Binary(operator, left, right) => match (&**left, &**right) {
            (Expression::Register(compared), Expression::Constant(number)) if *compared == register => {
                match (operator, holds) {
                    (BinaryOperator::Less, true) | (BinaryOperator::GreaterOrEqual, false) => {
                        Some(number - 1)
                    }
                    (BinaryOperator::LessOrEqual | BinaryOperator::Equal, true)
                    | (BinaryOperator::Greater | BinaryOperator::NotEqual, false) => Some(*number),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}
