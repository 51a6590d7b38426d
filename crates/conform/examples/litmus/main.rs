//! The litmus library on a transport, as the program of a job: `farside run -n 2 --transport ofi:net -- litmus RUNS
//! [PATH...]`.
//!
//! Runs each test of as many processes as there are ranks, RUNS times, and prints a line of a table for it: its name,
//! the model that the transport declares, the runs, how many outcomes the model allows and how many of them came, and
//! how often something came that it forbids. PATH is a file or folder (litmus-tests). `sim` is a network that reorders,
//! or one that keeps order if FARSIDE_LITMUS_NETWORK=ordered. The status is 1 if something came that is forbidden.

use farside_conform::library::{self, Test};
use farside_conform::{Histogram, Plan, Steps, declared_model, ranks, run_on};
use farside_explore::Limits;
use farside_explore::allowed::Allowed;
use farside_fabric::Fabric;
use farside_fabric::conformance::{Extent, Rig};
use farside_fabric_sim::Network;
use farside_litmus::ast::{Observable, Program};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(runs) = words.next().and_then(|word| word.parse().ok()) else {
        eprintln!("usage: litmus RUNS [PATH...]");
        return ExitCode::from(2);
    };
    let mut paths: Vec<PathBuf> = words.map(PathBuf::from).collect();
    if paths.is_empty() {
        paths.push("litmus-tests".into());
    }
    let tests = match library::read(&paths) {
        Ok(tests) => tests,
        Err(error) => {
            eprintln!("litmus: {error}");
            return ExitCode::from(2);
        }
    };
    match ranks::on_each(&network(), |fabric| all(fabric, &tests, runs)) {
        Ok(Some(forbidden)) if forbidden > 0 => ExitCode::FAILURE,
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("litmus: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The one of `sim`.
fn network() -> Network {
    if std::env::var_os("FARSIDE_LITMUS_NETWORK").is_some_and(|name| name == "ordered") {
        return Network::ethernet_100g();
    }
    ranks::reordering_network()
}

/// Runs all tests that fit; how many outcomes came that are forbidden.
fn all(fabric: &dyn Fabric, tests: &[Test], runs: u32) -> usize {
    let name = declared_model(fabric.capabilities());
    let model = farside_models::named(name).expect("transports declare shipped models");
    let plan = Plan {
        runs,
        delay: Duration::from_micros(if fabric.capabilities().mapped { 2 } else { 4 }),
        seed: 7,
    };
    let rig = Rig::new(fabric, Extent::default());
    let mut forbidden = 0;
    for test in tests {
        if test.program.processes.len() as u32 != fabric.size() {
            continue;
        }
        let allowed = Allowed::of(&test.program, &model, &Limits::default()).expect("the library is small");
        if allowed.is_open() {
            if fabric.rank() == 0 {
                println!("| {} | {name} | 0 | any | - | - |", test.name);
            }
            continue;
        }
        let histogram = one(&rig, &test.program, &allowed.observables, &plan);
        let came: Vec<Vec<i64>> = histogram.outcomes.keys().cloned().collect();
        let reached = allowed.reached(&came);
        let wrong: Vec<_> = histogram
            .outcomes
            .iter()
            .filter(|(outcome, _)| !allowed.admits(outcome))
            .collect();
        forbidden += wrong.len();
        if fabric.rank() == 0 {
            println!(
                "| {} | {name} | {runs} | {} | {reached} | {} |",
                test.name,
                allowed.number(),
                wrong.iter().map(|(_, times)| **times).sum::<u64>()
            );
            for (outcome, times) in wrong {
                eprintln!(
                    "litmus: {}: {outcome:?} came {times} times, and {name} forbids it",
                    test.name
                );
            }
        }
    }
    forbidden
}

/// Runs one test. A transport that fails ends the process, and its launcher the job.
fn one(rig: &Rig<'_>, program: &Program, observables: &[Observable], plan: &Plan) -> Histogram {
    let steps = Steps::of(program).expect("the library leaves out what cannot be run");
    match run_on(rig, &steps, observables, plan) {
        Ok(histogram) => histogram,
        Err(error) => {
            eprintln!("litmus: rank {}: {}: {error}", rig.rank(), program.name);
            std::process::exit(1);
        }
    }
}
