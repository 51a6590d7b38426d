//! The detector: one event after the other, findings at the end.

use crate::RawFinding;
use farside_events::{Event, Rank};

/// What to report about polling loops (load of window memory that a remote put updates).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Polling {
    /// A finding of its own class.
    #[default]
    Report,
    /// Nothing: the program relies on the unified model.
    Allow,
}

/// How to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Stop judging after the first finding, as the thesis' tool does.
    pub first: bool,
    /// Polling loops.
    pub polling: Polling,
}

/// How the stream of a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All processes ended by themselves.
    Complete,
    /// A process was lost or the job was aborted; epochs left open are no finding then.
    Broken,
    /// The time limit was reached: look for a cycle of waiting processes.
    Hanging,
}

/// What the detector did, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events consumed.
    pub events: u64,
    /// RMA communication calls.
    pub operations: u64,
    /// Access runs of loads and stores.
    pub access_runs: u64,
    /// Largest number of access records kept at one time.
    pub records_kept: u64,
}

/// Consumes the merged event stream of one job, in time order.
#[derive(Debug, Default)]
pub struct Detector {
    counts: Counts,
    findings: Vec<RawFinding>,
}

impl Detector {
    /// A detector that has seen nothing.
    pub fn new(_options: Options) -> Self {
        Self::default()
    }

    /// Consumes the next event; `rank` is the process that it comes from.
    pub fn event(&mut self, _rank: Rank, _event: &Event) {
        self.counts.events += 1;
    }

    /// What was found so far (for showing findings while the program runs).
    pub fn findings(&self) -> &[RawFinding] {
        &self.findings
    }

    /// Ends the stream.
    pub fn finish(self, _ending: Ending) -> (Vec<RawFinding>, Counts) {
        (self.findings, self.counts)
    }
}
