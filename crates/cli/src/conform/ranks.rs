//! `farside conform-ranks`: a rank of a job that runs tests on a transport, and prints their histograms.

use super::arguments::RanksArguments;
use crate::status::Status;
use farside_conform::{Plan, Steps, declared_model, ranks, run_on};
use farside_litmus::ast::Program;
use farside_litmus::log::Log;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Between two tests of the file; it is in no litmus test.
const BETWEEN: &str = "\u{c}\n";

/// Before the name of the model that the transport declares.
pub(super) const DECLARES: &str = "Model ";

/// The file that [`run`] reads.
pub(super) fn file(programs: &[&Program]) -> String {
    let texts: Vec<String> = programs
        .iter()
        .map(|program| farside_litmus::print(program))
        .collect();
    texts.join(BETWEEN)
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &RanksArguments) -> Status {
    let programs = match read(&arguments.tests) {
        Ok(programs) => programs,
        Err(error) => {
            eprintln!("farside: {}: {error}", arguments.tests.display());
            return Status::Usage;
        }
    };
    let network = match arguments.ordered {
        true => farside_fabric_sim::Network::ethernet_100g(),
        false => ranks::reordering_network(),
    };
    match ranks::on_each(&network, |fabric| all(fabric, &programs, arguments)) {
        Ok(_) => Status::Clean,
        Err(error) => {
            eprintln!("farside: {error}");
            Status::ProgramFailed
        }
    }
}

fn read(path: &Path) -> Result<Vec<Program>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let programs = text.split(BETWEEN).map(farside_litmus::parse);
    programs
        .collect::<Result<_, _>>()
        .map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())
}

fn all(fabric: &dyn farside_fabric::Fabric, programs: &[Program], arguments: &RanksArguments) {
    use farside_fabric::conformance::{Extent, Rig};
    if fabric.rank() == 0 {
        println!("{DECLARES}{}", declared_model(fabric.capabilities()));
    }
    let rig = Rig::new(fabric, Extent::default());
    for program in programs.iter().skip(arguments.first) {
        let begin = Instant::now();
        let observables = program.observables();
        let plan = Plan {
            runs: arguments.runs,
            delay: Duration::from_nanos(arguments.delay.into()),
            seed: arguments.seed,
        };
        // `farside conform` leaves out what cannot be run.
        let histogram = Steps::of(program)
            .map_err(|error| error.to_string())
            .and_then(|steps| run_on(&rig, &steps, &observables, &plan).map_err(|error| error.to_string()));
        let histogram = match histogram {
            Ok(histogram) => histogram,
            Err(error) => {
                // The launcher ends the job, and `farside conform` goes on behind this test.
                eprintln!("farside: rank {}: {}: {error}", fabric.rank(), program.name);
                std::process::exit(1);
            }
        };
        if fabric.rank() == 0 {
            let entry = histogram.entry(program, &observables, begin.elapsed());
            let log = Log { tests: vec![entry] };
            // A reader that is gone ends the job by itself.
            let mut stdout = std::io::stdout().lock();
            let _ = write!(stdout, "{log}").and_then(|()| stdout.flush());
        }
    }
}
