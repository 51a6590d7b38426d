//! What an outcome shows, and which final states count.

use farside_litmus::ast::{Observable, Program, Proposition, Rank, RegisterId, Value};

/// What an outcome shows: the registers and variables of the condition and of `locations`, in order of appearance; all
/// registers where there are none.
pub(super) fn shown(program: &Program) -> Vec<Observable> {
    let mut all = Vec::new();
    if let Some(condition) = &program.condition {
        mentioned(&condition.proposition, &mut all);
    }
    for &location in &program.locations {
        add(location, &mut all);
    }
    if all.is_empty() {
        for (rank, process) in (0..).map(Rank).zip(&program.processes) {
            let registers = (0..process.registers.len() as u32).map(RegisterId);
            all.extend(registers.map(|register| Observable::Register(rank, register)));
        }
    }
    all
}

/// The same, and what the filter looks at after it.
pub(super) fn observables(program: &Program) -> Vec<Observable> {
    let mut all = shown(program);
    if let Some(filter) = &program.filter {
        mentioned(filter, &mut all);
    }
    all
}

fn add(observable: Observable, all: &mut Vec<Observable>) {
    if !all.contains(&observable) {
        all.push(observable);
    }
}

fn mentioned(proposition: &Proposition, all: &mut Vec<Observable>) {
    match proposition {
        Proposition::Constant(_) => {}
        Proposition::Equal(observable, _) | Proposition::NotEqual(observable, _) => add(*observable, all),
        Proposition::Not(inner) => mentioned(inner, all),
        Proposition::And(left, right) | Proposition::Or(left, right) => {
            mentioned(left, all);
            mentioned(right, all);
        }
    }
}

/// Whether a proposition holds in a state.
pub(super) fn holds(proposition: &Proposition, observables: &[Observable], state: &[Value]) -> bool {
    let value = |observable: &Observable| {
        let index = observables.iter().position(|known| known == observable);
        index.and_then(|index| state.get(index).copied())
    };
    match proposition {
        Proposition::Constant(constant) => *constant,
        Proposition::Equal(observable, wanted) => value(observable) == Some(*wanted),
        Proposition::NotEqual(observable, wanted) => value(observable) != Some(*wanted),
        Proposition::Not(inner) => !holds(inner, observables, state),
        Proposition::And(left, right) => holds(left, observables, state) && holds(right, observables, state),
        Proposition::Or(left, right) => holds(left, observables, state) || holds(right, observables, state),
    }
}
