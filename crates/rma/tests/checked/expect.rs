//! Programs run under the check, and what is expected of the report.

use farside::check::{self, Finding, Rule};
use farside::{Result, World};

/// One side of a race: call, rank, and the mark in a comment at the end of its line.
pub(crate) type Side = (&'static str, u32, &'static str);

/// The line that ends with a mark.
fn line_of(source: &str, mark: &str) -> u32 {
    let comment = format!("// {mark}");
    let marked: Vec<usize> = source
        .lines()
        .enumerate()
        .filter_map(|(index, line)| line.ends_with(&comment).then_some(index))
        .collect();
    assert_eq!(marked.len(), 1, "one line is marked `{mark}`");
    marked[0] as u32 + 1
}

/// Runs a program on so many ranks, simulated and as threads, and hands the findings of each on.
fn everywhere(
    ranks: u32,
    program: impl Fn(&World) -> Result<()> + Sync,
    judge: impl Fn(&str, &[Finding], &str),
) {
    let simulated = check::simulate(ranks, &program).expect("a detector");
    let text = simulated.text();
    simulated
        .result
        .unwrap_or_else(|error| panic!("simulated: {error}\n{text}"));
    judge("simulated", &simulated.report.findings, &text);
    let threads = check::threads(ranks, &program).expect("a detector");
    let text = threads.text();
    threads
        .result
        .unwrap_or_else(|error| panic!("threads: {error}\n{text}"));
    judge("threads", &threads.report.findings, &text);
}

/// Expects nothing.
#[track_caller]
pub(crate) fn silent(ranks: u32, program: impl Fn(&World) -> Result<()> + Sync) {
    everywhere(ranks, program, |how, findings, text| {
        assert!(findings.is_empty(), "{how}: nothing is to be found\n{text}");
    });
}

/// Expects one finding, of a rule, between two accesses, in either order.
#[track_caller]
pub(crate) fn reported(
    ranks: u32,
    source: &str,
    rule: Rule,
    sides: [Side; 2],
    program: impl Fn(&World) -> Result<()> + Sync,
) {
    everywhere(ranks, program, |how, findings, text| {
        let [finding] = findings else {
            panic!("{how}: one finding is expected, not {}\n{text}", findings.len());
        };
        assert_eq!(finding.rule, rule, "{how}\n{text}");
        let mut found: Vec<(&str, u32, u32)> = finding
            .parties
            .iter()
            .map(|party| {
                let place = party.place().unwrap_or_else(|| panic!("{how}: no place\n{text}"));
                assert!(
                    place.file.contains("tests/checked/"),
                    "{how}: {}\n{text}",
                    place.file
                );
                (party.operation.as_str(), party.rank, place.line)
            })
            .collect();
        let mut expected: Vec<(&str, u32, u32)> = sides
            .iter()
            .map(|&(call, rank, mark)| (call, rank, line_of(source, mark)))
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{how}\n{text}");
    });
}
