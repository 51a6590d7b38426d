//! One start of a program of tests: what it prints until it ends, or has to be ended.

use crate::error::Error;
use farside_processes::plain;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a silent program is looked at.
const TICK: Duration = Duration::from_millis(200);

/// How a program ended.
pub(crate) enum Ending {
    /// It printed nothing for too long, and was ended.
    Hung,
    /// By itself: how, in words.
    Itself(String),
    /// It was ended for this reason, which is none of its own.
    Stopped(String),
}

/// Runs the command and passes on what it prints, line by line. Its complaints go into `folder`.
pub(crate) fn follow(
    mut command: Command,
    folder: &Path,
    patience: Duration,
    stop: &dyn Fn() -> Option<String>,
    take: &mut dyn FnMut(String) -> Result<(), Error>,
) -> Result<Ending, Error> {
    let complaints = folder.join("stderr");
    let unwritable = |error| Error::Unwritable(complaints.clone(), error);
    let launcher = command.get_program().to_string_lossy().into_owned();
    let not_started = |error| Error::NotStarted(launcher.clone(), error);
    let mut child = command
        .envs(farside_processes::OPEN_MPI_AS_ROOT)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(&complaints).map_err(unwritable)?)
        // A group of its own, so that the launcher and its ranks can be ended together.
        .process_group(0)
        .spawn()
        .map_err(not_started)?;
    let lines = lines(&mut child);
    let mut heard = Instant::now();
    let mut ending = None;
    while ending.is_none() {
        match lines.recv_timeout(TICK.min(patience)) {
            Ok(line) => {
                heard = Instant::now();
                if let Err(fault) = take(line) {
                    end(child.id());
                    let _ = child.wait();
                    return Err(fault);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if heard.elapsed() >= patience => ending = Some(Ending::Hung),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ending.is_none() {
            ending = stop().map(Ending::Stopped);
        }
    }
    if ending.is_some() {
        end(child.id());
    }
    let status = child.wait().map_err(not_started)?;
    Ok(ending.unwrap_or_else(|| {
        let said = std::fs::read(&complaints).unwrap_or_default();
        Ending::Itself(match complaint(&String::from_utf8_lossy(&said)) {
            None => status.to_string(),
            Some(line) => format!("{status}: {}", plain(line)),
        })
    }))
}

/// The line that says what is wrong: the first one with words. Launchers draw lines around theirs, and what they say of
/// the end of a job comes after its cause.
fn complaint(said: &str) -> Option<&str> {
    said.lines()
        .map(str::trim)
        .find(|line| line.contains(char::is_alphabetic))
}

/// What a process prints, line by line.
fn lines(child: &mut Child) -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
    }
    lines
}

/// Ends a group of processes that we started.
fn end(leader: u32) {
    let group = i32::try_from(leader)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // The launcher ends its ranks when it is asked to; what is left is killed with it.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        std::thread::sleep(Duration::from_secs(1));
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_told_and_not_the_line_that_a_launcher_draws() {
        let said =
            "-----\n\nmpirun has detected an attempt to run as root.\n\nRunning as root is risky.\n-----\n";
        assert_eq!(
            complaint(said),
            Some("mpirun has detected an attempt to run as root.")
        );
        assert_eq!(complaint("-----\n\n"), None);
    }
}
