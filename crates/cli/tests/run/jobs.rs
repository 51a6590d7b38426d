//! Jobs that end well.

use crate::stage::*;
use std::time::{Duration, Instant};

#[test]
fn ranks_find_one_another() {
    let stage = Stage::new();
    for ranks in [1, 4] {
        let mut command = stage.run(ranks);
        command.arg(hello()).arg("5000");
        let (stdout, stderr) = expect(&stage.output(command), 0);
        let lines = sorted(&stdout);
        assert_eq!((lines.len(), stderr.as_str()), (ranks as usize, ""));
        for (rank, line) in lines.iter().enumerate() {
            let start = format!("rank {rank} of {ranks} has {ranks} values of 5000 bytes, job farside-");
            assert!(line.starts_with(&start), "{line}");
        }
    }
}

#[test]
fn more_ranks_than_cores() {
    let stage = Stage::new();
    let mut command = stage.run(128);
    command.arg(hello()).arg("64");
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(
        stdout
            .lines()
            .filter(|line| line.contains(" of 128 has 128 values of 64 bytes"))
            .count(),
        128
    );
}

#[test]
fn a_rank_may_be_a_child_of_a_child() {
    let stage = Stage::new();
    let mut command = stage.run(3);
    command
        .args(["--", "sh", "-c", "\"$0\" && echo done"])
        .arg(hello());
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(stdout.lines().filter(|&line| line == "done").count(), 3);
    assert_eq!(
        stdout
            .lines()
            .filter(|line| line.contains(" of 3 has 3 values"))
            .count(),
        3
    );
}

#[test]
fn ranks_may_be_started_through_cargo() {
    let stage = Stage::new();
    let project = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"rank\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(project.path().join("Cargo.toml"), manifest).unwrap();
    let program = "fn main() { println!(\"rank {}\", std::env::var(\"FARSIDE_RANK\").unwrap()); }\n";
    std::fs::create_dir(project.path().join("src")).unwrap();
    std::fs::write(project.path().join("src/main.rs"), program).unwrap();
    let mut command = stage.run(4);
    command
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", project.path().join("target"));
    command.args(["--", env!("CARGO"), "run", "--quiet", "--offline"]);
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(sorted(&stdout), ["rank 0", "rank 1", "rank 2", "rank 3"]);
}

#[test]
fn a_job_may_run_one_program_after_the_other() {
    let stage = Stage::new();
    let mut command = stage.run(3);
    command
        .args(["--", "sh", "-c", "\"$0\" && \"$0\" && \"$0\""])
        .arg(hello());
    let (stdout, _) = expect(&stage.output(command), 0);
    let generation = |end: &str| stdout.lines().filter(|line| line.ends_with(end)).count();
    assert_eq!(
        (stdout.lines().count(), generation(".1"), generation(".2")),
        (9, 3, 3)
    );
}

#[test]
fn programs_that_know_nothing_of_farside_run_as_well() {
    let stage = Stage::new();
    let mut command = stage.run(4);
    command.args([
        "--",
        "sh",
        "-c",
        "echo $FARSIDE_RANK of $FARSIDE_SIZE over $FARSIDE_TRANSPORT: $A",
    ]);
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(sorted(&stdout)[3], "3 of 4 over :");
    let mut command = stage.run(2);
    command.args(["--transport", "ofi:tcp", "-e", "A=b=c", "--", "sh", "-c"]);
    command.arg("echo $FARSIDE_RANK of $FARSIDE_SIZE over $FARSIDE_TRANSPORT: $A");
    let (stdout, _) = expect(&stage.output(command), 0);
    assert_eq!(
        sorted(&stdout),
        ["0 of 2 over ofi:tcp: b=c", "1 of 2 over ofi:tcp: b=c"]
    );
}

#[test]
fn all_ranks_are_in_one_process_where_the_transport_says_so() {
    let stage = Stage::new();
    for transport in ["sim", "threads"] {
        let mut command = stage.run(64);
        command.args(["--transport", transport, "--", "sh", "-c"]);
        command.arg("echo $FARSIDE_RANK of $FARSIDE_SIZE over $FARSIDE_TRANSPORT");
        let (stdout, _) = expect(&stage.output(command), 0);
        assert_eq!(stdout, format!("0 of 1 over {transport}:64\n"));
    }
}

#[test]
fn a_launcher_from_outside_is_not_taken_for_ours() {
    let stage = Stage::new();
    let mut command = stage.run(2);
    command
        .env("FARSIDE_LAUNCHER", "pmix")
        .env("FARSIDE_RENDEZVOUS", "/nowhere")
        .env("PMI_FD", "999");
    command.arg(hello());
    expect(&stage.output(command), 0);
}

#[test]
fn ranks_get_cores_of_their_own_if_there_are_enough() {
    let stage = Stage::new();
    let cores = |options: &[&str], ranks| {
        let mut command = stage.run(ranks);
        command
            .args(options)
            .args(["--", "sh", "-c", "grep Cpus_allowed_list /proc/self/status"]);
        let (stdout, _) = expect(&stage.output(command), 0);
        sorted(&stdout).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = cores(&["--no-pin"], 1).remove(0);
    assert_eq!(cores(&[], 1), [all.as_str()]);
    assert_eq!(cores(&["--no-pin"], 2), [all.as_str(), all.as_str()]);
    if std::thread::available_parallelism().unwrap().get() < 2 {
        println!("skipped in part: there is one core only");
        return;
    }
    let two = cores(&[], 2);
    assert!(two[0] != two[1] && two[0] != all, "{two:?}");
    // Too many ranks: everywhere, or in turn.
    let many = std::thread::available_parallelism().unwrap().get() as u32 + 1;
    assert_eq!(cores(&[], many)[0], all);
    assert!(!cores(&["--pin"], many).contains(&all));
}

#[test]
fn what_ranks_leave_is_ended() {
    let stage = Stage::new();
    let (_, stderr) = expect(&stage.output(stage.conduct(2, &[], &["@1:orphan"])), 0);
    assert_eq!(
        stderr,
        "farside run: all ranks have ended; a process of theirs that was left is ended, too\n"
    );
    // Also what has gone into a session of its own, and lets SIGTERM pass.
    let mut command = stage.run(2);
    command.args([
        "--",
        "sh",
        "-c",
        "trap '' TERM; setsid sleep 600 > /dev/null 2>&1 & true",
    ]);
    let (_, stderr) = expect(&stage.output(command), 0);
    assert!(
        stderr.contains("2 processes of theirs that were left are ended"),
        "{stderr}"
    );
}

/// The ends of many children come as few notices, and at any moment of a look at who has ended. A job that misses one
/// waits for it until its time is over, and looks once more then.
#[test]
fn ranks_that_end_all_at_once_are_all_noticed() {
    let limit = Duration::from_secs(20);
    for _ in 0..20 {
        let stage = Stage::new();
        let mut command = stage.run(64);
        command.args(["--time-limit", &limit.as_secs().to_string(), "--", "true"]);
        let begin = Instant::now();
        expect(&stage.output(command), 0);
        assert!(begin.elapsed() < limit, "the end of a rank was missed");
    }
}
