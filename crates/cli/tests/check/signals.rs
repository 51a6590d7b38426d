//! Signals, time limits, closed pipes, and what is left afterwards.

use crate::stage::*;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn kill(child: &Child, signal: &str) {
    let status = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// Starts a check whose program says `ready` and then waits for ever.
fn waiting(stage: &Stage, arguments: &[&str]) -> Child {
    let program = stage.program("echo ready; exec sleep 600");
    let mut child = stage
        .check()
        .args(arguments)
        .arg("--")
        .arg(program)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let stdout = child.stdout.as_mut().unwrap();
    // A byte at a time, so that nothing of the report is swallowed.
    while !line.ends_with('\n') {
        let mut byte = [0];
        assert_eq!(stdout.read(&mut byte).unwrap(), 1, "the program did not start");
        line.push(byte[0] as char);
    }
    assert_eq!(line, "ready\n");
    child
}

#[test]
fn the_spool_is_removed_or_kept() {
    let stage = Stage::new();
    std::fs::create_dir(stage.path("other")).unwrap();
    stage.recording(GONE, &harmless(0, 1, GONE), Seal::End);
    let program = stage.program("");
    expect_status(&stage.check().arg("--").arg(&program).output().unwrap(), 0);
    assert!(stage.spools().is_empty());
    let output = stage
        .check()
        .args(["--keep-spool", "--spool", "other", "--"])
        .arg(&program)
        .output()
        .unwrap();
    expect_status(&output, 0);
    assert!(stage.spools().is_empty());
    let entries = std::fs::read_dir(stage.path("other")).unwrap();
    let kept: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    assert!(text(&output.stderr).contains(kept[0].to_str().unwrap()));
    assert!(
        kept[0]
            .join(farside_spool::processes::recording(GONE, 0).chunk_name(0))
            .exists()
    );
}

#[test]
fn signals_reach_the_program_and_the_report_is_still_made() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let stage = Stage::new();
        stage.recording(GONE, &misuse(GONE), Seal::End);
        let child = waiting(&stage, &[]);
        kill(&child, signal);
        let output = child.wait_with_output().unwrap();
        expect_status(&output, 3);
        let report = text(&output.stdout);
        assert!(report.contains("outside-epoch"), "{report}");
        assert!(report.contains(&format!("SIG{}", &signal[1..])), "{report}");
        assert!(stage.spools().is_empty());
    }
}

#[test]
fn what_a_killed_run_leaves_the_next_one_removes() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 1, GONE), Seal::End);
    let mut child = waiting(&stage, &[]);
    let left = stage.spools();
    assert_eq!(left.len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let program = stage.program("");
    // A kept spool has no owner file, and is not swept.
    expect_status(
        &stage
            .check()
            .args(["--keep-spool", "--"])
            .arg(program)
            .output()
            .unwrap(),
        0,
    );
    let now = stage.spools();
    assert!(now.len() == 1 && now != left);
}

#[test]
fn a_time_limit_without_findings_is_inconclusive() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 1, GONE), Seal::End);
    // Not `exec`: the shell and its child must both be ended.
    let program = stage.program("sleep 600; true");
    let start = Instant::now();
    let output = stage
        .check()
        .args(["--time-limit", "0.5", "--"])
        .arg(program)
        .output()
        .unwrap();
    expect_status(&output, 4);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(text(&output.stdout).contains("time limit of 0.5 s"));
    assert!(stage.spools().is_empty());
}

#[test]
fn a_program_that_does_not_obey_the_time_limit_is_killed() {
    let stage = Stage::new();
    stage.recording(GONE, &misuse(GONE), Seal::End);
    let program = stage.program("trap '' TERM; while :; do sleep 0.2; done");
    let output = stage
        .check()
        .args(["--time-limit", "0.5", "--"])
        .arg(program)
        .output()
        .unwrap();
    expect_status(&output, 1);
    assert!(text(&output.stdout).contains("SIGKILL"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let stage = Stage::new();
    stage.recording(GONE, &misuse(GONE), Seal::End);
    let program = stage.program("echo first; sleep 0.3");
    let mut child = stage
        .check()
        .arg("--")
        .arg(program)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "first\n");
    // The reading end is closed by now.
    let output = child.wait_with_output().unwrap();
    expect_status(&output, 1);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn events_are_judged_and_deleted_while_the_program_runs() {
    let stage = Stage::new();
    stage.recording(GONE, &harmless(0, 1, GONE), Seal::End);
    let child = waiting(&stage, &[]);
    let chunk = stage.spools()[0].join(farside_spool::processes::recording(GONE, 0).chunk_name(0));
    wait_for("the chunk is deleted", || !chunk.exists());
    kill(&child, "-TERM");
    expect_status(&child.wait_with_output().unwrap(), 3);
}
