//! Several processes, several jobs.

use crate::stage::*;
use serde_json::Value;

fn json(stage: &Stage) -> (i32, Value) {
    let program = stage.program("");
    let output = stage
        .check()
        .args(["--format", "json", "--"])
        .arg(program)
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        serde_json::from_slice(&output.stdout).unwrap(),
    )
}

fn count(report: &Value, name: &str) -> u64 {
    let counts = report["counts"].as_array().unwrap();
    counts.iter().find(|count| count["name"] == name).unwrap()["value"]
        .as_u64()
        .unwrap()
}

#[test]
fn the_processes_of_one_job() {
    let stage = Stage::new();
    for rank in 0..3 {
        stage.recording(GONE + rank, &harmless(rank, 3, GONE + rank), Seal::End);
    }
    let (status, report) = json(&stage);
    assert_eq!(
        (status, count(&report, "jobs"), count(&report, "events")),
        (0, 1, 12)
    );
    assert_eq!(report["program"]["processes"], 3);
}

#[test]
fn equal_ranks_are_different_jobs() {
    let stage = Stage::new();
    for (index, rank) in [0, 1, 0, 1].into_iter().enumerate() {
        let pid = GONE + u32::try_from(index).unwrap();
        stage.recording(pid, &harmless(rank, 2, pid), Seal::End);
    }
    let (status, report) = json(&stage);
    assert_eq!((status, count(&report, "jobs")), (0, 2));
    assert_eq!(report["program"]["processes"], 4);
}

#[test]
fn a_job_that_is_not_complete_is_judged_at_the_end() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 2, GONE), Seal::End);
    let (status, report) = json(&stage);
    assert_eq!((status, count(&report, "events")), (4, 4));
    assert_eq!(report["shortfalls"][0]["id"], "missing-processes");
}
