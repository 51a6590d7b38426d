//! The arguments of `farside conform`.

use crate::fault::Fault;
use crate::shard::Cut;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use farside_conform::{Choice, Plan, Settings, rank};
use farside_shards::Shard;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside forge --rule IR --procs 2 --actions 9 --out tests
  farside conform --target mpich --tests tests/IR-2 --runs 1000
      Runs every test a thousand times under MPICH; counts outcomes that the
      model of MPI forbids, and how many of the allowed ones came.

  farside conform --target openmpi --tests tests --log openmpi.log
  farside conform --target mpich --tests tests --log mpich.log
  farside litmus diff openmpi.log mpich.log
      Two libraries compared, outcome by outcome.

  farside conform --target ofi:tcp --tests tests --fit tcp.model
      Writes the strongest model that allows all that was seen, and says which
      outcomes take its missing guarantees away.

  farside conform --target mpich --tests tests --from mpich.log --model verbs-rc
      Runs nothing: compares what a log has with another model.

The targets farside:*, ofi:* and verbs run on the crate farside, each rank a
process, but for farside:sim, a virtual network that reorders. farside-shmem:*
and farside-gaspi:* are programs in C on our own OpenSHMEM and GASPI, whose
libraries lie beside this program (or where FARSIDE_LIBRARIES says). Open MPI 4.1.4
crashes in compare and swap (osc/rdma): OMPI_MCA_osc=^rdma is set for it, if
OMPI_MCA_osc is not. A target that is not here is refused with the package that has it. mpich5,
openmpi5 and impi are looked for in ~/.cache/farside/mpi.

`declared` is the model that the target promises to keep to: mpi, openshmem, gaspi,
or what a transport says of itself.

Every test that is named is counted: it ran and was compared, or the model
gives it no meaning (mpi3-unified: a data race), or the interface cannot
express it (MPI wants the buffers of an operation disjoint), or it was not run
(the limit of time, a log that ends before it), or it has no result. The report
says why. A test that hangs or ends its program is named; the others of its
program run on without it.

Exit status:
  0    no outcome that the model forbids
  1    some test shows an outcome that the model forbids
  2    wrong usage or bad input; the target is not installed
  4    no test was compared, or not all that could be emitted were run
  101  a bug of farside";

/// A target, as `--target` names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetArgument(Choice);

impl ValueEnum for TargetArgument {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<TargetArgument>> =
            LazyLock::new(|| Choice::all().map(TargetArgument).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.about()))
    }
}

/// `farside conform`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConformArguments {
    /// Where tests run
    #[arg(long, value_enum)]
    pub(crate) target: TargetArgument,
    /// Litmus tests, folders of them (*.litmus, at any depth), and @LISTs
    #[arg(long, value_name = "DIR|FILE|@LIST", required = true, num_args = 1..)]
    pub(crate) tests: Vec<PathBuf>,
    /// How often each test runs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Model that outcomes are compared with: `declared`, a shipped one, or a file NAME.model
    #[arg(long, short, value_name = "NAME", default_value = "declared")]
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
    /// Stop after so long, and report what ran by then (default: no limit); SIGINT and SIGTERM do the same
    #[arg(long, value_name = "SECONDS", conflicts_with = "from", value_parser = crate::options::seconds)]
    pub(crate) limit: Option<std::time::Duration>,
    /// Stop a program that prints nothing for so long: its test hangs
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = crate::options::seconds)]
    pub(crate) hang: std::time::Duration,
    /// Of an MPI: make every access of a window an accumulate, an owner's loads and stores too, for MPI makes only
    /// these atomic
    #[arg(long)]
    pub(crate) accumulate: bool,
    /// Write all histograms to FILE as they come, in the form of the field's tools
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) log: Option<PathBuf>,
    /// Take the histograms from a log of an earlier run, and run nothing
    #[arg(long, value_name = "LOG")]
    pub(crate) from: Option<PathBuf>,
    /// Write the strongest model that allows all that was seen to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) fit: Option<PathBuf>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = ConformFormat::Text)]
    pub(crate) format: ConformFormat,
    /// Write the report to FILE instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Do only shard I of N (from 1), and write its results to --output for `farside merge`
    #[arg(long, value_name = "I/N", requires = "output", conflicts_with_all = ["from", "log", "fit"])]
    shard: Option<Shard>,
    /// No progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Forms of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConformFormat {
    /// For people
    Text,
    /// For programs; `farside schema conform` describes it
    Json,
}

/// `farside conform-ranks`: a rank of a job that `farside conform` starts.
#[derive(Debug, Args)]
pub(crate) struct RanksArguments {
    /// All tests, as `farside conform` writes them
    tests: PathBuf,
    /// How often each test runs
    runs: u32,
    /// Decides the delays
    seed: u64,
    /// Longest delay, in nanoseconds
    delay: u32,
    /// Where to begin, counted from 0
    first: usize,
    /// The virtual network keeps order
    #[arg(long)]
    ordered: bool,
}

impl ConformArguments {
    /// The shard that is to be done, if not all is. Its arguments are no part of the question.
    pub(super) fn cut(&mut self) -> Result<Option<Cut>, Fault> {
        Cut::of(&mut self.shard, &mut self.output)
    }

    /// What is run, and how.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            target: self.target.0,
            accumulate: self.accumulate,
            runs: self.runs,
            seed: self.seed,
            delay: self.delay,
            batch: self.batch,
            hang: self.hang,
            limit: self.limit,
            log: self.log.clone(),
        }
    }
}

impl RanksArguments {
    /// What the rank does.
    pub(super) fn work(&self) -> rank::Work {
        rank::Work {
            tests: self.tests.clone(),
            first: self.first,
            plan: Plan {
                runs: self.runs,
                delay: Duration::from_nanos(self.delay.into()),
                seed: self.seed,
            },
            ordered: self.ordered,
        }
    }
}
