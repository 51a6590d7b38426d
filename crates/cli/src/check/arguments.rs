//! The arguments of `farside check`.

use crate::options::{PollingChoice, ReportArguments, seconds};
use clap::{Args, ValueEnum};
use farside_check::{HowMany, JudgedAt};
use farside_race::{Gaspi, Options, Polling};
use farside_spool::guard::Extent;
use farside_spool::replay::Replay;
use std::ffi::OsString;
use std::path::PathBuf;

/// What the long help ends with.
pub(crate) const EXAMPLES: &str = "\
Examples:
  farside cc mpicc -g -O2 heat.c -o heat
  farside check -- mpirun -n 4 ./heat
      Checks a program that was compiled so that its loads and stores show.

  farside check --guard -- mpirun -n 4 ./heat
      Checks a program as it was built: pages of windows fault when it
      accesses them.

  farside check --html heat.html -- mpirun -n 4 ./heat input.dat
      The same, and a page that shows the ranks as timelines.

  farside check --format sarif -o heat.sarif -- mpirun -n 4 ./heat
      For a code review tool.

  farside lint --format json -o lint.json heat.c
  farside check --lint lint.json -- mpirun -n 4 ./heat
      Says which findings of the sources this run confirms.

  farside check --orders 10 -- mpirun -n 4 ./workers
      Up to ten runs more, in which receives from MPI_ANY_SOURCE take messages
      that they could have taken in the first one.

  farside check --time-limit 60 -- mpirun -n 2 ./ring
      Names the cycle in which processes wait for each other, should they
      not end within a minute.

Environment:
  TMPDIR             where the spool folder goes without --spool
  NO_COLOR           no colours
  FARSIDE_LIBRARIES  folder of farside's own libraries, if not beside farside

Notes:
  The program's own output, exit status and results are those without the
  checker.

  A command may start several MPI jobs, one after the other or at the same
  time. Each one is checked by itself; the processes of MPI_Comm_spawn are a
  job of their own.

  When the time limit ends the command, the exit status is 1 if there are
  findings (a deadlock is one), else 4.

  When farside is interrupted (SIGINT, SIGTERM, SIGHUP), the signal goes to
  the command; what was found so
  far is reported, with exit status 3.";

/// `farside check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) report: ReportArguments,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// End the command after SECONDS, and say which processes wait for each other
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<std::time::Duration>,
    /// Put the spool folder into DIR (default: $TMPDIR, or /tmp)
    ///
    /// The recorded events of a process wait there until they are judged, which is soon. The folder is private, and
    /// is removed at the end.
    #[arg(long, value_name = "DIR")]
    pub(crate) spool: Option<PathBuf>,
    /// Let at most so many MiB of events wait to be judged; then the program waits
    ///
    /// It waits for three quarters of its time at the most. With `--keep-spool` it never waits.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub(crate) backlog: u64,
    /// Say of each finding of a `farside lint` report (its JSON form) whether this run confirms it
    ///
    /// Not confirmed is not refuted: the report says, too, whether the run came to the places, where that is known.
    #[arg(long, value_name = "REPORT")]
    pub(crate) lint: Option<PathBuf>,
    /// Keep the spool folder with everything that was recorded, and print its path to stderr
    #[arg(long)]
    pub(crate) keep_spool: bool,
    /// No progress on stderr
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say on stderr which jobs and processes were met
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// The command, usually an MPI launcher with its arguments
    #[arg(
        value_name = "COMMAND",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) command: Vec<OsString>,
}

/// How much of the loads and stores of guarded pages is seen.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum GuardChoice {
    /// All, until that takes a third of the time
    Bounded,
    /// All
    All,
}

/// Whether a word is a value of `--guard`.
pub(super) fn is_extent(word: &str) -> bool {
    GuardChoice::from_str(word, false).is_ok()
}

/// Whether pages are guarded.
#[derive(Clone, Copy, Debug, Default, Args)]
struct Guarding {
    /// See the loads and stores of programs as they are, without `farside cc`: pages of windows, and of buffers in use,
    /// fault
    ///
    /// `bounded` (without a value) sees every access until that takes a third of the time, and then those between some
    /// calls of the library and not those between others; the report says so. `all` sees every access.
    #[arg(long, value_enum, value_name = "EXTENT", num_args = 0..=1, require_equals = true,
          default_missing_value = "bounded")]
    guard: Option<GuardChoice>,
}

