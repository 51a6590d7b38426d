//! What a command takes: time, time of the processor, memory; with those of the programs that it starts.

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use serde::Serialize;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What one run took.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Taken {
    seconds: f64,
    /// Of the processor, with a clock of 10 ms.
    pub(super) processor_seconds: f64,
    /// The largest resident set of a process among those that ran, asked for every millisecond.
    pub(super) peak_bytes: u64,
    pub(super) status: Option<i32>,
    pub(super) stderr: String,
}

/// Runs a command to its end.
///
/// # Errors
/// It cannot be started or watched, or takes longer than the limit.
pub(super) fn run(command: &mut Command, limit: Duration) -> Result<Taken, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let wrong = |error: &dyn std::fmt::Display| format!("{name}: {error}");
    let begin = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| wrong(&error))?;
    let pid = Pid::from_child(&child);
    let mut peak_bytes = 0;
    // Its record stays until it is waited for.
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    while waitid(WaitId::Pid(pid), ended)
        .map_err(|error| wrong(&error))?
        .is_none()
    {
        peak_bytes = peak_bytes.max(resident(child.id()));
        if begin.elapsed() > limit {
            child.kill().map_err(|error| wrong(&error))?;
            child.wait().map_err(|error| wrong(&error))?;
            return Err(wrong(&format!("took longer than {} s", limit.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let seconds = begin.elapsed().as_secs_f64();
    let processor_seconds =
        farside_processes::processor_time(child.id()).map_or(0.0, |time| time.as_secs_f64());
    let output = child.wait_with_output().map_err(|error| wrong(&error))?;
    Ok(Taken {
        seconds,
        processor_seconds,
        peak_bytes,
        status: output.status.code(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// The largest resident set so far of a process and those that it started.
fn resident(process: u32) -> u64 {
    let children = farside_processes::children(process).into_iter().map(resident);
    children.fold(farside_processes::peak_bytes(process).unwrap_or(0), u64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_memory_are_those_of_the_command() {
        let limit = Duration::from_secs(60);
        let taken = run(Command::new("sleep").arg("0.05"), limit).unwrap();
        assert!(taken.seconds >= 0.05 && taken.processor_seconds < taken.seconds);
        assert!(taken.peak_bytes > 0);
        assert!(run(Command::new("sleep").arg("60"), Duration::from_millis(20)).is_err());
    }
}
