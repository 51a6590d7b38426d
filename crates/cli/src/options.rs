//! Options that several subcommands have: the form of a report, colours, times.

use crate::distil::{Litmus, LitmusOptions};
use crate::fault::Fault;
use crate::output::Destination;
use clap::{Args, ValueEnum};
use farside_check::Trials;
use farside_trial::Costs;
use std::path::{Path, PathBuf};

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
    /// Print suggestions as they are, and do not try them in the events of the run
    ///
    /// Otherwise a suggestion is put into the events that led to its finding, and these are judged again: `verified`
    /// says that the finding goes then, and nothing new comes. That takes a fifth of a run's time at most, or two
    /// seconds.
    #[arg(long)]
    no_trials: bool,
    /// Take a kind of call to cost so many microseconds, where the cheapest of several suggestions is printed first
    /// (may be given several times): local-flush, flush, wait, barrier, fence, epoch, lock, notify, copy, attach
    ///
    /// Without it, costs are those that were measured of Open MPI over TCP.
    #[arg(long, value_name = "KIND=US", value_parser = cost)]
    cost: Vec<(String, f64)>,
    /// Say which flushes, fences, barriers and locks were not needed, and what they cost
    ///
    /// Each is left out of the events of the run, or of the simulations of `lint`, or made weaker, and all is judged
    /// again. That takes as long as the run itself at the most, or ten seconds. The exit status stays that of the
    /// findings. With `check --lint`, a report of `farside lint --superfluous`, the sources confirm what they can.
    #[arg(long)]
    superfluous: bool,
    /// Colours in text
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    #[command(flatten)]
    litmus: LitmusOptions,
}

impl ReportArguments {
    /// Where the report goes, and the page, if one is asked for.
    ///
    /// # Errors
    /// One of them cannot be written, or both are the same file.
    pub(crate) fn destinations(&self) -> Result<(Destination, Option<Destination>), Fault> {
        let (output, html) = (self.output.as_deref(), self.html.as_deref());
        // A device may take both.
        let is_kept = |path: &Path| path.is_file() || !path.exists();
        if let Some(path) = output.filter(|path| Some(*path) == html && is_kept(path)) {
            return Err(Fault::SameFile(path.to_path_buf()));
        }
        let page = html.map(|path| Destination::checked(Some(path))).transpose()?;
        Ok((Destination::checked(output)?, page))
    }

    /// Where litmus tests of the findings go, if any are asked for.
    ///
    /// # Errors
    /// The folder cannot be written, or the target is not here.
    pub(crate) fn litmus(&self) -> Result<Option<Litmus>, Fault> {
        self.litmus.checked(self.html.as_deref())
    }
}

impl ReportArguments {
    /// What is to be tried in the events.
    pub(crate) fn trials(&self) -> Trials {
        Trials::new(self.tries(), self.superfluous)
    }

    /// Whether synchronisation that is not needed is to be told.
    pub(crate) fn asks_superfluous(&self) -> bool {
        self.superfluous
    }

    /// What calls cost, if suggestions are to be tried.
    pub(crate) fn tries(&self) -> Option<Costs> {
        let mut costs = Costs::default();
        for (kind, cost) in &self.cost {
            // Was looked at when it was read.
            let _ = costs.set(kind, *cost);
        }
        (!self.no_trials).then_some(costs)
    }
}

/// A kind of call, and its cost.
fn cost(text: &str) -> Result<(String, f64), String> {
    let (kind, cost) = text.split_once('=').ok_or("it has no `=`: barrier=15.3")?;
    let cost: f64 = cost.parse().map_err(|_| format!("{cost:?} is no number"))?;
    Costs::default().set(kind, cost)?;
    Ok((kind.to_owned(), cost))
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
