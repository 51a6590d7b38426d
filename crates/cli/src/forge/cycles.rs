//! Tests of cycles, on stdout or in a folder.

use crate::fault::Fault;
use crate::output::Destination;
use clap::{Args, ValueEnum};
use farside_forge::cycle::{Cycle, Edge, Targets, every_cycle};
use farside_litmus::ast::Program;
use std::fs;
use std::path::Path;

/// Options of the tests of a rule.
const NOT_WITH_CYCLES: [&str; 7] = ["all", "rule", "procs", "actions", "count", "archive", "shard"];

/// Cycles by their edges.
#[derive(Clone, Debug, Args)]
pub(crate) struct CycleArguments {
    /// The test of a cycle: edges with blanks or `+` between them (may be repeated)
    #[arg(long, value_name = "EDGES", conflicts_with_all = NOT_WITH_CYCLES,
        help_heading = "Tests by cycles")]
    cycle: Vec<Cycle>,
    /// The tests of all cycles of these edges
    #[arg(long, value_name = "EDGE", value_delimiter = ',', help_heading = "Tests by cycles",
        conflicts_with_all = NOT_WITH_CYCLES)]
    edges: Vec<Edge>,
    /// Of --edges: most edges of a cycle
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=8),
        help_heading = "Tests by cycles")]
    length: u8,
    /// Where locations are that no process loads or stores: at one process more, each at one of its own, or a test for
    /// each of the two
    #[arg(long, value_enum, default_value_t = TargetsChoice::One, help_heading = "Tests by cycles")]
    targets: TargetsChoice,
}

/// Where locations are that no process loads or stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetsChoice {
    /// All at one process more
    One,
    /// Each at a process of its own
    Apart,
    /// A test for each of the two
    Both,
}

impl CycleArguments {
    /// Whether there are any.
    pub(super) fn are_asked_for(&self) -> bool {
        !self.cycle.is_empty() || !self.edges.is_empty()
    }

    fn tests(&self) -> Vec<Program> {
        let mut cycles = self.cycle.clone();
        cycles.extend(every_cycle(&self.edges, self.length.into()));
        cycles
            .iter()
            .flat_map(|cycle| tests(cycle, self.targets))
            .collect()
    }
}

/// Writes the tests that are asked for.
pub(super) fn write(cycles: &CycleArguments, out: Option<&Path>, output: &Destination) -> Result<(), Fault> {
    let tests = cycles.tests();
    if tests.is_empty() {
        return Err(Fault::NoCycles(cycles.length));
    }
    let Some(folder) = out else {
        let texts: Vec<String> = tests.iter().map(farside_litmus::print).collect();
        return output.write(&texts.join("\n"));
    };
    fs::create_dir_all(folder).map_err(|error| Fault::Unwritable(folder.to_path_buf(), error))?;
    for test in &tests {
        let path = folder.join(format!("{}.litmus", test.name));
        fs::write(&path, farside_litmus::print(test)).map_err(|error| Fault::Unwritable(path, error))?;
    }
    let (number, s) = (tests.len(), if tests.len() == 1 { "" } else { "s" });
    let folder = folder.display();
    output.write(&format!(
        "{number} test{s} in {folder}; `farside litmus --model all {folder}` says what each model allows.\n"
    ))
}

fn tests(cycle: &Cycle, targets: TargetsChoice) -> Vec<Program> {
    let one = || cycle.program(Targets::One);
    let apart = || {
        let mut test = cycle.program(Targets::Apart);
        test.name += "+apart";
        test
    };
    match targets {
        TargetsChoice::One => vec![one()],
        TargetsChoice::Apart => vec![cycle.program(Targets::Apart)],
        TargetsChoice::Both if cycle.has_targets_apart() => vec![one(), apart()],
        TargetsChoice::Both => vec![one()],
    }
}
