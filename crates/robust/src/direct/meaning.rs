//! Commands evaluated: what a command does in a state, and whether it is enabled.

use super::operation::{Address, Operation, Request, Stage};
use super::set::Set;
use super::state::State;
use crate::issue::addend;
use farside_pgas::ast::{AtomicOperation, Completion, Direction, Order};
use farside_pgas::calculus::{Atomic, Command, Expression, Program, Register, Transfer};

/// A command, evaluated in a state.
pub(super) enum Meaning {
    Load(Register, Address),
    Store(Address, u32),
    Assign(Register, u32),
    Nothing,
    Issue(Operation),
    Fence(usize, Option<usize>),
}

/// What a command of a process does now, but a barrier; nothing if it is not enabled.
pub(super) fn meaning(program: &Program, state: &State, rank: usize, command: &Command) -> Option<Meaning> {
    let evaluate = Evaluate { program, state, rank };
    Some(match command {
        Command::Load { into, address, until } => {
            let from = evaluate.address(rank, address)?;
            if let Some(until) = until {
                let first = rank * program.registers.len();
                let loaded = |register: Register| match register == *into {
                    true => state.memory[from],
                    false => state.registers[first + register.0],
                };
                let ends = until.value(rank as u32, program.ranks, &loaded).ok()?;
                (ends != 0).then_some(())?;
            }
            Meaning::Load(*into, from)
        }
        Command::Store { address, value } => {
            Meaning::Store(evaluate.address(rank, address)?, evaluate.stored(value)?)
        }
        Command::Assign { into, value } => Meaning::Assign(*into, evaluate.stored(value)?),
        Command::Assume { condition, .. } => {
            (evaluate.number(condition)? != 0).then_some(Meaning::Nothing)?
        }
        Command::Transfer(transfer) => Meaning::Issue(evaluate.transfer(transfer)?),
        Command::Atomic(atomic) => Meaning::Issue(evaluate.atomic(atomic)?),
        Command::Barrier => return None,
        Command::Wait {
            queues,
            handles,
            completion,
        } => {
            let queues = evaluate.all(queues, program.queues.len())?;
            let handles = evaluate.all(handles, program.handles.len())?;
            let waits = |operation: &Operation| {
                let named = queues.contains(&operation.queue)
                    || operation.handle.is_some_and(|handle| handles.contains(&handle));
                let far_enough = *completion == Completion::Local && !operation.is_requested();
                operation.rank == rank && named && !far_enough
            };
            (!state.open.iter().any(waits)).then_some(Meaning::Nothing)?
        }
        Command::Fence { queue, rank: target } => Meaning::Fence(
            evaluate.index(queue, program.queues.len())?,
            match target {
                Some(target) => Some(evaluate.index(target, program.ranks as usize)?),
                None => None,
            },
        ),
    })
}

/// The value that a command would store or send, if the domain does not have it, where no operation is open. That is
/// so before each command of a sequentially consistent computation; and a computation without a cycle has, at such a
/// place, the happens-before relation of one. Where one is open, a value may come from what it will overwrite.
pub(super) fn outside(program: &Program, state: &State, rank: usize, command: &Command) -> Option<i64> {
    let evaluate = Evaluate { program, state, rank };
    if !state.open.is_empty() {
        return None;
    }
    let is_outside = |value: i64| !(0..i64::from(program.domain)).contains(&value);
    match command {
        Command::Store { value, .. } | Command::Assign { value, .. } => {
            evaluate.number(value).filter(|&value| is_outside(value))
        }
        Command::Atomic(atomic) => {
            let operand = evaluate.number(&atomic.operand)?;
            let is_possible = match atomic.operation {
                AtomicOperation::FetchAdd => addend(operand, program.domain).is_some(),
                AtomicOperation::Swap | AtomicOperation::CompareSwap => !is_outside(operand),
            };
            if !is_possible {
                return Some(operand);
            }
            if let Some(expected) = &atomic.expected {
                let expected = evaluate.number(expected)?;
                if is_outside(expected) {
                    return Some(expected);
                }
            }
            if atomic.operation != AtomicOperation::FetchAdd || program.wraps {
                return None;
            }
            let Stage::Requested(Request::Atomic { at, .. }) = evaluate.atomic(atomic)?.stage else {
                return None;
            };
            Some(i64::from(state.memory[at]) + operand).filter(|&sum| is_outside(sum))
        }
        _ => None,
    }
}

