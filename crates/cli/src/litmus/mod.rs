//! `farside litmus`: which outcomes may a small program have under a memory model, and why.
//!
//! | step | file |
//! |---|---|
//! | arguments defined, and resolved | `arguments`, `settings` |
//! | files, folders and lists of tests | `sources` |
//! | models by name and by file | `models` |
//! | many tests at the same time | `set` |
//! | one test parsed, and judged under its models by `farside_explore::verdict` | `judge` |
//! | mistakes in tests and models shown | `diagnostics` |
//! | the report shown, and the exit status | `present` |
//! | two logs compared | `diff` |

pub(crate) mod arguments;
mod diagnostics;
mod diff;
mod judge;
pub(crate) mod language;
pub(crate) mod models;
mod present;
mod set;
mod settings;
pub(crate) mod sources;

use crate::fault::Fault;
use crate::merge::Merge;
use crate::output::{complain, print, shown};
use crate::shard::add_files;
use crate::status::Status;
use arguments::{LitmusArguments, LitmusCommand};
use farside_shards::Inputs;
use judge::{Judged, Trouble};
use serde::{Deserialize, Serialize};
use settings::Settings;
use std::path::PathBuf;

/// Runs the subcommand.
pub(crate) fn run(mut arguments: LitmusArguments) -> Status {
    let result = match arguments.command.take() {
        Some(LitmusCommand::Diff(logs)) => diff::diff(&logs),
        None if arguments.models => print(&models::list()).map(|()| Status::Clean),
        None => litmus(arguments),
    };
    result.unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

/// Ends a run that was done in shards.
pub(crate) fn merge(arguments: LitmusArguments, merge: Merge) -> Status {
    merged(arguments, merge).unwrap_or_else(|fault| {
        complain(&fault);
        Status::Usage
    })
}

fn litmus(mut arguments: LitmusArguments) -> Result<Status, Fault> {
    let cut = arguments.cut()?;
    let mut question = arguments.clone();
    question.threads = None;
    let settings = Settings::resolve(arguments)?;
    let paths = sources::find(&settings.files)?;
    let test = |path: &PathBuf| judge::test(path, &settings);
    let Some(cut) = cut else {
        return finish(
            set::run(&paths, settings.threads, settings.shown, test),
            &settings,
        );
    };
    let part = cut.begin(&question, inputs(&paths, &settings)?, paths.len())?;
    let mine = cut.of_all(&paths);
    let results = set::run(&mine, settings.threads, settings.shown, |(_, path)| {
        Piece::from(test(path))
    });
    results.iter().for_each(Piece::complain);
    part.take_all(mine.iter().map(|(number, _)| *number).zip(&results))?;
    Ok(Status::Clean)
}

fn merged(mut arguments: LitmusArguments, mut merge: Merge) -> Result<Status, Fault> {
    merge.without_tests()?;
    merge.without_histograms()?;
    arguments.output = merge.output();
    let settings = Settings::resolve(arguments)?;
    let pieces: Vec<Piece> = merge.rest()?;
    finish(pieces.into_iter().map(Piece::into_result).collect(), &settings)
}

/// What a run reads: its tests and its models.
fn inputs(paths: &[PathBuf], settings: &Settings) -> Result<Inputs, Fault> {
    let mut inputs = Inputs::default();
    inputs.add("models", settings.models.text().as_bytes());
    add_files(
        &mut inputs,
        paths,
        "tests from stdin: other shards would not have them",
    )?;
    Ok(inputs)
}

/// What became of a test, as it stands in the file of a shard.
#[derive(Serialize, Deserialize)]
enum Piece {
    /// It was judged.
    Judged(Judged),
    /// It was not: why, as shown.
    Trouble(String),
}

impl From<Result<Judged, Trouble>> for Piece {
    fn from(result: Result<Judged, Trouble>) -> Self {
        match result {
            Ok(judged) => Self::Judged(judged),
            Err(Trouble::Fault(fault)) => Self::Trouble(shown(&fault)),
            Err(Trouble::Mistakes(shown)) => Self::Trouble(shown),
        }
    }
}

impl Piece {
    fn complain(&self) {
        if let Self::Trouble(shown) = self {
            present::say(shown);
        }
    }

    fn into_result(self) -> Result<Judged, Trouble> {
        match self {
            Self::Judged(judged) => Ok(judged),
            Self::Trouble(shown) => Err(Trouble::Mistakes(shown)),
        }
    }
}

/// Shows what became of all tests; says what it means.
fn finish(results: Vec<Result<Judged, Trouble>>, settings: &Settings) -> Result<Status, Fault> {
    let mut troubles = 0;
    let mut judged = Vec::new();
    for result in results {
        match result {
            Ok(test) => judged.push(test),
            Err(trouble) => {
                troubles += 1;
                present::complain(&trouble);
            }
        }
    }
    let status = present::present(judged, settings)?;
    Ok(if troubles > 0 { Status::Usage } else { status })
}
