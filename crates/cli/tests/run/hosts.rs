//! Jobs over several hosts, each of which has an agent; all hosts are this machine here. Over hosts of their own they
//! are run by `scripts/hosts-run`.

use crate::stage::*;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

/// A job over two hosts whose ranks follow these steps.
fn conduct_over(stage: &Stage, ranks: u32, options: &[&str], steps: &[&str]) -> Command {
    let mut command = stage.run_over("one,two", ranks);
    command.args(options).arg("--").arg(conduct()).args(steps);
    command
}

/// Starts a job of shell scripts, and reads so many lines of it.
fn script(stage: &Stage, ranks: u32, script: &str, lines: usize) -> (Child, Vec<String>) {
    let mut command = stage.run_over("one,two", ranks);
    let mut child = command.args(["--", "sh", "-c", script]).spawn().unwrap();
    let output = BufReader::new(child.stdout.as_mut().unwrap());
    let lines = output.lines().take(lines).map(Result::unwrap).collect();
    (child, lines)
}

#[test]
fn ranks_of_all_hosts_find_one_another() {
    for (hosts, ranks) in [
        ("one,two", 4),
        ("one:1,two,three:3", 6),
        ("localhost,two", 2),
        ("one", 2),
    ] {
        let stage = Stage::new();
        let mut command = stage.run_over(hosts, ranks);
        command.arg("--label").arg(hello()).arg("5000");
        let (stdout, stderr) = expect(&stage.output(command), 0);
        let lines = sorted(&stdout);
        assert_eq!((lines.len(), stderr.as_str()), (ranks as usize, ""));
        for (rank, line) in lines.iter().enumerate() {
            let start =
                format!("[{rank}] rank {rank} of {ranks} has {ranks} values of 5000 bytes, job farside-");
            assert!(line.starts_with(&start), "{line}");
        }
    }
}

#[test]
fn one_program_after_the_other_and_many_ranks() {
    let stage = Stage::new();
    let mut command = stage.run_over("one,two,three", 40);
    command.args(["--", "sh", "-c", "\"$0\" && \"$0\""]).arg(hello());
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(stdout.lines().filter(|line| line.ends_with(".1")).count(), 40);
}

#[test]
fn operations_go_from_host_to_host() {
    let stage = Stage::new();
    let mut command = stage.run_over("one,two", 4);
    command.arg(fences());
    let (stdout, stderr) = expect(&stage.output(command), 0);
    // Without libfabric the program says so, as on one host.
    assert!(stdout.contains("fence-imm-ri: as all others"), "{stdout}{stderr}");
}

#[test]
fn environment_folder_and_arguments_come_along() {
    let stage = Stage::new();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().canonicalize().unwrap();
    let mut command = stage.run_over("one,two", 2);
    command
        .current_dir(&place)
        .env("GIVEN", "a b 'c'")
        .env("OTHER", "not this")
        .env("FARSIDE_RENDEZVOUS", "/nowhere")
        .args(["-e", "OTHER=x=y", "--", "sh", "-c"])
        .arg("printf '%s|' \"$FARSIDE_RANK\" \"$(pwd)\" \"$GIVEN\" \"$OTHER\" \"$FARSIDE_RENDEZVOUS\" \"$@\"; echo")
        .args(["sh", "it's", "", "$HOME"]);
    let (stdout, _) = expect(&stage.output(command), 0);
    let expected = |rank| format!("{rank}|{}|a b 'c'|x=y||it's||$HOME|\n", place.display());
    assert!(
        stdout == expected(0) + &expected(1) || stdout == expected(1) + &expected(0),
        "{stdout}"
    );
}

