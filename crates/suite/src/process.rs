//! Runs a command with a time limit, in a process group of its own, with its output in a file.

use farside_processes::limited::wait;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// How a command ended.
pub(crate) enum Ended {
    /// By itself.
    Exited(ExitStatus),
    /// It was still running at its time limit and was ended.
    TimedOut,
}

/// Runs the command; stdout and stderr go to `log`.
pub(crate) fn run(command: &mut Command, log: &Path, limit: Duration) -> Result<Ended, String> {
    let describe = |error: std::io::Error| format!("{}: {error}", log.display());
    let file = File::create(log).map_err(describe)?;
    let both = file.try_clone().map_err(describe)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(both)
        .stderr(file)
        .process_group(0)
        .spawn()
        .map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    match wait(&mut child, limit).map_err(|error| error.to_string())? {
        Some(status) => Ok(Ended::Exited(status)),
        None => {
            end(&mut child)?;
            Ok(Ended::TimedOut)
        }
    }
}

/// Ends the whole group: first politely, so that `mpirun` ends its processes, which may be in groups of their own.
fn end(child: &mut Child) -> Result<(), String> {
    let group = Pid::from_child(child);
    for (signal, patience) in [(Signal::TERM, 5), (Signal::KILL, 5)] {
        let _ = kill_process_group(group, signal);
        let ended = wait(child, Duration::from_secs(patience)).map_err(|error| error.to_string())?;
        if ended.is_some() {
            // What is left of the group after its leader has gone.
            let _ = kill_process_group(group, Signal::KILL);
            return Ok(());
        }
    }
    Err(format!("process group {} does not end", group.as_raw_nonzero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_command_that_hangs_is_ended() {
        let log = std::env::temp_dir().join(format!("farside-suite-{}.log", std::process::id()));
        let start = Instant::now();
        let ended = run(Command::new("sleep").arg("30"), &log, Duration::from_millis(50)).unwrap();
        assert!(matches!(ended, Ended::TimedOut));
        assert!(start.elapsed() < Duration::from_secs(10));
        let ended = run(&mut Command::new("true"), &log, Duration::from_secs(10)).unwrap();
        assert!(matches!(ended, Ended::Exited(status) if status.success()));
        let _ = std::fs::remove_file(log);
    }
}
