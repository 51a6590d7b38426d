//! The label of a program: what the checker must say about it.
//!
//! A label is one JSON object at the start of the program's first comment (`/* {...} */` in C and C++, lines that begin
//! with `!` in Fortran). Text after the object is for people. Unknown keys are errors, so that a misspelt one is
//! noticed.

use crate::library::{Library, Needs};
use farside_findings::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What kind of error a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RaceKind {
    /// The program is correct in every execution.
    None,
    /// Two accesses of one process conflict, at the origin of an operation.
    Local,
    /// Accesses to window memory conflict, at least one of them made from another process.
    Remote,
    /// A call that the standard does not allow there.
    Misuse,
}

/// One side of the race: what is done, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// `MPI_Put`, `LOAD`, `STORE`, `memcpy`, ...
    pub(crate) operation: String,
    /// Line of the program, from 1.
    pub(crate) line: u32,
}

impl Label {
    /// What a library must have to run it.
    pub(crate) fn needs(&self) -> Option<Needs> {
        self.needs
    }

    /// Why `farside lint` cannot tell its error, if it cannot.
    pub(crate) fn not_in_lint(&self) -> Option<&str> {
        self.not_in_lint.as_deref()
    }

    /// Why `farside check --guard` cannot judge it, if it cannot.
    pub(crate) fn not_in_guard(&self) -> Option<&str> {
        self.not_in_guard.as_deref()
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.operation, self.line)
    }
}

impl Serialize for Access {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Access {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.split_once('@')
            .filter(|(operation, _)| !operation.is_empty())
            .and_then(|(operation, line)| Some((operation.to_owned(), line.parse().ok()?)))
            .map(|(operation, line)| Access { operation, line })
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not of the form NAME@LINE")))
    }
}

/// What a program's first comment says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct Label {
    /// What is wrong, if anything.
    pub(crate) race_kind: RaceKind,
    /// The places of the error: two for a race, one or two for a misuse, none for a clean program.
    #[serde(default)]
    pub(crate) race_pair: Vec<Access>,
    /// Other pairs that the same error makes race, which may be reported besides.
    #[serde(default)]
    pub(crate) further_pairs: Vec<Vec<Access>>,
    /// Number of processes to start.
    pub(crate) nprocs: u32,
    /// What the program shows.
    pub(crate) description: String,
    /// The rule that the finding must name, where the program is meant for one rule.
    #[serde(default)]
    pub(crate) rule: Option<Rule>,
    /// Seconds after which the checker ends the program; for programs that hang by their error.
    #[serde(default)]
    pub(crate) time_limit: Option<u64>,
    /// Further options for `mpirun`: for each library, or for Open MPI.
    #[serde(default)]
    pub(crate) options: Options,
    /// Further options for the compiler, `-fopenmp` for example.
    #[serde(default)]
    pub(crate) compile: Words,
    /// What a library must have to run it, where not all have that.
    #[serde(default)]
    needs: Option<Needs>,
    /// Why `farside lint` cannot tell its error.
    #[serde(default)]
    not_in_lint: Option<String>,
    /// Why guarded pages cannot tell it from a program with another verdict.
    #[serde(default)]
    not_in_guard: Option<String>,
}

/// Options for `mpirun`, in JSON `{"openmpi": ..., "mpich": ...}`, or the words for Open MPI alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Options {
    /// By library.
    ByLibrary(BTreeMap<Library, Words>),
    /// For Open MPI.
    ForOpenMpi(Words),
}

impl Default for Options {
    fn default() -> Self {
        Options::ByLibrary(BTreeMap::new())
    }
}

impl Options {
    /// The options for this library.
    pub(crate) fn of(&self, library: Library) -> &[String] {
        match self {
            Options::ByLibrary(map) => map.get(&library).map_or(&[], |words| &words.0),
            Options::ForOpenMpi(words) if library == Library::OpenMpi => &words.0,
            Options::ForOpenMpi(_) => &[],
        }
    }
}

/// Words of a command line, written in JSON as one string or as a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StringOrList")]
pub(crate) struct Words(pub(crate) Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum StringOrList {
    One(String),
    Many(Vec<String>),
}

impl From<StringOrList> for Words {
    fn from(value: StringOrList) -> Self {
        Words(match value {
            StringOrList::One(words) => words.split_whitespace().map(str::to_owned).collect(),
            StringOrList::Many(words) => words,
        })
    }
}

/// Reads the label of a program's source.
pub(crate) fn parse(source: &str) -> Result<Label, String> {
    let comment = first_comment(source).ok_or("does not begin with a comment")?;
    let mut values = serde_json::Deserializer::from_str(&comment).into_iter::<Label>();
    match values.next() {
        None => Err("the first comment is empty".to_owned()),
        Some(Err(error)) => Err(format!("the first comment has no valid label: {error}")),
        Some(Ok(label)) => Ok(label),
    }
}

/// The text of the comment with which the source begins, without its marks.
fn first_comment(source: &str) -> Option<String> {
    let source = source.trim_start();
    if let Some(rest) = source.strip_prefix("/*") {
        return rest.split_once("*/").map(|(comment, _)| comment.to_owned());
    }
    let marks = ["//", "#"];
    let mark = marks
        .into_iter()
        .find(|mark| source.starts_with(mark))
        .unwrap_or("!");
    let lines: Vec<&str> = source
        .lines()
        .map_while(|line| line.trim_start().strip_prefix(mark))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: &str = r#"{"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@5", "STORE@6"],
        "NPROCS": 2, "DESCRIPTION": "d", "OPTIONS": "--mca osc sm"}"#;

    #[test]
    fn c_and_fortran_comments_are_read() {
        let c = parse(&format!("/* {LABEL}\n Why: ... */\nint main;")).unwrap();
        assert_eq!(
            c.race_pair[1],
            Access {
                operation: "STORE".into(),
                line: 6
            }
        );
        assert_eq!(c.options.of(Library::OpenMpi), ["--mca", "osc", "sm"]);
        assert!(c.options.of(Library::Mpich).is_empty());
        let by_library = LABEL.replace("\"--mca osc sm\"", "{\"mpich\": [\"-l\"]}");
        let c_by_library = parse(&format!("/* {by_library} */")).unwrap();
        assert_eq!(c_by_library.options.of(Library::Mpich), ["-l"]);
        assert!(c_by_library.options.of(Library::OpenMpi).is_empty());
        let fortran = parse(&format!("! {}\nprogram p", LABEL.replace('\n', "\n!"))).unwrap();
        assert_eq!(fortran, c);
    }

    #[test]
    fn mistakes_are_errors() {
        assert!(parse("int main;").is_err());
        assert!(parse("/* no json */").is_err());
        assert!(parse(&format!("/* {} */", LABEL.replace("NPROCS", "NPROC"))).is_err());
        assert!(parse(&format!("/* {} */", LABEL.replace("STORE@6", "STORE"))).is_err());
    }
}
