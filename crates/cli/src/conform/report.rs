//! What came out of a run, as data: forbidden outcomes, the share of allowed ones that came, rule by rule, and what became of every
//! test that was named.

use crate::status::Status;
use serde::Serialize;

/// Version of the form of the report.
pub(super) const SCHEMA_VERSION: u32 = 2;

/// What came out.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) schema_version: u32,
    pub(super) tool: &'static str,
    pub(super) target: &'static str,
    /// Whether every access of a window was an accumulate.
    pub(super) accumulate: bool,
    pub(super) model: String,
    pub(super) runs: u32,
    pub(super) seed: u64,
    pub(super) delay: u32,
    pub(super) rows: Vec<Row>,
    /// Tests with forbidden outcomes.
    pub(super) errors: Vec<TestError>,
    /// Tests that hung, crashed, or have no answer, with how.
    pub(super) failed: Vec<Failed>,
    /// Tests that were not compared in whole, by reason.
    pub(super) left_out: Vec<LeftOut>,
    pub(super) fit: Option<super::fit::Fitted>,
}

/// A row: tests whose names begin alike, such as `IR-2`.
#[derive(Default, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    /// Tests that ran, and that the model says something of.
    pub(super) tests: usize,
    pub(super) errors: usize,
    /// Allowed outcomes of the tests that ran; those with an undefined value are left out.
    pub(super) allowed: usize,
    /// How many of them came.
    pub(super) seen: usize,
    /// Of `tests`, those with an outcome of any value: they count for errors, and not for `allowed` and `seen`.
    pub(super) open: usize,
    /// Tests that ran, and that have no meaning under the model.
    pub(super) undefined: usize,
    /// Tests that the interface cannot express.
    pub(super) not_emitted: usize,
    /// Tests that could be emitted, and were not run.
    pub(super) not_run: usize,
    /// Tests without a result: they hung, crashed, or the model's answer takes too long.
    pub(super) failed: usize,
}

impl Row {
    /// All tests that were named: the sum of what became of them.
    pub(super) fn named(&self) -> usize {
        self.tests + self.undefined + self.not_emitted + self.not_run + self.failed
    }
}

/// What became of a test that was not compared in whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum What {
    /// The interface cannot express it.
    NotEmitted,
    /// It could be emitted, and was not run.
    NotRun,
    /// It ran, and has no meaning under the model.
    Undefined,
    /// It was compared, but has an outcome of any value: there is no share of such outcomes that came.
    Open,
}

/// Tests that were not compared in whole for the same reason.
#[derive(Serialize)]
pub(super) struct LeftOut {
    pub(super) what: What,
    pub(super) why: String,
    /// Their names.
    pub(super) tests: Vec<String>,
}

/// A test with outcomes that the model forbids.
#[derive(Serialize)]
pub(super) struct TestError {
    pub(super) test: String,
    pub(super) path: String,
    pub(super) outcomes: Vec<Forbidden>,
    /// What runs the test again, with the same delays.
    pub(super) again: String,
}

/// An outcome that the model forbids.
#[derive(Serialize)]
pub(super) struct Forbidden {
    pub(super) outcome: String,
    pub(super) times: u64,
    /// Why the model forbids it; empty if many were explained before.
    pub(super) explanation: String,
    /// What explains it.
    pub(super) why: String,
}

/// A test without a result.
#[derive(Serialize)]
pub(super) struct Failed {
    pub(super) test: String,
    pub(super) how: String,
}

impl Report {
    /// What the result means.
    pub(super) fn status(&self) -> Status {
        let sum = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum::<usize>();
        if !self.errors.is_empty() {
            Status::Findings
        } else if sum(|row| row.tests) == 0 || sum(|row| row.failed + row.not_run) > 0 {
            Status::Inconclusive
        } else {
            Status::Clean
        }
    }
}
