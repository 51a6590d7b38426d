//! Which registers and cells hold ranks, so that a renaming of processes renames what they hold.
//!
//! A *role* is a number k: a value below k is a value like others (such as 0 for "nobody"), and a value v from k on is
//! rank v - k. What has no role holds numbers that no renaming changes. Roles are guessed from where a program writes
//! `me + k`, and where it takes a value less k for a rank; [`mapped`](Roles::mapped) relies on no guess: it maps a
//! command only if all that it does with ranks is to copy them, compare them for equality, and address processes.

use crate::range::within;
use farside_pgas::ast::{AtomicOperation, BinaryOperator, UnaryOperator};
use farside_pgas::calculus::{Command, Expression, Program, Register};

/// The role of each register and cell, of all processes alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Roles {
    registers: Vec<Option<u32>>,
    cells: Vec<Option<u32>>,
}

impl Roles {
    /// Roles that the text of a program suggests; it is not specialised.
    pub(super) fn of(program: &Program) -> Self {
        let (registers, cells) = (program.registers.len(), program.cells.len());
        let mut guess = Guess {
            program,
            group: (0..registers + cells).collect(),
            roles: vec![None; registers + cells],
        };
        for transition in program.codes.iter().flat_map(|code| &code.transitions) {
            guess.command(&transition.command);
        }
        let mut of_group = vec![None; registers + cells];
        for node in 0..registers + cells {
            let known = &mut of_group[guess.first(node)];
            *known = known.or(guess.roles[node]);
        }
        let role = |node| of_group[guess.first(node)];
        Self {
            registers: (0..registers).map(role).collect(),
            cells: (registers..registers + cells).map(role).collect(),
        }
    }

    /// Nothing holds a rank.
    pub(super) fn none(program: &Program) -> Self {
        Self {
            registers: vec![None; program.registers.len()],
            cells: vec![None; program.cells.len()],
        }
    }

    /// Whether something holds a rank.
    pub(super) fn any(&self) -> bool {
        self.words().any(|role| role.is_some())
    }

    /// Whether the domain has all ranks in each role: else a renaming maps a value of it to one that it does not have.
    pub(super) fn fit(&self, program: &Program) -> bool {
        let mut roles = self.words().flatten();
        roles.all(|role| u64::from(role) + u64::from(program.ranks) <= u64::from(program.domain))
    }

    /// Of the registers of a process, and then of its cells.
    pub(super) fn words(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.registers.iter().chain(&self.cells).copied()
    }

    /// A command of a [specialised](super::specialise::specialise) program with ranks replaced by their images; none if
    /// it does something with them that a renaming may change.
    pub(super) fn mapped(&self, program: &Program, command: &Command, images: &[usize]) -> Option<Command> {
        let map = Map { roles: self, images };
        let role = |address: &Expression| map.held(program, address);
        let mut command = command.clone();
        match &mut command {
            Command::Load { into, address, until } => {
                *address = map.value(address, None)?;
                if role(address)? != self.registers[into.0] {
                    return None;
                }
                if let Some(until) = until {
                    *until = map.condition(until)?;
                }
            }
            Command::Store { address, value } => {
                *address = map.value(address, None)?;
                *value = map.value(value, role(address)?)?;
            }
            Command::Assign { into, value } => *value = map.value(value, self.registers[into.0])?,
            Command::Assume { condition, .. } => *condition = map.condition(condition)?,
            Command::Transfer(transfer) => {
                transfer.rank = map.rank(&transfer.rank)?;
                transfer.local = map.value(&transfer.local, None)?;
                transfer.remote = map.value(&transfer.remote, None)?;
                transfer.queue = map.value(&transfer.queue, None)?;
                if role(&transfer.local)? != role(&transfer.remote)? {
                    return None;
                }
            }
            Command::Atomic(atomic) => {
                atomic.rank = map.rank(&atomic.rank)?;
                atomic.remote = map.value(&atomic.remote, None)?;
                atomic.queue = map.value(&atomic.queue, None)?;
                let held = role(&atomic.remote)?;
                if let Some(local) = &mut atomic.local {
                    *local = map.value(local, None)?;
                    if role(local)? != held {
                        return None;
                    }
                }
                // No sum is a rank.
                if held.is_some() && atomic.operation == AtomicOperation::FetchAdd {
                    return None;
                }
                atomic.operand = map.value(&atomic.operand, held)?;
                if let Some(expected) = &mut atomic.expected {
                    *expected = map.value(expected, held)?;
                }
            }
            Command::Fence { queue, rank } => {
                *queue = map.value(queue, None)?;
                if let Some(rank) = rank {
                    *rank = map.rank(rank)?;
                }
            }
            Command::Wait { queues, handles, .. } => {
                for name in queues.iter_mut().chain(handles) {
                    *name = map.value(name, None)?;
                }
            }
            Command::Barrier => {}
        }
        Some(command)
    }
}

