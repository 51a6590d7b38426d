//! `farside litmus diff`: two logs compared by outcome.

use super::arguments::DiffArguments;
use crate::fault::Fault;
use crate::output::print;
use crate::status::Status;
use farside_conform::read_log;
use farside_litmus::log::{self, Difference, Entry, Log};
use farside_verdicts::Verdict;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Prints what differs; the status says whether anything does.
pub(super) fn diff(arguments: &DiffArguments) -> Result<Status, Fault> {
    let [first, second] = [read_log(&arguments.first)?, read_log(&arguments.second)?];
    let differences = log::compare(&first, &second);
    let names = [&arguments.first, &arguments.second].map(|path| path.display().to_string());
    let mut text = String::new();
    for difference in &differences {
        // Writing to a string cannot fail.
        let _ = describe(&mut text, difference, &names);
    }
    let tests = first.tests.len().max(second.tests.len());
    let empty = without_states(&first, &second);
    let _ = match differences.len() {
        0 => writeln!(text, "{tests} tests agree"),
        count => writeln!(text, "{count} of {tests} tests differ"),
    };
    for test in &empty {
        let _ = writeln!(
            text,
            "{test}: inconclusive in both logs: there are no states to compare"
        );
    }
    print(&text)?;
    Ok(match (differences.is_empty(), empty.is_empty()) {
        (false, _) => Status::Findings,
        (true, false) => Status::Inconclusive,
        (true, true) => Status::Clean,
    })
}

/// Tests of which neither log has a state to judge by.
fn without_states<'l>(first: &'l Log, second: &Log) -> Vec<&'l str> {
    let in_second: HashMap<&str, &Entry> = second
        .tests
        .iter()
        .map(|test| (test.name.as_str(), test))
        .collect();
    let inconclusive = |test: &Entry| test.verdict == Verdict::Inconclusive.word();
    let tests = first.tests.iter().filter(|test| {
        let other = in_second.get(test.name.as_str());
        inconclusive(test) && other.is_some_and(|other| inconclusive(other))
    });
    tests.map(|test| test.name.as_str()).collect()
}

fn describe(text: &mut String, difference: &Difference, [first, second]: &[String; 2]) -> std::fmt::Result {
    match difference {
        Difference::OnlyFirst { test } => writeln!(text, "{test}: only in {first}"),
        Difference::OnlySecond { test } => writeln!(text, "{test}: only in {second}"),
        Difference::OtherTest { test } => {
            writeln!(text, "{test}: the logs mean different tests (other hashes)")
        }
        Difference::Outcomes {
            test,
            first: only_first,
            second: only_second,
            verdicts,
        } => {
            writeln!(text, "{test}:")?;
            for (states, name) in [(only_first, first), (only_second, second)] {
                for state in states {
                    writeln!(text, "  only in {name}: {state}")?;
                }
            }
            match verdicts {
                Some([one, other]) => writeln!(text, "  verdict: {one} in {first}, {other} in {second}"),
                None => Ok(()),
            }
        }
    }
}
