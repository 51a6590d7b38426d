//! Jobs that end badly: which rank is named, what the others learn, and what is left.

use crate::stage::*;

/// What stderr says: one line.
fn complaint(stderr: &str) -> &str {
    let line = stderr
        .strip_prefix("farside run: ")
        .unwrap_or_else(|| panic!("{stderr}"));
    let line = line
        .strip_suffix("; the job is ended\n")
        .unwrap_or_else(|| panic!("{stderr}"));
    assert!(!line.contains('\n'), "{stderr}");
    line
}

/// The complaint without the number of the process.
fn about(stderr: &str) -> String {
    let line = complaint(stderr);
    let (before, rest) = line.split_once(" (pid ").unwrap_or_else(|| panic!("{stderr}"));
    let (pid, after) = rest.split_once(')').unwrap_or_else(|| panic!("{stderr}"));
    assert!(pid.parse::<u32>().is_ok());
    format!("{before}{after}")
}

#[test]
fn a_killed_rank_ends_the_job_and_the_others_know() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "@2:signal:9", "watch", "finish"];
    let (stdout, stderr) = expect(&stage.output(stage.conduct(4, &[], &steps)), 3);
    assert_eq!(about(&stderr), "rank 2 was killed by signal 9 (SIGKILL)");
    assert_eq!(stdout, "lost: 2\nlost: 2\nlost: 2\n");
}

#[test]
fn who_failed_first_is_named_though_others_fail_for_that() {
    for _ in 0..10 {
        let stage = Stage::new();
        let steps = ["connect", "fence", "@1:signal:6", "fence", "finish"];
        let (_, stderr) = expect(&stage.output(stage.conduct(4, &[], &steps)), 3);
        let ours = stderr
            .lines()
            .find(|line| line.starts_with("farside run: "))
            .unwrap();
        assert!(
            ours.contains("rank 1 (pid ") && ours.contains("signal 6 (SIGABRT)"),
            "{stderr}"
        );
        assert_eq!(
            stderr.lines().filter(|&line| line == "rank 1 is lost").count(),
            3,
            "{stderr}"
        );
    }
}

#[test]
fn every_way_to_fail_is_named() {
    for (steps, words) in [
        (
            &["connect", "fence", "@1:exit:7", "sleep"][..],
            "rank 1 ended with status 7",
        ),
        (&["@1:exit:7", "sleep"], "rank 1 ended with status 7"),
        (
            &["@0:exit:139", "sleep"],
            "rank 0 ended with status 139 (perhaps SIGSEGV)",
        ),
        (
            &["connect", "finish", "@1:signal:6", "sleep"],
            "rank 1 was killed by signal 6 (SIGABRT)",
        ),
        (
            &["connect", "@1:exit:0", "sleep"],
            "rank 1 ended with status 0, but without finishing its communication",
        ),
        (
            &["@1:exit:0", "connect", "sleep"],
            "rank 1 ended with status 0 and never joined the others, who wait for it",
        ),
        (
            &["connect", "fence", "@1:leave", "sleep"],
            "rank 1 closed its connection to the launcher without finishing its communication",
        ),
    ] {
        let stage = Stage::new();
        let (_, stderr) = expect(&stage.output(stage.conduct(2, &[], steps)), 3);
        assert_eq!(about(&stderr), words, "{steps:?}");
    }
}

#[test]
fn all_ranks_without_finish_are_no_success() {
    for ranks in [1, 3] {
        let stage = Stage::new();
        let (_, stderr) = expect(&stage.output(stage.conduct(ranks, &[], &["connect", "fence"])), 3);
        assert!(
            about(&stderr).ends_with("without finishing its communication"),
            "{stderr}"
        );
    }
}

#[test]
fn a_fence_that_cannot_be_is_an_error_and_no_wait() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "@0:finish", "@0:exit:0", "fence"];
    let (_, stderr) = expect(&stage.output(stage.conduct(2, &[], &steps)), 3);
    assert!(
        stderr.contains("rank 0 has finished, so not all ranks can come to this fence"),
        "{stderr}"
    );
    assert!(stderr.contains("farside run: rank 1 (pid "), "{stderr}");
}

#[test]
fn ranks_that_do_not_obey_are_killed() {
    let stage = Stage::new();
    let steps = ["deaf", "connect", "fence", "@0:exit:1", "orphan", "sleep"];
    let (_, stderr) = expect(&stage.output(stage.conduct(3, &[], &steps)), 3);
    assert_eq!(about(&stderr), "rank 0 ended with status 1");
}

#[test]
fn a_child_of_a_child_is_ended_too() {
    let stage = Stage::new();
    let mut command = stage.run(2);
    let script = "[ $FARSIDE_RANK = 0 ] || exit 5; sleep 600; true";
    command.args(["--", "sh", "-c", script]);
    let (_, stderr) = expect(&stage.output(command), 3);
    assert_eq!(about(&stderr), "rank 1 ended with status 5");
}

#[test]
fn the_time_limit_ends_the_job() {
    for option in ["--time-limit", "--timeout"] {
        let stage = Stage::new();
        let steps = ["connect", "fence", "sleep"];
        let (_, stderr) = expect(&stage.output(stage.conduct(3, &[option, "1.5"], &steps)), 3);
        assert_eq!(complaint(&stderr), "the time limit of 1.5 s is over");
    }
}

#[test]
fn processes_are_named_on_demand() {
    let stage = Stage::new();
    let (_, stderr) = expect(
        &stage.output(stage.conduct(2, &["--verbose", "--no-pin"], &[])),
        0,
    );
    let lines = sorted(&stderr);
    assert_eq!(lines.len(), 4, "{stderr}");
    assert!(lines[0].starts_with("farside run: rank 0 (pid ") && lines[0].ends_with(") ended with status 0"));
    assert!(
        lines[3].starts_with("farside run: rank 1 is process "),
        "{stderr}"
    );
}

#[test]
fn bad_usage_is_2_and_starts_nothing() {
    let stage = Stage::new();
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    std::fs::write(&plain, "text").unwrap();
    let plain = plain.to_str().unwrap();
    for (arguments, words) in [
        (
            &["run", "-n", "2", "./no-such-program"][..],
            "no such program: ./no-such-program",
        ),
        (
            &["run", "--check", "-n", "2", "./no-such-program"],
            "no such program: ./no-such-program",
        ),
        (&["run", "-n", "2", plain], "not executable"),
        (&["run", "--check", "-n", "2", plain], "not executable"),
        (&["run", "-n", "0", "true"], "0 is not in 1..=4096"),
        (&["run", "true"], "--ranks <N>"),
        (&["run", "-n", "2"], "<PROGRAM>"),
        (&["run", "-n", "2", "--env", "A", "true"], "NAME=VALUE"),
        (
            &["run", "-n", "2", "--transport", "pigeon", "true"],
            "one of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER, sim and threads",
        ),
        (
            &["run", "-n", "2", "--time-limit", "0", "true"],
            "must be more than 0",
        ),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_farside"));
        let output = command.args(arguments).output().unwrap();
        let (_, stderr) = expect(&output, 2);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    stage.expect_nothing_left();
}

#[test]
fn options_after_the_program_are_the_programs() {
    let stage = Stage::new();
    let mut command = stage.run(1);
    command.args(["echo", "-n", "5", "--label"]);
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(stdout, "5 --label");
}
