//! A program as text that `farside robust` reads.

use farside_pgas::ast::{AtomicOperation, Completion, Direction, Order, UnaryOperator};
use farside_pgas::calculus::{Command, Expression, Program};
use std::fmt::Write as _;

/// The text of a program; states are labels, commands go on with a goto.
pub(crate) fn text(program: &Program) -> String {
    let mut text = format!(
        "program {}\nranks {}\ndomain {}\n\n",
        program.name, program.ranks, program.domain
    );
    let column = |rows: &[Vec<u32>], index: usize| {
        let terms = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row[index] != 0)
            .map(|(rank, row)| format!("(me == {rank}) * {}", row[index]));
        let terms: Vec<String> = terms.collect();
        if terms.is_empty() {
            "0".to_owned()
        } else {
            terms.join(" + ")
        }
    };
    let cells = program.cells.len();
    let values: Vec<String> = (0..cells)
        .map(|cell| column(&program.first_cells, cell))
        .collect();
    let _ = writeln!(text, "shared m[{cells}] = {{{}}}", values.join(", "));
    for (index, name) in program.registers.iter().enumerate() {
        let _ = writeln!(
            text,
            "register {name} = {}",
            column(&program.first_registers, index)
        );
    }
    for (group, base, count) in groups(program) {
        let order = match program.queues[base].order {
            Order::Ordered => "ordered",
            Order::PerTarget => "ordered per target",
            Order::Unordered => "unordered",
        };
        let _ = writeln!(text, "queue {group}[{count}] {order}");
    }
    for handle in &program.handles {
        let _ = writeln!(text, "handle {handle}");
    }
    for code in 0..program.codes.len() {
        body(program, code, &mut text);
    }
    text
}

fn body(program: &Program, code: usize, text: &mut String) {
    let ranks = program.code_of_rank.iter().enumerate();
    let ranks: Vec<String> = ranks
        .filter(|&(_, &runs)| runs == code)
        .map(|(rank, _)| rank.to_string())
        .collect();
    let _ = writeln!(text, "\nrank {} {{", ranks.join(", "));
    for state in 0..program.codes[code].states {
        let _ = writeln!(text, "c{code}s{state}:");
        let leaving = program.codes[code]
            .transitions
            .iter()
            .filter(|known| known.from == state);
        let ways: Vec<String> = leaving
            .map(|transition| {
                format!(
                    "{}\n        goto c{code}s{}",
                    command(program, &transition.command),
                    transition.to
                )
            })
            .collect();
        match &ways[..] {
            [] => {
                let _ = writeln!(text, "    goto end{code}");
            }
            [way] => {
                let _ = writeln!(text, "    {}", way.replace("        ", "    "));
            }
            ways => {
                let _ = writeln!(
                    text,
                    "    choice {{\n        {}\n    }}",
                    ways.join("\n    } or {\n        ")
                );
            }
        }
    }
    let _ = writeln!(text, "end{code}:\n    skip\n}}");
}

/// Arrays of queues: name, first, count.
fn groups(program: &Program) -> Vec<(String, usize, usize)> {
    let mut groups: Vec<(String, usize, usize)> = Vec::new();
    for (index, queue) in program.queues.iter().enumerate() {
        let name = queue.name.split('[').next().unwrap_or_default();
        match groups.iter_mut().find(|(known, ..)| known == name) {
            Some((_, _, count)) => *count += 1,
            None => groups.push((name.to_owned(), index, 1)),
        }
    }
    groups
}

pub(crate) fn command(program: &Program, command: &Command) -> String {
    let value = |expression: &Expression| expression_text(program, expression);
    let cell = |expression: &Expression| match expression {
        Expression::Constant(index) => format!("m[{index}]"),
        Expression::Element { index, .. } => format!("m[{}]", value(index)),
        other => format!("mem[{}]", value(other)),
    };
    let queue = |expression: &Expression| match expression {
        Expression::Constant(index) => program.queues[*index as usize].name.clone(),
        Expression::Element { base, index, .. } => {
            let name = program.queues[*base as usize]
                .name
                .split('[')
                .next()
                .unwrap_or_default();
            format!("{name}[{}]", value(index))
        }
        other => format!("queue {}", value(other)),
    };
    let handle = |expression: &Expression| match expression {
        Expression::Constant(index) => program.handles[*index as usize].clone(),
        other => format!("handle {}", value(other)),
    };
    let handed = |expression: &Option<Expression>| {
        expression
            .as_ref()
            .map_or_else(String::new, |known| format!(", {}", handle(known)))
    };
    match command {
        Command::Load { into, address, until } => {
            let load = format!("{} = {}", program.registers[into.0], cell(address));
            match until {
                // A loop that polls; the text means the same only where polls are awaited.
                Some(until) => format!("{load}; while !({}) {{ {load} }}", value(until)),
                None => load,
            }
        }
        Command::Store { address, value: new } => format!("{} = {}", cell(address), value(new)),
        Command::Assign { into, value: new } => format!("{} = {}", program.registers[into.0], value(new)),
        Command::Assume { condition, .. } => format!("assume {}", value(condition)),
        Command::Barrier => "barrier".to_owned(),
        Command::Transfer(transfer) => format!(
            "{}{}({}, {}, {}, {}{})",
            match transfer.direction {
                Direction::Read => "read",
                Direction::Write => "write",
            },
            if transfer.after_earlier { "_after" } else { "" },
            cell(&transfer.local),
            value(&transfer.rank),
            cell(&transfer.remote),
            queue(&transfer.queue),
            handed(&transfer.handle),
        ),
        Command::Atomic(atomic) => format!(
            "{}({}, {}, {}, {}{}, {}{})",
            match atomic.operation {
                AtomicOperation::FetchAdd => "fetch_add",
                AtomicOperation::Swap => "swap",
                AtomicOperation::CompareSwap => "cas",
            },
            atomic.local.as_ref().map_or_else(|| "_".to_owned(), cell),
            value(&atomic.rank),
            cell(&atomic.remote),
            atomic
                .expected
                .as_ref()
                .map_or_else(String::new, |expected| format!("{}, ", value(expected))),
            value(&atomic.operand),
            queue(&atomic.queue),
            handed(&atomic.handle),
        ),
        Command::Wait {
            queues,
            handles,
            completion,
        } => {
            let what = queues.iter().map(queue).chain(handles.iter().map(handle));
            let what: Vec<String> = what.collect();
            match completion {
                Completion::Full => format!("wait {}", what.join(", ")),
                Completion::Local => format!("wait_local {}", what.join(", ")),
            }
        }
        Command::Fence { queue: of, rank } => {
            let to = rank
                .as_ref()
                .map_or_else(String::new, |rank| format!(", {}", value(rank)));
            format!("fence {}{to}", queue(of))
        }
    }
}

fn expression_text(program: &Program, expression: &Expression) -> String {
    let inner = |expression: &Expression| expression_text(program, expression);
    match expression {
        Expression::Constant(number) => number.to_string(),
        Expression::Register(register) => program.registers[register.0].clone(),
        Expression::Me => "me".to_owned(),
        Expression::Ranks => "n".to_owned(),
        Expression::Unary(UnaryOperator::Minus, operand) => format!("-({})", inner(operand)),
        Expression::Unary(UnaryOperator::Not, operand) => format!("!({})", inner(operand)),
        Expression::Binary(operator, left, right) => {
            format!("({} {} {})", inner(left), operator.sign(), inner(right))
        }
        Expression::Element { base, count, index } => format!("{base} + ({} of {count})", inner(index)),
    }
}
