//! Tests of cycles, run in every order of their statements: with program order none of them has the outcome that is
//! asked for, without program order one has.

use farside_forge::cycle::{Cycle, Edge, Targets, every_cycle};
use farside_litmus::ast::{
    Access, Expression, Observable, Program, Proposition, Rank, StatementKind, Value, VariableId,
};
use std::collections::BTreeMap;

/// What a run leaves.
#[derive(Clone, Default)]
struct State {
    variables: Vec<i64>,
    registers: BTreeMap<(u32, u32), i64>,
}

impl State {
    fn variable(&mut self, access: Access) -> &mut i64 {
        let VariableId(index) = access.variable;
        &mut self.variables[index as usize]
    }

    /// The statement, at once.
    fn run(&mut self, Rank(rank): Rank, statement: &StatementKind) {
        match statement {
            StatementKind::Load { into, from } => {
                let value = *self.variable(*from);
                self.registers.insert((rank, into.0), value);
            }
            StatementKind::Store {
                into,
                value: Expression::Number(value),
            } => *self.variable(*into) = *value,
            StatementKind::Put { target, from } => *self.variable(*target) = *self.variable(*from),
            StatementKind::Get { into, target } => *self.variable(*into) = *self.variable(*target),
            StatementKind::Rga {
                into,
                target,
                operand,
            } => {
                let (old, operand) = (*self.variable(*target), *self.variable(*operand));
                *self.variable(*into) = old;
                *self.variable(*target) = old + operand;
            }
            StatementKind::Flush(_) | StatementKind::FlushLocal(_) | StatementKind::WaitQueue(_) => (),
            other => panic!("{other:?}"),
        }
    }

    fn has(&self, proposition: &Proposition) -> bool {
        match proposition {
            Proposition::And(left, right) => self.has(left) && self.has(right),
            Proposition::Equal(Observable::Variable(VariableId(index)), Value::Known(value)) => {
                self.variables[*index as usize] == *value
            }
            Proposition::Equal(Observable::Register(rank, register), Value::Known(value)) => {
                self.registers.get(&(rank.0, register.0)) == Some(value)
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Whether some order of the statements has the outcome; `next` has for each process the statements that are left.
fn some_order(program: &Program, state: &State, left: &[Vec<usize>], ordered: bool) -> bool {
    if left.iter().all(Vec::is_empty) {
        return state.has(&program.condition.as_ref().unwrap().proposition);
    }
    (0..left.len()).any(|process| {
        let choices = if ordered {
            left[process].len().min(1)
        } else {
            left[process].len()
        };
        (0..choices).any(|choice| {
            let (mut state, mut left) = (state.clone(), left.to_vec());
            let statement = left[process].remove(choice);
            state.run(
                Rank(process as u32),
                &program.processes[process].statements[statement].kind,
            );
            some_order(program, &state, &left, ordered)
        })
    })
}

fn reached(program: &Program, ordered: bool) -> bool {
    let state = State {
        variables: program.variables.iter().map(|variable| variable.value).collect(),
        ..State::default()
    };
    let left = program
        .processes
        .iter()
        .map(|process| (0..process.statements.len()).collect());
    some_order(program, &state, &left.collect::<Vec<_>>(), ordered)
}

fn edges(words: &str) -> Vec<Edge> {
    words
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

#[test]
fn only_without_program_order_a_test_has_its_cycle() {
    let edges = edges(
        "PodWR PodWW PodRR PodRW PodPP PodPG PodGG PodGP PodWP PodGR PosPP PosPG PosRR PosAP PodAA FlushdPP FlushdPG \
         FlushsPG Rfe Fre Coe Rfi Coi Fri RfePG FreGP RfeWG CoeAP",
    );
    let cycles = every_cycle(&edges, 4);
    assert!(cycles.len() > 500, "{}", cycles.len());
    for cycle in &cycles {
        for targets in [Targets::One, Targets::Apart] {
            let program = cycle.program(targets);
            assert!(!reached(&program, true), "sequentially consistent: {cycle}");
            assert!(reached(&program, false), "in no order: {cycle}");
            let text = farside_litmus::print(&program);
            assert_eq!(farside_litmus::parse(&text).unwrap(), program, "{text}");
        }
        // Its words make it again.
        assert_eq!(cycle.to_string().parse::<Cycle>().unwrap(), *cycle);
    }
}

#[test]
fn longer_cycles_of_three_processes() {
    let cycles = every_cycle(&edges("PodPP PodPG PodGG PodRR PodWW FlushdPG Rfe Fre Coe"), 6);
    let three = cycles.iter().filter(|cycle| cycle.processes() == 3);
    assert!(three.clone().count() > 50);
    for cycle in three {
        let program = cycle.program(Targets::One);
        assert!(!reached(&program, true) && reached(&program, false), "{cycle}");
    }
}

#[test]
fn a_cycle_comes_once() {
    let cycles = every_cycle(&edges("PodPR Fre"), 4);
    let names: Vec<String> = cycles.iter().map(Cycle::to_string).collect();
    // Store buffering; the two edges alone would lead to one location and one process only.
    assert_eq!(names, ["PodPR+Fre+PodPR+Fre"]);
}

#[test]
fn edges_that_are_no_cycle_are_refused_with_the_reason() {
    for (words, reason) in [
        ("PodPP", "two edges or more"),
        ("PodPP PodPP", "program order alone"),
        ("PodPP Rfe PodGG Frobnicate", "`Frobnicate` is no edge"),
        ("PodPQ Rfe", "R load, W store"),
        (
            "PodPP Rfe PodWW Coe",
            "`Rfe` ends in a read, but `PodWW`, which follows it, begins with",
        ),
        ("PosRW Rfe", "only `Rfe` leads to another process"),
        ("PodWW Coe PosWW Coe", "leads to another location"),
        ("PodPP Rfe PodRR FreRP CoePP CoePP", "written 3 times"),
        ("CoePP CoePP", "alone make a cycle at one location"),
        ("FlushdWW Rfe PodRR Fre", "neither of its accesses is one"),
        (
            "PodWW Coe PodWW Coe",
            "process 0 and process 1 load or store the same location",
        ),
        ("FreRW PodWR", "only `FreRW` leads to another process"),
        ("RfeRW Fre", "Rf leads from a write to a read"),
    ] {
        let error = words.parse::<Cycle>().unwrap_err().to_string();
        assert!(error.contains(reason), "{words}: {error}");
    }
}
