//! Programs as they were built, whose pages are guarded: they get what they get without the checker, and their loads
//! and stores are seen.

use crate::setting::{Check, Mpi, on_each};
use crate::stdout;
use serde_json::Value;

fn line_of(mark: &str) -> u64 {
    let mut lines = include_str!("guard.c").lines();
    lines.position(|line| line.contains(mark)).unwrap() as u64 + 1
}

fn report(mpi: Mpi, extent: &str, mode: &str, status: i32) -> Value {
    let guard = format!("--guard={extent}");
    let options = [&*guard, "--format", "json", "--no-trials"];
    let text = stdout(&Check::new(&options).expect(&mpi.command("guard", mode), status));
    let report = text.strip_prefix("as expected\n");
    serde_json::from_str(report.unwrap_or_else(|| panic!("{mode}: {text}"))).unwrap()
}

/// The lines of each finding's parties, in their innermost functions that have lines.
fn lines(report: &Value) -> Vec<Vec<u64>> {
    let line = |party: &Value| {
        let mut frames = party["stack"].as_array().unwrap().iter();
        frames.find_map(|frame| frame["place"]["line"].as_u64()).unwrap()
    };
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| finding["parties"].as_array().unwrap().iter().map(line).collect())
        .collect()
}

#[test]
fn loads_and_stores_of_a_program_as_it_is_are_seen() {
    on_each(|mpi| {
        for mode in ["load", "copy", "origin", "called"] {
            let found = report(mpi, "all", mode, 1);
            let what = match mode {
                "origin" => "the store",
                other => &format!("the {other}"),
            };
            let lines = lines(&found);
            let [pair] = &lines[..] else {
                panic!("{mode}: {found:#}")
            };
            assert!(pair.contains(&line_of(what)), "{mode}: {found:#}");
            // Who called the function that makes the access.
            for party in found["findings"][0]["parties"].as_array().unwrap() {
                let stack = party["stack"].as_array().unwrap().iter();
                let callers: Vec<_> = stack.filter_map(|frame| frame["function"].as_str()).collect();
                assert!(
                    callers.windows(2).any(|pair| pair == ["race", "main"]),
                    "{found:#}"
                );
            }
            assert_eq!(found["shortfalls"], serde_json::json!([]), "{found:#}");
        }
        let beside = report(mpi, "all", "beside", 0);
        assert_eq!(lines(&beside).len(), 0, "{beside:#}");
    });
}

#[test]
fn a_guarded_program_gets_what_it_gets_without_the_checker() {
    on_each(|mpi| {
        for mode in [
            "calls",
            "fault",
            "fork",
            "masked",
            "instructions",
            "statics",
            "interrupted",
        ] {
            let found = report(mpi, "all", mode, 0);
            assert_eq!(found["shortfalls"], serde_json::json!([]), "{mode}: {found:#}");
        }
    });
}

#[test]
fn what_is_not_seen_to_save_time_is_said() {
    on_each(|mpi| {
        let found = report(mpi, "bounded", "sweeps", 0);
        assert_eq!(found["shortfalls"][0]["id"], "guarded-in-part", "{found:#}");
    });
}

#[test]
fn what_a_library_accesses_late_takes_no_time_from_others() {
    on_each(|mpi| {
        let found = report(mpi, "bounded", "later", 1);
        let lines = lines(&found);
        assert!(
            lines.iter().any(|pair| pair.contains(&line_of("the load"))),
            "{found:#}"
        );
    });
}
