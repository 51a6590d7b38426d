//! Programs built by hand: variables and registers by number.

use farside_litmus::ast::*;

fn access(variable: u32) -> Access {
    Access {
        variable: VariableId(variable),
        atomicity: Atomicity::Atomic,
    }
}

/// A program with these variables (owner, first value), one list of statements a process.
pub fn program(variables: &[(u32, i64)], processes: Vec<Vec<StatementKind>>) -> Program {
    let place = Place::default();
    let declared = variables
        .iter()
        .enumerate()
        .map(|(index, &(owner, value))| Variable {
            name: format!("X{index}"),
            owner: Rank(owner),
            value,
            place: place.clone(),
        });
    let processes = processes.into_iter().map(|kinds| Process {
        registers: (0..8)
            .map(|register| format!("r{register}"))
            .take(registers(&kinds))
            .collect(),
        statements: block(kinds),
    });
    Program {
        name: "built".into(),
        about: Vec::new(),
        accesses: Atomicity::Atomic,
        variables: declared.collect(),
        processes: processes.collect(),
        locations: Vec::new(),
        filter: None,
        condition: None,
    }
}

/// Shows these variables too.
pub fn showing(mut program: Program, variables: &[u32]) -> Program {
    for (rank, process) in (0..).map(Rank).zip(&program.processes) {
        let registers = (0..process.registers.len() as u32).map(RegisterId);
        program
            .locations
            .extend(registers.map(|register| Observable::Register(rank, register)));
    }
    let variables = variables
        .iter()
        .map(|&variable| Observable::Variable(VariableId(variable)));
    program.locations.extend(variables);
    program
}

fn registers(kinds: &[StatementKind]) -> usize {
    let count = |kind: &StatementKind| match kind {
        StatementKind::Load { into, .. } | StatementKind::Assign { into, .. } => into.0 as usize + 1,
        StatementKind::While { condition, body, .. } => registers_of(body).max(register_of(condition)),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => registers_of(then)
            .max(registers_of(otherwise))
            .max(register_of(condition)),
        _ => 0,
    };
    kinds.iter().map(count).max().unwrap_or(0)
}

/// Conditions here begin with a register.
fn register_of(condition: &Expression) -> usize {
    match condition {
        Expression::Register(register) => register.0 as usize + 1,
        Expression::Binary(_, left, _) => register_of(left),
        _ => 0,
    }
}

fn registers_of(block: &[Statement]) -> usize {
    let kinds: Vec<StatementKind> = block.iter().map(|statement| statement.kind.clone()).collect();
    registers(&kinds)
}

pub fn block(kinds: Vec<StatementKind>) -> Vec<Statement> {
    let place = Place::default();
    kinds
        .into_iter()
        .map(|kind| Statement {
            kind,
            place: place.clone(),
        })
        .collect()
}

pub fn load(register: u32, variable: u32) -> StatementKind {
    StatementKind::Load {
        into: RegisterId(register),
        from: access(variable),
    }
}

pub fn store(variable: u32, value: i64) -> StatementKind {
    StatementKind::Store {
        into: access(variable),
        value: Expression::Number(value),
    }
}

pub fn get(into: u32, target: u32) -> StatementKind {
    StatementKind::Get {
        into: access(into),
        target: access(target),
    }
}

pub fn put(target: u32, from: u32) -> StatementKind {
    StatementKind::Put {
        target: access(target),
        from: access(from),
    }
}

pub fn accumulate(target: u32, operand: u32, operation: Operation) -> StatementKind {
    StatementKind::Accumulate {
        target: access(target),
        operand: access(operand),
        operation,
    }
}

pub fn get_accumulate(into: u32, target: u32, operand: u32, operation: Operation) -> StatementKind {
    StatementKind::GetAccumulate {
        into: access(into),
        target: access(target),
        operand: access(operand),
        operation,
    }
}

pub fn compare_and_swap(into: u32, target: u32, compare: u32, swap: u32) -> StatementKind {
    StatementKind::CompareAndSwap {
        into: access(into),
        target: access(target),
        compare: access(compare),
        swap: access(swap),
    }
}

pub fn flush(rank: u32) -> StatementKind {
    StatementKind::Flush(Rank(rank))
}

pub fn lock_shared(rank: u32) -> StatementKind {
    StatementKind::LockShared(Rank(rank))
}

pub fn lock_exclusive(rank: u32) -> StatementKind {
    StatementKind::LockExclusive(Rank(rank))
}

pub fn unlock(rank: u32) -> StatementKind {
    StatementKind::Unlock(Rank(rank))
}

pub fn send(rank: u32) -> StatementKind {
    StatementKind::Send(Rank(rank))
}

pub fn receive(rank: u32) -> StatementKind {
    StatementKind::Receive(Rank(rank))
}

pub fn fence() -> StatementKind {
    StatementKind::Fence(Vec::new())
}

/// `while (r != value) bound n { body }`
pub fn until(register: u32, value: i64, bound: u32, body: Vec<StatementKind>) -> StatementKind {
    StatementKind::While {
        condition: Expression::Binary(
            BinaryOperator::NotEqual,
            Box::new(Expression::Register(RegisterId(register))),
            Box::new(Expression::Number(value)),
        ),
        bound,
        body: block(body),
    }
}

/// `r = number`
pub fn assign(register: u32, number: i64) -> StatementKind {
    StatementKind::Assign {
        into: RegisterId(register),
        value: Expression::Number(number),
    }
}

/// `r = r + 1`
pub fn count(register: u32) -> StatementKind {
    StatementKind::Assign {
        into: RegisterId(register),
        value: Expression::Binary(
            BinaryOperator::Add,
            Box::new(Expression::Register(RegisterId(register))),
            Box::new(Expression::Number(1)),
        ),
    }
}

/// `if (r = value) { body } else { other }`
pub fn choose(
    register: u32,
    value: i64,
    body: Vec<StatementKind>,
    other: Vec<StatementKind>,
) -> StatementKind {
    let mut choice = when(register, value, body);
    if let StatementKind::If { otherwise, .. } = &mut choice {
        *otherwise = block(other);
    }
    choice
}

/// `if (r = value) { body }`
pub fn when(register: u32, value: i64, body: Vec<StatementKind>) -> StatementKind {
    StatementKind::If {
        condition: Expression::Binary(
            BinaryOperator::Equal,
            Box::new(Expression::Register(RegisterId(register))),
            Box::new(Expression::Number(value)),
        ),
        then: block(body),
        otherwise: Vec::new(),
    }
}
