//! The ranks of a job as who follows it sees them, on this host or on others.

use crate::ending::Reason;
use crate::notices::FromHost;
use std::process::ExitStatus;

/// A rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process<'a> {
    pid: u32,
    host: Option<&'a str>,
    ended: Option<ExitStatus>,
}

impl<'a> Process<'a> {
    /// By its process id; its host, if the job has several; how it ended, if it has.
    pub(crate) fn new(pid: u32, host: Option<&'a str>, ended: Option<ExitStatus>) -> Self {
        Self { pid, host, ended }
    }

    /// Its process id.
    pub(crate) fn pid(self) -> u32 {
        self.pid
    }

    /// Its host, if the job has several.
    pub(crate) fn host(self) -> Option<&'a str> {
        self.host
    }

    /// How it ended, if it has.
    pub(crate) fn ended(self) -> Option<ExitStatus> {
        self.ended
    }
}

/// All ranks of a job, wherever they run.
pub(crate) trait Crew {
    /// One of them.
    fn process(&self, rank: u32) -> Process<'_>;

    /// Takes leave of what has ended: ranks, which are returned, and orphans.
    fn reap(&mut self) -> Vec<u32>;

    /// Whether all ranks have ended.
    fn all_ended(&self) -> bool;

    /// How many processes live of what the ranks are and have started.
    fn living(&self) -> usize;

    /// Sends a signal to all that live.
    fn signal(&mut self, number: i32);

    /// Whether a signal of the terminal comes to the ranks without us.
    fn is_at_the_terminal(&self) -> bool;

    /// Something has happened on a host. A reason to end the job, if it is one.
    fn take(&mut self, _host: usize, _news: FromHost) -> Option<Reason> {
        None
    }
}
