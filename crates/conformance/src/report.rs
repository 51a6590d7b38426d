//! What came out of a run, as data: forbidden outcomes, the share of allowed ones that came, rule by rule, and what became of every
//! test that was named.

use crate::Fitted;
use serde::Serialize;

/// Version of the form of the report.
pub const SCHEMA_VERSION: u32 = 2;

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The program and its version.
    pub tool: String,
    /// Where the tests ran.
    pub target: String,
    /// Whether every access of a window was an accumulate.
    pub accumulate: bool,
    /// What was compared with.
    pub model: String,
    /// How often each test ran.
    pub runs: u32,
    /// What decided the delays.
    pub seed: u64,
    /// The longest delay between two statements, in nanoseconds.
    pub delay: u32,
    /// Rule by rule.
    pub rows: Vec<Row>,
    /// Tests with forbidden outcomes.
    pub errors: Vec<TestError>,
    /// Tests that hung, crashed, or have no answer, with how.
    pub failed: Vec<Failed>,
    /// Tests that were not compared in whole, by reason.
    pub left_out: Vec<LeftOut>,
    /// The strongest model that allows all that was seen, if it was asked for.
    pub fit: Option<Fitted>,
}

/// A row: tests whose names begin alike, such as `IR-2`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// `IR-2`; `other` for tests that have no such name.
    pub name: String,
    /// Tests that ran, and that the model says something of.
    pub tests: usize,
    /// Of these, tests that showed what it forbids.
    pub errors: usize,
    /// Allowed outcomes of the tests that ran; those with an undefined value are left out.
    pub allowed: usize,
    /// How many of them came.
    pub seen: usize,
    /// Of `tests`, those with an outcome of any value: they count for errors, and not for `allowed` and `seen`.
    pub open: usize,
    /// Tests that ran, and that have no meaning under the model.
    pub undefined: usize,
    /// Tests that the interface cannot express.
    pub not_emitted: usize,
    /// Tests that could be emitted, and were not run.
    pub not_run: usize,
    /// Tests without a result: they hung, crashed, or the model's answer takes too long.
    pub failed: usize,
}

impl Row {
    /// All tests that were named: the sum of what became of them.
    #[must_use]
    pub fn named(&self) -> usize {
        self.tests + self.undefined + self.not_emitted + self.not_run + self.failed
    }
}

/// What became of a test that was not compared in whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// What became of them.
    pub what: What,
    /// Why, in words.
    pub why: String,
    /// Their names.
    pub tests: Vec<String>,
}

/// A test with outcomes that the model forbids.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestError {
    /// Its name.
    pub test: String,
    /// Its file, quoted for a shell.
    pub path: String,
    /// What it showed.
    pub outcomes: Vec<Forbidden>,
    /// What runs the test again, with the same delays.
    pub again: String,
}

/// An outcome that the model forbids.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forbidden {
    /// As a state is printed.
    pub outcome: String,
    /// How often it came.
    pub times: u64,
    /// Why the model forbids it; empty if many were explained before.
    pub explanation: String,
    /// What explains it.
    pub why: String,
}

/// A test without a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failed {
    /// Its name.
    pub test: String,
    /// What became of it, in words.
    pub how: String,
}

/// What a report means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// All tests ran, and showed nothing that the model forbids.
    Clean,
    /// Some test showed what the model forbids.
    Forbidden,
    /// No test was compared, or not all that could be emitted were run.
    Inconclusive,
}

impl Report {
    /// What the result means.
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        let sum = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum::<usize>();
        if !self.errors.is_empty() {
            Conclusion::Forbidden
        } else if sum(|row| row.tests) == 0 || sum(|row| row.failed + row.not_run) > 0 {
            Conclusion::Inconclusive
        } else {
            Conclusion::Clean
        }
    }
}
