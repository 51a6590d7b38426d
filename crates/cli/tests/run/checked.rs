//! `farside run --check`, `FARSIDE_CHECK=1 farside run` and `farside check -- farside run`: one report.

use crate::stage::*;
use serde_json::Value;
use std::process::Command;

/// The line of the example that ends with a comment.
fn line_of(mark: &str) -> u64 {
    let source = include_str!("../../../rma/examples/races.rs");
    let line = source.lines().position(|line| line.ends_with(mark));
    line.expect("a marked line") as u64 + 1
}

/// The races of a report: for each, its calls, ranks and lines, sorted.
fn races_of(report: &Value) -> Vec<Vec<(String, u64, u64)>> {
    let findings = report["findings"].as_array().expect("findings");
    let side = |party: &Value| {
        let place = &party["stack"][0]["place"];
        let file = place["file"].as_str().expect("a file");
        assert!(file.ends_with("examples/races.rs"), "{file}");
        (
            party["operation"].as_str().expect("a call").to_owned(),
            party["rank"].as_u64().expect("a rank"),
            place["line"].as_u64().expect("a line"),
        )
    };
    let sides = |finding: &Value| {
        let mut sides: Vec<_> = finding["parties"]
            .as_array()
            .expect("parties")
            .iter()
            .map(side)
            .collect();
        sides.sort();
        sides
    };
    findings.iter().map(sides).collect()
}

fn expected_of_put() -> Vec<Vec<(String, u64, u64)>> {
    let side = |rank| ("put".to_owned(), rank, line_of("// all of them"));
    vec![vec![side(0), side(1)]]
}

#[test]
fn races_are_reported_on_every_transport() {
    let stage = Stage::new();
    for transport in ["shm", "threads", "sim"] {
        let mut command = stage.run(2);
        command.args(["--check", "--format", "json", "--transport", transport]);
        command.arg("--").arg(crate::stage::races()).arg("put");
        let (stdout, _) = expect(&stage.output(command), 1);
        let report: Value = serde_json::from_str(&stdout).expect("a report");
        assert_eq!(races_of(&report), expected_of_put(), "{transport}");
        assert_eq!(report["program"]["processes"], 2, "{transport}");
        assert_eq!(report["shortfalls"].as_array().map(Vec::len), Some(0), "{stdout}");
    }
}

/// A gather tells its root that the others have come so far, and a scatter does not.
#[test]
fn a_collective_call_orders_as_its_data_goes() {
    let stage = Stage::new();
    let side = |call: &str, rank, mark| (call.to_owned(), rank, line_of(mark));
    let race = vec![
        side("LOAD", 0, "// by the root"),
        side("put", 1, "// to the root"),
    ];
    for transport in ["shm", "threads", "sim"] {
        for (call, expected) in [("gather", vec![]), ("scatter", vec![race.clone()])] {
            let mut command = stage.run(2);
            command.args(["--check", "--format", "json", "--transport", transport]);
            command.arg("--").arg(crate::stage::races()).arg(call);
            let status = i32::from(!expected.is_empty());
            let (stdout, _) = expect(&stage.output(command), status);
            let report: Value = serde_json::from_str(&stdout).expect("a report");
            assert_eq!(races_of(&report), expected, "{call}, {transport}");
        }
    }
}

#[test]
fn the_environment_asks_for_it_as_well() {
    let stage = Stage::new();
    let mut command = stage.run(2);
    command
        .env("FARSIDE_CHECK", "1")
        .arg("--")
        .arg(crate::stage::races())
        .arg("early");
    let (stdout, _) = expect(&stage.output(command), 1);
    for words in [
        "error[remote-race]",
        &format!("examples/races.rs:{}", line_of("// not flushed")),
        &format!("examples/races.rs:{}", line_of("// too early")),
        "epoch.flush(1)",
    ] {
        assert!(stdout.contains(words), "{words}\n{stdout}");
    }
}

#[test]
fn a_clean_program_has_a_clean_report_after_its_output() {
    let stage = Stage::new();
    let mut command = stage.run(3);
    command
        .arg("--check")
        .arg("--")
        .arg(crate::stage::races())
        .arg("clean");
    let (stdout, _) = expect(&stage.output(command), 0);
    let lines: Vec<&str> = stdout.lines().collect();
    let mut said = lines[..3].to_vec();
    said.sort_unstable();
    assert_eq!(said, ["0 has 2", "1 has 0", "2 has 1"]);
    assert!(
        lines[3..]
            .iter()
            .all(|line| line.starts_with("checked:") || line.starts_with("farside:") || line.is_empty()),
        "{stdout}"
    );
}

#[test]
fn what_a_rank_that_dies_has_done_is_reported() {
    let stage = Stage::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let mut command = stage.run(2);
    command.args(["--check", "--format=json", "--output"]).arg(&path);
    command.arg("--").arg(crate::stage::races()).arg("die");
    let (_, stderr) = expect(&stage.output(command), 3);
    assert!(stderr.contains("rank 0"), "{stderr}");
    let report: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).expect("a report");
    assert_eq!(races_of(&report), expected_of_put());
    assert_eq!(report["shortfalls"][0]["id"], "process-lost");
}

#[test]
fn check_may_come_first() {
    let farside = env!("CARGO_BIN_EXE_farside");
    finds_the_race_of_put(&[farside, "run", "-n", "2"]);
}

#[test]
fn jobs_of_an_mpi_launcher_are_checked_as_well() {
    for words in [
        &["mpirun.mpich", "-n", "2"][..],
        &["mpirun.openmpi", "--oversubscribe", "-n", "2"],
    ] {
        let launcher = Command::new(words[0]).arg("--version").output();
        match launcher {
            Ok(_) => finds_the_race_of_put(words),
            Err(error) => eprintln!("skipped: {}: {error}", words[0]),
        }
    }
}

/// `farside check -- LAUNCHER races put` finds what there is.
fn finds_the_race_of_put(launcher: &[&str]) {
    let farside = env!("CARGO_BIN_EXE_farside");
    // `farside check` preloads it.
    farside_built::libraries(&["farside-interpose"]);
    let output = Command::new(farside)
        .args(["check", "--format=json", "--"])
        .args(launcher)
        .arg(crate::stage::races())
        .arg("put")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .unwrap();
    let (stdout, _) = expect(&output, 1);
    assert_eq!(
        races_of(&serde_json::from_str(&stdout).expect("a report")),
        expected_of_put()
    );
}
