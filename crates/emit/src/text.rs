//! The text of a program.

use crate::{MOST_QUEUES, MOST_SEEN, MOST_VARIABLES, Target, Unsupported};
use farside_litmus::ast::{
    Access, BinaryOperator, Expression, Notification, Observable, Process, Program, Rank, Statement,
    StatementKind, VariableId,
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
    text += include_str!("../c/test-barrier.c");
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
        let writer = Writer { test, target, rank };
        text += &writer.block(&process.statements, 2)?;
        text += &registers(process, rank, &observables);
        text += "        break;\n    }\n";
    }
    text += "    }\n}\n";
    let flags = flags(test);
    let firsts = test.variables.iter().zip(&flags).map(|(variable, flag)| {
        format!(
            "{{ {}, {}, {} }}",
            variable.owner.0,
            variable.value,
            i32::from(*flag)
        )
    });
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

/// Writes the statements of a process.
struct Writer<'t> {
    test: &'t Program,
    target: Target,
    rank: Rank,
}

impl Writer<'_> {
    /// Statements, so deep in braces. Before each one the process may hesitate.
    fn block(&self, statements: &[Statement], depth: usize) -> Result<String, Unsupported> {
        let indent = "    ".repeat(depth);
        let mut text = String::new();
        for statement in statements {
            if let StatementKind::If {
                condition,
                then,
                otherwise,
            } = &statement.kind
            {
                self.ends(then)?;
                self.ends(otherwise)?;
                let [then, otherwise] = [self.block(then, depth + 1)?, self.block(otherwise, depth + 1)?];
                let condition = expression(condition);
                text += &format!(
                    "{indent}if ({condition}) {{\n{then}{indent}}} else {{\n{otherwise}{indent}}}\n"
                );
                continue;
            }
            if self.target.is_mpi() && overlaps(&statement.kind) {
                return Err(Unsupported::Overlap {
                    test: self.test.name.clone(),
                    statement: print_statement(self.test, self.rank, &statement.kind),
                    place: statement.place.clone(),
                });
            }
            let known = match self.target {
                Target::Gaspi => call(self.test, &statement.kind, Flushes::Absent)
                    .or_else(|| notified(self.test, &statement.kind)),
                _ => call(self.test, &statement.kind, Flushes::Known),
            };
            let Some(call) = known else {
                return Err(self.unsupported(statement));
            };
            text += &format!("{indent}hesitate();\n{indent}{call}\n");
        }
        Ok(text)
    }

    /// A barrier that not all processes come to does not end: those of branches are refused.
    fn ends(&self, branch: &[Statement]) -> Result<(), Unsupported> {
        match branch
            .iter()
            .find(|statement| statement.kind == StatementKind::Barrier)
        {
            Some(barrier) => Err(self.unsupported(barrier)),
            None => Ok(()),
        }
    }

    fn unsupported(&self, statement: &Statement) -> Unsupported {
        Unsupported::Statement {
            test: self.test.name.clone(),
            statement: print_statement(self.test, self.rank, &statement.kind),
            place: statement.place.clone(),
        }
    }
}

/// By variable: whether it is a flag, which notifications set.
fn flags(test: &Program) -> Vec<bool> {
    fn mark(statements: &[Statement], flags: &mut [bool]) {
        for statement in statements {
            let mut kind = &statement.kind;
            if let StatementKind::On { operation, .. } = kind {
                kind = operation;
            }
            match kind {
                StatementKind::If { then, otherwise, .. } => {
                    mark(then, flags);
                    mark(otherwise, flags);
                }
                StatementKind::While { body, .. } => mark(body, flags),
                StatementKind::Notify(Notification { flag, .. })
                | StatementKind::PutNotify {
                    notification: Notification { flag, .. },
                    ..
                }
                | StatementKind::GetNotify { flag, .. }
                | StatementKind::Await(flag)
                | StatementKind::Take { flag, .. } => flags[flag.0 as usize] = true,
                _ => {}
            }
        }
    }
    let mut flags = vec![false; test.variables.len()];
    for process in &test.processes {
        mark(&process.statements, &mut flags);
    }
    flags
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

/// Whether an interface completes operations at a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flushes {
    Known,
    Absent,
}

/// A statement of queues and notifications; none for others.
fn notified(test: &Program, kind: &StatementKind) -> Option<String> {
    let owner = |id: VariableId| test.variables[id.0 as usize].owner.0;
    let set = |notification: &Notification| {
        let flag = notification.flag;
        // A notification of GASPI has 32 bits without sign, and is not 0 (GASPI 17.1 §8.3).
        let value = u32::try_from(notification.value)
            .ok()
            .filter(|&value| value != 0)?;
        Some((variable(test, flag), owner(flag), value))
    };
    Some(match kind {
        StatementKind::On { queue, operation } if queue.0 < MOST_QUEUES => {
            let call = call(test, operation, Flushes::Absent).or_else(|| notified(test, operation))?;
            format!("on({}); {call} on(0);", queue.0)
        }
        StatementKind::Notify(notification) => {
            let (flag, owner, value) = set(notification)?;
            format!("notify({flag}, {owner}, {value});")
        }
        StatementKind::PutNotify {
            target,
            from,
            notification,
        } => {
            let (flag, owner, value) = set(notification)?;
            let [target, from] = [target, from].map(|access| variable(test, access.variable));
            format!("put_notify({target}, {owner}, {from}, {flag}, {value});")
        }
        StatementKind::GetNotify { into, target, flag } => format!(
            "get_notify({}, {}, {}, {});",
            variable(test, into.variable),
            variable(test, target.variable),
            owner(target.variable),
            variable(test, *flag)
        ),
        StatementKind::WaitQueue(queue) if queue.0 < MOST_QUEUES => format!("wait_queue({});", queue.0),
        StatementKind::Await(flag) => format!("await({});", variable(test, *flag)),
        StatementKind::Take { into, flag } => format!("r{} = take({});", into.0, variable(test, *flag)),
        _ => return None,
    })
}

/// A statement; none for those that cannot be emitted.
fn call(test: &Program, kind: &StatementKind, flushes: Flushes) -> Option<String> {
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
        StatementKind::Flush(target) if flushes == Flushes::Known => format!("flush({});", target.0),
        StatementKind::Barrier => "test_barrier();".to_owned(),
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
