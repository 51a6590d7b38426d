//! `farside robust`: does a PGAS program behave as if sequentially consistent, and if not, which waits are missing?
//!
//! | step | file |
//! |---|---|
//! | arguments defined | `arguments` |
//! | which programs the files are | `given` |
//! | a file read: a PGAS program, or a litmus test | `source` |
//! | the sources of a program as one text | `joined` |
//! | a C or C++ program followed, and decided | `code` |
//! | a repair written into the source of such a program | `repaired` |
//! | calls that such a program needs for more than to be robust | `superfluous` |
//! | one program decided by `farside-robust` | `judge` |
//! | the report shown, and the exit status | here |

pub(crate) mod arguments;
mod code;
mod given;
mod joined;
mod judge;
mod repaired;
mod source;
mod superfluous;

use crate::fault::Fault;
use crate::merge::Merge;
use crate::options::Color;
use crate::output::{Destination, complain, shown};
use crate::progress::Activity;
use crate::shard::add_files;
use crate::status::Status;
use arguments::{RobustArguments, RobustFormat};
use farside_report::robustness::{dot, html, json, svg, text};
use farside_robustness::{Judgement, Report, SCHEMA_VERSION, Verdict};
use farside_shards::Inputs;
use given::Given;
use serde::{Deserialize, Serialize};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

/// Runs the subcommand.
pub(crate) fn run(arguments: RobustArguments) -> Status {
    robust(arguments).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// Ends a run that was done in shards.
pub(crate) fn merge(arguments: RobustArguments, merge: Merge) -> Status {
    merged(arguments, merge).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

fn robust(mut arguments: RobustArguments) -> Result<Status, Fault> {
    if arguments.prints() {
        return print(&arguments);
    }
    let Some(cut) = arguments.cut()? else {
        let output = Destination::checked(arguments.output.as_deref())?;
        let programs = Given::all(&arguments);
        let repaired = repaired_to(&arguments, programs.len())?;
        let pieces = programs.into_iter().map(|given| decided(given, &arguments));
        return finish(pieces, &arguments, &output, repaired.as_ref());
    };
    let programs = Given::all(&arguments);
    let mut part = cut.begin(&arguments, inputs(&arguments.files)?, programs.len())?;
    for (number, given) in (0..).zip(programs) {
        if cut.has(number) {
            let piece = decided(given, &arguments);
            piece.complain();
            part.take(number, &piece)?;
        }
    }
    part.finish()?;
    Ok(Status::Clean)
}

/// Writes the programs in their language.
fn print(arguments: &RobustArguments) -> Result<Status, Fault> {
    let output = Destination::checked(arguments.output.as_deref())?;
    let mut text = String::new();
    let mut status = Status::Clean;
    for given in Given::all(arguments) {
        match judge::printed(given, arguments) {
            Ok(program) => text.push_str(&program),
            Err(trouble) => {
                trouble_as_piece(trouble).complain();
                status = Status::Usage;
            }
        }
    }
    output.write(&text)?;
    Ok(status)
}

fn merged(arguments: RobustArguments, mut merge: Merge) -> Result<Status, Fault> {
    merge.without_tests()?;
    merge.without_histograms()?;
    let output = Destination::checked(merge.output().as_deref())?;
    let pieces: Vec<Piece> = merge.rest()?;
    finish(pieces, &arguments, &output, None)
}

/// What a run reads.
fn inputs(paths: &[PathBuf]) -> Result<Inputs, Fault> {
    let mut inputs = Inputs::default();
    add_files(
        &mut inputs,
        paths,
        "a program from stdin: other shards would not have it",
    )?;
    Ok(inputs)
}

/// What became of a program, as it stands in the file of a shard.
#[derive(Serialize, Deserialize)]
enum Piece {
    /// It was decided, or a limit was reached.
    Decided(Box<Judgement>),
    /// It was not looked at: why, as shown.
    Trouble(String),
}

impl Piece {
    fn complain(&self) {
        if let Self::Trouble(shown) = self {
            // Nothing can be done about a stderr that is gone.
            let _ = std::io::stderr().write_all(shown.as_bytes());
        }
    }
}

fn decided(given: Given, arguments: &RobustArguments) -> Piece {
    let activity = Activity::begin(arguments.is_quiet());
    activity.now(format!("deciding {}", given.path().display()));
    match judge::program(given, arguments) {
        Ok(judgement) => Piece::Decided(Box::new(judgement)),
        Err(trouble) => trouble_as_piece(trouble),
    }
}

fn trouble_as_piece(trouble: source::Trouble) -> Piece {
    Piece::Trouble(match trouble {
        source::Trouble::Fault(fault) => shown(&fault),
        source::Trouble::Mistakes(shown) => shown,
    })
}

/// Shows what became of all programs; says what it means.
fn finish(
    pieces: impl IntoIterator<Item = Piece>,
    arguments: &RobustArguments,
    output: &Destination,
    repaired: Option<&Destination>,
) -> Result<Status, Fault> {
    let mut programs = Vec::new();
    let mut troubles = false;
    for piece in pieces {
        piece.complain();
        match piece {
            Piece::Decided(judgement) => programs.push(*judgement),
            Piece::Trouble(_) => troubles = true,
        }
    }
    if programs.is_empty() {
        return Ok(Status::Usage);
    }
    if let (Some(repaired), Some(text)) = (repaired, repaired_text(&programs)) {
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
    if !arguments.is_quiet() {
        output.tell(&text::summary(&report));
    }
    let said = |program: &Judgement| {
        program
            .every
            .as_ref()
            .map_or(program.verdict, |every| every.verdict)
    };
    let any = |verdict| report.programs.iter().any(|program| said(program) == verdict);
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
fn repaired_to(arguments: &RobustArguments, programs: usize) -> Result<Option<Destination>, Fault> {
    let Some(path) = arguments.repaired.as_deref() else {
        return Ok(None);
    };
    if programs > 1 {
        let why = "it is for the repair of one program, and several are given";
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, why);
        return Err(Fault::Unwritable(path.to_path_buf(), error));
    }
    Destination::checked(Some(path)).map(Some)
}

fn repaired_text(programs: &[Judgement]) -> Option<&str> {
    programs.first()?.repair.as_ref()?.program.as_deref()
}
