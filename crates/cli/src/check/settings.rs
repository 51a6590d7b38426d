//! Arguments resolved: every file that a run needs is known to be usable before the program starts.

use super::Calls;
use super::arguments::{CheckArguments, is_extent};
use crate::distil::Litmus;
use crate::fault::Fault;
use crate::options::{Color, Format};
use crate::output::Destination;
use crate::status::Status;
use farside_check::{LintReport, Matching, Request};
use farside_findings::Layers;
use farside_findings::suppression::Suppressions;
use farside_processes::program::Unusable;
use farside_spool::guard::Extent;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// How much to say on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Complaints only.
    Quiet,
    /// How it ended: nobody watches a file.
    Ended,
    /// What happens, on a terminal.
    Normal,
    /// Every job and process.
    Verbose,
}

/// What a run needs.
#[derive(Debug)]
pub(super) struct Settings {
    /// What is checked, and how.
    pub(super) request: Request,
    /// Form of the report.
    pub(super) format: Format,
    /// Where it goes.
    pub(super) output: Destination,
    /// Where an additional page goes.
    pub(super) html: Option<Destination>,
    /// Colours.
    pub(super) color: Color,
    /// What not to show.
    pub(super) suppressions: Suppressions,
    /// What to say on stderr.
    pub(super) progress: Progress,
    /// Where litmus tests of the findings go.
    litmus: Option<Litmus>,
    /// How many more runs there may be, with other matches of receives.
    orders: u32,
}

impl Settings {
    /// Where litmus tests of the findings go, if any are asked for.
    pub(super) fn litmus(&self) -> Option<&Litmus> {
        self.litmus.as_ref()
    }

    /// How many more runs there may be, with other matches of receives.
    pub(super) fn orders(&self) -> u32 {
        self.orders
    }

    /// Why the command was not checked; a word that an option was to have may be taken for the program.
    pub(super) fn fault(&self, error: farside_check::Error) -> Fault {
        match error {
            farside_check::Error::Program(Unusable::NotThere(name))
                if self.request.guard.is_some() && is_extent(&name) =>
            {
                Fault::GuardExtent(name)
            }
            other => other.into(),
        }
    }

    /// Resolves the arguments.
    pub(super) fn resolve(arguments: CheckArguments, calls: Calls) -> Result<Self, Fault> {
        let progress = match (arguments.quiet, arguments.verbose) {
            (_, true) => Progress::Verbose,
            (false, false) if std::io::stderr().is_terminal() => Progress::Normal,
            (false, false) => Progress::Ended,
            (true, false) => Progress::Quiet,
        };
        let (output, html) = arguments.report.destinations()?;
        Ok(Self {
            format: arguments.report.format,
            output,
            html,
            color: arguments.report.color,
            litmus: arguments.report.litmus()?,
            suppressions: suppressions(&arguments.report.suppressions)?,
            orders: arguments.judging.orders(),
            request: Request {
                matching: Matching::told(arguments.judging.replay().cloned())
                    .looking_for_others(arguments.judging.orders() > 0),
                guard: guarded(arguments.judging.guard(), farside_spool::guard::AVAILABLE)?,
                options: arguments.judging.options(),
                judges: arguments.judging.judges(),
                judged_at: arguments.judging.judged_at(),
                time_limit: arguments.time_limit,
                spool: arguments.spool.unwrap_or_else(std::env::temp_dir),
                keep_spool: arguments.keep_spool,
                trials: arguments.report.trials(),
                backlog: arguments.backlog.saturating_mul(1 << 20),
                lint: arguments.lint.as_deref().map(LintReport::read).transpose()?,
                library: match calls {
                    Calls::OfMpi => Some(crate::libraries::find(crate::libraries::INTERPOSE)?),
                    Calls::OfTheCrate => None,
                },
                command: arguments.command,
                layers: Layers::new(arguments.report.layer),
                status_when_forced: Status::ProgramFailed.number(),
            },
            progress,
        })
    }
}

/// What is asked for of guarded pages, where they can be guarded.
fn guarded(asked: Option<Extent>, available: bool) -> Result<Option<Extent>, Fault> {
    match asked {
        Some(_) if !available => Err(Fault::NoGuard(std::env::consts::ARCH)),
        asked => Ok(asked),
    }
}

/// Reads files of suppressions.
pub(crate) fn suppressions(paths: &[PathBuf]) -> Result<Suppressions, Fault> {
    let mut all = Suppressions::default();
    for path in paths {
        all.extend(read_suppressions(path)?);
    }
    Ok(all)
}

fn read_suppressions(path: &Path) -> Result<Suppressions, Fault> {
    let text = std::fs::read_to_string(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    Suppressions::parse(&path.display().to_string(), &text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Fault::Suppressions(lines.join("\n"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_guarded_is_refused_in_words_that_say_what_helps() {
        assert!(matches!(guarded(None, false), Ok(None)));
        assert!(matches!(guarded(Some(Extent::All), true), Ok(Some(Extent::All))));
        let refusal = guarded(Some(Extent::Bounded), false).unwrap_err().to_string();
        assert!(refusal.contains(std::env::consts::ARCH), "{refusal}");
        assert!(refusal.contains("`farside cc`"), "{refusal}");
    }
}
