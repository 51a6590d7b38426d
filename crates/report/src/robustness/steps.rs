//! A computation event by event, in words.

use crate::robustness::words;
use farside_robustness::Violation;

/// What happens at each event, with the statement that it belongs to.
#[must_use]
pub fn steps(violation: &Violation) -> Vec<String> {
    let step = |event: &farside_robustness::Event| match event.source.line {
        0 => words::event(event),
        _ => format!(
            "{}, of `{}` in {}",
            words::event(event),
            event.source.text,
            event.source.line_in_words()
        ),
    };
    violation.events.iter().map(step).collect()
}
