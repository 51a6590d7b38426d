//! Programs that are given a time limit.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself, whatever its status.
    Exited(Output),
    /// It was ended at its time limit.
    TimedOut,
    /// There is no such program.
    NotThere,
    /// It could not be started or watched.
    Failed(std::io::Error),
}

/// Runs a program for at most as long as `limit`, and keeps what it says.
#[must_use]
pub fn run(command: &mut Command, limit: Duration) -> Ended {
    watch(command, limit).unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ended::NotThere,
        _ => Ended::Failed(error),
    })
}

/// Waits for a child for at most as long as `limit`; `None` if it still runs then.
///
/// # Errors
/// The child cannot be waited for: somebody else did.
pub fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    let handle = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok();
    let mut pause = Duration::from_millis(1);
    loop {
        let elapsed = begin.elapsed();
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if elapsed > limit => return Ok(None),
            None => {}
        }
        match &handle {
            Some(handle) => until_it_ends(handle, limit - elapsed)?,
            // Linux before 5.3, and some sandboxes, have no handle of a process that can be waited for.
            None => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    }
}

/// Waits until the process of a handle ends, or for a little longer than `limit`, or until a signal comes.
fn until_it_ends(handle: &OwnedFd, limit: Duration) -> std::io::Result<()> {
    let limit = Timespec::try_from(limit + Duration::from_millis(1)).ok();
    match poll(&mut [PollFd::new(handle, PollFlags::IN)], limit.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn watch(command: &mut Command, limit: Duration) -> std::io::Result<Ended> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // Both are read while it runs: a full pipe would stop it.
    let (stdout, stderr) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let Some(status) = wait(&mut child, limit)? else {
        child.kill()?;
        child.wait()?;
        return Ok(Ended::TimedOut);
    };
    Ok(Ended::Exited(Output {
        status,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
    }))
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is all there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_end_is_told_apart() {
        let minute = Duration::from_secs(60);
        let echo = run(Command::new("echo").arg("words"), minute);
        assert!(matches!(echo, Ended::Exited(output) if output.stdout == b"words\n"));
        assert!(matches!(
            run(Command::new("sleep").arg("60"), Duration::ZERO),
            Ended::TimedOut
        ));
        let tenth = Duration::from_millis(100);
        assert!(matches!(
            run(Command::new("sleep").arg("60"), tenth),
            Ended::TimedOut
        ));
        assert!(matches!(
            run(&mut Command::new("/nowhere/at-all"), minute),
            Ended::NotThere
        ));
    }
}
