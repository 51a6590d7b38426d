//! The arguments of `farside robust`.

use crate::fault::Fault;
use crate::lint::reading::{self, Reading};
use crate::options::Color;
use crate::shard::Cut;
use crate::words::{Words, words};
use clap::{Args, ValueEnum};
use farside_pgas::ast::Api;
use farside_pgas::calculus::Polls;
use farside_pgas::change::Kind;
use farside_pgas::lower::MAX_DOMAIN;
use farside_shards::Shard;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Below the long help.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  farside robust robust-tests/paper/figure-1-no.pgas
      A computation that no sequentially consistent one explains, and its
      happens-before cycle.

  farside robust --repair robust-tests/paper/figure-1-no.pgas
      The same, and the cheapest waits, fences and so on that make it robust.

  farside robust litmus-tests/shapes/sb-put-local.litmus
      A test of farside litmus, by the rules of coreRMA.

  farside robust --superfluous --ranks 3 robust-tests/ring/shmem-yes.pgas
      Which waits and fences could be left out.

  farside robust --prove robust-tests/waits/ring-token-yes.pgas
      Whether it is robust for every number of processes, and why.

  farside robust --ranks 3 ticket.c -- -Iinclude
      A C program with OpenSHMEM, as it is started without arguments.

  farside robust main.c queue.c -- -Iinclude
      Several sources are one program: each with a main function, with all that
      have none.

  farside robust --args '--rounds 2' heat.c
      The same, started with these.

  farside robust --print ticket.c
      What the C program is in the calculus.

  farside robust --format html -o figure-1.html robust-tests/paper/figure-1-no.pgas
      A page with a picture.

Exit status:
  0    robust
  1    not robust
  2    wrong usage or bad input (an error in a program, ...)
  4    inconclusive: a limit was reached, the question of a C program is not
       decided by what can be followed of it, or --prove does not know
  101  a bug of farside";

/// `farside robust`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RobustArguments {
    /// PGAS programs, litmus tests that fit, and sources of C or C++ programs with OpenSHMEM, GASPI or MPI, or their
    /// compile_commands.json; - is stdin
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Options for the compiler, of C and C++ programs
    #[arg(value_name = "OPTION", last = true)]
    options: Vec<OsString>,
    /// Whose calls the programs use, over their own `api` line
    #[arg(long, value_name = "API", value_parser = api)]
    pub(crate) api: Option<Api>,
    /// Number of processes, over their own `ranks` line; 2 for C and C++
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) ranks: Option<u32>,
    /// What C and C++ programs are started with, as in a shell; nothing without it
    #[arg(long, value_name = "ARGUMENTS", value_parser = words, allow_hyphen_values = true)]
    args: Option<Words>,
    /// Values are 0 to D-1, over their own `domain` line; without either, as many as a program needs
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DOMAIN)))]
    pub(crate) domain: Option<u32>,
    /// What a loop stands for that does nothing but load one location until it has a value
    #[arg(long, value_enum, default_value_t = PollsArgument::Awaited)]
    polls: PollsArgument,
    /// How a program is decided
    #[arg(long, value_enum, default_value_t = Engine::Delay)]
    pub(crate) engine: Engine,
    /// Open operations of a process at most, for the direct engine: robust only up to it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) queue_bound: Option<u32>,
    /// Look at all interleavings, and at states without hope: slower, with the same answer
    #[arg(long)]
    pub(crate) no_reduction: bool,
    /// Look for the cheapest waits, fences, barriers and ordered queues that make a program robust
    #[arg(long)]
    pub(crate) repair: bool,
    /// Write the repaired program to FILE
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub(crate) repaired: Option<PathBuf>,
    /// What the changes of a repair cost: wait=2,fence=1,barrier=4,ordered=1
    #[arg(long, value_name = "KIND=N", value_delimiter = ',', value_parser = cost, requires = "repair")]
    pub(crate) cost: Vec<(Kind, u32)>,
    /// Look for waits and fences that a robust program does not need
    #[arg(long)]
    pub(crate) superfluous: bool,
    /// Say whether programs are robust for every number of processes, and why
    #[arg(long, conflicts_with = "ranks")]
    prove: bool,
    /// Give up after this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), default_value_t = 1 << 31)]
    pub(crate) states: u64,
    /// Give up when the states take this many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30), default_value_t = 8192)]
    pub(crate) memory: u64,
    /// Give up after SECONDS a program
    #[arg(long, value_name = "SECONDS", value_parser = crate::options::seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// No progress on stderr
    #[arg(long, short)]
    quiet: bool,
    /// Form of the result
    #[arg(long, value_enum, default_value_t = RobustFormat::Text)]
    pub(crate) format: RobustFormat,
    /// Write the result to FILE instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Do only shard I of N (from 1), and write its results to --output for `farside merge`
    #[arg(long, value_name = "I/N", requires = "output", conflicts_with = "repaired")]
    shard: Option<Shard>,
    /// Print each program in the language of PGAS programs, and decide nothing
    #[arg(long, conflicts_with_all = ["shard", "repair", "superfluous", "prove"])]
    print: bool,
    /// The MPI compiler that knows where headers are, for C and C++
    #[arg(long, value_name = "COMPILER", default_value = reading::MPICC)]
    mpicc: OsString,
    /// Colours in the text form
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

