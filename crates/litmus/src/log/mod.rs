//! Logs in the form of the field's simulators: read, written, compared.
//!
//! ```text
//! Test MP Allowed
//! States 3
//! 1:a=0; 1:b=0;
//! 1:a=0; 1:b=1;
//! 1:a=1; 1:b=1;
//! No
//! Witnesses
//! Positive: 0 Negative: 3
//! Condition exists (1:a = 1 /\ 1:b = 0)
//! Observation MP Never 0 3
//! Time MP 0.00
//! Hash=0123456789abcdef0123456789abcdef
//! ```
//!
//! Promise: what `farside litmus` prints, what herd prints, and the histograms of tools that run tests on machines read
//! alike; what no known line is, is skipped, so that logs with other output between the tests read as well. What is
//! written reads back to the same log. Reading and comparing take time and memory in proportion to the text.

mod compare;
mod read;
mod write;

pub use compare::{Difference, compare};
pub use read::{LogError, read};

use std::collections::BTreeMap;
use std::fmt;

/// A log: the outcomes of several tests. Displayed, it is the text of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// In the order of the text; no two have one name.
    pub tests: Vec<Entry>,
}

/// One test of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Name of the test: a word.
    pub name: String,
    /// `Allowed`, `Forbidden` or `Required`; empty if not said.
    pub kind: String,
    /// The states, and how often each was seen where that was counted.
    pub states: BTreeMap<State, Option<u64>>,
    /// `Ok`, `No`, or what else the tool said: `Undef race`, `Inconclusive`, `Unknown`.
    pub verdict: String,
    /// Whether a loop ended at its bound, so that states may be missing.
    pub bounded: bool,
    /// How often the condition's proposition held, and how often it did not; none if not said.
    pub witnesses: Option<Witnesses>,
    /// The condition, as printed.
    pub condition: String,
    /// How long it took, as printed: seconds; empty if not said.
    pub seconds: String,
    /// Of the test; empty if not said.
    pub hash: String,
}

/// How often the proposition of a condition held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Witnesses {
    /// States, or runs, in which it held.
    pub positive: u64,
    /// Those in which it did not.
    pub negative: u64,
}

impl Witnesses {
    /// `Always`, `Sometimes` or `Never`.
    #[must_use]
    pub fn observation(self) -> &'static str {
        match (self.positive, self.negative) {
            (0, _) => "Never",
            (_, 0) => "Always",
            _ => "Sometimes",
        }
    }
}

/// A final state: values by name. Equal states are equal whatever the order of their names was, and whether or not
/// variables stood in brackets.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(String);

impl State {
    /// Reads `0:a=1; [x]=2;`. None if it is something else, or says two values of one name.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut bindings = text
            .split(';')
            .map(str::trim)
            .filter(|binding| !binding.is_empty())
            .map(binding)
            .collect::<Option<Vec<_>>>()?;
        bindings.sort_unstable();
        if bindings.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        let written = bindings.iter().map(|(name, value)| format!("{name}={value};"));
        Some(Self(written.collect::<Vec<_>>().join(" ")))
    }

    /// The value of a name, as written; none if the state does not show it.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let bindings = self
            .0
            .split(';')
            .filter_map(|binding| binding.trim().split_once('='));
        bindings
            .into_iter()
            .find_map(|(known, value)| (known == name).then_some(value))
    }
}

/// `0:a=1`, `[x]=2`
fn binding(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let name = name.trim();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let name = bare.unwrap_or(name);
    let value = value.trim();
    let whole = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
    (whole(name) && whole(value)).then_some((name, value))
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
