//! Arguments resolved: every file that is written or named as a model is known to be usable before the work starts.

use super::arguments::{EngineChoice, LitmusArguments, LitmusFormat};
use super::models::Choice;
use crate::fault::Fault;
use crate::options::Color;
use crate::output::Destination;
use farside_explore::verdict::Wanted;
use farside_explore::{Engine, Limits};
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What a run needs.
pub(super) struct Settings {
    pub(super) files: Vec<PathBuf>,
    pub(super) models: Choice,
    pub(super) wanted: Wanted,
    pub(super) format: LitmusFormat,
    pub(super) output: Destination,
    /// Whether the result is coloured.
    pub(super) coloured: bool,
    /// Whether complaints are.
    pub(super) coloured_complaints: bool,
    pub(super) engine: Engine,
    pub(super) limits: Limits,
    pub(super) threads: Option<NonZeroUsize>,
    /// Whether remarks are made.
    pub(super) remarks: bool,
    /// Whether it is shown what is being done.
    pub(super) shown: bool,
}

impl Settings {
    /// Resolves the arguments.
    pub(super) fn resolve(arguments: LitmusArguments) -> Result<Self, Fault> {
        let output = Destination::checked(arguments.output.as_deref())?;
        let to_stdout = matches!(output, Destination::Stdout);
        let coloured = color(arguments.color, to_stdout && std::io::stdout().is_terminal());
        let coloured_complaints = color(arguments.color, std::io::stderr().is_terminal());
        let wanted = match (arguments.outcome, arguments.format) {
            (Some(outcome), _) => Wanted::Outcome(outcome),
            (None, LitmusFormat::Html) => Wanted::Everything,
            (None, LitmusFormat::Svg | LitmusFormat::Dot) => Wanted::Condition,
            (None, _) if arguments.explain => Wanted::Condition,
            (None, _) => Wanted::Nothing,
        };
        Ok(Self {
            models: Choice::resolve(&arguments.model, coloured_complaints)?,
            files: arguments.files,
            wanted,
            format: arguments.format,
            output,
            coloured,
            coloured_complaints,
            engine: match arguments.engine {
                EngineChoice::Fast => Engine::Fast,
                EngineChoice::Naive => Engine::Naive,
            },
            limits: arguments
                .steps
                .map_or_else(Limits::default, |steps| Limits { steps }),
            threads: arguments.threads,
            remarks: !arguments.quiet,
            shown: !arguments.quiet && std::io::stderr().is_terminal(),
        })
    }
}

fn color(wanted: Color, terminal: bool) -> bool {
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}
