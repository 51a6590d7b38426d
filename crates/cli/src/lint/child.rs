//! Programs that are given a time limit: compilers, and the reader of IR.

use std::io::{ErrorKind, Read};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// By itself, whatever its status.
    Exited(Output),
    /// It was ended at its time limit.
    TimedOut,
    /// There is no such program.
    NotThere,
    /// It could not be started or watched.
    Failed(std::io::Error),
}

/// Runs a program for at most so many seconds, and keeps what it says.
pub(super) fn run(command: &mut Command, seconds: u64) -> Ended {
    watch(command, Duration::from_secs(seconds)).unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound => Ended::NotThere,
        _ => Ended::Failed(error),
    })
}

fn watch(command: &mut Command, limit: Duration) -> std::io::Result<Ended> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // Both are read while it runs: a full pipe would stop it.
    let (stdout, stderr) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let begin = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if begin.elapsed() > limit => {
                child.kill()?;
                child.wait()?;
                return Ok(Ended::TimedOut);
            }
            None => thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(20));
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
        let echo = run(Command::new("echo").arg("words"), 60);
        assert!(matches!(echo, Ended::Exited(output) if output.stdout == b"words\n"));
        assert!(matches!(run(Command::new("sleep").arg("60"), 0), Ended::TimedOut));
        assert!(matches!(
            run(&mut Command::new("/nowhere/at-all"), 60),
            Ended::NotThere
        ));
    }
}
