//! The log of an earlier run, in the place of a run.

use crate::batch::Fate;
use crate::choice::Choice;
use crate::error::Error;
use crate::rank::DECLARES;
use crate::settings::Case;
use farside_litmus::log::{self, Entry, Log};
use std::collections::HashMap;
use std::path::Path;

/// What an earlier run has of tests.
#[derive(Debug)]
pub struct Earlier<'c> {
    /// Tests, and what became of them.
    pub results: Vec<(&'c Case, Fate)>,
    /// The model that the target declared.
    pub declared: Option<String>,
}

/// What the log of an earlier run has of these tests. Those that it lacks could not be expressed, or were not run.
///
/// # Errors
/// It cannot be read, or is of other tests.
pub fn earlier<'c>(
    cases: &'c [Case],
    path: &Path,
    target: Choice,
    accumulate: bool,
) -> Result<Earlier<'c>, Error> {
    let unusable = |why: String| Error::Log(path.to_path_buf(), why);
    let log = read(path)?;
    let mut by_name: HashMap<String, Entry> = log
        .tests
        .into_iter()
        .map(|entry| (entry.name.clone(), entry))
        .collect();
    let mut results = Vec::new();
    for case in cases {
        let fate = match by_name.remove(&case.program.name) {
            Some(entry) if !entry.hash.is_empty() && entry.hash != case.program.hash() => {
                return Err(unusable(format!("it has another test called {}", entry.name)));
            }
            Some(entry) => Fate::Ran(entry),
            None => match target.expresses(&case.program, accumulate) {
                Ok(()) => Fate::NotRun("the log of the earlier run has no result of it".to_owned()),
                Err(why) => Fate::NotEmitted(why.to_owned()),
            },
        };
        results.push((case, fate));
    }
    let text = std::fs::read(path).map_err(|error| Error::Unreadable(path.to_path_buf(), error))?;
    let text = String::from_utf8_lossy(&text);
    let declared = text.lines().find_map(|line| line.strip_prefix(DECLARES));
    Ok(Earlier {
        results,
        declared: declared.map(str::to_owned),
    })
}

/// A log, which may be long: one of a million tests is some 300 MB.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read(path: &Path) -> Result<Log, Error> {
    let text = std::fs::read(path).map_err(|error| Error::Unreadable(path.to_path_buf(), error))?;
    log::read(&String::from_utf8_lossy(&text))
        .map_err(|error| Error::Log(path.to_path_buf(), error.to_string()))
}
