//! Explanations: executions are what the model says, and cycles are cycles.

use crate::text;
use farside_explore::answer::{Edge, Execution, Outcome};
use farside_explore::core_rma::random::queues::{self, QueueShape};
use farside_explore::core_rma::random::{Shape, program};
use farside_explore::{Engine, Limits, outcomes, refusal, witness};
use farside_litmus::ast::Value;
use farside_models::core_rma::Completion;
use farside_models::{Model, named, names};
use std::fs;

fn core_models() -> Vec<Model> {
    names()
        .iter()
        .filter_map(|&(name, _)| named(name))
        .filter(|model| matches!(model, Model::CoreRma(_)))
        .collect()
}

/// Edges of a relation, as pairs.
fn pairs(execution: &Execution, relation: &str) -> Vec<(usize, usize)> {
    execution
        .edges
        .iter()
        .filter(|edge| edge.relation == relation)
        .map(|edge| (edge.from, edge.to))
        .collect()
}

fn closed(size: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut closure = vec![vec![false; size]; size];
    for &(a, b) in edges {
        closure[a][b] = true;
    }
    for middle in 0..size {
        for a in 0..size {
            for b in 0..size {
                closure[a][b] |= closure[a][middle] && closure[middle][b];
            }
        }
    }
    closure
}

fn check(execution: &Execution) {
    let size = execution.actions.len();
    let hb = pairs(execution, "hb");
    let closure = closed(size, &hb);
    assert!(
        (0..size).all(|a| !closure[a][a]),
        "hb has a cycle: {execution:#?}"
    );
    for &(a, b) in &hb {
        let implied = (0..size).any(|middle| closure[a][middle] && closure[middle][b]);
        assert!(!implied, "{a} hb {b} follows from others: {execution:#?}");
    }
    assert!(
        execution
            .edges
            .iter()
            .all(|edge| edge.relation != "hb" || !edge.rule.is_empty())
    );
    let reads: Vec<usize> = pairs(execution, "rf").iter().map(|&(_, r)| r).collect();
    let mut once = reads.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), reads.len(), "a read has one write");
}

fn check_cycle(cycle: &[Edge]) {
    for (index, edge) in cycle.iter().enumerate() {
        assert_eq!(edge.to, cycle[(index + 1) % cycle.len()].from, "{cycle:#?}");
        assert!(!edge.rule.is_empty());
    }
}

#[test]
fn all_outcomes_of_random_programs_have_a_witness_and_others_a_refusal() {
    let models = core_models();
    let limits = Limits::default();
    for seed in 0..300_u64 {
        let shape = Shape {
            actions: 4 + (seed % 5) as usize,
            processes: 1 + (seed % 3) as u32,
            variables: 2,
            nonatomic: [0, 0, 30][(seed % 3) as usize],
            finals: 30,
            branches: 20,
            loops: 0,
        };
        let model = &models[seed as usize % models.len()];
        let program = match model {
            Model::CoreRma(model) if model.completion == Completion::Queues => queues::program(
                seed,
                QueueShape {
                    actions: shape.actions,
                    processes: shape.processes,
                    queues: 2,
                    barriers: 30,
                },
            ),
            _ => program(seed, shape),
        };
        let answer = outcomes(&program, model, Engine::Fast, &limits).expect("fits");
        for outcome in &answer.outcomes {
            let execution = witness(&program, model, outcome, &limits).expect("fits");
            let execution =
                execution.unwrap_or_else(|| panic!("{outcome:?} of {program:#?} under {}", model.name()));
            check(&execution);
            assert_eq!(refusal(&program, model, outcome, &limits), Ok(None));
        }
        for wrong in [Value::Known(0), Value::Known(2), Value::Undefined] {
            let wrong = Outcome(vec![wrong; answer.observables.len()]);
            if !answer.outcomes.contains(&wrong) {
                assert_eq!(witness(&program, model, &wrong, &limits), Ok(None));
                let refused = refusal(&program, model, &wrong, &limits)
                    .expect("fits")
                    .expect("forbidden");
                check_cycle(&refused.cycle);
                assert!(!refused.reason.is_empty());
                assert!(refused.cycle.is_empty() || refused.execution.is_some());
            }
        }
    }
}

#[test]
fn figure_6_is_forbidden_by_in_order_routing() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../litmus-tests/papers/Fig6.litmus"
    );
    let mut program = text::read("Fig6", &fs::read_to_string(path).expect("the program"));
    program.condition = None;
    let outcome = Outcome(vec![Value::Known(1), Value::Known(1)]);
    let model = named("coreRMA").expect("shipped");
    let refused = refusal(&program, &model, &outcome, &Limits::default())
        .expect("fits")
        .expect("forbidden");
    assert_eq!(refused.reason, "hb would have a cycle, by R1, IR");
    check_cycle(&refused.cycle);
    let execution = refused.execution.expect("shown");
    let ends: Vec<[&str; 2]> = refused
        .cycle
        .iter()
        .map(|edge| [edge.from, edge.to].map(|end| execution.actions[end].text.as_str()))
        .collect();
    assert_eq!(ends.len(), 2);
    assert!(ends.contains(&["write X, 0", "read X, 1"]), "{ends:?}");

    let allowed = witness(
        &program,
        &named("coreRMA-no-IR").expect("shipped"),
        &outcome,
        &Limits::default(),
    );
    let allowed = allowed.expect("fits").expect("allowed");
    check(&allowed);
    assert!(allowed.edges.iter().all(|edge| edge.rule != "IR"));
    assert!(allowed.edges.iter().any(|edge| edge.rule == "PG"));
}
