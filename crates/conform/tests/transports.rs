//! The litmus library on the transports: no outcome outside the model that a transport declares.
//!
//! `FARSIDE_LITMUS_RUNS` says how often each test runs; 10,000 at night.

use farside_conform::{Histogram, Plan, Steps, declared_model, run};
use farside_explore::{Engine, Limits, outcomes};
use farside_fabric::Fabric;
use farside_fabric_shm::ShmFabric;
use farside_fabric_sim::{Network, Routing};
use farside_litmus::ast::{Observable, Program, Value};
use farside_models::Model;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn runs(usually: u32) -> u32 {
    std::env::var("FARSIDE_LITMUS_RUNS").map_or(usually, |word| word.parse().expect("a number of runs"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the library is there") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "litmus") {
            found.push(path);
        }
    }
}

/// The tests of the library that a transport can run.
fn library() -> Vec<Program> {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests"),
        &mut paths,
    );
    paths.sort();
    let programs = paths.iter().map(|path| {
        let text = std::fs::read_to_string(path).expect("readable");
        farside_litmus::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()))
    });
    let programs: Vec<Program> = programs.filter(|program| Steps::of(program).is_ok()).collect();
    assert!(programs.len() >= 70, "{} programs can be run", programs.len());
    programs
}

/// What a model allows; `None` where some value is undefined, so that anything may come.
fn allowed(program: &Program, model: &str) -> Option<(Vec<Observable>, BTreeSet<Vec<i64>>)> {
    let model: Model = farside_models::named(model).expect("shipped");
    let answer = outcomes(program, &model, Engine::Fast, &Limits::default()).expect("an answer");
    let known = answer.outcomes.iter().map(|outcome| {
        let values = outcome.0.iter().map(|value| match value {
            Value::Known(value) => Some(*value),
            Value::Undefined => None,
        });
        values.collect::<Option<Vec<i64>>>()
    });
    Some((answer.observables.clone(), known.collect::<Option<_>>()?))
}

/// The part of what is allowed that came, over all programs; fails if something came that is not allowed.
struct Reached {
    came: usize,
    allowed: usize,
}

fn compare(
    program: &Program,
    model: &str,
    allowed: &BTreeSet<Vec<i64>>,
    histogram: &Histogram,
    reached: &mut Reached,
) {
    for (outcome, times) in &histogram.outcomes {
        assert!(
            allowed.contains(outcome),
            "{}: {outcome:?} came {times} times, and {model} forbids it; allowed: {allowed:?}",
            program.name
        );
    }
    reached.came += histogram.outcomes.len();
    reached.allowed += allowed.len();
}

fn plan(runs: u32, delay: Duration) -> Plan {
    Plan { runs, delay, seed: 7 }
}

/// What came on a network, and what a model allows, of each test.
fn simulated(network: &Network, model: &str, usually: u32) -> Vec<(Program, BTreeSet<Vec<i64>>, Histogram)> {
    let plan = plan(runs(usually), Duration::from_micros(4));
    let each = library().into_iter().filter_map(|program| {
        let (observables, allowed) = allowed(&program, model)?;
        let steps = Steps::of(&program).expect("it can be run");
        let ranks = program.processes.len() as u32;
        let outcome = farside_fabric_sim::run(network, ranks, |fabric| {
            run(fabric, &steps, &observables, &plan).expect("it runs")
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

fn reordering() -> Network {
    Network {
        routing: Routing::Adaptive {
            paths: 4,
            spread: Duration::from_micros(6),
        },
        ..Network::ethernet_100g()
    }
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
    let reached = keeps_to_its_model(&reordering(), "coreRMA-no-IR");
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
    let caught = simulated(&reordering(), "verbs-rc", 150)
        .iter()
        .filter(|(_, allowed, histogram)| !histogram.outcomes.keys().all(|outcome| allowed.contains(outcome)))
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
        let Some((observables, allowed)) = allowed(&program, model) else {
            continue;
        };
        let histogram = std::thread::scope(|scope| {
            let ranks: Vec<_> = fabrics
                .iter()
                .map(|fabric| {
                    let (steps, observables) = (&steps, &observables);
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