#[test]
fn stdin_goes_to_rank_0_and_all_of_it_comes_back() {
    let stage = Stage::new();
    let mut child = conduct_over(&stage, 2, &[], &["echo"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let text: String = (0..400_000).map(|line: u32| format!("{line}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    let sent = text.clone();
    let writer = std::thread::spawn(move || stdin.write_all(sent.as_bytes()).unwrap());
    let (stdout, _) = expect(&child.wait_with_output().unwrap(), 0);
    writer.join().unwrap();
    assert!(stdout == text, "{} of {} bytes", stdout.len(), text.len());
    stage.expect_nothing_left();
}

#[test]
fn who_reads_no_more_is_known_to_the_ranks() {
    let stage = Stage::new();
    let (mut child, lines) = script(&stage, 2, "yes", 3);
    assert_eq!(lines, ["y", "y", "y"]);
    drop(child.stdout.take());
    // `yes` ends by SIGPIPE, as if it wrote there itself.
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stderr).as_str()),
        (Some(3), "")
    );
    stage.expect_nothing_left();
}

#[test]
fn every_way_to_fail_is_named_with_the_host() {
    for (steps, words) in [
        (
            &["connect", "fence", "@3:exit:7", "sleep"][..],
            "rank 3 ended with status 7",
        ),
        (
            &["@2:signal:6", "sleep"],
            "rank 2 was killed by signal 6 (SIGABRT)",
        ),
        (
            &["connect", "@3:exit:0", "sleep"],
            "rank 3 ended with status 0, but without finishing its communication",
        ),
        (
            &["@2:exit:0", "connect", "sleep"],
            "rank 2 ended with status 0 and never joined the others, who wait for it",
        ),
        (
            &["connect", "fence", "@2:leave", "sleep"],
            "rank 2 closed its connection to the launcher without finishing its communication",
        ),
    ] {
        let stage = Stage::new();
        let (_, stderr) = expect(&stage.output(conduct_over(&stage, 4, &[], steps)), 3);
        let (before, rest) = stderr.split_once(" (pid ").unwrap_or_else(|| panic!("{stderr}"));
        let (_, after) = rest.split_once(" on two)").unwrap_or_else(|| panic!("{stderr}"));
        assert_eq!(
            format!("{before}{after}"),
            format!("farside run: {words}; the job is ended\n")
        );
    }
}

#[test]
fn who_failed_first_is_named_though_others_fail_for_that_elsewhere() {
    for _ in 0..10 {
        let stage = Stage::new();
        let steps = ["connect", "fence", "@1:signal:6", "fence", "finish"];
        let (_, stderr) = expect(&stage.output(conduct_over(&stage, 4, &[], &steps)), 3);
        let ours = stderr
            .lines()
            .find(|line| line.starts_with("farside run: "))
            .unwrap();
        assert!(
            ours.contains("rank 1 (pid ") && ours.contains(" on one) was killed"),
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
fn what_ranks_leave_is_ended_and_time_limits_and_signals_reach_all() {
    let stage = Stage::new();
    let (_, stderr) = expect(
        &stage.output(conduct_over(&stage, 2, &[], &["@1:deaf", "@1:orphan"])),
        0,
    );
    assert!(
        stderr.contains("a process of theirs that was left is ended"),
        "{stderr}"
    );
    let steps = ["deaf", "connect", "fence", "orphan", "sleep"];
    let (_, stderr) = expect(
        &stage.output(conduct_over(&stage, 4, &["--time-limit", "1.5"], &steps)),
        3,
    );
    assert_eq!(
        stderr,
        "farside run: the time limit of 1.5 s is over; the job is ended\n"
    );
    for signal in ["INT", "TERM", "HUP"] {
        let (child, _) = script(&stage, 4, "echo up; exec sleep 600", 4);
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
fn nothing_outlives_a_killed_head() {
    let stage = Stage::new();
    let deaf = "setsid sh -c 'trap \"\" TERM HUP; sleep 600; true' & echo up; wait";
    let (mut child, _) = script(&stage, 4, deaf, 4);
    // The head, two agents, and of each rank three.
    wait_for("all are there", || stage.living() == 15);
    kill(child.id(), "-KILL");
    child.wait().unwrap();
    wait_for("all are gone", || stage.living() == 0);
    stage.expect_nothing_left();
}

/// However late the news of the last end come.
#[test]
fn a_job_whose_ranks_all_fail_has_failed() {
    let stage = Stage::new();
    for _ in 0..40 {
        let mut command = stage.run_over("one,two", 4);
        command.args(["--", "sh", "-c", "exit 7"]);
        let (_, stderr) = expect(&stage.output(command), 3);
        assert!(
            stderr.contains("ended with status 7; the job is ended"),
            "{stderr}"
        );
    }
}

#[test]
fn an_agent_that_is_killed_is_a_host_that_is_lost() {
    let stage = Stage::new();
    let (child, lines) = script(&stage, 4, "echo $FARSIDE_RANK $PPID; exec sleep 600", 4);
    let agent = lines.iter().find_map(|line| line.strip_prefix("3 ")).unwrap();
    kill(agent.parse().unwrap(), "-KILL");
    let (_, stderr) = expect(&child.wait_with_output().unwrap(), 3);
    assert_eq!(
        stderr,
        "farside run: host two (ranks 2-3) is lost: its agent is gone, or the whole host; the job is ended\n"
    );
    stage.expect_nothing_left();
}

#[test]
fn an_agent_that_is_silent_is_a_host_that_is_lost() {
    let stage = Stage::new();
    let (child, lines) = script(&stage, 2, "echo $FARSIDE_RANK $PPID; exec sleep 600", 2);
    let agent = lines.iter().find_map(|line| line.strip_prefix("1 ")).unwrap();
    kill(agent.parse().unwrap(), "-STOP");
    let (_, stderr) = expect(&child.wait_with_output().unwrap(), 3);
    assert!(
        stderr.contains("host two (rank 1) is lost: nothing was heard of it for 10 s"),
        "{stderr}"
    );
    stage.expect_nothing_left();
}

#[test]
fn what_cannot_be_started_is_2_and_says_on_which_host() {
    let here = env!("CARGO_BIN_EXE_farside");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hosts");
    std::fs::write(&file, "one\ntwo slots=x\n").unwrap();
    let file = file.to_str().unwrap();
    for (hosts, options, program, words) in [
        (
            "one,two",
            &[][..],
            "./no-such-program",
            ": no such program: ./no-such-program",
        ),
        (
            "one,two:1",
            &["--farside", "/nowhere/farside"],
            "true",
            "farside is not there at /nowhere/farside",
        ),
        (
            "localhost,two",
            &["--farside", "/etc/passwd"],
            "true",
            "host two: /etc/passwd cannot be run there",
        ),
        (
            "one,two",
            &["--launcher", "no-such-shell"],
            "true",
            "host one: cannot start `no-such-shell`",
        ),
        (
            "one,two",
            &["--launcher", "false"],
            "true",
            "`false` ended with status 1 before the agent",
        ),
        (
            "one,two",
            &["--transport", "shm"],
            "true",
            "--hosts: the transport shm is memory of one host",
        ),
        (
            "one,two",
            &["-e", "FARSIDE_TRANSPORT=shm"],
            "true",
            "--hosts: the transport shm",
        ),
        (
            "one,two",
            &["--transport", "sim"],
            "true",
            "all ranks are in one process",
        ),
        (
            "one:1,two:1",
            &[],
            "true",
            "4 ranks do not fit on hosts with 2 slots",
        ),
        ("one,-oProxyCommand=x", &[], "true", "is no name of a host"),
    ] {
        let stage = Stage::new();
        let mut command = stage.run_over(hosts, 4);
        command.args(options).arg("--").arg(program);
        let (_, stderr) = expect(&stage.output(command), 2);
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    let output = Command::new(here)
        .args(["run", "-n", "2", "--hostfile", file, "true"])
        .output()
        .unwrap();
    let (_, stderr) = expect(&output, 2);
    assert!(stderr.contains("line 2: \"x\" is no number of ranks"), "{stderr}");
    let (_, stderr) = expect(
        &Command::new(here)
            .arg("run-agent")
            .stdin(Stdio::null())
            .output()
            .unwrap(),
        2,
    );
    assert!(
        stderr.contains("farside run starts this on other hosts"),
        "{stderr}"
    );
}

#[test]
fn races_between_hosts_are_reported() {
    let stage = Stage::new();
    let mut command = stage.run_over("one,two", 2);
    command
        .args(["--check", "--format", "json", "--"])
        .arg(races())
        .arg("put");
    let (stdout, stderr) = expect(&stage.output(command), 1);
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout}{stderr}"));
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{stdout}");
    assert_eq!(report["program"]["processes"], 2, "{stdout}");
}
