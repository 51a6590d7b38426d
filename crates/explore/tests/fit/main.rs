//! The strongest models, against all models of a small space, tried one by one by the naive engine.

use farside_explore::allowed::Allowed;
use farside_explore::fit::{Guarantee, Guarantees, Observation, Operation, fit};
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::Program;
use farside_litmus::log::State;
use farside_models::core_rma::{Rule, Switch};
use farside_models::parse_model;
use std::collections::BTreeSet;

const TESTS: [&str; 5] = [
    include_str!("../../../../litmus-tests/papers/Fig1.litmus"),
    include_str!("../../../../litmus-tests/papers/Fig6.litmus"),
    include_str!("../../../../litmus-tests/papers/Fig8.litmus"),
    include_str!("../../../../litmus-tests/papers/Fig9.litmus"),
    "RMA cas-and-store\n{ 0: X = 0; 1: Y = 0; 1: Z = 1; 1: W = 2; }\n P0    | P1                 ;\n X = 1 | W = \
     cas(X@0, Y, Z) ;\n a = X | flush(0)           ;\n b = X | c = W              ;\n",
];

const SPACE: [Guarantee; 7] = [
    Guarantee::Rule(Rule::F2),
    Guarantee::Rule(Rule::Pg),
    Guarantee::Routing(Operation::Put, Operation::Get),
    Guarantee::Routing(Operation::Get, Operation::Put),
    Guarantee::Routing(Operation::Get, Operation::Get),
    Guarantee::AtomicAgainstAll,
    Guarantee::Switch(Switch::PutReadsAtOnce),
];

fn given() -> Guarantees {
    Guarantee::ALL
        .into_iter()
        .filter(|guarantee| !SPACE.contains(guarantee))
        .collect()
}

/// The model with the given guarantees and these of the space, by the bits of a number.
fn point(bits: u32) -> Guarantees {
    let chosen = SPACE
        .into_iter()
        .enumerate()
        .filter(|(place, _)| bits & 1 << place != 0);
    given()
        .iter()
        .chain(chosen.map(|(_, guarantee)| guarantee))
        .collect()
}

fn naive(program: &Program, model: Guarantees) -> Allowed {
    let model = parse_model(&model.text("m", "a point"), &|_| None).unwrap();
    Allowed::by(
        program,
        &outcomes(program, &model, Engine::Naive, &Limits::default()).unwrap(),
    )
}

#[test]
fn all_models_tried_one_by_one_give_the_same_strongest_ones() {
    let programs: Vec<Program> = TESTS
        .iter()
        .map(|text| farside_litmus::parse(text).unwrap())
        .collect();
    let every: Vec<Vec<Allowed>> = (0..1 << SPACE.len())
        .map(|bits| {
            programs
                .iter()
                .map(|program| naive(program, point(bits)))
                .collect()
        })
        .collect();
    let mut with_choice = 0;
    // What a network with the guarantees of `hidden` may show: all of it, and every third state of it.
    for hidden in [
        0b111_1111, 0b101_1101, 0b001_0111, 0b010_1001, 0b000_0000, 0b011_1110,
    ] {
        for every_nth in [1, 3] {
            let seen: Vec<Observation> = programs
                .iter()
                .zip(&every[hidden])
                .map(|(program, allowed)| Observation {
                    program,
                    states: allowed.states().step_by(every_nth).collect(),
                })
                .collect();
            let consistent: Vec<u32> = (0..1_u32 << SPACE.len())
                .filter(|bits| {
                    let allowed = &every[*bits as usize];
                    seen.iter().zip(allowed).all(|(seen, allowed)| {
                        let states: BTreeSet<State> = allowed.states().collect();
                        seen.states.iter().all(|state| states.contains(state))
                    })
                })
                .collect();
            let strongest: BTreeSet<Guarantees> = consistent
                .iter()
                .filter(|bits| {
                    !consistent
                        .iter()
                        .any(|more| more != *bits && more & **bits == **bits)
                })
                .map(|bits| point(*bits))
                .collect();
            let space: Guarantees = SPACE.into_iter().collect();
            let found = fit(&seen, given(), space, &Limits::default());
            assert!(found.unexplained.is_empty() && found.unanswered == 0);
            let most = strongest.iter().map(|model| model.worth()).max();
            let cheapest: BTreeSet<Guarantees> = strongest
                .iter()
                .copied()
                .filter(|model| Some(model.worth()) == most)
                .collect();
            assert_eq!(
                found.strongest.iter().copied().collect::<BTreeSet<_>>(),
                cheapest,
                "{hidden:b}"
            );
            with_choice += usize::from(strongest.len() > 1);
            if every_nth == 1 {
                let hidden = point(hidden as u32);
                assert!(
                    strongest
                        .iter()
                        .any(|model| hidden.iter().all(|guarantee| model.has(guarantee)))
                );
            }
            for conflict in &found.conflicts {
                for model in &found.strongest {
                    assert!(conflict.guarantees.iter().any(|guarantee| !model.has(guarantee)));
                }
            }
        }
    }
    println!("{with_choice} of 12 had more than one strongest model");
}

#[test]
fn what_no_model_allows_is_said() {
    let program = farside_litmus::parse(TESTS[1]).unwrap();
    let seen = [Observation {
        program: &program,
        states: vec![State::read("0:a=7; 1:b=7;").unwrap()],
    }];
    let found = fit(
        &seen,
        Guarantees::default(),
        Guarantees::all(),
        &Limits::default(),
    );
    assert_eq!(found.unexplained.len(), 1);
}