/// The value of a word with a role when ranks get their images.
pub(super) fn image(role: Option<u32>, value: u32, images: &[usize]) -> u32 {
    match rank(role, value).and_then(|rank| images.get(rank)) {
        Some(&image) => image as u32 + role.unwrap_or(0),
        None => value,
    }
}

/// The rank that a word with a role holds.
pub(super) fn rank(role: Option<u32>, value: u32) -> Option<usize> {
    value.checked_sub(role?).map(|rank| rank as usize)
}

struct Map<'r> {
    roles: &'r Roles,
    images: &'r [usize],
}

impl Map<'_> {
    /// The role of what an address can be; none if they differ.
    fn held(&self, program: &Program, address: &Expression) -> Option<Option<u32>> {
        let mut roles = self.roles.cells[within(program, address, program.cells.len())].iter();
        let Some(first) = roles.next() else {
            return Some(None);
        };
        roles.all(|role| role == first).then_some(*first)
    }

    fn value(&self, expression: &Expression, role: Option<u32>) -> Option<Expression> {
        match (expression, role) {
            (Expression::Constant(value), Some(_)) => {
                let value = u32::try_from(*value).ok()?;
                Some(Expression::Constant(i64::from(image(role, value, self.images))))
            }
            (Expression::Constant(_) | Expression::Me | Expression::Ranks, None) => Some(expression.clone()),
            (Expression::Register(register), _) => {
                (self.roles.registers[register.0] == role).then(|| expression.clone())
            }
            (_, Some(_)) => None,
            (Expression::Element { base, count, index }, None) => Some(Expression::Element {
                base: *base,
                count: *count,
                index: Box::new(self.value(index, None)?),
            }),
            (Expression::Unary(UnaryOperator::Not, _), None) => self.condition(expression),
            (Expression::Unary(operator, inner), None) => {
                Some(Expression::Unary(*operator, Box::new(self.value(inner, None)?)))
            }
            (Expression::Binary(operator, left, right), None) => {
                use BinaryOperator::{And, Equal, NotEqual, Or};
                if matches!(operator, And | Or) {
                    return self.condition(expression);
                }
                let held = match operator {
                    Equal | NotEqual => self.role_of(left).or(self.role_of(right)),
                    _ => None,
                };
                Some(Expression::Binary(
                    *operator,
                    Box::new(self.value(left, held)?),
                    Box::new(self.value(right, held)?),
                ))
            }
        }
    }

    /// What is only asked whether it is 0: a rank is not, if 0 is none.
    fn condition(&self, expression: &Expression) -> Option<Expression> {
        match expression {
            Expression::Register(register)
                if self.roles.registers[register.0].is_some_and(|role| role > 0) =>
            {
                Some(expression.clone())
            }
            Expression::Unary(UnaryOperator::Not, inner) => Some(Expression::Unary(
                UnaryOperator::Not,
                Box::new(self.condition(inner)?),
            )),
            Expression::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                Some(Expression::Binary(*operator, Box::new(left), Box::new(right)))
            }
            other => self.value(other, None),
        }
    }

    /// An expression that names a process.
    fn rank(&self, expression: &Expression) -> Option<Expression> {
        match expression {
            Expression::Constant(rank) => {
                // A rank that does not exist is one of nobody.
                let image = usize::try_from(*rank).ok().and_then(|rank| self.images.get(rank));
                Some(Expression::Constant(image.map_or(*rank, |&image| image as i64)))
            }
            other => {
                let (register, role) = named(other)?;
                (self.roles.registers[register.0] == Some(role)).then(|| other.clone())
            }
        }
    }

    fn role_of(&self, expression: &Expression) -> Option<u32> {
        match expression {
            Expression::Register(register) => self.roles.registers[register.0],
            _ => None,
        }
    }
}