/// In which order processes go on.
#[derive(Clone, Debug, Default, Args)]
struct Orders {
    /// Run the command up to N times more, with receives from MPI_ANY_SOURCE that take other messages than in the
    /// first run, and with processes of other speeds
    ///
    /// Processes have other speeds only if the first run did what depends on who comes first: fetching atomic
    /// operations, locks, tests. They wait before calls, for three seconds in all at most.
    /// What only these runs show is reported, too, with what shows it again (`--replay`). Their output is thrown away,
    /// and they read nothing from stdin.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["replay", "first"])]
    orders: u32,
    /// Let the run go as a finding says: receives from MPI_ANY_SOURCE take these messages (RANK.RECEIVE=SOURCE,...),
    /// processes have the speeds that are drawn from N (speeds=N)
    ///
    /// A receive waits up to ten seconds for its message. If it does not come, the run goes on as it would. Speeds make
    /// an order likely, not certain.
    #[arg(long, value_name = "ORDER")]
    replay: Option<Replay>,
}

/// How events are judged, and by how many, of which runs.
#[derive(Debug, Default, Args)]
pub(crate) struct Judging {
    /// Stop judging after the first finding
    #[arg(long)]
    first: bool,
    /// What to do about loops that poll window memory with loads (defined in the unified memory model only)
    #[arg(long, value_enum, default_value_t = PollingChoice::Report)]
    polling: PollingChoice,
    /// What a GASPI program may rely on: the letter of 17.1, or less strict rules
    #[arg(long, value_enum, default_value_t = GaspiChoice::Strict)]
    gaspi: GaspiChoice,
    /// Let N threads judge each job; they split its memory by rank (default: as many as there are processors that the
    /// ranks leave free, 8 at most)
    ///
    /// What is found is the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    judges: Option<u16>,
    /// Where to judge the memory of ranks on other hosts: there, so that their loads and stores do not travel, or here
    ///
    /// What is found is the same. A host that cannot judge, and one whose recordings are kept or compared with a
    /// report of `farside lint`, is judged here.
    #[arg(long, value_enum, default_value_t = JudgeAt::Front)]
    judge_at: JudgeAt,
    #[command(flatten)]
    orders: Orders,
    #[command(flatten)]
    guarding: Guarding,
}

/// What a GASPI program may rely on.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum GaspiChoice {
    /// A write is done at its target when that one has seen a notification after it, or its own
    #[default]
    Strict,
    /// Also a notification that a later write of the same queue brings, as until 16.1
    #[value(name = "16.1")]
    Old,
    /// Also when its origin has waited for it; and writes of one queue keep their order
    Relaxed,
}

/// Where to judge.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum JudgeAt {
    /// Here
    #[default]
    Front,
    /// Where the memory is
    Hosts,
}

impl Judging {
    /// How many more runs there may be.
    pub(super) fn orders(&self) -> u32 {
        self.orders.orders
    }

    /// Whether pages are guarded, and how much is seen so.
    pub(super) fn guard(&self) -> Option<Extent> {
        self.guarding.guard.map(|choice| match choice {
            GuardChoice::Bounded => Extent::Bounded,
            GuardChoice::All => Extent::All,
        })
    }

    /// In which order processes go on.
    pub(super) fn replay(&self) -> Option<&Replay> {
        self.orders.replay.as_ref()
    }

    /// How.
    pub(crate) fn options(&self) -> Options {
        Options {
            first: self.first,
            polling: match self.polling {
                PollingChoice::Report => Polling::Report,
                PollingChoice::Allow => Polling::Allow,
            },
            gaspi: match self.gaspi {
                GaspiChoice::Strict => Gaspi::Strict,
                GaspiChoice::Old => Gaspi::Old,
                GaspiChoice::Relaxed => Gaspi::Relaxed,
            },
            ..Options::default()
        }
    }

    /// Where.
    pub(super) fn judged_at(&self) -> JudgedAt {
        match self.judge_at {
            JudgeAt::Front => JudgedAt::Front,
            JudgeAt::Hosts => JudgedAt::Hosts,
        }
    }

    /// By how many.
    pub(super) fn judges(&self) -> HowMany {
        let exactly = |number: u16| HowMany::Exactly(number.into());
        self.judges.map_or(HowMany::WhereFree, exactly)
    }
}
