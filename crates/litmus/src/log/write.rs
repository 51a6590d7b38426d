//! Log to text.

use super::{Entry, Log};
use std::fmt;

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tests.iter().try_for_each(|test| writeln!(f, "{test}"))
    }
}

/// The lines of one test. Counted states are written as a histogram.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        writeln!(f, "{}", format!("Test {name} {}", self.kind).trim_end())?;
        let number = self.states.len();
        if self.states.values().any(Option::is_some) {
            writeln!(f, "Histogram ({number} states)")?;
        } else {
            writeln!(f, "States {number}")?;
        }
        for (state, count) in &self.states {
            match count {
                Some(count) => writeln!(f, "{count:<6}:>{state}")?,
                None => writeln!(f, "{state}")?,
            }
        }
        if !self.verdict.is_empty() {
            writeln!(f, "{}", self.verdict)?;
        }
        if self.bounded {
            writeln!(f, "Loop {name}")?;
        }
        if let Some(witnesses) = self.witnesses {
            let (positive, negative) = (witnesses.positive, witnesses.negative);
            writeln!(f, "Witnesses\nPositive: {positive} Negative: {negative}")?;
        }
        if !self.condition.is_empty() {
            writeln!(f, "Condition {}", self.condition)?;
        }
        if let Some(witnesses) = self.witnesses {
            let (positive, negative) = (witnesses.positive, witnesses.negative);
            writeln!(
                f,
                "Observation {name} {} {positive} {negative}",
                witnesses.observation()
            )?;
        }
        if !self.seconds.is_empty() {
            writeln!(f, "Time {name} {}", self.seconds)?;
        }
        if !self.hash.is_empty() {
            writeln!(f, "Hash={}", self.hash)?;
        }
        Ok(())
    }
}
