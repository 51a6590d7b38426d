//! `farside check` on a real MPI program, under Open MPI and under MPICH.
//!
//! An MPI that is not installed is left out, with a line on stderr; `make test` installs both.

mod confirm;
mod guard;
mod layers;
mod orders;
mod setting;
mod windows;

use setting::{Check, MPICH, OPEN_MPI, Running, on_each, programs};
use std::process::Output;
use std::time::{Duration, Instant};

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn line_of(mark: &str) -> usize {
    include_str!("conduct.c")
        .lines()
        .position(|line| line.contains(mark))
        .unwrap()
        + 1
}

#[track_caller]
fn assert_race(text: &str) {
    let place = format!("conduct.c:{}", line_of("both ranks: the race"));
    assert!(text.contains("remote-race") && text.contains(&place), "{text}");
}

#[test]
fn a_race_is_named_with_its_line() {
    on_each(|mpi| {
        let output = Check::new(&[]).expect(&mpi.command("conduct", "race"), 1);
        let text = stdout(&output);
        assert!(text.starts_with("mode race\n"), "{text}");
        assert_race(&text);
        assert!(text.contains("ledger"), "{text}");
    });
}

#[test]
fn a_clean_program_is_clean() {
    on_each(|mpi| {
        let report = Check::new(&["--format", "json"]).expect(&mpi.command("conduct", "clean"), 0);
        let text = stdout(&report);
        let report: serde_json::Value = serde_json::from_str(text.split_once('\n').unwrap().1).unwrap();
        assert_eq!(report["program"]["processes"], 2);
        assert_eq!(report["shortfalls"], serde_json::json!([]), "{report:#}");
    });
}

#[test]
fn a_program_that_was_not_rebuilt_is_checked_for_its_calls() {
    on_each(|mpi| {
        let text = stdout(&Check::new(&[]).expect(&mpi.command("plain", "race"), 1));
        assert_race(&text);
        assert!(
            text.contains("not-instrumented") && text.contains("farside cc"),
            "{text}"
        );
        assert!(text.contains(mpi.program("plain").to_str().unwrap()), "{text}");
    });
}

#[test]
fn findings_so_far_when_a_process_dies() {
    on_each(|mpi| {
        for (mode, signal) in [("killed", "SIGKILL"), ("segv", "SIGSEGV"), ("abort", "7")] {
            let text = stdout(&Check::new(&[]).expect(&mpi.command("conduct", mode), 3));
            assert_race(&text);
            assert!(
                text.contains("process-lost") && text.contains(signal),
                "{mode}: {text}"
            );
        }
    });
}

/// What a process did last is written before it ends itself.
#[test]
fn the_last_store_of_a_process_that_ends() {
    on_each(|mpi| {
        for how in ["exit", "_exit", "quick_exit", "abort", "assert"] {
            let mut command = mpi.command("conduct", "ends");
            command.push(how.into());
            let text = stdout(&Check::new(&[]).expect(&command, 3));
            let place = format!("conduct.c:{}", line_of("the last store"));
            assert!(
                text.contains("local-race") && text.contains(&place),
                "{how}: {text}"
            );
        }
    });
}

#[test]
fn the_programs_own_status_is_shown() {
    on_each(|mpi| {
        let text = stdout(&Check::new(&[]).expect(&mpi.command("conduct", "five"), 3));
        assert!(text.contains("exit status 5"), "{text}");
    });
}

#[test]
fn nothing_to_check() {
    on_each(|mpi| {
        for (mode, words) in [
            ("nothing", "no process was seen to initialise MPI"),
            ("only-mpi", "no one-sided call"),
        ] {
            let text = stdout(&Check::new(&[]).expect(&mpi.command("conduct", mode), 4));
            assert!(text.contains(words), "{mode}: {text}");
        }
    });
}

#[test]
fn a_program_without_calls_is_named() {
    on_each(|mpi| {
        let hint = "has no call of these in it";
        let mut command = mpi.command("conduct", "nothing");
        let text = stdout(&Check::new(&[]).expect(&command, 4));
        assert!(!text.contains(hint), "{text}");
        // The program and its argument.
        command.truncate(command.len() - 2);
        command.push("/bin/true".into());
        let text = stdout(&Check::new(&[]).expect(&command, 4));
        assert!(text.contains(&format!("true {hint}")), "{text}");
    });
}

