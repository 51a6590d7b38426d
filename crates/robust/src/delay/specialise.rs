//! A code for each process, with its rank and the number of processes filled in.
//!
//! Transitions keep their numbers, so that a path means the same in the program as it was.

use farside_pgas::calculus::{Atomic, Automaton, Command, Expression, Program, Transfer};

/// The program with a code for each rank, whose expressions name neither `me` nor `n`, and compute nothing that is
/// known.
pub(super) fn specialise(program: &Program) -> Program {
    let code = |rank: usize| {
        let mut code: Automaton = program.codes[program.code_of_rank[rank]].clone();
        for transition in &mut code.transitions {
            transition.command = command(&transition.command, rank as u32, program.ranks);
        }
        code
    };
    let ranks = program.ranks as usize;
    Program {
        codes: (0..ranks).map(code).collect(),
        code_of_rank: (0..ranks).collect(),
        ..program.clone()
    }
}

fn command(command: &Command, me: u32, ranks: u32) -> Command {
    let fold = |expression: &Expression| fold(expression, me, ranks);
    let optional = |expression: &Option<Expression>| expression.as_ref().map(fold);
    match command {
        Command::Load { into, address, until } => Command::Load {
            into: *into,
            address: fold(address),
            until: optional(until),
        },
        Command::Store { address, value } => Command::Store {
            address: fold(address),
            value: fold(value),
        },
        Command::Assign { into, value } => Command::Assign {
            into: *into,
            value: fold(value),
        },
        Command::Assume { condition, asserted } => Command::Assume {
            condition: fold(condition),
            asserted: *asserted,
        },
        Command::Transfer(transfer) => Command::Transfer(Transfer {
            direction: transfer.direction,
            local: fold(&transfer.local),
            rank: fold(&transfer.rank),
            remote: fold(&transfer.remote),
            queue: fold(&transfer.queue),
            handle: optional(&transfer.handle),
            after_earlier: transfer.after_earlier,
        }),
        Command::Atomic(atomic) => Command::Atomic(Atomic {
            operation: atomic.operation,
            local: optional(&atomic.local),
            rank: fold(&atomic.rank),
            remote: fold(&atomic.remote),
            operand: fold(&atomic.operand),
            expected: optional(&atomic.expected),
            queue: fold(&atomic.queue),
            handle: optional(&atomic.handle),
        }),
        Command::Barrier => Command::Barrier,
        Command::Wait {
            queues,
            handles,
            completion,
        } => Command::Wait {
            queues: queues.iter().map(fold).collect(),
            handles: handles.iter().map(fold).collect(),
            completion: *completion,
        },
        Command::Fence { queue, rank } => Command::Fence {
            queue: fold(queue),
            rank: optional(rank),
        },
    }
}

/// What is known becomes a number; what cannot be evaluated stays, so that it is a mistake where it stands.
pub(crate) fn fold(expression: &Expression, me: u32, ranks: u32) -> Expression {
    let inner = |expression: &Expression| Box::new(fold(expression, me, ranks));
    let folded = match expression {
        Expression::Constant(_) | Expression::Register(_) => expression.clone(),
        Expression::Me => Expression::Constant(i64::from(me)),
        Expression::Ranks => Expression::Constant(i64::from(ranks)),
        Expression::Unary(operator, operand) => Expression::Unary(*operator, inner(operand)),
        Expression::Binary(operator, left, right) => Expression::Binary(*operator, inner(left), inner(right)),
        Expression::Element { base, count, index } => Expression::Element {
            base: *base,
            count: *count,
            index: inner(index),
        },
    };
    let known = match &folded {
        Expression::Unary(_, operand) => constant(operand),
        Expression::Binary(_, left, right) => constant(left) && constant(right),
        Expression::Element { index, .. } => constant(index),
        _ => false,
    };
    if known && let Ok(value) = folded.value(me, ranks, &|_| 0) {
        return Expression::Constant(value);
    }
    folded
}

fn constant(expression: &Expression) -> bool {
    matches!(expression, Expression::Constant(_))
}