/// `r`, or `r - k`, as a register and its role if that is a rank.
fn named(expression: &Expression) -> Option<(Register, u32)> {
    match expression {
        Expression::Register(register) => Some((*register, 0)),
        Expression::Binary(BinaryOperator::Subtract, left, right) => match (&**left, &**right) {
            (Expression::Register(register), Expression::Constant(role)) => {
                Some((*register, u32::try_from(*role).ok()?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Groups of registers and cells that hold the same, in the making.
struct Guess<'p> {
    program: &'p Program,
    /// Of each, another one of its group, or itself.
    group: Vec<usize>,
    roles: Vec<Option<u32>>,
}

impl Guess<'_> {
    fn first(&self, mut node: usize) -> usize {
        while self.group[node] != node {
            node = self.group[node];
        }
        node
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.group[one.max(other)] = one.min(other);
    }

    /// One of what an address can be; all of it is one group.
    fn cell(&mut self, address: &Expression) -> Option<usize> {
        let registers = self.program.registers.len();
        let mut cells = within(self.program, address, self.program.cells.len());
        let first = registers + cells.next()?;
        for cell in cells {
            self.join(first, registers + cell);
        }
        Some(first)
    }

    /// That something gets a value, or is compared with it.
    fn meets(&mut self, node: Option<usize>, value: &Expression) {
        let Some(node) = node else { return };
        match value {
            Expression::Register(register) => self.join(node, register.0),
            Expression::Me => self.roles[node] = Some(0),
            Expression::Binary(BinaryOperator::Add, left, right) => match (&**left, &**right) {
                (Expression::Me, Expression::Constant(role))
                | (Expression::Constant(role), Expression::Me) => {
                    self.roles[node] = u32::try_from(*role).ok();
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn addresses(&mut self, rank: &Expression) {
        if let Some((register, role)) = named(rank) {
            self.roles[register.0] = Some(role);
        }
    }

    fn compares(&mut self, condition: &Expression) {
        match condition {
            Expression::Binary(_, left, right) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Expression::Register(register) = **one {
                        self.meets(Some(register.0), other);
                    }
                    self.compares(one);
                }
            }
            Expression::Unary(_, inner) => self.compares(inner),
            _ => {}
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Load { into, address, until } => {
                if let Some(cell) = self.cell(address) {
                    self.join(into.0, cell);
                }
                until.iter().for_each(|until| self.compares(until));
            }
            Command::Store { address, value } => {
                let cell = self.cell(address);
                self.meets(cell, value);
            }
            Command::Assign { into, value } => self.meets(Some(into.0), value),
            Command::Assume { condition, .. } => self.compares(condition),
            Command::Transfer(transfer) => {
                if let (Some(local), Some(remote)) = (self.cell(&transfer.local), self.cell(&transfer.remote))
                {
                    self.join(local, remote);
                }
                self.addresses(&transfer.rank);
            }
            Command::Atomic(atomic) => {
                let remote = self.cell(&atomic.remote);
                let local = atomic.local.as_ref().and_then(|local| self.cell(local));
                if let (Some(local), Some(remote)) = (local, remote) {
                    self.join(local, remote);
                }
                self.meets(remote, &atomic.operand);
                if let Some(expected) = &atomic.expected {
                    self.meets(remote, expected);
                }
                self.addresses(&atomic.rank);
            }
            Command::Barrier | Command::Wait { .. } | Command::Fence { .. } => {}
        }
    }
}