#[test]
fn a_wrong_flag_of_the_launcher_is_the_launchers_failure() {
    on_each(|mpi| {
        let mut command = mpi.command("conduct", "race");
        command.insert(1, "--no-such-flag".into());
        Check::new(&[]).expect(&command, 3);
    });
}

#[test]
fn a_hanging_program_is_ended_and_its_cycle_named() {
    on_each(|mpi| {
        let start = Instant::now();
        let text = stdout(&Check::new(&["--time-limit", "3"]).expect(&mpi.command("conduct", "hang"), 1));
        assert!(
            text.contains("deadlock") && text.contains("time limit of 3 s"),
            "{text}"
        );
        assert!(start.elapsed() < Duration::from_secs(20));
    });
}

#[test]
fn several_jobs_under_one_command() {
    on_each(|mpi| {
        let job = |mode| mpi.command("conduct", mode).join(" ");
        for script in [
            format!("{}; {}", job("race"), job("clean")),
            format!("{} & {} & wait", job("race"), job("clean")),
        ] {
            let command = ["sh".to_string(), "-c".into(), script];
            let text = stdout(&Check::new(&["--verbose"]).expect(&command, 1));
            assert_race(&text);
            assert!(text.contains("2 jobs") && text.contains("4 processes"), "{text}");
        }
    });
}

#[test]
fn the_launcher_of_another_mpi_is_told() {
    if programs().1.len() < 2 {
        return;
    }
    for (launcher, program) in [(OPEN_MPI, MPICH), (MPICH, OPEN_MPI)] {
        let mut command = launcher.command("conduct", "clean");
        let length = command.len();
        command[length - 2] = program.program("conduct").to_str().unwrap().into();
        let text = stdout(&Check::new(&[]).expect(&command, 4));
        assert!(text.contains("mixed-mpi"), "{text}");
    }
}

/// Starts a program that soon waits or computes, and sends a signal when it has done so for a while.
fn broken_off(command: &[String], signal: &str) -> String {
    let check = Check::new(&[]);
    let running = check.start(command);
    // The first chunk appears when MPI is initialised; what the program does comes soon after.
    let start = Instant::now();
    let recorded = || {
        let spools = std::fs::read_dir(check.spool.path()).unwrap();
        spools
            .flatten()
            .any(|spool| std::fs::read_dir(spool.path()).is_ok_and(|files| files.count() > 2))
    };
    while !recorded() {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(2));
    running.send(signal);
    stdout(&check.finish(running, 3))
}

#[test]
fn interrupted() {
    on_each(|mpi| {
        let text = broken_off(&mpi.command("conduct", "wait"), "-TERM");
        assert_race(&text);
        assert!(text.contains("SIGTERM"), "{text}");
        assert!(text.contains("after MPI_Win_free ("), "{text}");
    });
}

/// Who waits for whom is told without a time limit as well, if somebody ends the program after he saw nothing happen.
#[test]
fn a_hanging_program_that_is_broken_off() {
    on_each(|mpi| {
        let text = broken_off(&mpi.command("conduct", "hang"), "-INT");
        assert!(text.contains("deadlock") && text.contains("SIGINT"), "{text}");
    });
}

/// One that computes waits for nobody; where each was is told.
#[test]
fn where_processes_were_when_they_were_ended() {
    on_each(|mpi| {
        let places = ["after MPI_Win_fence (", "in MPI_Barrier ("];
        let spin = mpi.command("conduct", "spin");
        let limited = stdout(&Check::new(&["--time-limit", "3"]).expect(&spin, 4));
        for text in [limited, broken_off(&spin, "-INT")] {
            assert!(!text.contains("deadlock"), "{text}");
            for place in places {
                assert!(text.contains(place), "{place}: {text}");
            }
        }
        let text = stdout(&Check::new(&[]).expect(&mpi.command("conduct", "nowhere"), 3));
        assert!(text.contains("ended in MPI_Recv ("), "{text}");
    });
}

/// Bytes of a run's recordings that are on disk.
fn backlog(check: &Check) -> u64 {
    let folders = std::fs::read_dir(check.spool.path()).unwrap().flatten();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}

