//! Logs in the form of the field's simulators, read and compared.
//!
//! Promise: what `farside litmus` prints, what herd prints, and the histograms of tools that run tests on machines read
//! alike; what no known line is, is skipped, so that logs with other output between the tests read as well.

mod compare;
mod read;

pub use compare::{Difference, compare};
pub use read::{LogError, read};

use std::collections::BTreeMap;
use std::fmt;

/// A log: the outcomes of several tests, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// In the order of the text.
    pub tests: Vec<Entry>,
}

/// One test of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Name of the test.
    pub name: String,
    /// `Allowed`, `Forbidden` or `Required`; empty if not said.
    pub kind: String,
    /// The states, and how often each was seen where that was counted.
    pub states: BTreeMap<State, Option<u64>>,
    /// `Ok`, `No`, or what else the tool said: `Undef race: ...`, `Unknown ...`.
    pub verdict: String,
    /// The condition, as printed.
    pub condition: String,
    /// Of the test; empty if not said.
    pub hash: String,
}

/// A final state: values by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State(pub BTreeMap<String, String>);

impl State {
    /// Reads `0:a=1; [x]=2;`. None if it is something else.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut values = BTreeMap::new();
        for binding in text
            .split(';')
            .map(str::trim)
            .filter(|binding| !binding.is_empty())
        {
            let (name, value) = binding.split_once('=')?;
            let name = name.trim();
            let name = name
                .strip_prefix('[')
                .and_then(|name| name.strip_suffix(']'))
                .unwrap_or(name);
            if name.is_empty() || name.contains(char::is_whitespace) {
                return None;
            }
            values.insert(name.to_owned(), value.trim().to_owned());
        }
        Some(Self(values))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bindings = self.0.iter().map(|(name, value)| format!("{name}={value};"));
        f.write_str(&bindings.collect::<Vec<_>>().join(" "))
    }
}
