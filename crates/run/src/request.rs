//! What is asked for, and what comes of it.

use crate::cores::Pinning;
use crate::ending::{Failure, Loss, Reason};
use crate::lines::Style;
use crate::places::Hosts;
use crate::shell::Shell;
use farside_processes::program::Unusable;
use std::ffi::OsString;
use std::time::Duration;

/// What is to be started, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Number of processes.
    pub processes: u32,
    /// What `FARSIDE_TRANSPORT` is to be for them.
    pub transport: Option<String>,
    /// More variables for them.
    pub variables: Vec<(OsString, OsString)>,
    /// They are told that they are on so many nodes, in blocks, though they are on one: a trial of what several hosts
    /// would do. `None`: nothing is said. Over hosts, each is a node.
    pub nodes: Option<u32>,
    /// Which cores they get.
    pub pinning: Pinning,
    /// The others go on when a rank is lost.
    pub keep_going: bool,
    /// When to end the job.
    pub time_limit: Option<Duration>,
    /// How lines of stdout and stderr look.
    pub styles: [Style; 2],
    /// The hosts, and how they are reached; `None`: this one.
    pub hosts: Option<(Hosts, Shell)>,
    /// A command that calls [`guard`](crate::guard()) with the name of a rendezvous, which is added as the last
    /// argument.
    pub guard: Vec<OsString>,
}

/// What happens while a job runs.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A rank was started.
    Started {
        /// Its rank.
        rank: u32,
        /// Its process id.
        pid: u32,
        /// Its host, if the job has several.
        host: Option<&'a str>,
        /// Its cores; empty: those of this process.
        cores: &'a [usize],
    },
    /// A rank has ended.
    Ended {
        /// Its rank.
        rank: u32,
        /// Its process id.
        pid: u32,
        /// Its host, if the job has several.
        host: Option<&'a str>,
        /// How, if not with status 0.
        failure: Option<Failure>,
    },
    /// A rank was lost, and the others go on.
    Lost(&'a Loss),
    /// All ranks have ended, and so many processes of theirs that were left are ended, too.
    LeftBehind(usize),
    /// The job is ended for this reason; or, where the others went on, has ended with it.
    Broken(&'a Reason),
}

/// Why a job was not started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program is not there, or may not be run.
    #[error(transparent)]
    Program(#[from] Unusable),
    /// The ranks cannot be placed on the hosts, or not over this transport.
    #[error("--hosts: {0}")]
    Places(String),
    /// A host does not take part.
    #[error("host {0}: {1}")]
    Host(String, String),
    /// Another reason.
    #[error("cannot start {0}: {1}")]
    NotStarted(String, std::io::Error),
}
