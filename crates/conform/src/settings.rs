//! What is run, and how.

use crate::choice::Choice;
use farside_litmus::ast::Program;
use std::path::PathBuf;
use std::time::Duration;

/// A test, and where it comes from.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its file, as it was named.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What the text means.
    pub program: Program,
}

/// How tests are run on a target.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where they run.
    pub target: Choice,
    /// Of an MPI: every access of a window is an accumulate.
    pub accumulate: bool,
    /// How often each test runs.
    pub runs: u32,
    /// Decides the delays between statements.
    pub seed: u64,
    /// The longest delay between two statements, in nanoseconds.
    pub delay: u32,
    /// Tests compiled into one program.
    pub batch: u32,
    /// A program that prints nothing for so long is ended: its test hangs.
    pub hang: Duration,
    /// When to stop.
    pub limit: Option<Duration>,
    /// Where all histograms are written as they come.
    pub log: Option<PathBuf>,
}
