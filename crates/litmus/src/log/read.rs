//! Text to log.

use super::{Entry, Log, State};

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
    /// Two tests of one name with different states.
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
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        if let Some(rest) = line.strip_prefix("Test ") {
            let mut words = rest.split_whitespace();
            let name = words.next().unwrap_or_default().to_owned();
            if log.tests.iter().any(|test| test.name == name) {
                return Err(LogError::TwiceTheName {
                    line: number,
                    test: name,
                });
            }
            log.tests.push(Entry {
                name,
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

fn fact(test: &mut Entry, line: &str) {
    let verdict = ["Ok", "No", "Undef", "Unknown"].iter().any(|word| {
        let rest = line.strip_prefix(word);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
    });
    if verdict && test.verdict.is_empty() {
        test.verdict = line.trim_end().to_owned();
    } else if let Some(condition) = line.strip_prefix("Condition ") {
        test.condition = condition.trim().to_owned();
    } else if let Some(hash) = line.strip_prefix("Hash=") {
        test.hash = hash.trim().to_owned();
    }
}
