//! What became of a test, as it stands in the file of a shard.

use crate::fault::Fault;
use crate::litmus::language;
use crate::litmus::sources::Source;
use farside_conform::{Case, Fate, tests_of_log};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::PathBuf;

/// A test, and what became of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Piece {
    path: PathBuf,
    text: String,
    became: Became,
    /// What the ranks declared that ran it, or those that ran with it.
    declared: Option<String>,
}

#[derive(Serialize, Deserialize)]
enum Became {
    /// Its lines in a log.
    Ran(String),
    NotEmitted(String),
    NotRun(String),
    Hung,
    Crashed(String),
}

/// The pieces of results, whose log this is, in the order of `cases`.
pub(super) fn pieces(
    cases: &[Case],
    results: Vec<(&Case, Fate)>,
    log: &str,
    declared: Option<&str>,
) -> Vec<Piece> {
    let lines: HashMap<&str, &str> = tests_of_log(log).collect();
    let mut fates: HashMap<&str, Fate> = HashMap::new();
    for (case, fate) in results {
        fates.insert(&case.program.name, fate);
    }
    let piece = |case: &Case| {
        let name = case.program.name.as_str();
        let became = match fates.remove(name) {
            Some(Fate::Ran(_)) => Became::Ran(lines.get(name).copied().unwrap_or_default().to_owned()),
            Some(Fate::NotEmitted(why)) => Became::NotEmitted(why),
            Some(Fate::NotRun(why)) => Became::NotRun(why),
            Some(Fate::Hung) => Became::Hung,
            Some(Fate::Crashed(how)) => Became::Crashed(how),
            // Every test that is named has a fate.
            None => Became::NotRun("nothing is known of it".to_owned()),
        };
        Piece {
            path: case.path.clone(),
            text: case.text.clone(),
            became,
            declared: declared.map(str::to_owned),
        }
    };
    cases.iter().map(piece).collect()
}

/// A test, its fate, its lines in the log, and the model that was declared.
type Read = (Case, Fate, String, Option<String>);

impl Piece {
    /// As it was before it was written.
    ///
    /// # Errors
    /// It was changed since.
    pub(super) fn read(self) -> Result<Read, Fault> {
        let wrong = |path: &PathBuf, why: String| Fault::NotText(path.clone(), why);
        let source = Source {
            path: self.path,
            text: self.text,
        };
        let program = language::parse(&source, false).map_err(|shown| wrong(&source.path, shown))?;
        let mut lines = String::new();
        let fate = match self.became {
            Became::Ran(text) => {
                let log = farside_litmus::log::read(&text);
                let log = log.map_err(|error| wrong(&source.path, error.to_string()))?;
                lines = text;
                Fate::Ran(log.tests.into_iter().next().unwrap_or_default())
            }
            Became::NotEmitted(why) => Fate::NotEmitted(why),
            Became::NotRun(why) => Fate::NotRun(why),
            Became::Hung => Fate::Hung,
            Became::Crashed(how) => Fate::Crashed(how),
        };
        let case = Case {
            path: source.path,
            text: source.text,
            program,
        };
        Ok((case, fate, lines, self.declared))
    }
}
