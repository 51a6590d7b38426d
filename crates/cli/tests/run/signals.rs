//! Signals to the launcher, and its violent death.

use crate::stage::*;
use std::io::Read as _;
use std::process::Child;

/// Starts a job, and waits until each rank has said `ready`.
fn ready(stage: &Stage, ranks: u32, steps: &[&str]) -> Child {
    let steps: Vec<&str> = steps.iter().copied().chain(["print:ready", "sleep"]).collect();
    let mut child = stage.conduct(ranks, &[], &steps).spawn().unwrap();
    let mut lines = vec![0; "ready\n".len() * ranks as usize];
    child.stdout.as_mut().unwrap().read_exact(&mut lines).unwrap();
    assert_eq!(text(&lines), "ready\n".repeat(ranks as usize));
    child
}

#[test]
fn signals_go_to_the_ranks_and_end_the_job() {
    for signal in ["INT", "TERM", "HUP", "QUIT"] {
        let stage = Stage::new();
        let child = ready(&stage, 3, &["connect", "fence"]);
        wait_for("all are there", || stage.living() == 3);
        kill(child.id(), format!("-{signal}"));
        let (_, stderr) = expect(&child.wait_with_output().unwrap(), 3);
        assert_eq!(
            stderr,
            format!("farside run: got SIG{signal}; the job is ended\n")
        );
        stage.expect_nothing_left();
    }
}

#[test]
fn the_second_signal_kills() {
    let stage = Stage::new();
    let child = ready(&stage, 3, &["deaf", "orphan"]);
    kill(child.id(), "-INT");
    // The first one must have been taken, or the two are one.
    std::thread::sleep(std::time::Duration::from_millis(300));
    kill(child.id(), "-INT");
    expect(&child.wait_with_output().unwrap(), 3);
    stage.expect_nothing_left();
}

#[test]
fn ranks_that_let_a_signal_pass_are_killed_in_the_end() {
    let stage = Stage::new();
    let child = ready(&stage, 2, &["deaf"]);
    kill(child.id(), "-TERM");
    expect(&child.wait_with_output().unwrap(), 3);
    stage.expect_nothing_left();
}

#[test]
fn nothing_outlives_a_killed_launcher() {
    let stage = Stage::new();
    // Orphans are not our children's children any more, and the last form has a session of its own.
    let mut child = ready(&stage, 3, &["deaf", "connect", "fence", "orphan"]);
    wait_for("all are there", || stage.living() == 6);
    kill(child.id(), "-KILL");
    child.wait().unwrap();
    wait_for("all are gone", || stage.living() == 0);
    stage.expect_nothing_left();
    let mut command = stage.run(2);
    command.args([
        "--",
        "sh",
        "-c",
        "setsid sh -c 'trap \"\" TERM HUP; sleep 600; true' & echo up; wait",
    ]);
    let mut child = command.spawn().unwrap();
    let mut lines = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut lines).unwrap();
    wait_for("all are there", || stage.living() == 6);
    kill(child.id(), "-KILL");
    child.wait().unwrap();
    wait_for("all are gone", || stage.living() == 0);
}

#[test]
fn the_guard_goes_with_the_launcher() {
    let guards = |of: u32| {
        let mut list = std::process::Command::new("ps");
        let output = list
            .args(["-o", "args=", "--ppid", &of.to_string()])
            .output()
            .unwrap();
        text(&output.stdout)
            .lines()
            .filter(|line| line.contains("run-guard"))
            .count()
    };
    let stage = Stage::new();
    let child = ready(&stage, 1, &[]);
    let pid = child.id();
    assert_eq!(guards(pid), 1);
    kill(pid, "-TERM");
    expect(&child.wait_with_output().unwrap(), 3);
    assert_eq!(guards(pid), 0);
}
