//! The log of an earlier run, in the place of a run.

use super::arguments::ConformArguments;
use super::batch::Fate;
use super::case::Case;
use super::ranks::DECLARES;
use crate::fault::Fault;
use farside_litmus::log::Entry;
use std::collections::HashMap;
use std::path::Path;

/// What an earlier run has of tests.
pub(super) struct Earlier<'c> {
    pub(super) results: Vec<(&'c Case, Fate)>,
    /// The model that the target declared.
    pub(super) declared: Option<String>,
}

/// What the log of an earlier run has of these tests. Those that it lacks could not be expressed, or were not run.
pub(super) fn earlier<'c>(
    cases: &'c [Case],
    path: &Path,
    arguments: &ConformArguments,
) -> Result<Earlier<'c>, Fault> {
    let unusable = |why: String| Fault::Log(path.to_path_buf(), why);
    let log = crate::litmus::diff::read(path)?;
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
            None => match arguments.target.expresses(&case.program, arguments.accumulate) {
                Ok(()) => Fate::NotRun("the log of the earlier run has no result of it".to_owned()),
                Err(why) => Fate::NotEmitted(why),
            },
        };
        results.push((case, fate));
    }
    let text = std::fs::read(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    let text = String::from_utf8_lossy(&text);
    let declared = text.lines().find_map(|line| line.strip_prefix(DECLARES));
    Ok(Earlier {
        results,
        declared: declared.map(str::to_owned),
    })
}
