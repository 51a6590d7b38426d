//! The arguments of `farside litmus`.

use crate::fault::Fault;
use crate::options::Color;
use crate::shard::Cut;
use clap::{Args, Subcommand, ValueEnum};
use farside_shards::Shard;
use std::path::PathBuf;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside litmus litmus-tests/papers/Fig6.litmus
      All outcomes under coreRMA, and whether the condition holds.

  farside litmus --model verbs-rc --explain litmus-tests/papers/Fig8.litmus
      An execution with the condition's outcome, or what forbids it.

  farside litmus --model all litmus-tests/papers/Fig6.litmus
      Which outcome is allowed where: a column a model.

  farside litmus --format html -o fig6.html litmus-tests/papers/Fig6.litmus
      A page with a picture of an execution for each outcome.

  farside litmus --model dmapp -o dmapp.log litmus-tests
  farside litmus diff coreRMA.log dmapp.log
      A set of tests in one log; two logs compared by outcome.

Exit status:
  0    every condition holds (or there is none); diff: the logs agree
  1    a condition is violated, a program has a race or is not valid; diff:
       the logs differ
  2    wrong usage or bad input (no such model, an error in a test, ...)
  4    no answer: a loop ended at its bound, no execution counts (none ends,
       or the filter leaves none), or --steps were spent; diff: a test is
       inconclusive in both logs
  101  a bug of farside";

/// `farside litmus`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct LitmusArguments {
    #[command(subcommand)]
    pub(crate) command: Option<LitmusCommand>,
    /// Litmus tests, folders of them (*.litmus, at any depth), and @LISTs, which name one file or folder a line; - is
    /// stdin
    #[arg(value_name = "FILE", required_unless_present = "models")]
    pub(crate) files: Vec<PathBuf>,
    /// Memory model, by name or as a model file; may be given several times; `all` for all shipped ones
    ///
    /// Without this option: coreRMA, mpi3-unified for a program with statements that only MPI has, or gaspi for one
    /// with queues or notifications.
    #[arg(long, short, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) model: Vec<String>,
    /// List the models
    #[arg(long, conflicts_with = "files")]
    pub(crate) models: bool,
    /// Show why: an execution of the condition's outcome, or what forbids it; without condition, of every outcome
    #[arg(long, short)]
    pub(crate) explain: bool,
    /// Explain this outcome, written as states are printed: "0:a=1; 1:b=T;"
    #[arg(long, value_name = "STATE")]
    pub(crate) outcome: Option<String>,
    /// Form of the result
    #[arg(long, value_enum, default_value_t = LitmusFormat::Herd)]
    pub(crate) format: LitmusFormat,
    /// Write the result to FILE instead of stdout; a set's summary then goes to stdout instead of stderr
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Do only shard I of N (from 1), and write its results to --output for `farside merge`
    #[arg(long, value_name = "I/N", requires = "output")]
    shard: Option<Shard>,
    /// Colours in the text form
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Which of the two engines answers
    #[arg(long, value_enum, default_value_t = EngineChoice::Fast)]
    pub(crate) engine: EngineChoice,
    /// Give up a test after this many steps of the search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) steps: Option<u64>,
    /// Tests that run at the same time (default: one a core)
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// No remarks and no progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl LitmusArguments {
    /// The shard that is to be done, if not all is. Its arguments are no part of the question.
    pub(super) fn cut(&mut self) -> Result<Option<Cut>, Fault> {
        Cut::of(&mut self.shard, &mut self.output)
    }
}

/// What can be done besides judging.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum LitmusCommand {
    /// Compare two logs by outcome
    Diff(DiffArguments),
}

/// `farside litmus diff`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DiffArguments {
    /// One log
    #[arg(value_name = "A.log")]
    pub(crate) first: PathBuf,
    /// The other
    #[arg(value_name = "B.log")]
    pub(crate) second: PathBuf,
}

/// Forms of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LitmusFormat {
    /// For people, and for the field's comparison tools
    Herd,
    /// For programs; `farside schema litmus` describes it
    Json,
    /// A picture of each execution, a column a process
    Svg,
    /// The executions as graphs of Graphviz
    Dot,
    /// One self-contained page with a picture for each outcome
    Html,
}

/// The two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// The one to use
    Fast,
    /// The definitions word by word: slow, and the fast one's oracle
    Naive,
}
