//! Text to log.

use super::{Entry, Log, State, Witnesses};
use std::collections::HashSet;

/// Why a text is no log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// No line begins with `Test`.
    #[error("there is no test in this log: no line begins with `Test NAME`")]
    NoTest,
    /// Fewer states than the header of the test says.
    #[error("line {line}: test {test} says it has {said} states, but {found} follow")]
    MissingStates {
        /// Counted from 1.
        line: usize,
        /// Name of the test.
        test: String,
        /// In its header.
        said: u64,
        /// That could be read.
        found: u64,
    },
    /// A `Test` line without a name.
    #[error("line {line}: a test without a name")]
    NoName {
        /// Counted from 1.
        line: usize,
    },
    /// Two tests of one name.
    #[error("line {line}: a second test is called {test}")]
    TwiceTheName {
        /// Counted from 1.
        line: usize,
        /// Name of the test.
        test: String,
    },
}

/// Reads a log.
///
/// # Errors
/// The text has no test, a test is cut short, or two tests have one name.
pub fn read(text: &str) -> Result<Log, LogError> {
    let mut log = Log::default();
    let mut names = HashSet::new();
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        if let Some(rest) = line.strip_prefix("Test ") {
            let mut words = rest.split_whitespace();
            let name = words.next().ok_or(LogError::NoName { line: number })?;
            if !names.insert(name) {
                return Err(LogError::TwiceTheName {
                    line: number,
                    test: name.to_owned(),
                });
            }
            log.tests.push(Entry {
                name: name.to_owned(),
                kind: words.next().unwrap_or_default().to_owned(),
                ..Entry::default()
            });
            continue;
        }
        let Some(test) = log.tests.last_mut() else {
            continue;
        };
        if let Some(said) = number_of_states(line) {
            let mut found = 0;
            while found < said {
                let Some((state, count)) = lines.peek().and_then(|(_, line)| state(line)) else {
                    return Err(LogError::MissingStates {
                        line: number,
                        test: test.name.clone(),
                        said,
                        found,
                    });
                };
                lines.next();
                test.states.insert(state, count);
                found += 1;
            }
        } else {
            fact(test, line);
        }
    }
    if log.tests.is_empty() {
        Err(LogError::NoTest)
    } else {
        Ok(log)
    }
}

/// `States 3`, `Histogram (3 states)`.
fn number_of_states(line: &str) -> Option<u64> {
    let number = match line.strip_prefix("States ") {
        Some(number) => number,
        None => line.strip_prefix("Histogram (")?.split_whitespace().next()?,
    };
    number.trim().parse().ok()
}

/// `0:a=1;`, `42 :>0:a=1;`, `7 *>0:a=1;`
fn state(line: &str) -> Option<(State, Option<u64>)> {
    let counted = line.split_once(":>").or_else(|| line.split_once("*>"));
    match counted {
        Some((count, state)) => Some((State::read(state)?, count.trim().parse().ok())),
        None => Some((State::read(line)?, None)),
    }
}

/// What one of the other lines says of the test.
fn fact(test: &mut Entry, line: &str) {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("Ok" | "No" | "Undef" | "Inconclusive" | "Unknown") if test.verdict.is_empty() => {
            test.verdict = line.trim_end().to_owned();
        }
        Some("Loop") => test.bounded = true,
        Some("Positive:") => {
            let numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
            if let [positive, negative] = numbers[..] {
                test.witnesses = Some(Witnesses { positive, negative });
            }
        }
        Some("Condition") => test.condition = line.trim_start()["Condition".len()..].trim().to_owned(),
        Some("Time") => test.seconds = words.nth(1).unwrap_or_default().to_owned(),
        Some(word) => {
            if let Some(hash) = word.strip_prefix("Hash=") {
                test.hash = hash.to_owned();
            }
        }
        None => {}
    }
}