/// Evaluates expressions for a process in a state; nothing where they are not defined, or out of range.
struct Evaluate<'s> {
    program: &'s Program,
    state: &'s State,
    rank: usize,
}

impl Evaluate<'_> {
    fn number(&self, expression: &Expression) -> Option<i64> {
        let first = self.rank * self.program.registers.len();
        let register = |register: Register| self.state.registers[first + register.0];
        expression
            .value(self.rank as u32, self.program.ranks, &register)
            .ok()
    }

    fn stored(&self, expression: &Expression) -> Option<u32> {
        let value = u32::try_from(self.number(expression)?).ok()?;
        (value < self.program.domain).then_some(value)
    }

    fn index(&self, expression: &Expression, count: usize) -> Option<usize> {
        let index = usize::try_from(self.number(expression)?).ok()?;
        (index < count).then_some(index)
    }

    fn all(&self, expressions: &[Expression], count: usize) -> Option<Vec<usize>> {
        expressions
            .iter()
            .map(|expression| self.index(expression, count))
            .collect()
    }

    fn address(&self, rank: usize, expression: &Expression) -> Option<Address> {
        let cells = self.program.cells.len();
        Some(rank * cells + self.index(expression, cells)?)
    }

    fn handle(&self, expression: Option<&Expression>) -> Option<Option<usize>> {
        Some(match expression {
            Some(handle) => Some(self.index(handle, self.program.handles.len())?),
            None => None,
        })
    }

    fn transfer(&self, transfer: &Transfer) -> Option<Operation> {
        let target = self.index(&transfer.rank, self.program.ranks as usize)?;
        let queue = self.index(&transfer.queue, self.program.queues.len())?;
        let local = self.address(self.rank, &transfer.local)?;
        let remote = self.address(target, &transfer.remote)?;
        let (source, destination) = match transfer.direction {
            Direction::Read => (remote, local),
            Direction::Write => (local, remote),
        };
        Some(Operation {
            rank: self.rank,
            queue,
            target,
            handle: self.handle(transfer.handle.as_ref())?,
            writes_target: transfer.direction == Direction::Write,
            after: self.before(queue, target, transfer.after_earlier),
            fenced: false,
            stage: Stage::Requested(Request::Copy { source, destination }),
        })
    }

    fn atomic(&self, atomic: &Atomic) -> Option<Operation> {
        let target = self.index(&atomic.rank, self.program.ranks as usize)?;
        let queue = self.index(&atomic.queue, self.program.queues.len())?;
        Some(Operation {
            rank: self.rank,
            queue,
            target,
            handle: self.handle(atomic.handle.as_ref())?,
            writes_target: false,
            after: self
                .before(queue, target, false)
                .with(self.in_line(queue, target)),
            fenced: false,
            stage: Stage::Requested(Request::Atomic {
                at: self.address(target, &atomic.remote)?,
                operation: atomic.operation,
                operand: match atomic.operation {
                    AtomicOperation::FetchAdd => addend(self.number(&atomic.operand)?, self.program.domain)?,
                    AtomicOperation::Swap | AtomicOperation::CompareSwap => self.stored(&atomic.operand)?,
                },
                expected: match &atomic.expected {
                    Some(expected) => Some(self.stored(expected)?),
                    None => None,
                },
                result: match &atomic.local {
                    Some(local) => Some(self.address(self.rank, local)?),
                    None => None,
                },
            }),
        })
    }

    /// What a new operation comes after at its target: what a fence follows, or everything.
    fn before(&self, queue: usize, target: usize, everything: bool) -> Set {
        let open = self.state.open.iter().enumerate();
        open.filter(|(_, earlier)| earlier.is_to(self.rank, queue, target))
            .filter(|(_, earlier)| !earlier.took_effect() && (everything || earlier.fenced))
            .fold(Set::EMPTY, |set, (position, _)| set.with(Set::of(position)))
    }

    /// What is before a new operation in an ordered queue, and has not taken effect.
    fn in_line(&self, queue: usize, target: usize) -> Set {
        let ordered = |earlier: &Operation| match self.program.queues[queue].order {
            Order::Ordered => true,
            Order::PerTarget => earlier.target == target,
            Order::Unordered => false,
        };
        let open = self.state.open.iter().enumerate();
        open.filter(|(_, earlier)| earlier.rank == self.rank && earlier.queue == queue)
            .filter(|(_, earlier)| ordered(earlier) && !earlier.took_effect())
            .fold(Set::EMPTY, |set, (position, _)| set.with(Set::of(position)))
    }
}
