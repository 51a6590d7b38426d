//! Litmus tests in `farside robust`, against engines that know nothing of it: a robust program has, under coreRMA, the
//! outcomes of sequential consistency only.

use farside_explore::core_rma::random::{self, Shape};
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::{
    BinaryOperator, Expression, Observable, Operation, Program, Statement, StatementKind as Kind, Value,
};
use farside_models::Model;
use farside_models::core_rma::CoreModel;
use farside_pgas::lower::{Settings, lower};
use farside_robust::{Options, Verdict, decide};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// A process of a program that runs as if alone with its memory.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    variables: Vec<i64>,
    registers: Vec<Vec<i64>>,
    /// What each process still has to do, the last first: the address of a statement, and turns that are left.
    rest: Vec<Vec<(usize, Option<u32>)>>,
}

fn behind(rest: &mut Vec<(usize, Option<u32>)>, block: &[Statement]) {
    rest.extend(
        block
            .iter()
            .rev()
            .map(|statement| (std::ptr::from_ref(statement) as usize, None)),
    );
}

fn statements<'p>(block: &'p [Statement], found: &mut Vec<&'p Statement>) {
    for statement in block {
        found.push(statement);
        match &statement.kind {
            Kind::While { body, .. } => statements(body, found),
            Kind::If { then, otherwise, .. } => {
                statements(then, found);
                statements(otherwise, found);
            }
            _ => {}
        }
    }
}

fn value(registers: &[i64], expression: &Expression) -> i64 {
    use BinaryOperator as B;
    match expression {
        Expression::Number(number) => *number,
        Expression::Register(register) => registers[register.0 as usize],
        Expression::Negative(inner) => -value(registers, inner),
        Expression::Not(inner) => i64::from(value(registers, inner) == 0),
        Expression::Binary(operator, left, right) => {
            let (left, right) = (value(registers, left), value(registers, right));
            match operator {
                B::Add => left + right,
                B::Subtract => left - right,
                B::Multiply => left * right,
                B::Equal => i64::from(left == right),
                B::NotEqual => i64::from(left != right),
                B::Less => i64::from(left < right),
                B::LessOrEqual => i64::from(left <= right),
                B::Greater => i64::from(left > right),
                B::GreaterOrEqual => i64::from(left >= right),
                B::And => i64::from(left != 0 && right != 0),
                B::Or => i64::from(left != 0 || right != 0),
            }
        }
    }
}

