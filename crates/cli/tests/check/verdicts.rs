//! What the exit status and the report say.

use crate::stage::*;
use farside_events::{EventKind, Shortfall, SourcePlace, StackId};
use serde_json::Value;

fn report(stage: &Stage, program_end: &str) -> (i32, Value) {
    let program = stage.program(program_end);
    let output = stage
        .check()
        .args(["--format", "json", "--"])
        .arg(program)
        .output()
        .unwrap();
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", text(&output.stdout), text(&output.stderr)));
    (output.status.code().unwrap(), value)
}

fn shortfalls(report: &Value) -> Vec<&str> {
    let list = report["shortfalls"].as_array().unwrap();
    list.iter()
        .map(|shortfall| shortfall["id"].as_str().unwrap())
        .collect()
}

#[test]
fn clean() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 1, GONE), Seal::End);
    let (status, report) = report(&stage, "");
    assert_eq!((status, shortfalls(&report)), (0, vec![]));
    assert_eq!(report["program"]["processes"], 1);
    assert_eq!(report["program"]["library"], "Test MPI 1.0");
    assert_eq!(report["program"]["ended"], "exit status 0");
}

#[test]
fn findings() {
    let stage = Stage::new();
    stage.recording(GONE, &misuse(GONE), Seal::End);
    let (status, report) = report(&stage, "");
    assert_eq!(status, 1);
    assert_eq!(report["findings"][0]["rule"], "outside-epoch");
    assert_eq!(report["findings"][0]["id"].as_str().unwrap().len(), 10);
}

/// A recording whose put has a place, and a lint report with that finding and another one.
fn with_lint_report(stage: &Stage) {
    let mut events = misuse(GONE);
    let place = SourcePlace {
        function: None,
        file: "src/halo.c".into(),
        line: 22,
        column: 5,
    };
    let stack = EventKind::Stack {
        id: StackId(2),
        frames: vec![0x4711],
    };
    let source = EventKind::Source {
        address: 0x4711,
        place,
    };
    events.splice(2..2, [event(12, stack), event(12, source)]);
    stage.recording(GONE, &events, Seal::End);
    let finding = |line: u32| {
        serde_json::json!({
            "id": format!("lint{line}"), "rule": "outside-epoch", "severity": "error", "message": "", "count": 1,
            "parties": [{ "operation": "MPI_Put", "effect": "", "rank": 0, "thread": 0, "target": 0, "stack": [
                { "function": null, "module": null, "address": 0,
                  "place": { "file": "/home/me/src/halo.c", "line": line, "column": null } }] }],
            "window": null, "bytes": null, "missing": null, "suggestion": null, "timeline": null,
        })
    };
    let lint = serde_json::json!({
        "schema_version": 1, "tool": "farside 0.1.0", "suppressed": 0, "shortfalls": [], "counts": [],
        "program": { "command": [], "processes": 2, "library": "", "ended": "", "status": null },
        "findings": [finding(22), finding(80)],
    });
    std::fs::write(stage.path("lint.json"), lint.to_string()).unwrap();
}

#[test]
fn the_findings_of_a_lint_report_are_confirmed_or_not() {
    let stage = Stage::new();
    with_lint_report(&stage);
    let program = stage.program("");
    let output = stage
        .check()
        .args([
            "--format",
            "json",
            "--lint",
            "lint.json",
            "--html",
            "page.html",
            "--",
        ])
        .arg(&program)
        .output()
        .unwrap();
    expect_status(&output, 1);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let predicted = &report["predictions"]["findings"];
    assert_eq!(predicted[0]["confirmed_by"], report["findings"][0]["id"]);
    assert_eq!(predicted[0]["accesses"][0]["executed"], true);
    assert_eq!(predicted[1]["confirmed_by"], Value::Null);
    assert_eq!(predicted[1]["accesses"][0]["executed"], false);
    let page = std::fs::read_to_string(stage.path("page.html")).unwrap();
    assert!(page.contains("not executed"));
    // A finding that is hidden confirms as well.
    std::fs::write(stage.path("known"), "rule=outside-epoch\n").unwrap();
    let output = stage
        .check()
        .args(["--lint", "lint.json", "--suppressions", "known", "--"])
        .arg(&program)
        .output()
        .unwrap();
    expect_status(&output, 0);
    let said = text(&output.stdout);
    assert!(said.contains("1 of 2 findings of lint.json confirmed"), "{said}");
}

#[test]
fn suppressed_findings_do_not_count() {
    let stage = Stage::new();
    stage.recording(GONE, &misuse(GONE), Seal::End);
    std::fs::write(stage.path("known"), "rule=outside-epoch\n").unwrap();
    let program = stage.program("");
    let output = stage
        .check()
        .args(["--suppressions", "known", "--"])
        .arg(program)
        .output()
        .unwrap();
    expect_status(&output, 0);
}

