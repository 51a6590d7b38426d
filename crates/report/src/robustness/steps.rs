//! A computation event by event, in words.

use crate::robustness::words;
use farside_robustness::Violation;

/// What happens at each event, with the statement that it belongs to.
#[must_use]
pub fn steps(violation: &Violation) -> Vec<String> {
    let step = |event: &farside_robustness::Event| match event.source.line {
        0 => words::event(event),
        line => format!(
            "{}, of `{}` in line {line}",
            words::event(event),
            event.source.text
        ),
    };
    violation.events.iter().map(step).collect()
}
