//! Program to text.
//!
//! Promise: what is printed of a program that was parsed parses back to the same program. A mark of atomicity is printed where it differs from the
//! program's default only.

use crate::ast::{
    Access, Assertion, Atomicity, BinaryOperator, Expression, Observable, Operation, Process, Program,
    Proposition, Rank, RegisterId, Statement, StatementKind, VariableId,
};
use crate::parser::binding;
use std::fmt::Write as _;

/// How processes are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A column a process.
    Columns,
    /// One process after the other, in braces.
    Sequential,
}

/// Columns wider than this in all are hard to read.
const MOST_COLUMNS: usize = 160;

/// The program as text: a column a process, or one process after the other if the columns would be too wide.
#[must_use]
pub fn print(program: &Program) -> String {
    let rows = rows_of(program);
    let width: usize = rows.iter().map(|column| width(column) + 3).sum();
    let layout = if width > MOST_COLUMNS {
        Layout::Sequential
    } else {
        Layout::Columns
    };
    laid_out(program, layout, &rows)
}

/// The program as text in this layout.
#[must_use]
pub fn print_as(program: &Program, layout: Layout) -> String {
    laid_out(program, layout, &rows_of(program))
}

/// By process: a row a statement, two or three for one with a block.
fn rows_of(program: &Program) -> Vec<Vec<String>> {
    let column = |process: &Process| {
        let mut cells = Vec::new();
        rows(program, process, &process.statements, 0, &mut cells);
        cells
    };
    program.processes.iter().map(column).collect()
}

fn width(rows: &[String]) -> usize {
    rows.iter().map(String::len).max().unwrap_or(0).max(2)
}

fn laid_out(program: &Program, layout: Layout, rows: &[Vec<String>]) -> String {
    let mut text = format!("RMA {}\n", program.name);
    for line in &program.about {
        text += &format!("\"{line}\"\n");
    }
    if program.accesses == Atomicity::NonAtomic {
        text += "accesses nonatomic\n";
    }
    text.push('{');
    for variable in &program.variables {
        let _ = write!(
            text,
            " {}: {} = {};",
            variable.owner.0, variable.name, variable.value
        );
    }
    text += " }\n";
    match layout {
        Layout::Columns => columns(&mut text, rows),
        Layout::Sequential => sequential(&mut text, rows),
    }
    if !program.locations.is_empty() {
        let shown = program
            .locations
            .iter()
            .map(|location| observable(program, *location) + ";");
        let _ = writeln!(text, "locations [{}]", shown.collect::<Vec<_>>().join(" "));
    }
    if let Some(filter) = &program.filter {
        let _ = writeln!(text, "filter ({})", print_proposition(program, filter));
    }
    if let Some(condition) = &program.condition {
        let proposition = print_proposition(program, &condition.proposition);
        let _ = writeln!(text, "{} ({proposition})", condition.quantifier);
    }
    text
}

/// Rows are filled up with blanks, and end with `;`.
fn columns(text: &mut String, rows: &[Vec<String>]) {
    let names: Vec<String> = (0..rows.len()).map(|rank| format!("P{rank}")).collect();
    let widths: Vec<usize> = rows
        .iter()
        .zip(&names)
        .map(|(column, name)| width(column).max(name.len()))
        .collect();
    let mut line = |cell: &dyn Fn(usize) -> String| {
        let shown = widths
            .iter()
            .enumerate()
            .map(|(rank, width)| format!(" {:width$} ", cell(rank)));
        let _ = writeln!(text, "{};", shown.collect::<Vec<_>>().join("|"));
    };
    line(&|rank| names[rank].clone());
    for row in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
        line(&|rank| rows[rank].get(row).cloned().unwrap_or_default());
    }
}

/// A statement a line. A block needs no `;`.
fn sequential(text: &mut String, rows: &[Vec<String>]) {
    for (rank, rows) in rows.iter().enumerate() {
        let _ = writeln!(text, "P{rank} {{");
        for row in rows {
            let end = if row.ends_with(['{', '}']) { "" } else { ";" };
            let _ = writeln!(text, "  {row}{end}");
        }
        text.push_str("}\n");
    }
}