#[test]
fn a_program_that_fails_is_3_whatever_was_found() {
    let stage = Stage::new();
    stage.recording(GONE, &misuse(GONE), Seal::End);
    let (status, report) = report(&stage, "exit 7");
    assert_eq!((status, report["program"]["status"].as_i64()), (3, Some(7)));
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn a_program_ended_by_a_signal_names_it() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 1, GONE)[..3], Seal::None);
    let (status, report) = report(&stage, "kill -SEGV $$");
    assert_eq!(status, 3);
    assert_eq!(report["program"]["ended"], "signal 11 (SIGSEGV)");
    assert_eq!(report["program"]["status"], Value::Null);
    assert_eq!(shortfalls(&report), ["process-lost"]);
}

#[test]
fn a_program_without_mpi_was_not_checked() {
    let (status, report) = report(&Stage::new(), "");
    assert_eq!((status, shortfalls(&report)), (4, vec!["no-mpi-process"]));
}

#[test]
fn a_program_without_one_sided_calls_was_not_checked() {
    let stage = Stage::new();
    stage.recording(GONE, &[init(0, 1, GONE), event(40, EventKind::Exit)], Seal::End);
    let (status, report) = report(&stage, "");
    assert_eq!((status, shortfalls(&report)), (4, vec!["no-one-sided-call"]));
}

#[test]
fn a_recording_that_stopped_on_a_full_disk_proves_nothing() {
    let stage = Stage::new();
    let mut events = harmless(0, 1, GONE);
    events.insert(
        3,
        event(
            30,
            EventKind::Shortfall(Shortfall::SpoolFull("No space left on device".into())),
        ),
    );
    stage.recording(GONE, &events, Seal::End);
    let (status, report) = report(&stage, "");
    assert_eq!((status, shortfalls(&report)), (4, vec!["spool-full"]));
    assert!(
        report["shortfalls"][0]["message"]
            .as_str()
            .unwrap()
            .contains("No space left on device")
    );
}

#[test]
fn loads_and_stores_that_were_not_seen_are_told_once() {
    let stage = Stage::new();
    for rank in 0..2 {
        let mut events = harmless(rank, 2, GONE + rank);
        events.insert(3, event(30, EventKind::Shortfall(Shortfall::NotInstrumented)));
        stage.recording(GONE + rank, &events, Seal::End);
    }
    let (status, report) = report(&stage, "");
    assert_eq!((status, shortfalls(&report)), (0, vec!["not-instrumented"]));
    assert!(
        report["shortfalls"][0]["message"]
            .as_str()
            .unwrap()
            .contains("farside cc")
    );
    assert_eq!(report["shortfalls"][0]["ranks"], serde_json::json!([]));
}

#[test]
fn damage_is_told_and_the_rest_is_used() {
    let stage = Stage::new();
    stage.recording(GONE, &misuse(GONE), Seal::End);
    // The library name in the first record keeps its length; the second record's tag becomes nonsense.
    let chunk = stage
        .path("prepared")
        .join(farside_spool::processes::recording(GONE, 0).chunk_name(0));
    let mut bytes = std::fs::read(&chunk).unwrap();
    let first = farside_spool::format::CHUNK_HEADER;
    let length = u32::from_le_bytes(bytes[first..first + 4].try_into().unwrap()) as usize;
    let second = first + 4 + length + 4;
    bytes[second..second + 3].copy_from_slice(&[0xff; 3]);
    std::fs::write(&chunk, bytes).unwrap();
    let (status, report) = report(&stage, "");
    assert_eq!((status, shortfalls(&report)), (1, vec!["damaged-recording"]));
}

#[test]
fn the_programs_output_comes_first_and_unchanged() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 1, GONE), Seal::End);
    let program = stage.program("cat; echo complaint >&2");
    std::fs::write(stage.path("input"), "from stdin\n").unwrap();
    let input = std::fs::File::open(stage.path("input")).unwrap();
    let output = stage
        .check()
        .arg("--")
        .arg(program)
        .stdin(input)
        .output()
        .unwrap();
    expect_status(&output, 0);
    assert!(text(&output.stdout).starts_with("from stdin\n"));
    assert_eq!(text(&output.stderr), "complaint\n");
}

#[test]
fn every_format_and_an_extra_page() {
    for format in ["text", "json", "sarif", "html"] {
        let stage = Stage::new();
        stage.recording(GONE, &misuse(GONE), Seal::End);
        let program = stage.program("");
        let output = stage
            .check()
            .args([
                "--format",
                format,
                "--output",
                "report",
                "--html",
                "page.html",
                "--",
            ])
            .arg(program)
            .output()
            .unwrap();
        expect_status(&output, 1);
        assert_eq!(text(&output.stdout), "");
        let report = std::fs::read_to_string(stage.path("report")).unwrap();
        assert!(report.contains("outside-epoch"), "{format}: {report}");
        assert!(
            std::fs::read_to_string(stage.path("page.html"))
                .unwrap()
                .contains("outside-epoch")
        );
    }
}