/// All outcomes when every statement is done at once, in the order of the program.
fn sequential(program: &Program, observables: &[Observable]) -> BTreeSet<Vec<Value>> {
    let mut known = Vec::new();
    for process in &program.processes {
        statements(&process.statements, &mut known);
    }
    let known: std::collections::HashMap<usize, &Statement> = known
        .into_iter()
        .map(|statement| (std::ptr::from_ref(statement) as usize, statement))
        .collect();
    let first = Machine {
        variables: program.variables.iter().map(|variable| variable.value).collect(),
        registers: program
            .processes
            .iter()
            .map(|process| vec![0; process.registers.len()])
            .collect(),
        rest: program
            .processes
            .iter()
            .map(|process| {
                let mut rest = Vec::new();
                behind(&mut rest, &process.statements);
                rest
            })
            .collect(),
    };
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut found = BTreeSet::new();
    while let Some(machine) = open.pop() {
        if machine.rest.iter().all(Vec::is_empty) {
            let observed = observables.iter().map(|observable| {
                Value::Known(match observable {
                    Observable::Register(rank, register) => {
                        machine.registers[rank.0 as usize][register.0 as usize]
                    }
                    Observable::Variable(variable) => machine.variables[variable.0 as usize],
                })
            });
            found.insert(observed.collect());
        }
        let is_barrier = |statement: usize| matches!(known[&statement].kind, Kind::Barrier);
        let waits = |rest: &Vec<(usize, Option<u32>)>| rest.last().is_some_and(|(next, _)| is_barrier(*next));
        // All go on together.
        if machine.rest.iter().all(waits) {
            let mut next = machine.clone();
            for rest in &mut next.rest {
                rest.pop();
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        for rank in 0..machine.rest.len() {
            let mut next = machine.clone();
            let Some((statement, turns)) = next.rest[rank].pop().filter(|(next, _)| !is_barrier(*next))
            else {
                continue;
            };
            if step(&mut next, rank, known[&statement], turns) && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

/// Whether the path goes on.
fn step(machine: &mut Machine, rank: usize, statement: &Statement, turns: Option<u32>) -> bool {
    let registers = &mut machine.registers[rank];
    let variables = &mut machine.variables;
    let mut accumulate = |target: usize, operand: usize, operation: Operation| {
        let old = variables[target];
        variables[target] = match operation {
            Operation::Sum => old + variables[operand],
            Operation::Replace => variables[operand],
            Operation::NoOp => old,
            _ => panic!("refused"),
        };
        old
    };
    match &statement.kind {
        Kind::Load { into, from } => registers[into.0 as usize] = variables[from.variable.0 as usize],
        Kind::Store { into, value: stored } => {
            variables[into.variable.0 as usize] = value(registers, stored);
        }
        Kind::Assign {
            into,
            value: assigned,
        } => registers[into.0 as usize] = value(registers, assigned),
        Kind::Get { into, target } => {
            variables[into.variable.0 as usize] = variables[target.variable.0 as usize];
        }
        Kind::Put { target, from } => {
            variables[target.variable.0 as usize] = variables[from.variable.0 as usize];
        }
        Kind::Rga {
            into,
            target,
            operand,
        } => {
            let old = accumulate(
                target.variable.0 as usize,
                operand.variable.0 as usize,
                Operation::Sum,
            );
            variables[into.variable.0 as usize] = old;
        }
        Kind::GetAccumulate {
            into,
            target,
            operand,
            operation,
        }
        | Kind::FetchAndOp {
            into,
            target,
            operand,
            operation,
        } => {
            let old = accumulate(
                target.variable.0 as usize,
                operand.variable.0 as usize,
                *operation,
            );
            variables[into.variable.0 as usize] = old;
        }
        Kind::Cas {
            into,
            target,
            compare,
            swap,
        }
        | Kind::CompareAndSwap {
            into,
            target,
            compare,
            swap,
        } => {
            let old = variables[target.variable.0 as usize];
            if old == variables[compare.variable.0 as usize] {
                variables[target.variable.0 as usize] = variables[swap.variable.0 as usize];
            }
            variables[into.variable.0 as usize] = old;
        }
        Kind::Flush(_) | Kind::FlushAll => {}
        Kind::If {
            condition,
            then,
            otherwise,
        } => {
            let holds = value(registers, condition) != 0;
            behind(&mut machine.rest[rank], if holds { then } else { otherwise });
        }
        Kind::While {
            condition,
            bound,
            body,
        } => {
            if value(registers, condition) != 0 {
                let left = turns.unwrap_or(*bound);
                if left == 0 {
                    return false;
                }
                machine.rest[rank].push((std::ptr::from_ref(statement) as usize, Some(left - 1)));
                behind(&mut machine.rest[rank], body);
            }
        }
        other => panic!("coreRMA has no {other:?}"),
    }
    true
}

/// What became of a program.
#[derive(Debug, PartialEq, Eq)]
enum Compared {
    /// Refused, with the first reason.
    Unfit(String),
    Robust,
    NotRobust {
        /// Whether coreRMA has outcomes that sequential consistency has not.
        seen: bool,
    },
}

fn compare(program: &Program) -> Compared {
    let translated = match farside_pgas::litmus::translate(program) {
        Ok(translated) => translated,
        Err(errors) => return Compared::Unfit(errors[0].message.clone()),
    };
    let lowered = lower(&translated, Settings::default()).unwrap_or_else(|errors| {
        panic!("{errors:?}\n{translated}");
    });
    let verdict = decide(&lowered, &Options::default(), &mut || false).verdict;
    let model = Model::CoreRma(CoreModel::stock());
    let weaker = outcomes(program, &model, Engine::Fast, &Limits::default()).map(|answer| {
        let strong = sequential(program, &answer.observables);
        let weak: BTreeSet<Vec<Value>> = answer.outcomes.into_iter().map(|outcome| outcome.0).collect();
        assert!(
            strong.is_subset(&weak),
            "{}: {strong:?} {weak:?}",
            farside_litmus::print(program)
        );
        weak != strong
    });
    match verdict {
        Verdict::Robust => {
            assert_ne!(weaker, Ok(true), "{}", farside_litmus::print(program));
            Compared::Robust
        }
        Verdict::NotRobust(_) => Compared::NotRobust {
            seen: weaker == Ok(true),
        },
        Verdict::OutsideDomain(outside) => panic!("{outside:?}"),
        Verdict::Inconclusive(limit) => panic!("{limit:?}"),
    }
}

fn tests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "litmus") {
            found.push(path);
        }
    }
}

#[test]
fn a_robust_litmus_test_has_the_outcomes_of_sequential_consistency() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests");
    let mut found = Vec::new();
    tests(&folder, &mut found);
    found.sort();
    let mut robust = 0;
    let (mut seen, mut unseen, mut unfit) = (0, Vec::new(), Vec::new());
    for path in &found {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        match compare(&farside_litmus::parse(&text).unwrap()) {
            Compared::Robust => robust += 1,
            Compared::NotRobust { seen: true } => seen += 1,
            Compared::NotRobust { seen: false } => unseen.push(name),
            Compared::Unfit(why) => unfit.push(format!("{name}: {why}")),
        }
    }
    // Not seen by the registers of the condition, or programs of MPI and GASPI, whose outcomes coreRMA does not give.
    let expected = [
        "papers/Fig7right",
        "papers/Hoefler",
        "rules/mpi3/",
        "rules/gaspi/",
    ];
    unseen.retain(|name| !expected.iter().any(|known| name.starts_with(known)));
    assert_eq!(unseen, [""; 0]);
    let reasons = [
        "exclusive lock",
        "some processes only",
        "no messages",
        "by queue",
        "no notifications",
        "assertions",
        "non-atomic",
        "reads `Y` at once",
        "there are sum, replace",
    ];
    unfit.retain(|line| !reasons.iter().any(|reason| line.contains(reason)));
    assert_eq!(unfit, [""; 0]);
    assert!(robust >= 60 && seen >= 25, "{robust} robust, {seen} not");
}

#[test]
fn random_litmus_programs_that_are_robust_have_the_outcomes_of_sequential_consistency() {
    let programs = std::env::var("FARSIDE_RANDOM_LITMUS").map_or(1500, |number| number.parse().unwrap());
    let (mut robust, mut seen, mut unseen, mut unfit) = (0, 0, 0, 0);
    for seed in 0..programs {
        let shape = Shape {
            actions: 4 + (seed % 6) as usize,
            processes: 2 + (seed % 2) as u32,
            variables: 2 + (seed % 3) as u32,
            nonatomic: 0,
            finals: 30,
            branches: 20,
            loops: 0,
        };
        match compare(&random::program(seed, shape)) {
            Compared::Robust => robust += 1,
            Compared::NotRobust { seen: true } => seen += 1,
            Compared::NotRobust { seen: false } => unseen += 1,
            Compared::Unfit(_) => unfit += 1,
        }
    }
    assert!(
        robust >= 200 && seen >= 100,
        "{robust} robust, {seen} not, {unseen}, {unfit}"
    );
}