/// One cell a statement; a block has one for its begin and one for its end.
fn rows(
    program: &Program,
    process: &Process,
    statements: &[Statement],
    depth: usize,
    cells: &mut Vec<String>,
) {
    let indent = "  ".repeat(depth);
    for statement in statements {
        match &statement.kind {
            StatementKind::While {
                condition,
                bound,
                body,
            } => {
                cells.push(format!(
                    "{indent}while ({}) bound {bound} {{",
                    expression(process, condition)
                ));
                rows(program, process, body, depth + 1, cells);
                cells.push(format!("{indent}}}"));
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                cells.push(format!("{indent}if ({}) {{", expression(process, condition)));
                rows(program, process, then, depth + 1, cells);
                if !otherwise.is_empty() {
                    cells.push(format!("{indent}}} else {{"));
                    rows(program, process, otherwise, depth + 1, cells);
                }
                cells.push(format!("{indent}}}"));
            }
            kind => cells.push(indent.clone() + &simple(program, process, kind)),
        }
    }
}

/// One statement of process `rank` on one line. Blocks are printed with their condition only: `while (a != 1) bound 3`.
#[must_use]
pub fn print_statement(program: &Program, rank: Rank, kind: &StatementKind) -> String {
    let none = Process::default();
    let process = program.processes.get(rank.0 as usize).unwrap_or(&none);
    match kind {
        StatementKind::While { condition, bound, .. } => {
            format!("while ({}) bound {bound}", expression(process, condition))
        }
        StatementKind::If { condition, .. } => format!("if ({})", expression(process, condition)),
        kind => simple(program, process, kind),
    }
}

fn simple(program: &Program, process: &Process, kind: &StatementKind) -> String {
    let own = |access: &Access| own(program, access);
    let at = |access: &Access| {
        let owner = program
            .variables
            .get(access.variable.0 as usize)
            .map_or(0, |variable| variable.owner.0);
        format!("{}@{owner}", own(access))
    };
    let ranks = |ranks: &[Rank]| {
        ranks
            .iter()
            .map(|rank| rank.0.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match kind {
        StatementKind::Load { into, from } => format!("{} = {}", register(process, *into), own(from)),
        StatementKind::Store { into, value } => format!("{} = {}", own(into), right_side(process, value)),
        StatementKind::Assign { into, value } => {
            format!("{} = {}", register(process, *into), right_side(process, value))
        }
        StatementKind::Get { into, target } => format!("{} = get({})", own(into), at(target)),
        StatementKind::Put { target, from } => format!("put({}, {})", at(target), own(from)),
        StatementKind::Rga {
            into,
            target,
            operand,
        } => format!("{} = rga({}, {})", own(into), at(target), own(operand)),
        StatementKind::Cas {
            into,
            target,
            compare,
            swap,
        } => {
            format!(
                "{} = cas({}, {}, {})",
                own(into),
                at(target),
                own(compare),
                own(swap)
            )
        }
        StatementKind::Accumulate {
            target,
            operand,
            operation,
        } => {
            format!(
                "accumulate({}, {}, {})",
                at(target),
                own(operand),
                operation_name(*operation)
            )
        }
        StatementKind::GetAccumulate {
            into,
            target,
            operand,
            operation,
        } => {
            format!(
                "{} = get_accumulate({}, {}, {})",
                own(into),
                at(target),
                own(operand),
                operation_name(*operation)
            )
        }
        StatementKind::FetchAndOp {
            into,
            target,
            operand,
            operation,
        } => {
            format!(
                "{} = fetch_and_op({}, {}, {})",
                own(into),
                at(target),
                own(operand),
                operation_name(*operation)
            )
        }
        StatementKind::CompareAndSwap {
            into,
            target,
            compare,
            swap,
        } => {
            format!(
                "{} = compare_and_swap({}, {}, {})",
                own(into),
                at(target),
                own(compare),
                own(swap)
            )
        }
        StatementKind::Flush(rank) => format!("flush({})", rank.0),
        StatementKind::FlushLocal(rank) => format!("flush_local({})", rank.0),
        StatementKind::FlushAll => "flush_all".into(),
        StatementKind::FlushLocalAll => "flush_local_all".into(),
        StatementKind::Fence(assertions) if assertions.is_empty() => "fence".into(),
        StatementKind::Fence(assertions) => {
            let names = assertions.iter().map(|assertion| assertion_name(*assertion));
            format!("fence({})", names.collect::<Vec<_>>().join(", "))
        }
        StatementKind::LockShared(rank) => format!("lock_shared({})", rank.0),
        StatementKind::LockExclusive(rank) => format!("lock_exclusive({})", rank.0),
        StatementKind::Unlock(rank) => format!("unlock({})", rank.0),
        StatementKind::LockAll => "lock_all".into(),
        StatementKind::UnlockAll => "unlock_all".into(),
        StatementKind::Post(group) => format!("post({})", ranks(group)),
        StatementKind::Start(group) => format!("start({})", ranks(group)),
        StatementKind::Complete => "complete".into(),
        StatementKind::Wait => "wait".into(),
        StatementKind::Sync => "sync".into(),
        StatementKind::Barrier => "barrier".into(),
        StatementKind::Send(rank) => format!("send({})", rank.0),
        StatementKind::Receive(rank) => format!("recv({})", rank.0),
        StatementKind::While { .. } | StatementKind::If { .. } => String::new(),
    }
}

fn own(program: &Program, access: &Access) -> String {
    let mark = match access.atomicity {
        own if own == program.accesses => "",
        Atomicity::Atomic => ".a",
        Atomicity::NonAtomic => ".n",
    };
    format!("{}{mark}", variable(program, access.variable))
}

fn variable(program: &Program, id: VariableId) -> &str {
    program
        .variables
        .get(id.0 as usize)
        .map_or("?", |variable| &variable.name)
}

fn register(process: &Process, id: RegisterId) -> &str {
    process.registers.get(id.0 as usize).map_or("?", String::as_str)
}

fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Sum => "sum",
        Operation::Product => "prod",
        Operation::Minimum => "min",
        Operation::Maximum => "max",
        Operation::And => "band",
        Operation::Or => "bor",
        Operation::Xor => "bxor",
        Operation::Replace => "replace",
        Operation::NoOp => "no_op",
    }
}

