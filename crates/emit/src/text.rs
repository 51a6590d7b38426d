//! The text of a program.

use crate::{MOST_SEEN, MOST_VARIABLES, Target, Unsupported};
use farside_litmus::ast::{
    Access, BinaryOperator, Expression, Observable, Process, Program, Rank, StatementKind, VariableId,
};
use farside_litmus::{print, print_statement};
use std::fmt::Write as _;

/// One C program of these tests, in their order.
///
/// # Errors
/// The first test that cannot be written in C, and why.
pub fn emit(tests: &[&Program], target: Target) -> Result<String, Unsupported> {
    let mut text = String::new();
    text += include_str!("../c/before.c");
    text.push('\n');
    for page in target.definitions() {
        text += page;
        text.push('\n');
    }
    text += include_str!("../c/statements.c");
    let mut table = String::new();
    for (number, test) in tests.iter().enumerate() {
        text += &function(number, test, target)?;
        table += &row(number, test);
    }
    text += "\nstatic const struct test tests[] = {\n";
    text += &table;
    text += "};\n\n";
    text += include_str!("../c/after.c");
    Ok(text)
}

/// What the processes of a test do, and what is known of it.
fn function(number: usize, test: &Program, target: Target) -> Result<String, Unsupported> {
    let observables = test.observables();
    if test.variables.len() > MOST_VARIABLES || observables.len() > MOST_SEEN {
        return Err(Unsupported::TooLarge {
            test: test.name.clone(),
        });
    }
    // A comment of C ends at the first `*/`, which `exists (... /\ ...)` does not have, but a name might.
    let shown = print(test).replace("*/", "* /");
    let mut text = format!("\n/*\n{shown}*/\nstatic void test_{number}(int rank, int64_t *seen)\n{{\n");
    if !test.variables.is_empty() {
        let names = (0..test.variables.len()).map(|index| variable(test, VariableId(index as u32)));
        text += &format!("    enum {{ {} }};\n", names.collect::<Vec<_>>().join(", "));
    }
    // A test may show variables alone.
    text += "    (void)seen;\n    switch (rank) {\n";
    for (rank, process) in (0..).map(Rank).zip(&test.processes) {
        text += &format!("    case {}: {{\n", rank.0);
        for register in 0..process.registers.len() {
            text += &format!(
                "        int64_t r{register} = 0; /* {} */\n",
                process.registers[register]
            );
        }
        for statement in &process.statements {
            if target.is_mpi() && overlaps(&statement.kind) {
                return Err(Unsupported::Overlap {
                    test: test.name.clone(),
                    statement: print_statement(test, rank, &statement.kind),
                    place: statement.place.clone(),
                });
            }
            let Some(call) = call(test, &statement.kind) else {
                return Err(Unsupported::Statement {
                    test: test.name.clone(),
                    statement: print_statement(test, rank, &statement.kind),
                    place: statement.place.clone(),
                });
            };
            text += &format!("        hesitate();\n        {call}\n");
        }
        text += &registers(process, rank, &observables);
        text += "        break;\n    }\n";
    }
    text += "    }\n}\n";
    let firsts = test
        .variables
        .iter()
        .map(|variable| format!("{{ {}, {} }}", variable.owner.0, variable.value));
    text += &array(&format!("struct variable variables_{number}"), firsts);
    let seen = observables.iter().map(|observable| match *observable {
        Observable::Register(rank, register) => {
            let name = &test.processes[rank.0 as usize].registers[register.0 as usize];
            format!("{{ \"{}:{name}\", {}, -1 }}", rank.0, rank.0)
        }
        Observable::Variable(id) => {
            let variable = &test.variables[id.0 as usize];
            format!("{{ \"{}\", {}, {} }}", variable.name, variable.owner.0, id.0)
        }
    });
    text += &array(&format!("struct seen seen_{number}"), seen);
    Ok(text)
}

/// An array of C, which has one element at least.
fn array(head: &str, elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<String> = elements.collect();
    let elements = if elements.is_empty() {
        "0".to_owned()
    } else {
        elements.join(", ")
    };
    format!("static const {head}[] = {{ {elements} }};\n")
}

fn registers(process: &Process, rank: Rank, observables: &[Observable]) -> String {
    let mut text = String::new();
    for (place, observable) in observables.iter().enumerate() {
        if let Observable::Register(owner, register) = observable
            && *owner == rank
        {
            text += &format!("        seen[{place}] = r{};\n", register.0);
        }
    }
    // Registers that nothing shows would be warned about.
    for register in 0..process.registers.len() {
        text += &format!("        (void)r{register};\n");
    }
    text
}

