//! What is asked for, what is told meanwhile, and what comes of it.

use crate::judges::HowMany;
use crate::matches::Matching;
use crate::predictions::LintReport;
use farside_findings::Layers;
use farside_race::Options;
use farside_spool::guard::Extent;
use farside_trial::Costs;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be checked, and how. Every file in it is known to be usable.
#[derive(Clone, Debug)]
pub struct Request {
    /// The command: a program and its arguments.
    pub command: Vec<OsString>,
    /// What lies between the program and MPI: findings are shown where the program calls it.
    pub layers: Layers,
    /// The library to preload; `None` for programs of the crate `farside`, which need none.
    pub library: Option<PathBuf>,
    /// How to judge.
    pub options: Options,
    /// How many judge each job.
    pub judges: HowMany,
    /// Where the memory of processes on other hosts is judged.
    pub judged_at: JudgedAt,
    /// When to end the command.
    pub time_limit: Option<Duration>,
    /// Where the spool folder goes.
    pub spool: PathBuf,
    /// Whether it stays.
    pub keep_spool: bool,
    /// Bytes of events that may wait to be judged before the processes of the command wait.
    pub backlog: u64,
    /// What is tried in the events of the run.
    pub trials: Trials,
    /// Which messages receives from any source take.
    pub matching: Matching,
    /// Whether loads and stores are seen by faults of guarded pages.
    pub guard: Option<Extent>,
    /// The findings that were made of the sources, to be compared with those of the run.
    pub lint: Option<LintReport>,
    /// The exit status of this process when a second signal ends everything at once.
    pub status_when_forced: u8,
}

/// Where the memory of processes on other hosts is judged. What is found is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JudgedAt {
    /// Here: all that they recorded comes here.
    #[default]
    Front,
    /// On their hosts, where these can: their loads and stores stay there.
    Hosts,
}

/// What is tried in the events of a run, after it.
#[derive(Clone, Debug, Default)]
pub struct Trials {
    costs: Option<Costs>,
    superfluous: bool,
}

impl Trials {
    /// Suggestions, where calls cost so much, if they are to be tried; and whether synchronising calls are left out.
    #[must_use]
    pub fn new(costs: Option<Costs>, superfluous: bool) -> Self {
        Self { costs, superfluous }
    }

    /// What calls cost, if suggestions are to be tried.
    pub(crate) fn costs(&self) -> Option<&Costs> {
        self.costs.as_ref()
    }

    /// Whether synchronising calls are tried to be left out.
    pub(crate) fn asks_superfluous(&self) -> bool {
        self.superfluous
    }

    /// Whether there are any.
    pub(crate) fn any(&self) -> bool {
        self.costs.is_some() || self.superfluous
    }
}

/// What happens while the command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// The first process of a job was seen.
    Job {
        /// Its number, from 1.
        number: usize,
        /// `a job of 4 processes, Open MPI ...`
        description: &'a str,
    },
    /// A process has joined a job.
    Process {
        /// The job's number.
        job: usize,
        /// Its rank in the job.
        rank: u32,
        /// Its process id.
        pid: u32,
    },
    /// Events are recorded faster than they are judged.
    Behind {
        /// Bytes of events that wait.
        bytes: u64,
    },
    /// The command has ended, and what it recorded was judged.
    Ended {
        /// Findings, before those at the same places are joined.
        found: usize,
    },
}

/// What a run means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong in what was seen, and enough was seen to say so.
    Clean,
    /// There are findings.
    Findings,
    /// The program failed by itself, or was broken off by a signal to us.
    ProgramFailed,
    /// Nothing was checked, or not enough to say that nothing is wrong.
    Inconclusive,
}