fn assertion_name(assertion: Assertion) -> &'static str {
    match assertion {
        Assertion::NoStore => "nostore",
        Assertion::NoPut => "noput",
        Assertion::NoPrecede => "noprecede",
        Assertion::NoSucceed => "nosucceed",
    }
}

fn expression(process: &Process, root: &Expression) -> String {
    within(process, root, 0)
}

/// What an assignment assigns. `||` stands in parentheses, since `|` separates columns.
fn right_side(process: &Process, root: &Expression) -> String {
    within(process, root, binding(BinaryOperator::Or) + 1)
}

/// In parentheses if it binds less tightly than `least`.
fn within(process: &Process, root: &Expression, least: u8) -> String {
    match root {
        Expression::Number(number) => number.to_string(),
        Expression::Register(id) => register(process, *id).to_owned(),
        // `-3` is a number: its negative keeps its parentheses.
        Expression::Negative(inner) => match **inner {
            Expression::Number(0..) => format!("-({})", within(process, inner, 0)),
            _ => format!("-{}", within(process, inner, 6)),
        },
        Expression::Not(inner) => format!("!{}", within(process, inner, 6)),
        Expression::Binary(operator, left, right) => {
            let binding = binding(*operator);
            let text = format!(
                "{} {} {}",
                within(process, left, binding),
                operator_name(*operator),
                within(process, right, binding + 1)
            );
            if binding < least {
                format!("({text})")
            } else {
                text
            }
        }
    }
}

fn operator_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterOrEqual => ">=",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
    }
}

/// `0:a` or `X`.
pub(crate) fn observable(program: &Program, what: Observable) -> String {
    match what {
        Observable::Register(rank, id) => {
            let process = program.processes.get(rank.0 as usize);
            format!(
                "{}:{}",
                rank.0,
                process.map_or("?", |process| register(process, id))
            )
        }
        Observable::Variable(id) => variable(program, id).to_owned(),
    }
}

/// A proposition with the names of `program`, without parentheses around it.
#[must_use]
pub fn print_proposition(program: &Program, proposition: &Proposition) -> String {
    let inner = |inner: &Proposition, parentheses: bool| {
        let text = print_proposition(program, inner);
        if parentheses { format!("({text})") } else { text }
    };
    match proposition {
        Proposition::Constant(constant) => constant.to_string(),
        Proposition::Equal(what, is) => format!("{} = {}", observable(program, *what), is),
        Proposition::NotEqual(what, is) => format!("{} != {}", observable(program, *what), is),
        Proposition::Not(negated) => format!(
            "~{}",
            inner(
                negated,
                !matches!(**negated, Proposition::Constant(_) | Proposition::Not(_))
            )
        ),
        // Both are read to the left: a right side of the same kind keeps its parentheses.
        Proposition::And(left, right) => format!(
            "{} /\\ {}",
            inner(left, matches!(**left, Proposition::Or(..))),
            inner(
                right,
                matches!(**right, Proposition::Or(..) | Proposition::And(..))
            )
        ),
        Proposition::Or(left, right) => {
            format!(
                "{} \\/ {}",
                inner(left, false),
                inner(right, matches!(**right, Proposition::Or(..)))
            )
        }
    }
}