impl RobustArguments {
    /// What C and C++ programs are started with.
    pub(crate) fn program_arguments(&self) -> &[String] {
        self.args.as_ref().map_or(&[], Words::all)
    }

    /// Whether nothing is said of what is being done.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// What a loop stands for that polls.
    pub(super) fn polls(&self) -> Polls {
        match self.polls {
            PollsArgument::Awaited => Polls::Awaited,
            PollsArgument::Observed => Polls::Observed,
        }
    }

    /// Options for the compiler.
    pub(super) fn compiler_options(&self) -> &[OsString] {
        &self.options
    }

    /// How C and C++ are read.
    pub(super) fn reading(&self) -> Reading {
        Reading::new(self.mpicc.clone(), reading::SECONDS, reading::MEMORY)
    }

    /// Whether it is asked for every number of processes.
    pub(super) fn proves(&self) -> bool {
        self.prove
    }

    /// Whether programs are printed, and not decided.
    pub(super) fn prints(&self) -> bool {
        self.print
    }

    /// The shard that is to be done, if not all is. Its arguments are no part of the question.
    pub(super) fn cut(&mut self) -> Result<Option<Cut>, Fault> {
        Cut::of(&mut self.shard, &mut self.output)
    }
}

/// Forms of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RobustFormat {
    /// For people
    Text,
    /// For programs; `farside schema robust` describes it
    Json,
    /// One self-contained page
    Html,
    /// A picture of each computation, a column a process
    Svg,
    /// The computations as graphs of Graphviz
    Dot,
}

/// What a loop stands for that polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PollsArgument {
    /// Waiting for the value: polls that fail are no events
    Awaited,
    /// Loads like others, by the letter of paper 003
    Observed,
}

/// How a program is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Sequentially consistent computations with one delayed event, for queues of any length
    Delay,
    /// Normal-form computations with marked events, as paper 003 has them, for queues of any length
    Product,
    /// All computations, of queues up to a bound: slow, and the oracle of the others
    Direct,
}

fn api(text: &str) -> Result<Api, String> {
    Api::of_name(text).ok_or_else(|| format!("one of {}", Api::ALL.map(Api::name).join(", ")))
}

fn cost(text: &str) -> Result<(Kind, u32), String> {
    let wrong = || {
        let kinds = Kind::ALL.map(Kind::name).join(", ");
        format!("write KIND=NUMBER, where KIND is one of {kinds} and NUMBER at most 1000")
    };
    let (kind, number) = text.split_once('=').ok_or_else(wrong)?;
    let kind = Kind::ALL
        .into_iter()
        .find(|known| known.name() == kind)
        .ok_or_else(wrong)?;
    let number = number
        .parse()
        .ok()
        .filter(|&number| number <= 1000)
        .ok_or_else(wrong)?;
    Ok((kind, number))
}
