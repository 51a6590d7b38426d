//! Options that several subcommands have: the form of a report, colours, times.

use crate::distil::{Litmus, LitmusOptions};
use crate::fault::Fault;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How and where findings are reported: of `farside check`, `farside run --check` and `farside lint`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReportArguments {
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Write the report to FILE instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write an HTML report to FILE in addition
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Hide the findings that FILE lists (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub(crate) suppressions: Vec<PathBuf>,
    /// A library, folder or header between the program and MPI: findings are shown where the program calls it (may be
    /// given several times)
    #[arg(long, value_name = "NAME|PATH")]
    pub(crate) layer: Vec<String>,
    /// Colours in text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    #[command(flatten)]
    litmus: LitmusOptions,
}

impl ReportArguments {
    /// Where litmus tests of the findings go, if any are asked for.
    ///
    /// # Errors
    /// The folder cannot be written, or the target is not here.
    pub(crate) fn litmus(&self) -> Result<Option<Litmus>, Fault> {
        self.litmus.checked(self.html.as_deref())
    }
}

/// Forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs; `farside schema` describes it
    Json,
    /// SARIF 2.1.0, for code review tools
    Sarif,
    /// One self-contained page
    Html,
}

/// What to do about polling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PollingChoice {
    /// Report it as a finding of its own rule
    #[default]
    Report,
    /// The program relies on the unified memory model
    Allow,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A time in seconds that is more than 0.
pub(crate) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match std::time::Duration::try_from_secs_f64(value) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("must be more than 0".to_string()),
    }
}
