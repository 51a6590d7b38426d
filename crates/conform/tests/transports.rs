//! The litmus library on the transports: no outcome outside the model that a transport declares.
//!
//! `FARSIDE_LITMUS_RUNS` says how often each test runs; 10,000 at night.

use farside_conform::ranks::reordering_network;
use farside_conform::{Histogram, Plan, Steps, declared_model, run};
use farside_explore::Limits;
use farside_explore::allowed::Allowed;
use farside_fabric::Fabric;
use farside_fabric_shm::ShmFabric;
use farside_fabric_sim::Network;
use farside_litmus::ast::Program;
use std::path::Path;
use std::time::Duration;

fn runs(usually: u32) -> u32 {
    std::env::var("FARSIDE_LITMUS_RUNS").map_or(usually, |word| word.parse().expect("a number of runs"))
}

/// The tests of the library that a transport can run.
fn library() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests");
    let tests = farside_conform::library::read(&[folder]).unwrap_or_else(|error| panic!("{error}"));
    assert!(tests.len() >= 70, "{} programs can be run", tests.len());
    tests.into_iter().map(|test| test.program).collect()
}

/// What a model allows; `None` where some value is undefined, so that anything may come.
fn allowed(program: &Program, model: &str) -> Option<Allowed> {
    let model = farside_models::named(model).expect("shipped");
    let allowed = Allowed::of(program, &model, &Limits::default()).expect("an answer");
    (!allowed.is_open()).then_some(allowed)
}

/// The part of what is allowed that came, over all programs; fails if something came that is not allowed.
struct Reached {
    came: usize,
    allowed: usize,
}

fn compare(program: &Program, model: &str, allowed: &Allowed, histogram: &Histogram, reached: &mut Reached) {
    for (outcome, times) in &histogram.outcomes {
        assert!(
            allowed.admits(outcome),
            "{}: {outcome:?} came {times} times, and {model} forbids it; allowed: {allowed:?}",
            program.name
        );
    }
    reached.came += histogram.outcomes.len();
    reached.allowed += allowed.number();
}

fn plan(runs: u32, delay: Duration) -> Plan {
    Plan { runs, delay, seed: 7 }
}

/// What came on a network, and what a model allows, of each test.
fn simulated(network: &Network, model: &str, usually: u32) -> Vec<(Program, Allowed, Histogram)> {
    let plan = plan(runs(usually), Duration::from_micros(4));
    let each = library().into_iter().filter_map(|program| {
        let allowed = allowed(&program, model)?;
        let steps = Steps::of(&program).expect("it can be run");
        let ranks = program.processes.len() as u32;
        let outcome = farside_fabric_sim::run(network, ranks, |fabric| {
            run(fabric, &steps, &allowed.observables, &plan).expect("it runs")
        });
        let mut ranks = outcome.expect("no deadlock").results.into_iter().flatten();
        let histogram = ranks.next().expect("rank 0");
        Some((program, allowed, histogram))
    });
    each.collect()
}

fn keeps_to_its_model(network: &Network, model: &str) -> Reached {
    assert_eq!(declared_model(&network.capabilities(2)), model);
    let mut reached = Reached { came: 0, allowed: 0 };
    for (program, allowed, histogram) in simulated(network, model, 150) {
        compare(&program, model, &allowed, &histogram, &mut reached);
    }
    reached
}

#[test]
fn an_ordered_network_keeps_to_reliable_connections() {
    let reached = keeps_to_its_model(&Network::ethernet_100g(), "verbs-rc");
    println!(
        "ordered: {} of {} allowed outcomes came",
        reached.came, reached.allowed
    );
}

/// Most of what is allowed comes.
#[test]
fn a_network_that_reorders_keeps_to_the_model_without_routing() {
    let reached = keeps_to_its_model(&reordering_network(), "coreRMA-no-IR");
    println!(
        "reordering: {} of {} allowed outcomes came",
        reached.came, reached.allowed
    );
    assert!(
        reached.came * 10 >= reached.allowed * 7,
        "{} of {}",
        reached.came,
        reached.allowed
    );
}

/// And more than reliable connections would: what the other tests look for can be seen.
#[test]
fn a_network_that_reorders_is_caught_by_the_model_of_reliable_connections() {
    let caught = simulated(&reordering_network(), "verbs-rc", 150)
        .iter()
        .filter(|(_, allowed, histogram)| !histogram.outcomes.keys().all(|outcome| allowed.admits(outcome)))
        .count();
    println!("reordering: {caught} tests show that this is no reliable connection");
    assert!(caught >= 10, "{caught}");
}

#[test]
fn shared_memory_keeps_to_its_model() {
    let mut reached = Reached { came: 0, allowed: 0 };
    for program in library() {
        let steps = Steps::of(&program).expect("it can be run");
        let fabrics = ShmFabric::threads(program.processes.len() as u32).expect("threads");
        let model = declared_model(fabrics[0].capabilities());
        let Some(allowed) = allowed(&program, model) else {
            continue;
        };
        let histogram = std::thread::scope(|scope| {
            let ranks: Vec<_> = fabrics
                .iter()
                .map(|fabric| {
                    let (steps, observables) = (&steps, &allowed.observables);
                    scope.spawn(move || {
                        run(
                            fabric,
                            steps,
                            observables,
                            &plan(runs(60), Duration::from_micros(2)),
                        )
                        .expect("it runs")
                    })
                })
                .collect();
            let mut histograms = ranks.into_iter().map(|rank| rank.join().expect("no panic"));
            let first = histograms.next().expect("rank 0");
            assert!(
                histograms.all(|other| other == first),
                "{}: ranks count differently",
                program.name
            );
            first
        });
        compare(&program, model, &allowed, &histogram, &mut reached);
    }
    println!(
        "shm: {} of {} allowed outcomes came",
        reached.came, reached.allowed
    );
}
