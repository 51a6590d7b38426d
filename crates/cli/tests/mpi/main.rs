//! `farside check` on a real MPI program, under Open MPI and under MPICH.
//!
//! An MPI that is not installed is left out, with a line on stderr; `make test` installs both.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// An MPI library by its Debian suffix.
#[derive(Clone, Copy)]
struct Mpi {
    name: &'static str,
    launcher: &'static [&'static str],
}

const OPEN_MPI: Mpi = Mpi {
    name: "openmpi",
    launcher: &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
};
const MPICH: Mpi = Mpi {
    name: "mpich",
    launcher: &["mpirun.mpich"],
};

/// The folder with farside's libraries, built once for all tests.
fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_farside")).parent().unwrap();
        let profile = if folder.ends_with("release") {
            "release"
        } else {
            "dev"
        };
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--profile", profile])
            .args([
                "-p",
                "farside-interpose",
                "-p",
                "farside-callbacks",
                "--target-dir",
            ])
            .arg(folder.parent().unwrap())
            .status()
            .unwrap();
        assert!(status.success());
        folder.to_path_buf()
    })
}

/// The folder of the compiled programs, and the MPIs that are there.
fn programs() -> &'static (tempfile::TempDir, Vec<Mpi>) {
    static PROGRAMS: OnceLock<(tempfile::TempDir, Vec<Mpi>)> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi/conduct.c");
        libraries();
        let mut there = Vec::new();
        for mpi in [OPEN_MPI, MPICH] {
            let compiler = format!("mpicc.{}", mpi.name);
            if Command::new(&compiler).arg("--version").output().is_err() {
                eprintln!("left out: there is no {compiler}");
                continue;
            }
            let build = |command: &mut Command, output: &str| {
                let output = folder.path().join(format!("{output}.{}", mpi.name));
                let status = command
                    .arg("-g")
                    .arg(&source)
                    .arg("-o")
                    .arg(output)
                    .status()
                    .unwrap();
                assert!(status.success());
            };
            build(
                Command::new(env!("CARGO_BIN_EXE_farside")).args(["cc", &compiler]),
                "conduct",
            );
            build(&mut Command::new(&compiler), "plain");
            there.push(mpi);
        }
        (folder, there)
    })
}

/// Runs `test` for each MPI that is there.
fn on_each(test: impl Fn(Mpi)) {
    programs().1.iter().copied().for_each(test);
}

impl Mpi {
    fn program(self, name: &str) -> PathBuf {
        programs().0.path().join(format!("{name}.{}", self.name))
    }

    /// The launcher's command line for two processes of `program`.
    fn command(self, program: &str, mode: &str) -> Vec<String> {
        let mut words: Vec<String> = self.launcher.iter().map(|word| word.to_string()).collect();
        words.extend([
            "-n".into(),
            "2".into(),
            self.program(program).to_str().unwrap().into(),
            mode.into(),
        ]);
        words
    }
}

/// A spool place of its own for each test, so that what is left behind is seen.
struct Check {
    spool: tempfile::TempDir,
    options: Vec<String>,
}

impl Check {
    fn new(options: &[&str]) -> Self {
        Self {
            spool: tempfile::tempdir().unwrap(),
            options: options.iter().map(|option| option.to_string()).collect(),
        }
    }

    fn start(&self, command: &[String]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_farside"))
            .arg("check")
            .args(&self.options)
            .arg("--spool")
            .arg(self.spool.path())
            .arg("--")
            .args(command)
            .env("FARSIDE_LIBRARIES", libraries())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs to the end, and expects an exit status and an empty spool place.
    #[track_caller]
    fn expect(&self, command: &[String], status: i32) -> Output {
        self.finish(self.start(command), status)
    }

    #[track_caller]
    fn finish(&self, child: Child, status: i32) -> Output {
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(status),
            "stdout:\n{}\nstderr:\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(
            std::fs::read_dir(self.spool.path()).unwrap().count(),
            0,
            "the spool was left behind"
        );
        output
    }
}

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
            ("nothing", "no process initialised MPI"),
            ("only-mpi", "no one-sided call"),
        ] {
            let text = stdout(&Check::new(&[]).expect(&mpi.command("conduct", mode), 4));
            assert!(text.contains(words), "{mode}: {text}");
        }
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

#[test]
fn interrupted() {
    on_each(|mpi| {
        let check = Check::new(&[]);
        let child = check.start(&mpi.command("conduct", "wait"));
        // The first chunk appears when MPI is initialised; the race comes soon after.
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
        let status = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
        let text = stdout(&check.finish(child, 3));
        assert_race(&text);
        assert!(text.contains("SIGTERM"), "{text}");
    });
}
