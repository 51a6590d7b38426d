//! The calculus of paper 003, section 2.2: a program as automata whose transitions are commands.
//!
//! Promise: plain data with all names resolved to indices, checked by [`lowering`](crate::lower): every index is in
//! range, every state is reachable, and every rank has an automaton. What an engine finds is said in the words of the
//! source by [`Origin`]. No behaviour is here; the semantics is that of Table 1.
//!
//! Deviations from the paper:
//! 1. `wait` is a command, enabled when the operations that it names are complete, and an event in program order only.
//!    The paper polls a shadow address; taken literally, a poll that still sees 0 is a happens-before cycle with its
//!    own request, since all control states are final, and no program with a wait would be robust.
//! 2. A queue is ordered (the paper's), ordered per target, or unordered; `fence` orders the operations of a queue to a
//!    target. A handle names operations for a wait without ordering them. A wait may be for local completion: until
//!    `popa`, not `popb`.
//! 3. Expressions are whole numbers; what is stored in registers and memory is reduced modulo the domain. So ranks,
//!    addresses and queues need not be in the domain. Out of range is an error state of the program, with a place.
//! 4. First values may differ a rank. Ranks count from 0.
//! 5. Processes may run different code.
//! 6. Atomic operations: `popa` reads and writes the remote address at once, `popb` delivers the old value locally, if
//!    it is asked for.
//! 7. A load may be the end of a poll: it is enabled only when it reads a value that ends the polling, so that polls
//!    that failed are no events (`docs/design/polls.md`).

use crate::ast::Place;
use std::collections::BTreeSet;

/// A program for a fixed number of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Number of processes, at least 1.
    pub ranks: u32,
    /// Values are `0..domain`; at least 1.
    pub domain: u32,
    /// Sums of atomic operations are reduced modulo the domain, as all expressions whose value is stored or sent do
    /// themselves; else one that the domain does not have is a mistake of the program.
    pub wraps: bool,
    /// Names of the registers of a process.
    pub registers: Vec<String>,
    /// The memory of a process, by address.
    pub cells: Vec<String>,
    /// The queues of a process.
    pub queues: Vec<Queue>,
    /// Names of the handles of a process.
    pub handles: Vec<String>,
    /// First values, a row a rank: of the registers.
    pub first_registers: Vec<Vec<u32>>,
    /// First values, a row a rank: of the memory.
    pub first_cells: Vec<Vec<u32>>,
    /// The different codes.
    pub codes: Vec<Automaton>,
    /// Which of them each rank runs.
    pub code_of_rank: Vec<usize>,
}

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Its name, such as `q` or `q[1]`.
    pub name: String,
    /// How its operations are ordered.
    pub order: crate::ast::Order,
}

/// The code of a process: states `0..states`, of which 0 is the first; all are final.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// Number of states.
    pub states: usize,
    /// Sorted by `from`.
    pub transitions: Vec<Transition>,
}

impl Automaton {
    /// What is alive in each state: what some way on needs. `before` says what is needed before a step, of what is
    /// after it.
    pub fn alive<T: Ord + Clone>(
        &self,
        before: impl Fn(&Transition, &BTreeSet<T>) -> BTreeSet<T>,
    ) -> Vec<BTreeSet<T>> {
        let mut alive = vec![BTreeSet::new(); self.states];
        loop {
            let mut changed = false;
            for transition in self.transitions.iter().rev() {
                let needed = before(transition, &alive[transition.to]);
                let here = &mut alive[transition.from];
                let known = here.len();
                here.extend(needed);
                changed |= here.len() != known;
            }
            if !changed {
                return alive;
            }
        }
    }
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state before.
    pub from: usize,
    /// The state after it.
    pub to: usize,
    /// What is done.
    pub command: Command,
    /// Registers whose value nobody needs after the step: they become 0, so that states that differ in nothing that
    /// matters are one.
    pub dead: Vec<Register>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a command comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// In the source text.
    pub place: Place,
    /// As it is written there, in one line.
    pub text: String,
}

/// Index into [`Program::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub usize);

/// Index into [`Program::handles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub usize);

/// What a loop stands for that does nothing but load one location until it has a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Polls {
    /// Waiting for that value: a poll that fails leaves no trace in a computation.
    #[default]
    Awaited,
    /// Loads like others, as paper 003 has them: what a failed poll saw is part of the happens-before relation.
    Observed,
}

/// A command (Figure 2, with deviations 1, 2, 6 and 7).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `r <- mem[e]`
    Load {
        /// Gets the value.
        into: Register,
        /// Address.
        address: Expression,
        /// Enabled only if this is not 0 with the value in its register.
        until: Option<Expression>,
    },
    /// `mem[e] <- e`
    Store {
        /// Address.
        address: Expression,
        /// Value.
        value: Expression,
    },
    /// `r <- e`
    Assign {
        /// Gets the value.
        into: Register,
        /// Value.
        value: Expression,
    },
    /// `assume(e)`
    Assume {
        /// Not 0.
        condition: Expression,
        /// It is an assertion of the program: an answer tells if it can fail.
        asserted: bool,
    },
    /// `read(...)`, `write(...)`
    Transfer(Transfer),
    /// An atomic operation.
    Atomic(Atomic),
    /// `barrier` of all processes.
    Barrier,
    /// `wait`
    Wait {
        /// Queues, by number.
        queues: Vec<Expression>,
        /// Handles, by number.
        handles: Vec<Expression>,
        /// How far.
        completion: crate::ast::Completion,
    },
    /// `fence`
    Fence {
        /// Queue, by number.
        queue: Expression,
        /// Only those to this process.
        rank: Option<Expression>,
    },
}

