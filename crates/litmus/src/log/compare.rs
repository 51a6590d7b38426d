//! Two logs, test by test.

use super::{Entry, Log, State};
use std::collections::HashMap;

/// How a test differs between two logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Only the first log has it.
    OnlyFirst {
        /// Name of the test.
        test: String,
    },
    /// Only the second log has it.
    OnlySecond {
        /// Name of the test.
        test: String,
    },
    /// The two logs mean different tests of this name: their hashes differ.
    OtherTest {
        /// Name of the test.
        test: String,
    },
    /// Other states, or another verdict.
    Outcomes {
        /// Name of the test.
        test: String,
        /// States of the first log only.
        first: Vec<State>,
        /// States of the second log only.
        second: Vec<State>,
        /// The two verdicts, if they differ.
        verdicts: Option<[String; 2]>,
    },
}

/// What differs, in the order of the first log; what only the second has comes last.
#[must_use]
pub fn compare(first: &Log, second: &Log) -> Vec<Difference> {
    let (in_first, in_second) = (by_name(first), by_name(second));
    let mut differences: Vec<Difference> = first
        .tests
        .iter()
        .filter_map(|test| match in_second.get(test.name.as_str()) {
            Some(other) => differ(test, other),
            None => Some(Difference::OnlyFirst {
                test: test.name.clone(),
            }),
        })
        .collect();
    let only_second = second
        .tests
        .iter()
        .filter(|test| !in_first.contains_key(test.name.as_str()));
    differences.extend(only_second.map(|test| Difference::OnlySecond {
        test: test.name.clone(),
    }));
    differences
}

fn by_name(log: &Log) -> HashMap<&str, &Entry> {
    log.tests.iter().map(|test| (test.name.as_str(), test)).collect()
}

fn differ(first: &Entry, second: &Entry) -> Option<Difference> {
    let test = first.name.clone();
    if !first.hash.is_empty() && !second.hash.is_empty() && first.hash != second.hash {
        return Some(Difference::OtherTest { test });
    }
    let missing = |from: &Entry, other: &Entry| -> Vec<State> {
        let states = from
            .states
            .keys()
            .filter(|state| !other.states.contains_key(state));
        states.cloned().collect()
    };
    let (only_first, only_second) = (missing(first, second), missing(second, first));
    let verdicts = (first.verdict != second.verdict).then(|| [first.verdict.clone(), second.verdict.clone()]);
    if only_first.is_empty() && only_second.is_empty() && verdicts.is_none() {
        return None;
    }
    Some(Difference::Outcomes {
        test,
        first: only_first,
        second: only_second,
        verdicts,
    })
}
