//! The arguments of `farside conform`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside forge --rule IR --procs 2 --actions 9 --out tests
  farside conform --target mpich --tests tests/IR-2 --runs 1000 --model coreRMA
      Runs every test a thousand times under MPICH; counts outcomes that
      coreRMA forbids, and how many of the allowed ones came.

  farside conform --target openmpi --tests tests --log openmpi.log
  farside conform --target mpich --tests tests --log mpich.log
  farside litmus diff openmpi.log mpich.log
      Two libraries compared, outcome by outcome.

The MPI or OpenSHMEM is the one of this machine's packages; its own variables
of the environment are obeyed. Open MPI 4.1.4 crashes in compare and swap
(osc/rdma) unless OMPI_MCA_osc=^rdma is set.

A test whose statement the interface forbids (MPI wants the buffers of an
operation disjoint) is left out and counted. A test that hangs or ends its
program is named; the others of its program run on without it.

Exit status:
  0    no outcome that the model forbids
  1    some test shows an outcome that the model forbids
  2    wrong usage or bad input; the target is not installed
  4    no test ran, or not all that could be emitted
  101  a bug of farside";

/// `farside conform`.
#[derive(Debug, Args)]
pub(crate) struct ConformArguments {
    /// Where tests run
    #[arg(long, value_enum)]
    pub(crate) target: TargetChoice,
    /// Litmus tests, folders of them (*.litmus, at any depth), and @LISTs
    #[arg(long, value_name = "DIR|FILE|@LIST", required = true, num_args = 1..)]
    pub(crate) tests: Vec<PathBuf>,
    /// How often each test runs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Shipped model that outcomes are compared with
    #[arg(long, short, value_name = "NAME", default_value = "coreRMA")]
    pub(crate) model: String,
    /// Decides the delays between statements
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Longest delay between two statements, in nanoseconds
    #[arg(long, value_name = "NS", default_value_t = 2000)]
    pub(crate) delay: u32,
    /// Tests compiled into one program
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: u32,
    /// Stop a program that prints nothing for so long: its test hangs
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = crate::arguments::seconds)]
    pub(crate) hang: std::time::Duration,
    /// Write all histograms to FILE, in the form of the field's tools
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// No progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Where tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetChoice {
    /// MPI-3 RMA of MPICH
    Mpich,
    /// MPI-3 RMA of Open MPI
    Openmpi,
    /// OpenSHMEM of Open MPI
    Shmem,
}

impl TargetChoice {
    /// As the argument has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mpich => "mpich",
            Self::Openmpi => "openmpi",
            Self::Shmem => "shmem",
        }
    }
}