/// Starts a program, stops the judgement, and waits until there is a backlog of some megabytes. Signals sent now
/// arrive when the judgement [goes on](Running::go_on): however busy the machine is, there is a backlog then.
fn with_a_backlog(command: &[String], check: &Check) -> Running {
    let running = check.start(command);
    let start = Instant::now();
    while backlog(check) == 0 || living(check) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is recorded");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.send("-STOP");
    while backlog(check) < 6 << 20 {
        assert!(start.elapsed() < Duration::from_secs(180), "no backlog");
        std::thread::sleep(Duration::from_millis(50));
    }
    running
}

/// Processes that record for this run.
fn living(check: &Check) -> usize {
    let spool = check.spool.path().as_os_str().as_encoded_bytes();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let records = |folder: std::path::PathBuf| {
        let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
        environment.windows(spool.len()).any(|part| part == spool)
    };
    processes.filter(|entry| records(entry.path())).count()
}

#[track_caller]
fn assert_nothing_lives(check: &Check) {
    let start = Instant::now();
    while living(check) > 0 {
        assert!(start.elapsed() < Duration::from_secs(10), "a rank lives on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Two seconds are promised; the limit here is one of liveness.
#[test]
fn a_signal_with_a_backlog_gives_the_report_so_far() {
    on_each(|mpi| {
        let signal = match mpi.name == OPEN_MPI.name {
            true => "-INT",
            false => "-TERM",
        };
        let check = Check::new(&[]);
        let running = with_a_backlog(&mpi.command("gather", ""), &check);
        running.send(signal);
        running.go_on();
        let start = Instant::now();
        let text = stdout(&check.finish(running, 3));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        // A quick machine judges all of it in the second that it has; else the report says how much is left.
        let left = text.contains("not-judged");
        assert_eq!(left, text.contains("MB of the recordings"), "{text}");
        // Where the processes were is told only if all was judged, and they did nothing for a while.
        assert!(!left || !text.contains("still-running"), "{text}");
        assert_nothing_lives(&check);
    });
}

/// After the limit the backlog is judged for 10 s more at this limit, and no longer; the test's own limit is one of
/// liveness.
#[test]
fn the_time_limit_holds_with_a_backlog() {
    on_each(|mpi| {
        let check = Check::new(&["--time-limit", "2"]);
        let running = with_a_backlog(&mpi.command("gather", ""), &check);
        running.go_on();
        let start = Instant::now();
        let text = stdout(&check.finish(running, 4));
        assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
        assert!(text.contains("time limit"), "{text}");
        assert_nothing_lives(&check);
    });
}

#[test]
fn a_second_signal_ends_all_at_once() {
    on_each(|mpi| {
        let check = Check::new(&[]);
        // However soon all is judged, the report waits 1.5 s for a command that does not end.
        let script = format!(
            "trap '' INT TERM; {}; sleep 60",
            mpi.command("gather", "").join(" ")
        );
        let running = with_a_backlog(&["sh".into(), "-c".into(), script], &check);
        running.send("-INT");
        running.go_on();
        // Signals less than 300 ms apart are one request.
        std::thread::sleep(Duration::from_millis(350));
        running.send("-TERM");
        let text = stdout(&check.finish(running, 3));
        assert!(!text.contains("farside:"), "no report: {text}");
        assert_nothing_lives(&check);
    });
}

#[test]
fn a_process_that_is_not_recorded_is_named() {
    on_each(|mpi| {
        let command = mpi.command("conduct", "clean");
        let (program, launcher) = (&command[command.len() - 2..], &command[..command.len() - 4]);
        let bare = ["-n", "1", "env", "-u", "LD_PRELOAD"].map(String::from);
        let mut words = launcher.to_vec();
        words.extend(["-n".into(), "1".into()]);
        words.extend_from_slice(program);
        words.push(":".into());
        words.extend(bare);
        words.extend_from_slice(program);
        let text = stdout(&Check::new(&["--time-limit", "50"]).expect(&words, 4));
        assert!(text.contains("not-recorded, rank 1"), "{text}");
        assert!(!text.contains("time limit"), "{text}");
    });
}
