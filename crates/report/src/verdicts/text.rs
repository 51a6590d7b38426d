//! The states of a test in the form of the field's simulator (herd), which its comparison tools read.
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
//! Hash=...
//! ```
//!
//! What the field has no words for stands in lines of its own: `Undef race` and `Undef invalid` with the reason after
//! it, `Inconclusive` (there is no state to judge by) and `Unknown` (the engine has no answer) with the reason, and
//! `Loop` where a loop ended at its bound.

use crate::kit::color::{BAD, Color, GOOD, UNSURE};
use anstyle::Style;
use farside_verdicts::state_line;
use farside_verdicts::{Cause, Judgement, Party, Test, Verdict};
use std::fmt::Write as _;

/// The style of a verdict.
pub(crate) fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Ok => GOOD,
        Verdict::No | Verdict::Race | Verdict::Invalid => BAD,
        Verdict::Inconclusive | Verdict::Unknown => UNSURE,
    }
}

/// One test under one model. The block ends with an empty line.
#[must_use]
pub fn render(test: &Test, judgement: &Judgement, color: Color) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = block(&mut text, test, judgement, color);
    text
}

fn block(text: &mut String, test: &Test, judgement: &Judgement, color: Color) -> std::fmt::Result {
    let name = &test.name;
    let kind = test
        .quantifier
        .map_or("Allowed", farside_verdicts::Quantifier::kind);
    writeln!(text, "Test {name} {kind}")?;
    writeln!(text, "States {}", judgement.states.len())?;
    for state in &judgement.states {
        let line = state_line(&state.bindings);
        let style = if state.holds == Some(true) {
            Style::new().bold()
        } else {
            Style::new()
        };
        writeln!(text, "{}", color.paint(style, &line))?;
    }
    let verdict = judgement.verdict;
    writeln!(text, "{}", color.paint(style(verdict), verdict.word()))?;
    if let Some(cause) = &judgement.cause {
        writeln!(text, "{}", cause_words(cause, &test.file))?;
    }
    if judgement.bounded {
        writeln!(
            text,
            "Loop {name} a loop ended at its bound: states after it are missing"
        )?;
    }
    if let Some(observation) = judgement.observation {
        writeln!(text, "Witnesses")?;
        writeln!(
            text,
            "Positive: {} Negative: {}",
            observation.positive, observation.negative
        )?;
    }
    if !test.condition.is_empty() {
        writeln!(text, "Condition {}", test.condition)?;
    }
    if let Some(observation) = judgement.observation {
        writeln!(
            text,
            "Observation {name} {} {} {}",
            observation.word(),
            observation.positive,
            observation.negative
        )?;
    }
    writeln!(text, "Time {name} {:.6}", judgement.seconds)?;
    writeln!(text, "Hash={}\n", test.hash)
}

/// Why a program has no states, in lines.
pub(crate) fn cause_words(cause: &Cause, file: &str) -> String {
    match cause {
        Cause::Race {
            parties,
            no_happens_before,
            no_consistency,
            conflict,
        } => {
            let missing = missing_words(*no_happens_before, *no_consistency);
            let [first, second] = parties;
            let reason = sentence(conflict);
            format!(
                "Race {}\n     {}\n     {missing}; {reason}",
                party_words(first, file),
                party_words(second, file)
            )
        }
        Cause::Invalid {
            condition,
            party,
            reason,
        } => format!(
            "Invalid {}\n        {} (condition {condition} of Hoefler et al. 2014, section 3.1)",
            party_words(party, file),
            sentence(reason)
        ),
        Cause::NoState { reason } | Cause::Unknown { reason } => format!("Reason {reason}"),
    }
}

/// Which of the two orders is missing.
pub(crate) fn missing_words(no_happens_before: bool, no_consistency: bool) -> &'static str {
    match (no_happens_before, no_consistency) {
        (true, true) => "neither happens-before nor consistency order (hb, co) between the two",
        (true, false) => "no happens-before order (hb) between the two",
        (false, true) => "no consistency order (co) between the two",
        // Each order is there, but not both the same way.
        (false, false) => "happens-before and consistency order (hb, co) do not agree",
    }
}

fn party_words(party: &Party, file: &str) -> String {
    let place = match party.line {
        0 => String::new(),
        line => format!(" at {file}:{line}"),
    };
    format!("P{}: {}{place}", party.process, party.text)
}

fn sentence(text: &str) -> &str {
    text.trim_end_matches('.')
}