fn row(number: usize, test: &Program) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "    {{ \"{}\", \"{}\", {}, {}, variables_{number}, {}, seen_{number}, test_{number} }},",
        test.name,
        test.hash(),
        test.processes.len(),
        test.variables.len(),
        test.observables().len(),
    );
    text
}

/// The name of a variable in C: a prefix keeps it from being a word of C, its number from being another's.
fn variable(test: &Program, id: VariableId) -> String {
    let name = test.variables[id.0 as usize].name.replace('\'', "_");
    format!("v{}_{name}", id.0)
}

/// Whether a variable is two buffers of the operation, one of them written (MPI-4.1 §12.3.1, §12.3.2, §12.3.4).
fn overlaps(kind: &StatementKind) -> bool {
    let same = |a: &Access, b: &Access| a.variable == b.variable;
    match kind {
        StatementKind::Get { into, target } => same(into, target),
        StatementKind::Put { target, from } => same(target, from),
        StatementKind::Rga {
            into,
            target,
            operand,
        } => same(into, target) || same(into, operand) || same(target, operand),
        StatementKind::Cas {
            into,
            target,
            compare,
            swap,
        } => {
            same(into, target)
                || [compare, swap]
                    .iter()
                    .any(|operand| same(into, operand) || same(target, operand))
        }
        _ => false,
    }
}

/// A statement; none for those that cannot be emitted.
fn call(test: &Program, kind: &StatementKind) -> Option<String> {
    let name = |access: &Access| variable(test, access.variable);
    let owner = |access: &Access| test.variables[access.variable.0 as usize].owner.0;
    Some(match kind {
        StatementKind::Load { into, from } => format!("r{} = load({});", into.0, name(from)),
        StatementKind::Store { into, value } => format!("store({}, {});", name(into), expression(value)),
        StatementKind::Assign { into, value } => format!("r{} = {};", into.0, expression(value)),
        StatementKind::Get { into, target } => {
            format!("get({}, {}, {});", name(into), name(target), owner(target))
        }
        StatementKind::Put { target, from } => {
            format!("put({}, {}, {});", name(target), owner(target), name(from))
        }
        StatementKind::Rga {
            into,
            target,
            operand,
        } => format!(
            "rga({}, {}, {}, {});",
            name(into),
            name(target),
            owner(target),
            name(operand)
        ),
        StatementKind::Cas {
            into,
            target,
            compare,
            swap,
        } => format!(
            "cas({}, {}, {}, {}, {});",
            name(into),
            name(target),
            owner(target),
            name(compare),
            name(swap)
        ),
        StatementKind::Flush(target) => format!("flush({});", target.0),
        _ => return None,
    })
}

/// Arithmetic wraps in the models: it is done without sign.
fn expression(value: &Expression) -> String {
    match value {
        Expression::Number(number) => format!("INT64_C({number})"),
        Expression::Register(register) => format!("r{}", register.0),
        Expression::Negative(of) => format!("(int64_t)-(uint64_t){}", parenthesised(of)),
        Expression::Not(of) => format!("!{}", parenthesised(of)),
        Expression::Binary(operator, left, right) => {
            let [left, right] = [parenthesised(left), parenthesised(right)];
            let wrapping = |sign: &str| format!("(int64_t)((uint64_t){left} {sign} (uint64_t){right})");
            match operator {
                BinaryOperator::Add => wrapping("+"),
                BinaryOperator::Subtract => wrapping("-"),
                BinaryOperator::Multiply => wrapping("*"),
                BinaryOperator::Equal => format!("{left} == {right}"),
                BinaryOperator::NotEqual => format!("{left} != {right}"),
                BinaryOperator::Less => format!("{left} < {right}"),
                BinaryOperator::LessOrEqual => format!("{left} <= {right}"),
                BinaryOperator::Greater => format!("{left} > {right}"),
                BinaryOperator::GreaterOrEqual => format!("{left} >= {right}"),
                BinaryOperator::And => format!("{left} && {right}"),
                BinaryOperator::Or => format!("{left} || {right}"),
            }
        }
    }
}

fn parenthesised(value: &Expression) -> String {
    format!("({})", expression(value))
}
