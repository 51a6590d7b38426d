//! The fast engine answers as the naive one does, on random programs under shipped and random models.
//!
//! `FARSIDE_RANDOM_PROGRAMS=100000` sets how many programs there are; of those with queues, a tenth as many.

use farside_explore::answer::Answer;
use farside_explore::core_rma::random::queues::{self, QueueShape};
use farside_explore::core_rma::random::{Shape, program};
use farside_explore::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::{Program, Value};
use farside_models::core_rma::{Completion, CoreModel, Rule, Switch};
use farside_models::{Model, named, names, parse_model};

/// Those that have flushes, or those that have queues.
fn shipped(completion: Completion) -> Vec<Model> {
    names()
        .iter()
        .filter_map(|&(name, _)| named(name))
        .filter(|model| matches!(model, Model::CoreRma(model) if model.completion == completion))
        .collect()
}

/// Models that look at rf and hb.
fn dynamic() -> Vec<Model> {
    [
        "model m include coreRMA order rf as all-reads",
        "model m include coreRMA without R1 order [atomic] ; rf^-1 ; (hb & loc & (W * W)) ; [atomic & W] \\ id as \
         from-read",
        "model m include coreRMA without LO acyclic po & loc | rf | hb as tidy",
        "model m include coreRMA without IR order (hb ; [Flush] ; po) & (_ * Remote) empty (rf & int) \\ hb",
    ]
    .iter()
    .map(|text| parse_model(text, &|_| None).expect(text))
    .collect()
}

/// Any rules, any switches.
fn random_model(bits: u64) -> Model {
    let mut model = CoreModel::stock();
    model.name = format!("random{bits:x}");
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        // Each rule is off in one of eight models.
        if rule != Rule::NoC && (bits >> (3 * index)) & 7 == 0 {
            model.rules.remove(rule);
        }
    }
    for (index, switch) in Switch::ALL.into_iter().enumerate() {
        model.switches.set(switch, (bits >> (44 + 2 * index)) & 3 == 0);
    }
    Model::CoreRma(model)
}

/// What the engines say, if they were compared: not, if the naive one would have to look at too many candidates.
fn compare(program: &Program, model: &Model, candidates: u64) -> Option<Answer> {
    let naive = outcomes(program, model, Engine::Naive, &Limits { steps: candidates });
    if matches!(naive, Err(ExploreError::OutOfBudget { .. })) {
        return None;
    }
    let fast = outcomes(program, model, Engine::Fast, &Limits::default());
    assert_eq!(fast, naive, "{} under {model:?}:\n{program:#?}", program.name);
    fast.ok()
}

/// Some seconds of the naive engine.
const MOST_CANDIDATES: u64 = 300_000;

/// Of programs with queues, whose orders are model files, which cost more.
const FEWER_CANDIDATES: u64 = 20_000;

fn scrambled(seed: u64) -> u64 {
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

#[test]
fn engines_agree_on_random_programs() {
    let count = std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(300_u64);
    let shipped = shipped(Completion::Flushes);
    let dynamic = dynamic();
    let mut compared = 0;
    let (mut bounded, mut endless) = (0, 0);
    let mut seed = 0;
    while compared < count {
        seed += 1;
        let bits = scrambled(seed);
        // Long programs are rare in a short run: the naive engine needs 20 ms for one of ten actions, and seconds if
        // all of them are at one variable.
        let actions = 3 + (bits % if count > 10_000 || seed % 64 == 0 { 8 } else { 5 }) as usize;
        let shape = Shape {
            actions,
            processes: 1 + (bits >> 12) as u32 % 3,
            variables: 1 + (bits >> 16) as u32 % 3 + u32::from(actions > 7),
            nonatomic: [0, 0, 15, 50][(bits >> 20) as usize % 4],
            finals: 30,
            branches: 20,
            // The naive engine has to look at every way through a loop.
            loops: if actions < 6 { 15 } else { 0 },
        };
        let program = program(seed, shape);
        let shipped = &shipped[(bits >> 24) as usize % shipped.len()];
        let both = [
            compare(&program, shipped, MOST_CANDIDATES),
            compare(&program, &random_model(scrambled(bits)), MOST_CANDIDATES),
        ];
        compared += u64::from(both.iter().all(Option::is_some));
        for answer in both.into_iter().flatten() {
            bounded += u64::from(answer.bounded);
            endless += u64::from(answer.bounded && answer.outcomes.is_empty());
        }
        if seed % 16 == 0 {
            compare(
                &program,
                &dynamic[(bits >> 32) as usize % dynamic.len()],
                MOST_CANDIDATES,
            );
        }
    }
    assert!(
        seed - compared < count / 20,
        "{} of {seed} programs were left out",
        seed - compared
    );
    println!(
        "{compared} programs; {bounded} answers with a bound that is hit, {endless} without an execution that ends"
    );
    assert!(
        bounded * 20 > count && endless * 100 > count,
        "{bounded}, {endless}"
    );
}

/// A model with queues: rules and orders of `gaspi-relaxed`, some of them left out.
fn random_queue_model(bits: u64) -> Model {
    let Some(Model::CoreRma(mut model)) = named("gaspi-relaxed") else {
        panic!("shipped");
    };
    model.name = format!("queues{bits:x}");
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        if rule != Rule::NoC && (bits >> (3 * index)) & 7 == 0 {
            model.rules.remove(rule);
        }
    }
    let mut index = 0;
    model.orders.retain(|_| {
        index += 1;
        (bits >> (2 * index + 40)) & 3 != 0
    });
    if bits.is_multiple_of(5) {
        model.accesses = None;
    }
    Model::CoreRma(model)
}

/// Programs with queues, notifications and barriers, under the shipped models that have these, and random ones.
#[test]
fn engines_agree_on_random_programs_with_queues() {
    let count = std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .ok()
        .and_then(|count| count.parse().ok())
        .map_or(150, |count: u64| (count / 10).max(500));
    let shipped = shipped(Completion::Queues);
    assert!(shipped.len() >= 2);
    let (mut compared, mut seed) = (0, 0);
    let (mut some, mut races, mut differ) = (0, 0, 0);
    while compared < count {
        seed += 1;
        let bits = scrambled(seed);
        let shape = QueueShape {
            actions: 3 + (bits % if seed % 64 == 0 { 7 } else { 5 }) as usize,
            processes: 1 + (bits >> 12) as u32 % 3,
            queues: 1 + (bits >> 16) as u32 % 2,
            barriers: 40,
        };
        let program = queues::program(seed, shape);
        let answers: Vec<Option<Answer>> = shipped
            .iter()
            .map(|model| compare(&program, model, FEWER_CANDIDATES))
            .collect();
        let random = compare(&program, &random_queue_model(scrambled(bits)), FEWER_CANDIDATES);
        compared += u64::from(random.is_some() && answers.iter().all(Option::is_some));
        let known: Vec<Answer> = answers.into_iter().flatten().collect();
        let has_race = |answer: &Answer| {
            answer
                .outcomes
                .iter()
                .any(|outcome| outcome.0.contains(&Value::Undefined))
        };
        some += u64::from(known.iter().any(|answer| !answer.outcomes.is_empty()));
        races += u64::from(known.iter().any(has_race));
        differ += u64::from(known.windows(2).any(|pair| pair[0] != pair[1]));
    }
    println!(
        "{compared} of {seed} programs; {some} with an outcome, {races} with a race, {differ} told apart"
    );
    assert!(seed - compared < count / 10, "{} were left out", seed - compared);
    assert!(
        some * 2 > count && races * 10 > count && differ * 200 > count,
        "{some}, {races}, {differ}"
    );
}