/// A remote read or write.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// Which way.
    pub direction: crate::ast::Direction,
    /// Address of this process.
    pub local: Expression,
    /// The other process.
    pub rank: Expression,
    /// Its address.
    pub remote: Expression,
    /// Queue, by number.
    pub queue: Expression,
    /// Handle, by number.
    pub handle: Option<Expression>,
    /// Not before earlier operations of its queue to the same process.
    pub after_earlier: bool,
}

/// An atomic operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atomic {
    /// Which.
    pub operation: crate::ast::AtomicOperation,
    /// Address of this process that gets the old value.
    pub local: Option<Expression>,
    /// The other process.
    pub rank: Expression,
    /// Its address.
    pub remote: Expression,
    /// What is added or written, known when it is issued.
    pub operand: Expression,
    /// What must be there for it to be written (compare and swap).
    pub expected: Option<Expression>,
    /// Queue, by number.
    pub queue: Expression,
    /// Handle, by number.
    pub handle: Option<Expression>,
}

/// An expression over the registers of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number.
    Constant(i64),
    /// The value of a register.
    Register(Register),
    /// The rank of the process.
    Me,
    /// The number of processes.
    Ranks,
    /// `-e`, `!e`
    Unary(crate::ast::UnaryOperator, Box<Expression>),
    /// `e + f`
    Binary(crate::ast::BinaryOperator, Box<Expression>, Box<Expression>),
    /// `base + index` of an array of `count`: out of range is an error of the program.
    Element {
        /// The first one.
        base: i64,
        /// How many there are.
        count: i64,
        /// Which one.
        index: Box<Expression>,
    },
}

/// What cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// `/` or `%` by 0.
    DivisionByZero,
    /// An index that its array does not have.
    OutOfRange,
    /// A value that is stored or sent, and that the domain does not have.
    OutsideDomain(i64),
}

impl Expression {
    /// `!e`; of `!e`, `e`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Unary(crate::ast::UnaryOperator::Not, inner) => *inner,
            other => Self::Unary(crate::ast::UnaryOperator::Not, Box::new(other)),
        }
    }

    /// Gives each register that it names, as often as it does.
    pub fn registers(&self, each: &mut impl FnMut(Register)) {
        match self {
            Self::Register(register) => each(*register),
            Self::Unary(_, inner) | Self::Element { index: inner, .. } => inner.registers(each),
            Self::Binary(_, left, right) => {
                left.registers(each);
                right.registers(each);
            }
            Self::Constant(_) | Self::Me | Self::Ranks => {}
        }
    }

    /// Whether it names a register.
    #[must_use]
    pub fn names(&self, register: Register) -> bool {
        let mut named = false;
        self.registers(&mut |other| named |= other == register);
        named
    }

    /// Whether it names `me` or `n`.
    #[must_use]
    pub fn names_ranks(&self) -> bool {
        match self {
            Self::Me | Self::Ranks => true,
            Self::Constant(_) | Self::Register(_) => false,
            Self::Unary(_, inner) | Self::Element { index: inner, .. } => inner.names_ranks(),
            Self::Binary(_, left, right) => left.names_ranks() || right.names_ranks(),
        }
    }

    /// Whether it has a value whatever those of registers are.
    #[must_use]
    pub fn is_total(&self) -> bool {
        use crate::ast::BinaryOperator::{Divide, Remainder};
        match self {
            Self::Constant(_) | Self::Register(_) | Self::Me | Self::Ranks => true,
            Self::Unary(_, inner) => inner.is_total(),
            Self::Binary(Divide | Remainder, left, right) => {
                left.is_total() && matches!(**right, Self::Constant(divisor) if divisor != 0)
            }
            Self::Binary(_, left, right) => left.is_total() && right.is_total(),
            Self::Element { .. } => false,
        }
    }

    /// The value for a process; `register` gives that of a register.
    ///
    /// # Errors
    /// Division by 0, and an index out of range.
    pub fn value(&self, me: u32, ranks: u32, register: &impl Fn(Register) -> u32) -> Result<i64, Undefined> {
        use crate::ast::{BinaryOperator as B, UnaryOperator};
        Ok(match self {
            Self::Constant(value) => *value,
            Self::Register(index) => i64::from(register(*index)),
            Self::Me => i64::from(me),
            Self::Ranks => i64::from(ranks),
            Self::Unary(UnaryOperator::Minus, inner) => inner.value(me, ranks, register)?.wrapping_neg(),
            Self::Unary(UnaryOperator::Not, inner) => i64::from(inner.value(me, ranks, register)? == 0),
            Self::Element { base, count, index } => {
                let index = index.value(me, ranks, register)?;
                if !(0..*count).contains(&index) {
                    return Err(Undefined::OutOfRange);
                }
                base + index
            }
            Self::Binary(operator, left, right) => {
                let left = left.value(me, ranks, register)?;
                // What decides alone, decides alone, as in C.
                match operator {
                    B::And if left == 0 => return Ok(0),
                    B::Or if left != 0 => return Ok(1),
                    _ => {}
                }
                let right = right.value(me, ranks, register)?;
                match operator {
                    B::Or | B::And => i64::from(right != 0),
                    B::Equal => i64::from(left == right),
                    B::NotEqual => i64::from(left != right),
                    B::Less => i64::from(left < right),
                    B::LessOrEqual => i64::from(left <= right),
                    B::Greater => i64::from(left > right),
                    B::GreaterOrEqual => i64::from(left >= right),
                    B::Add => left.wrapping_add(right),
                    B::Subtract => left.wrapping_sub(right),
                    B::Multiply => left.wrapping_mul(right),
                    B::Divide => left.checked_div_euclid(right).ok_or(Undefined::DivisionByZero)?,
                    B::Remainder => left.checked_rem_euclid(right).ok_or(Undefined::DivisionByZero)?,
                }
            }
        })
    }
}
