//! `farside robust`: does a PGAS program behave as if sequentially consistent, and if not, which waits are missing?
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | a file read: a PGAS program, or a litmus test | `source` |
//! | one program decided by `farside-robust` | `judge` |
//! | the report shown, and the exit status | here |

pub(crate) mod arguments;
mod judge;
mod source;

use crate::fault::Fault;
use crate::options::Color;
use crate::output::{Destination, complain};
use crate::status::Status;
use arguments::{RobustArguments, RobustFormat};
use farside_report::robustness::{dot, html, json, svg, text};
use farside_robustness::{Judgement, Report, SCHEMA_VERSION, Verdict};
use std::io::{IsTerminal as _, Write as _};

/// Runs the subcommand.
pub(crate) fn run(arguments: &RobustArguments) -> Status {
    robust(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

fn robust(arguments: &RobustArguments) -> Result<Status, Fault> {
    let output = Destination::checked(arguments.output.as_deref())?;
    let repaired = repaired_to(arguments)?;
    let mut programs = Vec::new();
    let mut troubles = false;
    for path in &arguments.files {
        match judge::program(path, arguments) {
            Ok(judgement) => programs.push(judgement),
            Err(source::Trouble::Fault(fault)) => {
                troubles = true;
                complain(&fault);
            }
            Err(source::Trouble::Mistakes(shown)) => {
                troubles = true;
                // Nothing can be done about a stderr that is gone.
                let _ = std::io::stderr().write_all(shown.as_bytes());
            }
        }
    }
    if programs.is_empty() {
        return Ok(Status::Usage);
    }
    if let (Some(repaired), Some(text)) = (&repaired, repaired_text(&programs)) {
        repaired.write(text)?;
    }
    let report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")).to_owned(),
        programs,
    };
    let coloured = match arguments.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            matches!(output, Destination::Stdout)
                && std::io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    output.write(&match arguments.format {
        RobustFormat::Text if coloured => text::render(&report, farside_report::Color::Always),
        RobustFormat::Text => text::render(&report, farside_report::Color::Never),
        RobustFormat::Json => json::render(&report),
        RobustFormat::Html => html::render(&report),
        RobustFormat::Svg => svg::render(&report),
        RobustFormat::Dot => dot::render(&report),
    })?;
    let any = |verdict| report.programs.iter().any(|program| program.verdict == verdict);
    Ok(if troubles {
        Status::Usage
    } else if any(Verdict::NotRobust) {
        Status::Findings
    } else if any(Verdict::Inconclusive) {
        Status::Inconclusive
    } else {
        Status::Clean
    })
}

/// Where the repaired program goes.
fn repaired_to(arguments: &RobustArguments) -> Result<Option<Destination>, Fault> {
    let Some(path) = arguments.repaired.as_deref() else {
        return Ok(None);
    };
    if arguments.files.len() > 1 {
        let why = "it is for the repair of one program, and several are given";
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, why);
        return Err(Fault::Unwritable(path.to_path_buf(), error));
    }
    Destination::checked(Some(path)).map(Some)
}

fn repaired_text(programs: &[Judgement]) -> Option<&str> {
    programs.first()?.repair.as_ref()?.program.as_deref()
}
