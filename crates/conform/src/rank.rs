//! A rank of a job that runs tests on a transport, and prints their histograms for the conductor of the job.

use crate::ranks::{StartError, is_virtual, on_each, reordering_network};
use crate::{Plan, Steps, declared_model, run_on};
use farside_litmus::ast::Program;
use farside_litmus::log::Log;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Between two tests of the file; it is in no litmus test.
const BETWEEN: &str = "\u{c}\n";

/// Before the name of the model that the transport declares.
pub(crate) const DECLARES: &str = "Model ";

/// The file that [`run`] reads.
pub(crate) fn file(programs: &[&Program]) -> String {
    let texts: Vec<String> = programs
        .iter()
        .map(|program| farside_litmus::print(program))
        .collect();
    texts.join(BETWEEN)
}

/// What a rank does.
#[derive(Clone, Debug)]
pub struct Work {
    /// All tests, as the conductor of the job has written them.
    pub tests: PathBuf,
    /// Where to begin, counted from 0.
    pub first: usize,
    /// How each test is run.
    pub plan: Plan,
    /// Whether the virtual network keeps order.
    pub ordered: bool,
}

/// Why a rank did nothing.
#[derive(Debug, thiserror::Error)]
pub enum RankError {
    /// The tests cannot be read.
    #[error("{path}: {why}", path = .0.display(), why = .1)]
    Tests(PathBuf, String),
    /// No rank could start, or the transport failed.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// The life of a rank of a job that runs tests on the transport that `FARSIDE_TRANSPORT` names: rank 0 prints the model
/// that the transport declares, and every histogram as it comes. A test that the transport cannot run ends the process.
///
/// # Errors
/// The tests cannot be read; the rank cannot start.
pub fn run(work: &Work) -> Result<(), RankError> {
    let programs = read(&work.tests).map_err(|why| RankError::Tests(work.tests.clone(), why))?;
    let network = match work.ordered {
        true => farside_fabric_sim::Network::ethernet_100g(),
        false => reordering_network(),
    };
    let left = programs.get(work.first..).unwrap_or_default();
    // On the virtual network each test has a job of its own: what it shows does not depend on those before it.
    let together = if is_virtual() { 1 } else { left.len().max(1) };
    for programs in left.chunks(together) {
        on_each(&network, |fabric| all(fabric, programs, work))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Program>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let programs = text.split(BETWEEN).map(farside_litmus::parse);
    programs
        .collect::<Result<_, _>>()
        .map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())
}

fn all(fabric: &dyn farside_fabric::Fabric, programs: &[Program], work: &Work) {
    use farside_fabric::conformance::{Extent, Rig};
    if fabric.rank() == 0 {
        println!("{DECLARES}{}", declared_model(fabric.capabilities()));
    }
    let rig = Rig::new(fabric, Extent::default());
    for program in programs {
        let begin = Instant::now();
        let observables = program.observables();
        // `farside conform` leaves out what cannot be run.
        let histogram = Steps::of(program)
            .map_err(|error| error.to_string())
            .and_then(|steps| {
                run_on(&rig, &steps, &observables, &work.plan).map_err(|error| error.to_string())
            });
        let histogram = match histogram {
            Ok(histogram) => histogram,
            Err(error) => {
                // The launcher ends the job, and `farside conform` goes on after this test.
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
