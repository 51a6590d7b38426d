//! A stage for `farside run`: an empty folder for temporary files, and a mark in the environment of all ranks by which
//! the tests see who still lives.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// One test's own.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    mark: String,
}

impl Stage {
    /// An empty stage.
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self {
            folder: tempfile::tempdir().unwrap(),
            mark: format!("FARSIDE_TEST_MARK={}.{number}", std::process::id()),
        }
    }

    /// `farside run -n RANKS`, to be continued.
    pub(crate) fn run(&self, ranks: u32) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
        command
            .args(["run", "-n", &ranks.to_string(), "--env", &self.mark])
            .env("TMPDIR", self.folder.path())
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// `farside run` with these options, the ranks following these steps.
    pub(crate) fn conduct(&self, ranks: u32, options: &[&str], steps: &[&str]) -> Command {
        let mut command = self.run(ranks);
        command.args(options).arg("--").arg(conduct()).args(steps);
        command
    }

    /// `farside run` over these hosts, all of which are this machine, to be continued. Agents have the mark, too.
    pub(crate) fn run_over(&self, hosts: &str, ranks: u32) -> Command {
        let mut command = self.run(ranks);
        let (name, value) = self.mark.split_once('=').unwrap();
        let launcher = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/remote-shell");
        command
            .env(name, value)
            .args(["--hosts", hosts, "--launcher", launcher]);
        command
    }

    /// Waits for its end, and sees that nothing is left.
    pub(crate) fn output(&self, mut command: Command) -> Output {
        let output = command.output().unwrap();
        self.expect_nothing_left();
        output
    }

    /// Processes with the mark. One that is just becoming another program shows no environment for a moment, so wait
    /// for a number instead of expecting it at once.
    pub(crate) fn living(&self) -> usize {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let marked = entries.filter(|entry| {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            environment
                .split(|&byte| byte == 0)
                .any(|variable| variable == self.mark.as_bytes())
        });
        marked.count()
    }

    /// No process and no file.
    pub(crate) fn expect_nothing_left(&self) {
        assert_eq!(self.living(), 0, "processes are left");
        assert_eq!(
            std::fs::read_dir(self.folder.path()).unwrap().count(),
            0,
            "files are left"
        );
    }
}

/// The program that does what its arguments say.
pub(crate) fn conduct() -> PathBuf {
    example("run-conduct")
}

/// The program that exchanges values.
pub(crate) fn hello() -> PathBuf {
    example("run-hello")
}

/// The suite of the fence designs.
pub(crate) fn fences() -> PathBuf {
    example("run-fences")
}

/// The conformance suite.
pub(crate) fn suite() -> PathBuf {
    example("run-suite")
}

/// The litmus library.
pub(crate) fn litmus() -> PathBuf {
    example("run-litmus")
}

/// Collective calls of every function, and random ones.
pub(crate) fn collectives() -> PathBuf {
    example("run-collectives")
}

/// Collective calls that do not match.
pub(crate) fn mismatches() -> PathBuf {
    example("run-mismatches")
}

/// The program whose ranks wait for one that dies.
pub(crate) fn bereaved() -> PathBuf {
    example("run-bereaved")
}

/// The table that loses no entry.
pub(crate) fn replicas() -> PathBuf {
    example("run-replicas")
}

/// The program that has races.
pub(crate) fn races() -> PathBuf {
    example("run-races")
}

fn example(name: &str) -> PathBuf {
    farside_built::example("farside-cli", name)
}

/// Waits until `condition` holds.
pub(crate) fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "waited in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Checks the exit status, and shows everything if it is wrong; returns stdout and stderr.
#[track_caller]
pub(crate) fn expect(output: &Output, status: i32) -> (String, String) {
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(
        output.status.code(),
        Some(status),
        "stdout:\n{stdout}\nstderr:\n{stderr}"
    );
    (stdout, stderr)
}

/// Text of a stream.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The lines, in the order of the alphabet.
pub(crate) fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Sends a signal.
pub(crate) fn kill(pid: u32, signal: impl AsRef<OsStr>) {
    let status = Command::new("kill")
        .arg(signal)
        .arg(pid.to_string())
        .status()
        .unwrap();
    assert!(status.success());
}
