//! Program to text.
//!
//! Promise: what is printed of a program that was parsed parses back to the same program. A mark of atomicity is
//! printed where it differs from the program's default only.

mod condition;
mod expression;
mod statement;

pub(crate) use condition::observable;
pub use condition::print_proposition;
pub use statement::print_statement;

use crate::ast::{Atomicity, Process, Program, RegisterId, Statement, StatementKind, VariableId};
use expression::expression;
use statement::simple;
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

fn variable(program: &Program, id: VariableId) -> &str {
    program
        .variables
        .get(id.0 as usize)
        .map_or("?", |variable| &variable.name)
}

fn register(process: &Process, id: RegisterId) -> &str {
    process.registers.get(id.0 as usize).map_or("?", String::as_str)
}
